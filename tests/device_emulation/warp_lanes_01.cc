// SPDX-License-Identifier: LGPL-2.1-or-later
// Every operation of the lane policy of a warp gives the bits of plain loops.
#include <tessera/base/device/memory.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "device_emulation/device_test.h"
#include "device_emulation/warp_lanes_kernels.h"

namespace
{
  constexpr int width = 32;

  template <typename T>
  T
  sum_of_group(const T *a, const int first, const int n)
  {
    return n == 1 ? a[first] :
                    sum_of_group(a, first, n / 2) +
                      sum_of_group(a, first + n / 2, n / 2);
  }



  template <typename T>
  std::vector<T>
  expected_results(const T *a, const T *b, const T *c)
  {
    std::vector<T> results;
    const auto     each_lane = [&](const auto &f) {
      for (int lane = 0; lane < width; ++lane)
        results.push_back(T(f(lane)));
    };
    bool all = true;
    for (int lane = 0; lane < width; ++lane)
      all = all && a[lane] < 0;

    each_lane([&](int l) { return std::fma(a[l], b[l], c[l]); });
    each_lane([&](int l) { return std::fma(-a[l], b[l], c[l]); });
    each_lane([&](int l) {
      const volatile T product = a[l] * b[l];
      return product + c[l];
    });
    each_lane([&](int l) { return a[l] / b[l] - c[l]; });
    each_lane([&](int l) { return a[l ^ 1]; });
    each_lane([&](int l) { return a[l ^ 6]; });
    each_lane([&](int l) { return a[l ^ 16]; });
    each_lane([&](int l) { return l / 2 % 2 == 1 ? b[l] : a[l]; });
    each_lane([&](int l) { return l / 8 % 2 == 1 ? -1 : 1; });
    each_lane([&](int l) { return l; });
    each_lane([&](int l) { return a[l] < b[l]; });
    each_lane([&](int l) { return !std::isnan(a[l]); });
    each_lane([&](int l) { return a[l] == b[l]; });
    each_lane([&](int l) { return l < 5; });
    each_lane([&](int l) { return a[l] < b[l] && !(b[l] < c[l]); });
    each_lane([&](int l) { return a[l] < b[l] || b[l] < c[l] ? a[l] : b[l]; });
    each_lane([&](int) { return true; });
    each_lane([&](int) { return all; });
    each_lane([&](int l) { return sum_of_group(a, l / 8 * 8, 8); });
    each_lane([&](int) { return sum_of_group(a, 0, width); });
    return results;
  }



  template <typename T>
  void
  check_all_operations()
  {
    const int n_warps = 3, n = n_warps * width;

    std::vector<T>                    a(n), b(n), c(n);
    std::mt19937                      random(1);
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (int i = 0; i < n; ++i)
      {
        a[i] = uniform(random);
        b[i] = i % 5 == 0 ? a[i] : uniform(random);
        c[i] = uniform(random);
      }
    for (int i = 0; i < width; ++i) // one warp without positive values
      a[width + i] = -std::abs(a[width + i]);
    c[7] = a[40] = std::numeric_limits<T>::quiet_NaN();

    const tessera::device::Stream    stream;
    const tessera::device::Memory<T> device_a(a.data(), n, stream),
      device_b(b.data(), n, stream), device_c(c.data(), n, stream);
    tessera::device::Memory<T> device_results(n * warp_lanes::n_results);
    device_results.fill_bytes_async(0xff, stream);
    warp_lanes::evaluate(n_warps,
                         device_a.data(),
                         device_b.data(),
                         device_c.data(),
                         device_results.data(),
                         stream);
    std::vector<T> results(n * warp_lanes::n_results);
    device_results.copy_to_host(results.data(), stream);

    for (int warp = 0; warp < n_warps; ++warp)
      {
        const std::vector<T> expected = expected_results(&a[warp * width],
                                                         &b[warp * width],
                                                         &c[warp * width]);
        CHECK_EQUAL(int(expected.size()), width * warp_lanes::n_results);
        for (int i = 0; i < int(expected.size()); ++i)
          {
            const T found = results[warp * int(expected.size()) + i];
            // A NaN has no defined sign and payload.
            if (std::isnan(expected[i]))
              CHECK(std::isnan(found));
            else
              CHECK_EQUAL(found, expected[i]);
          }
      }
  }
} // namespace

int
main()
{
  return device_test::run([] {
    check_all_operations<float>();
    check_all_operations<double>();
  });
}
