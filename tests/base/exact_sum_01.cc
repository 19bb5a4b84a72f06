// SPDX-License-Identifier: LGPL-2.1-or-later
// Exact sums against sums of expansions without overlap, and where the result
// is known: cancellation, ties, denormal and huge numbers, NaN and infinities.
// The order and the distribution over ranks do not matter, bit for bit.
#include <tessera/base/communication_session.h>
#include <tessera/base/exact_sum.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.h"

using namespace tessera;

namespace
{
  using Limits = std::numeric_limits<double>;

  bool
  same_bits(const double a, const double b)
  {
    return std::memcmp(&a, &b, sizeof(double)) == 0;
  }

  double
  exact_sum(const std::vector<double> &values)
  {
    ExactSum sum;
    for (const double x : values)
      sum.add(x);
    return sum.value();
  }

  /**
   * The rounded sum by another method: an expansion of numbers that do not
   * overlap (J. R. Shewchuk, Adaptive precision floating-point arithmetic and
   * fast robust geometric predicates, 1997). For numbers far from overflow.
   */
  double
  sum_of_expansion(const std::vector<double> &values)
  {
    std::vector<double> parts; // ascending magnitudes
    for (double x : values)
      {
        std::size_t n = 0;
        for (double y : parts)
          {
            if (std::abs(x) < std::abs(y))
              std::swap(x, y);
            const double high = x + y, low = y - (high - x);
            if (low != 0.)
              parts[n++] = low;
            x = high;
          }
        parts.resize(n);
        parts.push_back(x);
      }
    double high = 0., low = 0.;
    while (!parts.empty() && low == 0.)
      {
        const double x = high, y = parts.back();
        parts.pop_back();
        high = x + y;
        low  = y - (high - x);
      }
    // A tie that the smaller parts decide.
    if (!parts.empty() && (low < 0.) == (parts.back() < 0.))
      {
        const double y = 2. * low, x = high + y;
        if (y == x - high)
          high = x;
      }
    return high;
  }

  /** Random numbers with exponents in a range, and nearly their negatives. */
  std::vector<double>
  random_numbers(std::mt19937     &generator,
                 const std::size_t n,
                 const int         lowest_exponent,
                 const int         highest_exponent)
  {
    std::uniform_real_distribution<double> mantissa(-1., 1.);
    std::uniform_int_distribution<int>     exponent(lowest_exponent,
                                                highest_exponent);
    std::vector<double>                    values;
    while (values.size() < n)
      {
        values.push_back(std::ldexp(mantissa(generator), exponent(generator)));
        if (values.size() % 3 == 0)
          values.push_back(-values.back() *
                           (1. + std::ldexp(mantissa(generator), -45)));
      }
    std::shuffle(values.begin(), values.end(), generator);
    return values;
  }

  void
  check_random(const Communicator &communicator)
  {
    std::mt19937 generator(4711);
    for (const int range : {0, 10, 60, 300})
      for (const std::size_t n : {1, 2, 3, 10, 1000})
        for (int repeat = 0; repeat < 20; ++repeat)
          {
            std::vector<double> values =
              random_numbers(generator, n, -range, range);
            const double expected = sum_of_expansion(values);
            CHECK_EQUAL(exact_sum(values), expected);

            // Any order.
            std::shuffle(values.begin(), values.end(), generator);
            CHECK(same_bits(exact_sum(values), expected));
            std::sort(values.begin(), values.end());
            CHECK(same_bits(exact_sum(values), expected));

            // Two groups, any distribution over the ranks.
            ExactSum groups[2], mine;
            for (std::size_t i = 0; i < values.size(); ++i)
              {
                groups[i % 3 == 0 ? 1 : 0].add(values[i]);
                if (i * i % communicator.n_ranks() == communicator.rank())
                  mine.add(values[i]);
              }
            groups[0].add(groups[1]);
            CHECK(same_bits(groups[0].value(), expected));
            mine.sum(communicator);
            CHECK(same_bits(mine.value(), expected));

            // It goes on.
            mine.add(1.);
            values.push_back(1.);
            CHECK_EQUAL(mine.value(), sum_of_expansion(values));
          }
  }

  void
  check_rounding()
  {
    const double half = std::ldexp(1., -53), tiny = Limits::denorm_min();
    CHECK_EQUAL(exact_sum({1., half}), 1.);
    CHECK_EQUAL(exact_sum({1., half, tiny}), 1. + 2. * half);
    CHECK_EQUAL(exact_sum({1., 3. * half}), 1. + 4. * half);
    CHECK_EQUAL(exact_sum({1., 3. * half, -tiny}), 1. + 2. * half);
    CHECK_EQUAL(exact_sum({-1., -half}), -1.);
    CHECK_EQUAL(exact_sum({-1., -half, -tiny}), -1. - 2. * half);
    // A carry through all bits.
    CHECK_EQUAL(exact_sum({2. - 2. * half, half}), 2.);
    CHECK_EQUAL(exact_sum({2. - 2. * half, half, -tiny}), 2. - 2. * half);
  }

  void
  check_range()
  {
    const double tiny = Limits::denorm_min(), least = Limits::min(),
                 most = Limits::max(), infinity = Limits::infinity();
    CHECK(same_bits(exact_sum({}), 0.));
    CHECK(same_bits(exact_sum({-0.}), 0.));
    CHECK(same_bits(exact_sum({1e300, -1e300}), 0.));
    CHECK_EQUAL(exact_sum({tiny}), tiny);
    CHECK_EQUAL(exact_sum({-tiny, -tiny}), -2. * tiny);
    CHECK_EQUAL(exact_sum({least, -tiny}), least - tiny);
    CHECK_EQUAL(exact_sum({least - tiny, tiny}), least);
    CHECK_EQUAL(exact_sum({most}), most);
    CHECK_EQUAL(exact_sum({-most}), -most);
    CHECK_EQUAL(exact_sum({most, tiny, -most}), tiny);
    CHECK_EQUAL(exact_sum({most, most, -most, -most, -1.}), -1.);
    CHECK_EQUAL(exact_sum({most, most}), infinity);
    CHECK_EQUAL(exact_sum({-most, -most}), -infinity);
    // Half a last bit: a tie away from the largest number.
    const double last = std::ldexp(1., 971);
    CHECK_EQUAL(exact_sum({most, last / 2.}), infinity);
    CHECK_EQUAL(exact_sum({most, last / 2., -tiny}), most);
  }

  void
  check_not_finite()
  {
    const double nan = Limits::quiet_NaN(), infinity = Limits::infinity();
    CHECK(std::isnan(exact_sum({1., nan, 2.})));
    CHECK(std::isnan(exact_sum({nan, infinity})));
    CHECK(std::isnan(exact_sum({infinity, 1., -infinity})));
    CHECK_EQUAL(exact_sum({1., infinity, -1e300}), infinity);
    CHECK_EQUAL(exact_sum({1., -infinity, infinity / -2.}), -infinity);
  }

  /** More additions than digits have room for without carries. */
  void
  check_many()
  {
    // n times x 2^40, by doubling.
    const int  n           = (1 << 21) + 1;
    const auto sum_of_many = [&](const double x) {
      ExactSum sum;
      for (int i = 0; i < n; ++i)
        sum.add(x);
      CHECK_EQUAL(sum.value(), n * x);
      for (int i = 0; i < 40; ++i)
        sum.add(ExactSum(sum));
      CHECK_EQUAL(sum.value(), std::ldexp(n * x, 40));
      return sum;
    };
    for (const double x : {std::ldexp(0x1.fffffffffffffp0, 900),
                           std::ldexp(0x1.fffffffffffffp0, -1000)})
      {
        ExactSum sum = sum_of_many(x);
        sum.add(sum_of_many(-x));
        CHECK_EQUAL(sum.value(), 0.);
      }
  }

  void
  check_ranks(const Communicator &communicator)
  {
    const unsigned int n = communicator.n_ranks(), rank = communicator.rank();
    // Every rank's digits are as large as they can be.
    ExactSum sum;
    for (int i = 0; i < 1000; ++i)
      sum.add(rank % 2 == 0 ? 0x1.fffffffffffffp50 : -0x1.fffffffffffffp50);
    sum.sum(communicator);
    CHECK_EQUAL(sum.value(), (n % 2) * 1000 * 0x1.fffffffffffffp50);

    // What is not finite is seen by all.
    ExactSum with_nan;
    with_nan.add(rank + 1 == n ? Limits::quiet_NaN() : 1.);
    with_nan.sum(communicator);
    CHECK(std::isnan(with_nan.value()));
    ExactSum with_infinity;
    with_infinity.add(rank == 0 ? Limits::infinity() : 1.);
    with_infinity.sum(communicator);
    CHECK_EQUAL(with_infinity.value(), Limits::infinity());
  }
} // namespace

int
main(int argc, char **argv)
{
  CommunicationSession session(argc, argv);
  const Communicator   communicator = Communicator::world();
  check_random(communicator);
  check_rounding();
  check_range();
  check_not_finite();
  check_many();
  check_ranks(communicator);
  return check::result();
}
