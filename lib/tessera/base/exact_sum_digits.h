// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_exact_sum_digits_h
#define tessera_base_exact_sum_digits_h

#include <tessera/base/macros.h>

#include <cstdint>
#include <cstring>

namespace tessera
{
  namespace internal
  {
    /** The entries of an ExactSum, for the host and devices. */
    struct ExactSumEntries
    {
      /** Bit 0 of digit 0 is that of the smallest denormal number. 66 digits
       * reach up to the largest number, two more hold sums of many. */
      static constexpr int n_digits         = 68;
      static constexpr int n_nan            = n_digits;
      static constexpr int n_plus_infinity  = n_digits + 1;
      static constexpr int n_minus_infinity = n_digits + 2;
      static constexpr int n_entries        = n_digits + 3;
    };

    /**
     * Call add(i, y) for the entries i to which a number x adds y: of magnitude
     * below $2^{32}$, for three neighbouring digits; or 1, for a counter.
     */
    template <typename Add>
    TESSERA_ALWAYS_INLINE void
    for_each_exact_sum_entry(const double x, const Add &add)
    {
      using E = ExactSumEntries;
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof(bits));
      const bool         is_negative = (bits >> 63) != 0;
      const unsigned int exponent    = unsigned((bits >> 52) & 0x7ffU);
      std::uint64_t      mantissa    = bits & ((std::uint64_t(1) << 52) - 1);
      if (exponent == 0x7ffU)
        {
          add(mantissa != 0 ? int(E::n_nan) :
              is_negative   ? int(E::n_minus_infinity) :
                              int(E::n_plus_infinity),
              std::int64_t(1));
          return;
        }
      // x = mantissa 2^(position - 1074); denormal numbers have exponent 0 and
      // the position of exponent 1.
      if (exponent != 0)
        mantissa |= std::uint64_t(1) << 52;
      const unsigned int position = exponent == 0 ? 0 : exponent - 1;
      const unsigned int shift    = position % 32;
      const std::int64_t digits[] = {
        std::int64_t((mantissa << shift) & 0xffffffffU),
        std::int64_t((mantissa >> (32 - shift)) & 0xffffffffU),
        std::int64_t((mantissa >> 32) >> (32 - shift))};
      TESSERA_UNROLL
      for (int i = 0; i < 3; ++i)
        add(int(position / 32) + i, is_negative ? -digits[i] : digits[i]);
    }
  } // namespace internal
} // namespace tessera

#endif
