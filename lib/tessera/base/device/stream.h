// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_stream_h
#define tessera_base_device_stream_h

#include <tessera/base/device/backend.h>

namespace tessera
{
  namespace device
  {
    class Event;

    /**
     * A queue of work on the device: kernels and copies that are given to it
     * are done one after the other, while the host goes on. Work in different
     * streams has no order but what wait_for() and synchronize() make.
     *
     * The destructor waits for the work: memory that it uses may be lent to
     * others afterwards.
     */
    class Stream
    {
    public:
      /** @throws DeviceError where there is no device. */
      Stream();
      ~Stream();

      Stream(const Stream &) = delete;
      Stream &
      operator=(const Stream &) = delete;

      /** The host waits until all work given so far is done.
       * @throws DeviceError if the work failed. */
      void
      synchronize() const;

      /** What is given from now on starts after the event. The host does not
       * wait. */
      void
      wait_for(const Event &event) const;

      /** The `cudaStream_t` for calls of the CUDA runtime. */
      StreamHandle
      handle() const
      {
        return stream;
      }

    private:
      StreamHandle stream;
    };

    /**
     * A point in the work of a stream, reached when all that was given before
     * record() is done.
     */
    class Event
    {
    public:
      /** @throws DeviceError where there is no device. */
      Event();
      ~Event();

      Event(const Event &) = delete;
      Event &
      operator=(const Event &) = delete;

      /** Mark the present end of the stream. Replaces an earlier mark. */
      void
      record(const Stream &stream);

      /** The host waits until the event is reached. */
      void
      synchronize() const;

      /** Whether it has been reached, or never been recorded. */
      bool
      is_reached() const;

      EventHandle
      handle() const
      {
        return event;
      }

    private:
      EventHandle event;
    };

    /** Time on the device between two recorded events, with a resolution of
     * about 0.5 microseconds. Waits for the second one. */
    double
    seconds_between(const Event &start, const Event &end);
  } // namespace device
} // namespace tessera

#endif
