// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_backend.h>
#include <tessera/base/device/memory.h>
#include <tessera/base/device/message_memory.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace tessera
{
  namespace device
  {
    namespace
    {
      /** A pointer to what is in an Array, which it keeps alive. */
      template <typename Array>
      std::shared_ptr<char>
      shared_array(const std::size_t n_bytes)
      {
        if (n_bytes == 0)
          return nullptr;
        const auto array = std::make_shared<Array>(n_bytes);
        return {array, array->data()};
      }
    } // namespace



    std::shared_ptr<char>
    PinnedMessageMemory::allocate(const std::size_t n_bytes) const
    {
      return shared_array<PinnedMemory<char>>(n_bytes);
    }



    void
    PinnedMessageMemory::copy(char             *to,
                              const char       *from,
                              const std::size_t n_bytes) const
    {
      std::memcpy(to, from, n_bytes);
    }



    DeviceMessageMemory::DeviceMessageMemory(const Stream &queue)
      : stream(queue)
    {}



    std::shared_ptr<char>
    DeviceMessageMemory::allocate(const std::size_t n_bytes) const
    {
      return shared_array<Memory<char>>(n_bytes);
    }



    void
    DeviceMessageMemory::copy(char             *to,
                              const char       *from,
                              const std::size_t n_bytes) const
    {
      device::internal::copy_counted(
        to, from, n_bytes, CopyDirection::device_to_device, stream);
    }



    bool
    mpi_takes_device_memory(const Communicator &communicator)
    {
      bool answer = false;
      communicator.collectively([&] {
        const char *const variable = std::getenv("TESSERA_CUDA_AWARE_MPI");
        const std::string value    = variable != nullptr ? variable : "";
        if (value.empty())
          answer = tessera::internal::process::mpi_takes_device_memory();
        else if (value == "0" || value == "1")
          answer = value == "1";
        else
          throw InputError(
            "The environment variable TESSERA_CUDA_AWARE_MPI is \"" + value +
            "\". It must be 1 (the MPI library takes pointers to device "
            "memory), 0 (messages go through host memory), or not be set (the "
            "MPI library is asked).");
      });
      return communicator.logical_and(answer);
    }
  } // namespace device
} // namespace tessera
