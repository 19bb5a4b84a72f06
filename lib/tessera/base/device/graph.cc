// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/graph.h>

#include <utility>

namespace tessera
{
  namespace device
  {
    Graph::Graph(std::function<void(const Stream &)> launches)
      : sequence(std::move(launches))
    {}



    Graph::~Graph()
    {
      reset();
    }



    void
    Graph::run(const Stream &stream)
    {
      if (graph == nullptr)
        {
          if (!backend::begin_capture(stream.handle()))
            {
              sequence(stream);
              return;
            }
          try
            {
              sequence(stream);
            }
          catch (...)
            {
              backend::abandon_capture(stream.handle());
              throw;
            }
          graph = backend::end_capture(stream.handle());
        }
      backend::launch_graph(graph, stream.handle());
    }



    void
    Graph::reset()
    {
      if (graph != nullptr)
        backend::destroy_graph(graph);
      graph = nullptr;
    }
  } // namespace device
} // namespace tessera
