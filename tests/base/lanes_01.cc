// SPDX-License-Identifier: LGPL-2.1-or-later
// Lanes: every operation, for float and double, 1 to 16 lanes, and every
// instruction set this machine can run, against plain loops with std::fma;
// the results agree bit for bit.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "lanes_kernels.h"

using namespace tessera;

namespace test
{
  template <typename T>
  bool
  same_bits(const T a, const T b)
  {
    return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
  }

  /** A plain model of lanes, that appends to an array of results. */
  template <typename T>
  struct Reference
  {
    int            W;
    std::vector<T> results;

    template <typename F>
    void
    append(F &&f)
    {
      for (int lane = 0; lane < W; ++lane)
        results.push_back(f(lane));
    }
  };

  /** Sum of 2^k lanes from `first` on, by the documented tree. */
  template <typename T>
  T
  tree_sum(const T *a, const int first, const int n)
  {
    return n == 1 ?
             a[first] :
             tree_sum(a, first, n / 2) + tree_sum(a, first + n / 2, n / 2);
  }

  template <typename T>
  std::vector<T>
  reference(const int W, const T *a, const T *b, const T *c)
  {
    Reference<T> r{W, {}};

    r.append([&](int i) { return a[i] + b[i]; });
    r.append([&](int i) { return a[i] - b[i]; });
    r.append([&](int i) { return a[i] * b[i]; });
    r.append([&](int i) { return a[i] / b[i]; });
    r.append([&](int i) { return -a[i]; });
    std::vector<T> d(W);
    r.append([&](int i) { return d[i] = a[i] + b[i]; });
    r.append([&](int i) { return d[i] = d[i] - c[i]; });
    r.append([&](int i) { return d[i] = d[i] * a[i]; });
    r.append([&](int i) { return d[i] = d[i] / b[i]; });
    r.append([&](int i) {
      volatile T product = a[i] * c[i]; // rounded, whatever compilers like
      return T(product + b[i]);
    });
    r.append([&](int i) { return std::fma(a[i], b[i], c[i]); });
    r.append([&](int i) { return std::fma(-a[i], b[i], c[i]); });

    r.append([&](int) { return a[0]; });
    r.append([&](int) { return T(0); });
    r.append([&](int) { return a[0]; });
    r.append([&](int i) { return T(i); });

    r.append([&](int i) { return a[i] < b[i] ? a[i] : c[i]; });
    r.append([&](int i) { return a[i] <= b[i] ? a[i] : c[i]; });
    r.append([&](int i) { return a[i] == b[i] ? a[i] : c[i]; });
    const auto ab = [&](int i) { return a[i] < b[i]; };
    const auto bc = [&](int i) { return b[i] < c[i]; };
    r.append([&](int i) { return ab(i) && bc(i) ? a[i] : b[i]; });
    r.append([&](int i) { return ab(i) || bc(i) ? a[i] : b[i]; });
    r.append([&](int i) { return !ab(i) ? a[i] : b[i]; });
    int n_true = 0;
    for (int i = 0; i < W; ++i)
      n_true += ab(i);
    r.append([&](int) { return T(n_true > 0); });
    r.append([&](int) { return T(n_true == W); });
    for (int n = 0; n <= W; ++n)
      {
        r.append([&](int i) { return i < n ? a[i] : b[i]; });
        r.append([&](int) { return T(n > 0); });
        r.append([&](int) { return T(n == W); });
      }

    for (int X = 0; X < W; ++X)
      r.append([&](int i) { return a[i ^ X]; });
    if (W > 1)
      {
        for (int X = 1; X <= W; X *= 2)
          {
            r.append([&](int i) { return tree_sum(a, i / X * X, X); });
            if (X < W)
              {
                r.append([&](int i) { return (i & X) ? b[i] : a[i]; });
                r.append([&](int i) { return T((i & X) ? -1 : 1); });
              }
          }
        r.append(
          [&](int i) { return i < W / 2 ? a[i + W / 2] : b[i - W / 2]; });
      }
    r.append([&](int i) { return a[(5 * i * i + 3 * i + 1) % W]; });
    r.append([&](int i) {
      const int j = (7 * i * i + 11 * i + 3) % (2 * W);
      return j < W ? a[j] : b[j - W];
    });
    r.append([&](int i) { return T(float(a[i])); });
    r.append([&](int i) { return T(double(a[i])); });
    return r.results;
  }

  /** Random numbers of all sizes, with some special ones and duplicates. */
  template <typename T>
  std::vector<T>
  numbers(const int n, const bool special, std::mt19937 &random)
  {
    using limits = std::numeric_limits<T>;
    std::vector<T> a(n);
    for (T &x : a)
      x = std::ldexp(T(random()) / T(random.max()) - T(0.5),
                     int(random() % 20) - 10);
    const T specials[] = {T(0),
                          -T(0),
                          T(1),
                          limits::infinity(),
                          -limits::infinity(),
                          limits::quiet_NaN(),
                          limits::denorm_min(),
                          limits::min(),
                          limits::max(),
                          limits::lowest()};
    if (special)
      for (int i = 0; i < n; ++i)
        if (random() % 3 == 0)
          a[i] = specials[random() % std::size(specials)];
    return a;
  }

  template <typename T>
  void
  check_operations(const InstructionSet set, std::mt19937 &random)
  {
    for (const int W : {1, 2, 4, 8, 16})
      for (int repetition = 0; repetition < 40; ++repetition)
        {
          // An odd offset: loads and stores of unaligned memory.
          const bool     special = repetition % 2 == 1;
          const int      offset  = repetition % 5;
          std::vector<T> a       = numbers<T>(W + offset, special, random);
          std::vector<T> b       = numbers<T>(W + offset, special, random);
          std::vector<T> c       = numbers<T>(W + offset, special, random);
          for (int i = 0; i < W + offset; ++i)
            if (random() % 4 == 0)
              b[i] = a[i];

          const std::vector<T> expected = reference(W,
                                                    a.data() + offset,
                                                    b.data() + offset,
                                                    c.data() + offset);
          const T              poison   = T(-12345.678);
          std::vector<T>       found(expected.size() + offset + W, poison);
          Output<T>            out{found.data() + offset, 0};
          TESSERA_CALL_SIMD_FOR(set,
                                operations(W,
                                           a.data() + offset,
                                           b.data() + offset,
                                           c.data() + offset,
                                           out));

          CHECK_EQUAL(out.n, int(expected.size()));
          int n_different = 0;
          for (int i = 0; i < std::min(out.n, int(expected.size())); ++i)
            if (!same_bits(found[i + offset], expected[i]) &&
                n_different++ == 0)
              std::cerr << to_string(set) << ", " << W << " lanes of "
                        << sizeof(T) << " bytes, result " << i / W << ", lane "
                        << i % W << ": " << found[i + offset] << ", expected "
                        << expected[i] << std::endl;
          CHECK_EQUAL(n_different, 0);
          CHECK(std::all_of(found.begin(), found.begin() + offset, [&](T x) {
            return x == poison;
          }));
          CHECK(std::all_of(found.begin() + offset + expected.size(),
                            found.end(),
                            [&](T x) { return x == poison; }));
        }
  }

  template <typename T>
  void
  check_pick(const InstructionSet set, std::mt19937 &random)
  {
    const int width =
      TESSERA_CALL_SIMD_FOR(set, register_bytes()) / int(sizeof(T));
    for (int W = 2; W <= width; W *= 2)
      for (int repetition = 0; repetition < 40; ++repetition)
        {
          const std::vector<T> a = numbers<T>(W, true, random);
          const std::vector<T> b = numbers<T>(W, true, random);
          std::vector<int>     lanes(W);
          for (int &lane : lanes)
            lane = int(random() % (2 * W));
          std::vector<T> found(W + 1, T(17));
          TESSERA_CALL_SIMD_FOR(
            set, pick(W, a.data(), b.data(), lanes.data(), found.data()));
          for (int i = 0; i < W; ++i)
            CHECK(same_bits(found[i],
                            lanes[i] < W ? a[lanes[i]] : b[lanes[i] - W]));
          CHECK_EQUAL(found.back(), T(17));
        }
  }

  template <typename T>
  void
  check_transpose(const InstructionSet set, std::mt19937 &random)
  {
    for (const int W : {1, 2, 4, 8, 16})
      {
        const std::vector<T> a     = numbers<T>(W * W, true, random);
        std::vector<T>       found = a;
        found.push_back(T(17));
        TESSERA_CALL_SIMD_FOR(set, transpose(W, found.data()));
        for (int i = 0; i < W; ++i)
          for (int j = 0; j < W; ++j)
            CHECK(same_bits(found[i * W + j], a[j * W + i]));
        CHECK_EQUAL(found.back(), T(17));
      }
  }
} // namespace test

int
main()
{
  std::mt19937 random(20240229);
  for (const InstructionSet set : available_instruction_sets())
    {
      std::cout << to_string(set) << std::endl;
      test::check_operations<float>(set, random);
      test::check_operations<double>(set, random);
      test::check_pick<float>(set, random);
      test::check_pick<double>(set, random);
      test::check_transpose<float>(set, random);
      test::check_transpose<double>(set, random);
    }
  return check::result();
}
