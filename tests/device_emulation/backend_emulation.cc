// SPDX-License-Identifier: LGPL-2.1-or-later
// The emulated device, as seen from the host: memory that is the host's. See
// streams.cc for the rest.
#include <tessera/base/device/backend.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "device_emulation/emulation.h"
#include "device_emulation/launch_emulated.h"
#include "device_emulation/state.h"
#include "device_emulation/streams.h"

namespace emulation
{
  namespace
  {
    /** Start and size of what is allocated on the device. */
    std::map<const char *, std::size_t> allocations;
    std::size_t                         n_allocated_bytes = 0;

    /** The same of pinned host memory. */
    std::map<const char *, std::size_t> pinned_allocations;

    int chosen = 0;



    bool
    is_pinned(const void *memory)
    {
      const char *start = static_cast<const char *>(memory);
      auto        next  = pinned_allocations.upper_bound(start);
      return next != pinned_allocations.begin() &&
             start < std::prev(next)->first + std::prev(next)->second;
    }



    /** Complain if [memory, memory + n_bytes) is not within an array of the
     * device. */
    void
    check_on_device(const void *memory, const std::size_t n_bytes)
    {
      const char *start = static_cast<const char *>(memory);
      auto        next  = allocations.upper_bound(start);
      if (next == allocations.begin())
        throw Error("a copy or fill of " + std::to_string(n_bytes) +
                    " bytes is not in device memory");
      const auto [array, n_array_bytes] = *std::prev(next);
      if (start + n_bytes > array + n_array_bytes)
        throw Error("a copy or fill of " + std::to_string(n_bytes) +
                    " bytes is not within one array of " +
                    std::to_string(n_array_bytes) + " bytes on the device");
    }
  } // namespace



  int
  chosen_device()
  {
    return chosen;
  }



  unsigned int
  max_resident_blocks()
  {
    return options().n_resident_blocks;
  }
} // namespace emulation

namespace tessera
{
  namespace device
  {
    namespace backend
    {
      std::string
      toolkit()
      {
        return "emulated";
      }



      int
      n_devices(std::string &why_none)
      {
        why_none = emulation::options().n_devices == 0 ?
                     "the emulation has been told to have none" :
                     "";
        return emulation::options().n_devices;
      }



      DeviceProperties
      device_properties(int)
      {
        DeviceProperties properties;
        properties.name              = "emulated device";
        properties.major             = 9;
        properties.n_multiprocessors = 1;
        properties.memory_bytes      = emulation::options().device_memory_bytes;
        properties.shared_bytes_per_block = emulation::max_shared_bytes;
        properties.driver                 = "none";
        return properties;
      }



      void
      set_device(const int device)
      {
        if (device < 0 || device >= emulation::options().n_devices)
          throw emulation::Error("there is no device " +
                                 std::to_string(device));
        emulation::chosen = device;
      }



      void
      synchronize_device()
      {
        ++emulation::counts.n_waits;
        emulation::run_all_streams();
      }



      void *
      allocate(const std::size_t n_bytes)
      {
        if (n_bytes == 0)
          return nullptr;
        if (emulation::n_recorded_streams() > 0)
          throw emulation::Error(
            "an allocation while a stream is being recorded");
        const std::size_t available = emulation::options().device_memory_bytes -
                                      emulation::n_allocated_bytes;
        void *memory = nullptr;
        if (n_bytes > available || posix_memalign(&memory, 256, n_bytes) != 0)
          throw DeviceError("out of device memory: " + std::to_string(n_bytes) +
                            " bytes were requested, " +
                            std::to_string(available) + " are free");
        // Not a number, where it is used before it is written.
        std::memset(memory, 0xff, n_bytes);
        emulation::allocations[static_cast<const char *>(memory)] = n_bytes;
        emulation::n_allocated_bytes += n_bytes;
        return memory;
      }



      void
      free(void *memory) noexcept
      {
        const auto array =
          emulation::allocations.find(static_cast<const char *>(memory));
        if (array == emulation::allocations.end())
          std::abort(); // this is not an array of the device
        emulation::run_all_streams();
        emulation::n_allocated_bytes -= array->second;
        emulation::allocations.erase(array);
        std::free(memory);
      }



      void *
      allocate_pinned(const std::size_t n_bytes)
      {
        void *memory = nullptr;
        if (n_bytes > 0 && posix_memalign(&memory, 256, n_bytes) != 0)
          throw DeviceError("out of host memory: " + std::to_string(n_bytes) +
                            " bytes were requested");
        if (memory != nullptr)
          emulation::pinned_allocations[static_cast<const char *>(memory)] =
            n_bytes;
        return memory;
      }



      void
      free_pinned(void *memory) noexcept
      {
        emulation::run_all_streams();
        emulation::pinned_allocations.erase(static_cast<const char *>(memory));
        std::free(memory);
      }



      void
      copy(void               *to,
           const void         *from,
           const std::size_t   n_bytes,
           const CopyDirection direction,
           const StreamHandle  stream)
      {
        if (direction != CopyDirection::device_to_host)
          emulation::check_on_device(to, n_bytes);
        if (direction != CopyDirection::host_to_device)
          emulation::check_on_device(from, n_bytes);
        if (direction == CopyDirection::host_to_device && !stream->recording &&
            !emulation::is_pinned(from))
          {
            // The host may go on as soon as its values have been put aside.
            const auto        bytes = static_cast<const char *>(from);
            const std::string values(bytes, bytes + n_bytes);
            emulation::give_to_stream(stream, [=] {
              std::memcpy(to, values.data(), n_bytes);
            });
            return;
          }
        emulation::give_to_stream(stream,
                                  [=] { std::memmove(to, from, n_bytes); });
        if (direction == CopyDirection::device_to_host && !stream->recording &&
            !emulation::is_pinned(to))
          synchronize_stream(stream);
      }



      void
      fill_bytes(void               *memory,
                 const unsigned char value,
                 const std::size_t   n_bytes,
                 const StreamHandle  stream)
      {
        emulation::check_on_device(memory, n_bytes);
        emulation::give_to_stream(stream,
                                  [=] { std::memset(memory, value, n_bytes); });
      }
    } // namespace backend
  }   // namespace device
} // namespace tessera
