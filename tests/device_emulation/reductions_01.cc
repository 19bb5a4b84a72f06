// SPDX-License-Identifier: LGPL-2.1-or-later
// Reductions on the device have the bits of their twins on the host, and these
// the order that is documented.
#include <tessera/base/device/reductions.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;

#ifdef TESSERA_TEST_VARIANT_thread
  constexpr std::size_t sizes[] = {0, 1, 300, 2 * 2048 + 5};
#else
  constexpr std::size_t sizes[] =
    {0, 1, 2, 31, 255, 256, 257, 2047, 2048, 2049, 10000, 2048 * 9 + 77};
#endif



  template <typename T>
  std::vector<T>
  random_values(const std::size_t n)
  {
    std::mt19937                      random(5);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T>                    values(n);
    for (T &value : values)
      value = uniform(random);
    return values;
  }



  /** The sum of values in pairs of neighbours, recursively. */
  double
  sum_in_pairs(const std::vector<double> &values)
  {
    if (values.size() == 1)
      return values[0];
    std::vector<double> sums;
    for (std::size_t i = 0; i < values.size(); i += 2)
      sums.push_back(values[i] + values[i + 1]);
    return sum_in_pairs(sums);
  }



  /** The documented order, as an equation. */
  template <typename T>
  double
  sum_by_definition(const std::vector<T> &values)
  {
    std::vector<double> blocks;
    for (std::size_t first = 0; first < values.size(); first += 2048)
      {
        std::vector<double> partial(256, 0.);
        for (std::size_t i = first; i < std::min(first + 2048, values.size());
             ++i)
          partial[(i - first) % 256] += double(values[i]);
        blocks.push_back(sum_in_pairs(partial));
      }
    return blocks.empty()     ? 0. :
           blocks.size() == 1 ? blocks[0] :
                                sum_by_definition(blocks);
  }



  template <typename T>
  void
  check_equal_bits(const std::vector<T> &x, const std::vector<T> &y)
  {
    const std::size_t       n = x.size();
    const device::Stream    stream;
    const device::Memory<T> device_x(x.data(), n, stream),
      device_y(y.data(), n, stream);
    device::Reductions reductions(n);

    const auto same = [](const double a, const double b) {
      return a == b || (std::isnan(a) && std::isnan(b));
    };
    CHECK(same(reductions.sum(device_x.data(), n, stream),
               device::host_sum(x.data(), n)));
    CHECK(same(reductions.dot(device_x.data(), device_y.data(), n, stream),
               device::host_dot(x.data(), y.data(), n)));
    CHECK(same(reductions.sum_abs(device_x.data(), n, stream),
               device::host_sum_abs(x.data(), n)));
    CHECK(same(reductions.max_abs(device_x.data(), n, stream),
               device::host_max_abs(x.data(), n)));
  }



  /** $x + a v$, and its product with w, or with itself. */
  template <typename T>
  void
  check_add_and_dot(const std::vector<T> &x,
                    const std::vector<T> &v,
                    const std::vector<T> &w)
  {
    const std::size_t    n = x.size();
    const T              a = T(0.7);
    const device::Stream stream;
    device::Reductions   reductions(n);
    for (const bool with_itself : {false, true})
      {
        device::Memory<T>       device_x(x.data(), n, stream);
        const device::Memory<T> device_v(v.data(), n, stream),
          device_w(w.data(), n, stream);
        const double on_device =
          reductions.add_and_dot(device_x.data(),
                                 a,
                                 device_v.data(),
                                 with_itself ? device_x.data() :
                                               device_w.data(),
                                 n,
                                 stream);
        std::vector<T> updated(n), y = x;
        device_x.copy_to_host(updated.data(), stream);
        const double on_host = device::host_add_and_dot(
          y.data(), a, v.data(), with_itself ? y.data() : w.data(), n);
        CHECK(updated == y);
        CHECK_EQUAL(on_device, on_host);

        for (std::size_t i = 0; i < n; ++i)
          CHECK_EQUAL(updated[i], std::fma(a, v[i], x[i]));
        CHECK_EQUAL(on_host,
                    device::host_dot(updated.data(),
                                     with_itself ? updated.data() : w.data(),
                                     n));
      }
  }



  template <typename T>
  void
  check_all_sizes()
  {
    for (const std::size_t n : sizes)
      {
        std::vector<T> x = random_values<T>(n), y = x;
        for (std::size_t i = 0; i < n; ++i)
          y[i] = x[n - 1 - i] * T(0.5);
        check_equal_bits(x, y);
        std::vector<T> z = y;
        for (std::size_t i = 0; i < n; ++i)
          z[i] = x[i] - y[n - 1 - i] * T(0.3);
        check_add_and_dot(x, y, z);

        CHECK_EQUAL(device::host_sum(x.data(), n), sum_by_definition(x));
        double      maximum = 0;
        long double dot     = 0;
        for (std::size_t i = 0; i < n; ++i)
          {
            maximum = std::max(maximum, std::abs(double(x[i])));
            dot += (long double)(x[i]) * (long double)(y[i]);
          }
        CHECK_EQUAL(device::host_max_abs(x.data(), n), maximum);
        std::vector<T> magnitudes = x;
        for (T &value : magnitudes)
          value = std::abs(value);
        CHECK_EQUAL(device::host_sum_abs(x.data(), n),
                    sum_by_definition(magnitudes));
        CHECK_NEAR(device::host_dot(x.data(), y.data(), n), double(dot), 1e-13);

        // Not a number, wherever it is.
        for (const std::size_t i : {std::size_t(0), n / 2, n - 1})
          if (i < n)
            {
              const T value = x[i];
              x[i]          = std::numeric_limits<T>::quiet_NaN();
              check_equal_bits(x, y);
              CHECK(std::isnan(device::host_max_abs(x.data(), n)));
              x[i] = -std::numeric_limits<T>::infinity();
              CHECK(std::isinf(device::host_max_abs(x.data(), n)));
              x[i] = value;
            }
      }
  }
} // namespace

int
main()
{
  return device_test::run([] {
    check_all_sizes<float>();
    check_all_sizes<double>();

    // The result on the device, of three passes: the sum of ones is exact.
#ifndef TESSERA_TEST_VARIANT_thread
    const std::size_t           n = std::size_t(2048) * 2048 + 1;
    const std::vector<float>    ones(n, 1.f);
    const device::Stream        stream;
    const device::Memory<float> x(ones.data(), n, stream);
    device::Memory<double>      result(2);
    device::Reductions          reductions(n);
    reductions.sum(x.data(), n, result.data() + 1, stream);
    double sum = 0;
    result.copy_to_host_async(&sum, 1, 1, stream);
    stream.synchronize();
    CHECK_EQUAL(sum, double(n));
#endif
  });
}
