// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_exact_sum_h
#define tessera_base_exact_sum_h

#include <tessera/base/communication.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace tessera
{
  /**
   * The sum $\sum_i x_i$ of numbers in double, without rounding: the same bits
   * in any order and in any grouping, also over ranks.
   *
   * A fixed-point number that covers the whole range of double. Digits in base
   * $2^{32}$ are kept in 64 bits each, with a sign, so that a number is added
   * to the three digits it touches, and carries are propagated once in
   * $2^{20}$ additions. Up to $2^{62}$ numbers.
   *
   * NaN and infinities are counted apart: as in IEEE arithmetic, the sum is NaN
   * if a number is or if there are infinities of both signs, and infinite with
   * those of one sign. A sum beyond the range of double becomes infinite when
   * it is rounded by value(), not before.
   *
   * Cost: 568 bytes; a few nanoseconds an addition. Local, but for sum().
   */
  class ExactSum
  {
  public:
    /** $s \leftarrow s + x$. */
    void
    add(const double x)
    {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof(bits));
      const bool         is_negative = (bits >> 63) != 0;
      const unsigned int exponent    = unsigned((bits >> 52) & 0x7ffU);
      std::uint64_t      mantissa    = bits & ((std::uint64_t(1) << 52) - 1);
      if (exponent == 0x7ffU)
        {
          ++entries[mantissa != 0 ? n_nan :
                    is_negative   ? n_minus_infinity :
                                    n_plus_infinity];
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
      std::int64_t *const first = entries.data() + position / 32;
      for (int i = 0; i < 3; ++i)
        first[i] += is_negative ? -digits[i] : digits[i];
      if (++n_pending == max_pending)
        propagate_carries();
    }

    /** $s \leftarrow s + t$. */
    void
    add(const ExactSum &other);

    /** Replace s by the sum over all ranks. Collective; one reduction. */
    void
    sum(const Communicator &communicator);

    /** s rounded to the nearest double, ties to even. Zero is positive. */
    double
    value() const;

  private:
    /** Bit 0 of digit 0 is that of the smallest denormal number. 66 digits
     * reach up to the largest number, two more hold sums of many. */
    static constexpr int n_digits         = 68;
    static constexpr int n_nan            = n_digits;
    static constexpr int n_plus_infinity  = n_digits + 1;
    static constexpr int n_minus_infinity = n_digits + 2;
    static constexpr int n_entries        = n_digits + 3;

    /** Digits grow by less than 2^32 with an addition: far from 2^63. */
    static constexpr std::uint32_t max_pending = std::uint32_t(1) << 20;

    /** All digits but the last become those of the number, in [0, 2^32); the
     * last one has the sign. */
    void
    propagate_carries();

    std::array<std::int64_t, n_entries> entries{};

    /** Additions since carries were propagated. */
    std::uint32_t n_pending = 0;
  };
} // namespace tessera

#endif
