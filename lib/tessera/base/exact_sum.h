// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_exact_sum_h
#define tessera_base_exact_sum_h

#include <tessera/base/communication.h>
#include <tessera/base/exact_sum_digits.h>

#include <array>
#include <cstdint>

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
      internal::for_each_exact_sum_entry(
        x, [this](const int i, const std::int64_t y) { entries[i] += y; });
      if (++n_pending == max_pending)
        propagate_carries();
    }

    /** $s \leftarrow s + t$. */
    void
    add(const ExactSum &other);

    /**
     * Add the entries of a sum that was begun elsewhere, on a device: n_entries
     * of them, see internal::for_each_exact_sum_entry(), of less than $2^{31}$
     * numbers, without carries.
     */
    void
    add_entries(const std::int64_t *other_entries);

    /** Replace s by the sum over all ranks. Collective; one reduction. */
    void
    sum(const Communicator &communicator);

    /** s rounded to the nearest double, ties to even. Zero is positive. */
    double
    value() const;

    static constexpr int n_entries = internal::ExactSumEntries::n_entries;

  private:
    static constexpr int n_digits = internal::ExactSumEntries::n_digits;
    static constexpr int n_nan    = internal::ExactSumEntries::n_nan;
    static constexpr int n_plus_infinity =
      internal::ExactSumEntries::n_plus_infinity;
    static constexpr int n_minus_infinity =
      internal::ExactSumEntries::n_minus_infinity;

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
