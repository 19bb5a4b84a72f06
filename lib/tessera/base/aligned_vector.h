// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_aligned_vector_h
#define tessera_base_aligned_vector_h

#include <tessera/base/exceptions.h>
#include <tessera/base/memory.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera
{
  /**
   * A host array of trivially copyable entries at an address aligned to
   * memory_alignment (64 bytes), accounted for in allocated_bytes().
   *
   * It differs from `std::vector` in what matters for large arrays: it is not
   * copied by accident (say copy() or copy_from()), it can be allocated without
   * being written, and it never holds more memory than asked for. Moving keeps
   * the address of the entries. Entries of a vector sized without
   * initialization are undefined; debug builds fill them with bytes 0xff, which
   * is NaN for floating-point numbers.
   *
   * First touch: the operating system places pages where they are first
   * written. With one process per core this is where the process runs; threads
   * that share an array should write it for the first time as they will use it.
   */
  template <typename T>
  class AlignedVector
  {
    static_assert(std::is_trivially_copyable<T>::value,
                  "AlignedVector moves its entries as bytes.");
    static_assert(alignof(T) <= memory_alignment,
                  "AlignedVector aligns to memory_alignment only.");

  public:
    using value_type     = T;
    using iterator       = T *;
    using const_iterator = const T *;

    AlignedVector() noexcept = default;

    /** n value-initialized entries (zeros for numbers). */
    explicit AlignedVector(const std::size_t n)
      : AlignedVector(n, T())
    {}

    AlignedVector(const std::size_t n, const T &value)
    {
      resize_without_initialization(n);
      fill(value);
    }

    AlignedVector(const AlignedVector &) = delete;
    AlignedVector &
    operator=(const AlignedVector &) = delete;

    AlignedVector(AlignedVector &&other) noexcept
      : entries(std::exchange(other.entries, nullptr))
      , n_entries(std::exchange(other.n_entries, 0))
    {}

    AlignedVector &
    operator=(AlignedVector &&other) noexcept
    {
      AlignedVector taken(std::move(other));
      swap(taken);
      return *this;
    }

    ~AlignedVector()
    {
      clear();
    }

    void
    swap(AlignedVector &other) noexcept
    {
      std::swap(entries, other.entries);
      std::swap(n_entries, other.n_entries);
    }

    /** A vector with the same entries. */
    AlignedVector
    copy() const
    {
      AlignedVector result;
      result.copy_from(*this);
      return result;
    }

    /** Take the size and the entries of another vector; keeps the memory where
     * sizes agree. */
    void
    copy_from(const AlignedVector &other)
    {
      if (this == &other)
        return;
      resize_without_initialization(other.n_entries);
      copy_entries(other.entries, n_entries, entries);
    }

    /** Keep the first min(size(), n) entries and value-initialize the others.
     * Reallocates, and invalidates pointers, unless n == size(). */
    void
    resize(const std::size_t n)
    {
      if (n == n_entries)
        return;
      AlignedVector resized;
      resized.allocate(n);
      const std::size_t n_kept = std::min(n, n_entries);
      copy_entries(entries, n_kept, resized.entries);
      std::fill(resized.entries + n_kept, resized.entries + n, T());
      swap(resized);
    }

    /** Have n entries of undefined value; nothing is written in release builds.
     * Frees before it allocates, and keeps the memory where n == size(). If
     * there is not enough memory the vector is empty afterwards. */
    void
    resize_without_initialization(const std::size_t n)
    {
      if (n != n_entries)
        {
          clear();
          allocate(n);
        }
#ifndef NDEBUG
      if (n > 0)
        std::memset(static_cast<void *>(entries), 0xff, n * sizeof(T));
#endif
    }

    /** Free the memory. */
    void
    clear() noexcept
    {
      free_aligned(entries, size_in_bytes());
      entries   = nullptr;
      n_entries = 0;
    }

    void
    fill(const T &value)
    {
      std::fill(begin(), end(), value);
    }

    T &
    operator[](const std::size_t i)
    {
      TESSERA_ASSERT(i < n_entries, "index out of range");
      return entries[i];
    }

    const T &
    operator[](const std::size_t i) const
    {
      TESSERA_ASSERT(i < n_entries, "index out of range");
      return entries[i];
    }

    /** Null if empty. */
    T *
    data() noexcept
    {
      return entries;
    }

    const T *
    data() const noexcept
    {
      return entries;
    }

    T *
    begin() noexcept
    {
      return entries;
    }

    const T *
    begin() const noexcept
    {
      return entries;
    }

    T *
    end() noexcept
    {
      return entries + n_entries;
    }

    const T *
    end() const noexcept
    {
      return entries + n_entries;
    }

    std::size_t
    size() const noexcept
    {
      return n_entries;
    }

    bool
    empty() const noexcept
    {
      return n_entries == 0;
    }

    /** Bytes of memory held besides the object itself. */
    std::size_t
    size_in_bytes() const noexcept
    {
      return n_entries * sizeof(T);
    }

  private:
    /** Into an empty vector. */
    void
    allocate(const std::size_t n)
    {
      if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T))
        throw DeviceError(
          "Out of memory on the host: an array of " + std::to_string(n) +
          " entries of " + std::to_string(sizeof(T)) +
          " bytes was requested, which exceeds the address space; about " +
          std::to_string(available_memory_bytes()) +
          " bytes are available. Use a smaller problem.");
      entries   = static_cast<T *>(allocate_aligned(n * sizeof(T)));
      n_entries = n;
    }

    static void
    copy_entries(const T *from, const std::size_t n, T *to)
    {
      if (n > 0)
        std::memcpy(static_cast<void *>(to), from, n * sizeof(T));
    }

    T          *entries   = nullptr;
    std::size_t n_entries = 0;
  };
} // namespace tessera

#endif
