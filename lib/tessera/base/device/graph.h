// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_graph_h
#define tessera_base_device_graph_h

#include <tessera/base/device/stream.h>

#include <functional>

namespace tessera
{
  namespace device
  {
    /**
     * A sequence of kernel launches and copies that is repeated with the same
     * arguments, at a fraction of the cost of giving them to a stream one by
     * one (about 1 instead of 3 microseconds a launch).
     *
     * The first call of run() has the sequence recorded as a CUDA graph; this
     * and all further calls replay the record. What was recorded are the values
     * of the arguments at that time: pointers, numbers. The sequence must
     * therefore not depend on anything that changes, and must do nothing but
     * launch kernels and give asynchronous copies from and to pinned or device
     * memory to the stream that it is handed: no allocation, no
     * synchronization. Bytes of copies are counted when they are recorded, not
     * when they are replayed.
     *
     * Where launches cannot be recorded, run() calls the sequence each time.
     */
    class Graph
    {
    public:
      explicit Graph(std::function<void(const Stream &)> sequence);
      ~Graph();

      Graph(const Graph &) = delete;
      Graph &
      operator=(const Graph &) = delete;

      /** Give the sequence to the stream. */
      void
      run(const Stream &stream);

      /** Record again at the next run(): arguments have changed. */
      void
      reset();

    private:
      std::function<void(const Stream &)> sequence;
      GraphHandle                         graph = nullptr;
    };
  } // namespace device
} // namespace tessera

#endif
