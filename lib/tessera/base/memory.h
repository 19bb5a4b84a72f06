// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_memory_h
#define tessera_base_memory_h

#include <cstddef>
#include <cstdint>

namespace tessera
{
  /**
   * Alignment in bytes of all large arrays on the host: a cache line, and the
   * widest SIMD register in use (AVX-512).
   */
  inline constexpr std::size_t memory_alignment = 64;

  /**
   * Allocate bytes at an address that is a multiple of memory_alignment, and
   * account for them. The content is undefined; operating systems place a page
   * near the core that first writes to it. Large arrays ask for huge pages,
   * which Linux gives where it has them. Null for zero bytes. Local, and safe
   * to call from several threads.
   *
   * @throws DeviceError with the bytes requested and available.
   */
  void *
  allocate_aligned(std::size_t n_bytes);

  /** Return what allocate_aligned() gave for `n_bytes`; null is allowed. */
  void
  free_aligned(void *memory, std::size_t n_bytes) noexcept;

  /**
   * @name Accounting
   * In bytes, of this process. "Allocated" means through allocate_aligned(),
   * and thus all AlignedVector objects: the large arrays of the methods, not
   * what containers of the standard library and other libraries take.
   * @{
   */

  /** Bytes that are allocated now. */
  std::uint64_t
  allocated_bytes() noexcept;

  /** The largest value of allocated_bytes() since the start or since
   * reset_peak_allocated_bytes(). */
  std::uint64_t
  peak_allocated_bytes() noexcept;

  /** Start a new measurement of the peak, for instance per phase. */
  void
  reset_peak_allocated_bytes() noexcept;

  /** Physical memory in use by the process now; 0 where the system does not
   * tell. */
  std::uint64_t
  resident_bytes();

  /** The largest physical memory in use by the process so far, whoever asked
   * for it (Linux: VmHWM of /proc/self/status; elsewhere getrusage()). */
  std::uint64_t
  peak_resident_bytes();

  /**
   * Memory that this process could still get without swapping: what the system
   * (MemAvailable) and the control group of the process (container, batch job)
   * have left, whichever is less; 0 where the system does not tell. An
   * estimate, shared with all other processes.
   */
  std::uint64_t
  available_memory_bytes();
  /** @} */
} // namespace tessera

#endif
