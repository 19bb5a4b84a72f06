// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_message_memory_h
#define tessera_base_message_memory_h

#include <cstddef>
#include <memory>

namespace tessera
{
  /**
   * The memory that the buffers of a GhostExchange are in: host memory, unless
   * somebody else packs and unpacks them, as a device does.
   */
  class MessageMemory
  {
  public:
    virtual ~MessageMemory() = default;

    /**
     * An array that lives as long as pointers to it do; null for 0 bytes. It is
     * aligned to memory_alignment, and the MPI library can send what is in it
     * and receive into it.
     */
    virtual std::shared_ptr<char>
    allocate(std::size_t n_bytes) const = 0;

    /** Copy what a rank has for itself from one of its buffers to the other,
     * when an exchange starts; it must be there when what follows the finish
     * reads it. */
    virtual void
    copy(char *to, const char *from, std::size_t n_bytes) const = 0;

    /** Host memory: that of an AlignedVector. */
    static std::shared_ptr<const MessageMemory>
    host();
  };
} // namespace tessera

#endif
