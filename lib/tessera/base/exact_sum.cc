// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exact_sum.h>

#include <cmath>
#include <limits>

namespace tessera
{
  void
  ExactSum::add(const ExactSum &other)
  {
    ExactSum term = other;
    term.propagate_carries();
    propagate_carries();
    for (int i = 0; i < n_entries; ++i)
      entries[i] += term.entries[i];
    n_pending = 1;
  }



  void
  ExactSum::add_entries(const std::int64_t *other_entries)
  {
    ExactSum other;
    for (int i = 0; i < n_entries; ++i)
      other.entries[i] = other_entries[i];
    add(other);
  }



  void
  ExactSum::sum(const Communicator &communicator)
  {
    // Digits below 2^32 leave room for 2^31 ranks.
    propagate_carries();
    communicator.sum(entries.data(), entries.size());
    propagate_carries();
  }



  double
  ExactSum::value() const
  {
    const bool plus  = entries[n_plus_infinity] > 0;
    const bool minus = entries[n_minus_infinity] > 0;
    if (entries[n_nan] > 0 || (plus && minus))
      return std::numeric_limits<double>::quiet_NaN();
    if (plus || minus)
      return plus ? std::numeric_limits<double>::infinity() :
                    -std::numeric_limits<double>::infinity();

    ExactSum magnitude = *this;
    magnitude.propagate_carries();
    const bool is_negative = magnitude.entries[n_digits - 1] < 0;
    if (is_negative)
      {
        for (int i = 0; i < n_digits; ++i)
          magnitude.entries[i] = -magnitude.entries[i];
        magnitude.propagate_carries();
      }

    const auto bit = [&](const int position) {
      return (std::uint64_t(magnitude.entries[position / 32]) >>
              (position % 32)) &
             1U;
    };
    int top = 32 * n_digits - 1;
    while (top > 0 && bit(top) == 0)
      --top;

    // The mantissa; fewer bits than double has are a denormal number.
    const int     lowest   = top >= 52 ? top - 52 : 0;
    std::uint64_t mantissa = 0;
    for (int position = top; position >= lowest; --position)
      mantissa = 2 * mantissa + bit(position);
    if (lowest > 0 && bit(lowest - 1) != 0)
      {
        bool is_tie = true;
        for (int position = lowest - 2; position >= 0 && is_tie; --position)
          is_tie = bit(position) == 0;
        if (!is_tie || mantissa % 2 == 1)
          ++mantissa;
      }
    const double result = std::ldexp(double(mantissa), lowest - 1074);
    return is_negative ? -result : result;
  }



  void
  ExactSum::propagate_carries()
  {
    constexpr std::int64_t base = std::int64_t(1) << 32;
    for (int i = 0; i + 1 < n_digits; ++i)
      {
        // Rounded downwards, for negative digits, too.
        const std::int64_t remainder = ((entries[i] % base) + base) % base;
        entries[i + 1] += (entries[i] - remainder) / base;
        entries[i] = remainder;
      }
    n_pending = 0;
  }
} // namespace tessera
