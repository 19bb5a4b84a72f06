// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/aligned_vector.h>
#include <tessera/base/message_memory.h>

#include <cstring>

namespace tessera
{
  namespace
  {
    class HostMemory : public MessageMemory
    {
    public:
      std::shared_ptr<char>
      allocate(const std::size_t n_bytes) const override
      {
        if (n_bytes == 0)
          return nullptr;
        const auto array = std::make_shared<AlignedVector<char>>(n_bytes);
        return {array, array->data()};
      }

      void
      copy(char *to, const char *from, const std::size_t n_bytes) const override
      {
        std::memcpy(to, from, n_bytes);
      }
    };
  } // namespace



  std::shared_ptr<const MessageMemory>
  MessageMemory::host()
  {
    static const auto memory = std::make_shared<const HostMemory>();
    return memory;
  }
} // namespace tessera
