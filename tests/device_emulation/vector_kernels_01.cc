// SPDX-License-Identifier: LGPL-2.1-or-later
// Operations on arrays have the bits of the formulas in their documentation,
// and touch no more than the array, also where arrays are the same.
#include <tessera/base/device/memory.h>
#include <tessera/base/device/vector_kernels.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  namespace vectors = device::vectors;

#ifdef TESSERA_TEST_VARIANT_thread
  constexpr std::size_t sizes[] = {0, 300, 1025};
#else
  constexpr std::size_t sizes[] =
    {0, 1, 255, 256, 257, 1023, 1024, 1025, 5 * 1024 + 300};
#endif

  template <typename T>
  std::vector<T>
  random_values(const std::size_t n, const unsigned int seed)
  {
    std::mt19937                      random(seed);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T>                    values(n);
    for (T &value : values)
      value = uniform(random);
    return values;
  }



  template <typename T>
  void
  check_size(const std::size_t n)
  {
    const device::Stream stream;
    const std::vector<T> x = random_values<T>(n, 1), v = random_values<T>(n, 2),
                         w    = random_values<T>(n, 3);
    const T                 a = T(0.7), b = T(-1.3), s = T(0.9);
    const device::Memory<T> device_v(v.data(), n, stream),
      device_w(w.data(), n, stream);
    const T *const V = device_v.data(), *const W = device_w.data();

    // The operation on x with others, and then with itself; expected values of
    // both by entry.
    const auto check = [&](const auto &operation, const auto &expected) {
      for (const bool with_itself : {false, true})
        {
          device::Memory<T> X(x.data(), n, stream);
          operation(X.data(),
                    with_itself ? X.data() : V,
                    with_itself ? X.data() : W);
          std::vector<T> found(n);
          X.copy_to_host(found.data(), stream);
          for (std::size_t i = 0; i < n; ++i)
            CHECK_EQUAL(found[i],
                        expected(x[i],
                                 with_itself ? x[i] : v[i],
                                 with_itself ? x[i] : w[i]));
        }
    };
    check([&](T *X, const T *, const T *) { vectors::set(X, a, n, stream); },
          [&](const T, const T, const T) { return a; });
    check([&](T *X, const T *, const T *) { vectors::shift(X, a, n, stream); },
          [&](const T y, const T, const T) { return y + a; });
    check([&](T *X, const T *, const T *) { vectors::scale(X, a, n, stream); },
          [&](const T y, const T, const T) { return a * y; });
    check([&](T *X, const T *Y, const T *) { vectors::scale(X, Y, n, stream); },
          [&](const T y, const T z, const T) { return y * z; });
    check([&](T       *X,
              const T *Y,
              const T *) { vectors::set_to_multiple(X, a, Y, n, stream); },
          [&](const T, const T y, const T) { return a * y; });
    check([&](T       *X,
              const T *Y,
              const T *) { vectors::scale_and_add(X, s, a, Y, n, stream); },
          [&](const T y, const T z, const T) { return std::fma(a, z, s * y); });
    check([&](T       *X,
              const T *Y,
              const T *Z) { vectors::add_two(X, a, Y, b, Z, n, stream); },
          [&](const T y, const T z, const T t) {
            return std::fma(b, t, std::fma(a, z, y));
          });
  }



  template <typename T, typename U>
  void
  check_conversion(const std::size_t n)
  {
    const device::Stream    stream;
    const std::vector<U>    v = random_values<U>(n, 4);
    const device::Memory<U> V(v.data(), n, stream);
    device::Memory<T>       X(n);
    vectors::convert(X.data(), V.data(), n, stream);
    std::vector<T> x(n);
    X.copy_to_host(x.data(), stream);
    CHECK(x == std::vector<T>(v.begin(), v.end()));
  }
} // namespace



int
main()
{
  return device_test::run([] {
    for (const std::size_t n : sizes)
      {
        check_size<float>(n);
        check_size<double>(n);
        check_conversion<float, double>(n);
        check_conversion<double, float>(n);
      }
  });
}
