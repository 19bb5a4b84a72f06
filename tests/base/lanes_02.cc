// SPDX-License-Identifier: LGPL-2.1-or-later
// Lanes: partial loads and stores touch no other memory, neither the poisoned
// neighbours nor a page that cannot be accessed; aligned access; the dispatched
// code was compiled for its instruction set.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "check.h"
#include "lanes_kernels.h"

using namespace tessera;

namespace test
{
  /** Memory for n numbers that ends, or begins, at a page without access. */
  class GuardedPage
  {
  public:
    GuardedPage()
      : page(sysconf(_SC_PAGESIZE))
      , memory(static_cast<char *>(mmap(nullptr,
                                        3 * page,
                                        PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS,
                                        -1,
                                        0)))
    {
      CHECK(memory != MAP_FAILED);
      CHECK_EQUAL(mprotect(memory, page, PROT_NONE), 0);
      CHECK_EQUAL(mprotect(memory + 2 * page, page, PROT_NONE), 0);
    }

    ~GuardedPage()
    {
      munmap(memory, 3 * page);
    }

    GuardedPage(const GuardedPage &) = delete;
    GuardedPage &
    operator=(const GuardedPage &) = delete;

    template <typename T>
    T *
    last(const int n) const
    {
      return reinterpret_cast<T *>(memory + 2 * page) - n;
    }

  private:
    std::size_t page;
    char       *memory;
  };

  template <typename T>
  void
  check_partial(const InstructionSet set)
  {
    const T           poison = T(-7.5);
    const GuardedPage source, destination;
    for (const int W : {1, 2, 4, 8, 16})
      for (int n = 0; n <= W; ++n)
        {
          // The n numbers are the last ones of a page.
          T *src = source.last<T>(n), *dst = destination.last<T>(n);
          std::fill(src - W, src, poison);
          std::fill(dst - W, dst + n, poison);
          for (int i = 0; i < n; ++i)
            src[i] = T(i + 1);
          T loaded[16];
          std::fill(std::begin(loaded), std::end(loaded), poison);
          TESSERA_CALL_SIMD_FOR(set, copy_partial(W, src, n, loaded, dst));
          for (int i = 0; i < 16; ++i)
            CHECK_EQUAL(loaded[i], i < n ? T(i + 1) : i < W ? T(0) : poison);
          for (int i = -W; i < n; ++i)
            CHECK_EQUAL(dst[i], i < 0 ? poison : T(i + 1));

          // The memory behind is accessible, and stays as it was.
          T around[48];
          std::fill(std::begin(around), std::end(around), poison);
          TESSERA_CALL_SIMD_FOR(set,
                                copy_partial(W, src, n, loaded, around + 15));
          for (int i = -15; i < 33; ++i)
            CHECK_EQUAL(around[15 + i], i >= 0 && i < n ? T(i + 1) : poison);
        }
  }

  template <typename T>
  void
  check_aligned(const InstructionSet set)
  {
    for (const int W : {1, 2, 4, 8, 16})
      {
        alignas(64) T src[32], dst[32];
        for (int i = 0; i < 32; ++i)
          {
            src[i] = T(i + 1);
            dst[i] = T(-1);
          }
        TESSERA_CALL_SIMD_FOR(set, copy_aligned(W, src, dst));
        for (int i = 0; i < 32; ++i)
          CHECK_EQUAL(dst[i], i < W ? T(i + 1) : T(-1));
      }
  }

  void
  check_compiled_for(const InstructionSet set)
  {
    CHECK_EQUAL(TESSERA_CALL_SIMD_FOR(set, register_bytes()),
                int(simd_bits(set) / 8));
    if (set != InstructionSet::generic)
      CHECK(TESSERA_CALL_SIMD_FOR(set, has_fma()));
  }

  void
  check_active_set()
  {
    CHECK_EQUAL(TESSERA_CALL_SIMD(register_bytes()),
                int(simd_bits(active_instruction_set()) / 8));
  }
} // namespace test

int
main()
{
  for (const InstructionSet set : available_instruction_sets())
    {
      test::check_partial<float>(set);
      test::check_partial<double>(set);
      test::check_aligned<float>(set);
      test::check_aligned<double>(set);
      test::check_compiled_for(set);
    }
  test::check_active_set();
  return check::result();
}
