// SPDX-License-Identifier: LGPL-2.1-or-later
// Builds without CUDA: there is no device.
#include <tessera/base/device/backend.h>
#include <tessera/base/exceptions.h>

namespace tessera
{
  namespace device
  {
    namespace backend
    {
      namespace
      {
        const char *const reason = "this build contains no CUDA code";

        [[noreturn]] void
        refuse()
        {
          throw DeviceError(std::string("no device can be used: ") + reason);
        }
      } // namespace



      std::string
      toolkit()
      {
        return "none in this build";
      }



      int
      n_devices(std::string &why_none)
      {
        why_none = reason;
        return 0;
      }



      DeviceProperties
      device_properties(int)
      {
        refuse();
      }



      void
      set_device(int)
      {
        refuse();
      }



      void
      synchronize_device()
      {
        refuse();
      }



      void *
      allocate(std::size_t)
      {
        refuse();
      }



      void
      free(void *) noexcept
      {}



      void *
      allocate_pinned(std::size_t)
      {
        refuse();
      }



      void
      free_pinned(void *) noexcept
      {}



      void
      copy(void *, const void *, std::size_t, CopyDirection, StreamHandle)
      {
        refuse();
      }



      void
      fill_bytes(void *, unsigned char, std::size_t, StreamHandle)
      {
        refuse();
      }



      StreamHandle
      create_stream()
      {
        refuse();
      }



      void
      destroy_stream(StreamHandle) noexcept
      {}



      void
      synchronize_stream(StreamHandle)
      {
        refuse();
      }



      void
      wait_for_event(StreamHandle, EventHandle)
      {
        refuse();
      }



      EventHandle
      create_event()
      {
        refuse();
      }



      void
      destroy_event(EventHandle) noexcept
      {}



      void
      record_event(EventHandle, StreamHandle)
      {
        refuse();
      }



      void
      synchronize_event(EventHandle)
      {
        refuse();
      }



      bool
      event_is_reached(EventHandle)
      {
        refuse();
      }



      double
      seconds_between(EventHandle, EventHandle)
      {
        refuse();
      }



      bool
      begin_capture(StreamHandle)
      {
        refuse();
      }



      GraphHandle
      end_capture(StreamHandle)
      {
        refuse();
      }



      void
      abandon_capture(StreamHandle) noexcept
      {}



      void
      launch_graph(GraphHandle, StreamHandle)
      {
        refuse();
      }



      void
      destroy_graph(GraphHandle) noexcept
      {}
    } // namespace backend
  }   // namespace device
} // namespace tessera
