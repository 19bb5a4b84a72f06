// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_message_memory_h
#define tessera_base_device_message_memory_h

#include <tessera/base/device/stream.h>
#include <tessera/base/message_memory.h>

#include <cstddef>
#include <memory>

namespace tessera
{
  class Communicator;

  namespace device
  {
    /** Pinned host memory: buffers of messages that are copied from and to the
     * device while the host goes on. */
    class PinnedMessageMemory : public MessageMemory
    {
    public:
      /** @throws DeviceError if there is no memory. */
      std::shared_ptr<char>
      allocate(std::size_t n_bytes) const override;

      /** By the host, at once. */
      void
      copy(char *to, const char *from, std::size_t n_bytes) const override;
    };

    /** Device memory, for an MPI library that takes it (see
     * mpi_takes_device_memory()). */
    class DeviceMessageMemory : public MessageMemory
    {
    public:
      /** @param[in] stream For copy(); it outlives the object. */
      explicit DeviceMessageMemory(const Stream &stream);

      /** @throws DeviceError if there is no memory. */
      std::shared_ptr<char>
      allocate(std::size_t n_bytes) const override;

      /** In the order of the stream; the host does not wait. */
      void
      copy(char *to, const char *from, std::size_t n_bytes) const override;

    private:
      const Stream &stream;
    };

    /**
     * Whether messages can be sent from device memory and received into it: the
     * MPI library says that it is CUDA-aware, on all ranks. (Open MPI, MPICH
     * and their relatives are asked; what cannot be asked is not.) The
     * environment variable TESSERA_CUDA_AWARE_MPI, 0 or 1, has the last word.
     * Collective.
     *
     * @throws InputError on all ranks for another value of the variable.
     */
    bool
    mpi_takes_device_memory(const Communicator &communicator);
  } // namespace device
} // namespace tessera

#endif
