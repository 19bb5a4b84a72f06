// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/stream.h>
#include <tessera/base/exceptions.h>

namespace tessera
{
  namespace device
  {
    Stream::Stream()
      : stream(backend::create_stream())
    {}



    Stream::~Stream()
    {
      try
        {
          backend::synchronize_stream(stream);
        }
      catch (const DeviceError &)
        {
          // The work has failed; whoever waits for its results is told.
        }
      backend::destroy_stream(stream);
    }



    void
    Stream::synchronize() const
    {
      backend::synchronize_stream(stream);
    }



    void
    Stream::wait_for(const Event &event) const
    {
      backend::wait_for_event(stream, event.handle());
    }



    Event::Event()
      : event(backend::create_event())
    {}



    Event::~Event()
    {
      backend::destroy_event(event);
    }



    void
    Event::record(const Stream &stream)
    {
      backend::record_event(event, stream.handle());
    }



    void
    Event::synchronize() const
    {
      backend::synchronize_event(event);
    }



    bool
    Event::is_reached() const
    {
      return backend::event_is_reached(event);
    }



    double
    seconds_between(const Event &start, const Event &end)
    {
      end.synchronize();
      return backend::seconds_between(start.handle(), end.handle());
    }
  } // namespace device
} // namespace tessera
