// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/counters.h>
#include <tessera/base/device/memory.h>

#include <limits>
#include <string>

namespace tessera
{
  namespace device
  {
    namespace internal
    {
      void *
      allocate_array(const bool        on_device,
                     const std::size_t n_values,
                     const std::size_t bytes_per_value)
      {
        if (n_values >
            std::numeric_limits<std::size_t>::max() / bytes_per_value)
          throw DeviceError("an array of " + std::to_string(n_values) +
                            " values of " + std::to_string(bytes_per_value) +
                            " bytes was requested, which no memory can hold");
        const std::size_t n_bytes = n_values * bytes_per_value;
        return on_device ? backend::allocate(n_bytes) :
                           backend::allocate_pinned(n_bytes);
      }



      void
      free_array(const bool on_device, void *memory) noexcept
      {
        if (memory == nullptr)
          return;
        if (on_device)
          backend::free(memory);
        else
          backend::free_pinned(memory);
      }



      void
      copy_counted(void               *to,
                   const void         *from,
                   const std::size_t   n_bytes,
                   const CopyDirection direction,
                   const Stream       &stream)
      {
        if (n_bytes == 0)
          return;
        Counters &counters = Counters::process();
        if (direction == CopyDirection::host_to_device)
          counters.add(counters.id(Counters::host_to_device_bytes), n_bytes);
        else if (direction == CopyDirection::device_to_host)
          counters.add(counters.id(Counters::device_to_host_bytes), n_bytes);
        backend::copy(to, from, n_bytes, direction, stream.handle());
      }
    } // namespace internal
  }   // namespace device
} // namespace tessera
