// SPDX-License-Identifier: LGPL-2.1-or-later
// What kernels may use of CUDA C++ does what it says, on the emulated device
// and on a real one, which must agree: functions of warps and blocks, atomic
// operations, shared memory, vector types, indices, the barrier of a grid.
#include <tessera/base/device/memory.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "device_emulation/device_test.h"
#include "device_emulation/language_kernels.h"

namespace
{
  using namespace tessera;

  template <typename T>
  std::vector<T>
  to_host(const device::Memory<T> &memory, const device::Stream &stream)
  {
    std::vector<T> values(memory.size());
    memory.copy_to_host(values.data(), stream);
    return values;
  }



  std::vector<int>
  random_integers(const int n, const int lowest, const int highest)
  {
    std::mt19937                       random(3);
    std::uniform_int_distribution<int> uniform(lowest, highest);
    std::vector<int>                   values(n);
    for (int &value : values)
      value = uniform(random);
    return values;
  }



  void
  check_warp_functions(const device::Stream &stream)
  {
    const int              n = 32;
    const std::vector<int> v = random_integers(n, -100, 100);
    device::Memory<int>    values(v.data(), n, stream),
      results(n * language::n_warp_results);
    language::call_warp_functions(values.data(), results.data(), stream);
    const std::vector<int> found = to_host(results, stream);

    unsigned int ballot = 0;
    for (int l = 0; l < n; ++l)
      ballot |= (v[l] > 0 ? 1u : 0u) << l;
    for (int l = 0; l < n; ++l)
      {
        const std::vector<int> expected = {
          v[5],
          v[l / 8 * 8 + (l + 3) % 8],
          v[l ^ 5],
          // Groups read from lower groups, and not from higher ones.
          l % 16 < 8 ? v[l] : v[l ^ 8],
          v[l < 3 ? l : l - 3],
          v[l % 16 < 3 ? l : l - 3],
          v[l >= 30 ? l : l + 2],
          v[l % 4 >= 2 ? l : l + 2],
          int(ballot),
          1,
          0,
          std::accumulate(v.begin(), v.end(), 0),
          *std::min_element(v.begin(), v.end()),
          *std::max_element(v.begin(), v.end()),
          l < 16 ? v[l ^ 15] : __builtin_popcount(ballot >> 16),
          __builtin_ffs(v[l]) + 100 * (v[l] == 0 ? 32 : __builtin_clz(v[l])),
          1};
        CHECK_EQUAL(int(expected.size()), language::n_warp_results);
        for (int i = 0; i < language::n_warp_results; ++i)
          CHECK_EQUAL(found[i * n + l], expected[i]);
      }
  }



  void
  check_block_functions(const device::Stream &stream)
  {
    for (const int n : {1, 32, 50, 256})
      for (const int highest : {0, 1})
        {
          const std::vector<int> v = random_integers(n, 0, highest);
          device::Memory<int>    values(v.data(), n, stream),
            results(n * language::n_block_results);
          language::call_block_functions(n,
                                         values.data(),
                                         results.data(),
                                         stream);
          const std::vector<int> found = to_host(results, stream);
          const int              count = int(std::count(v.begin(), v.end(), 1));
          for (int t = 0; t < n; ++t)
            {
              CHECK_EQUAL(found[t], count);
              CHECK_EQUAL(found[n + t] != 0, count > 0);
              CHECK_EQUAL(found[2 * n + t] != 0, count == n);
              CHECK_EQUAL(found[3 * n + t] != 0, count == 0);
            }
        }
  }



  void
  check_atomics(const device::Stream &stream)
  {
    const int               n = 150;
    const std::vector<int>  v = random_integers(n, 1, 1000);
    language::AtomicResults start{};
    start.maximum     = INT_MIN;
    start.minimum     = INT_MAX;
    start.common_bits = ~0u;
    start.lock_holder = -1;
    device::Memory<int>                     values(v.data(), n, stream);
    device::Memory<language::AtomicResults> results(&start, 1, stream);
    language::call_atomics(n, values.data(), results.data(), stream);
    const language::AtomicResults found = to_host(results, stream)[0];

    int          sum  = 0;
    unsigned int bits = 0, common = ~0u;
    for (const int value : v)
      {
        sum += value;
        bits |= (unsigned int)(value);
        common &= (unsigned int)(value);
      }
    // One thread has set the count to zero in between.
    CHECK(found.count >= 0 && found.count < n);
    CHECK_EQUAL(found.maximum, *std::max_element(v.begin(), v.end()));
    CHECK_EQUAL(found.minimum, *std::min_element(v.begin(), v.end()));
    CHECK_EQUAL(found.difference, -sum);
    CHECK_EQUAL(found.bits, bits);
    CHECK_EQUAL(found.common_bits, common);
    CHECK_EQUAL(found.wide_sum, (unsigned long long)(sum));
    CHECK_EQUAL(found.sum, double(sum));
    CHECK_EQUAL(found.float_sum, float(n));
    CHECK(found.lock_holder >= 0 && found.lock_holder < n);
    CHECK_EQUAL(found.n_exchanged, 1001);
  }



  void
  check_transpose(const device::Stream &stream)
  {
    const int          n = 37;
    std::vector<float> in(n * n);
    std::iota(in.begin(), in.end(), 0.f);
    device::Memory<float> device_in(in.data(), n * n, stream), out(n * n);
    out.fill_bytes_async(0xff, stream);
    language::transpose(n, device_in.data(), out.data(), stream);
    const std::vector<float> found = to_host(out, stream);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        CHECK_EQUAL(found[i * n + j], in[j * n + i]);
  }



  template <typename T>
  void
  check_vectors(const device::Stream &stream)
  {
    const int      n = 4 * 37;
    std::vector<T> in(n);
    std::iota(in.begin(), in.end(), T(1));
    device::Memory<T> device_in(in.data(), n, stream), out(n);
    out.fill_bytes_async(0xff, stream);
    language::negate_vectors(n, device_in.data(), out.data(), stream);
    const std::vector<T> found = to_host(out, stream);
    for (int i = 0; i < n; ++i)
      CHECK_EQUAL(found[i], -in[i]);
  }



  void
  check_indices(const device::Stream &stream)
  {
    const int           grid[3] = {3, 2, 2}, block[3] = {5, 3, 4};
    const int           n = 3 * 2 * 2 * 5 * 3 * 4;
    device::Memory<int> out(6 * n);
    out.fill_bytes_async(0xff, stream);
    language::write_indices(grid, block, out.data(), stream);
    const std::vector<int> found = to_host(out, stream);

    const int *next = found.data();
    for (int bz = 0; bz < grid[2]; ++bz)
      for (int by = 0; by < grid[1]; ++by)
        for (int bx = 0; bx < grid[0]; ++bx)
          for (int z = 0; z < block[2]; ++z)
            for (int y = 0; y < block[1]; ++y)
              for (int x = 0; x < block[0]; ++x, next += 6)
                CHECK(std::vector<int>(next, next + 6) ==
                      std::vector<int>({bx, by, bz, x, y, z}));
  }



  void
  check_dynamic_shared_memory(const device::Stream &stream)
  {
    // More than 48 KiB have to be asked for.
    for (const int n : {100, 6144, 12000})
      {
        const int           n_blocks = 3;
        std::vector<double> v(n_blocks * n);
        std::iota(v.begin(), v.end(), 0.);
        device::Memory<double> values(v.data(), v.size(), stream);
        language::reverse_blocks(n_blocks, n, values.data(), stream);
        const std::vector<double> found = to_host(values, stream);
        bool                      equal = true;
        for (int b = 0; b < n_blocks; ++b)
          for (int i = 0; i < n; ++i)
            equal = equal && found[b * n + i] == v[b * n + n - 1 - i];
        CHECK(equal);
      }
  }



  void
  check_grid_barrier(const device::Stream &stream)
  {
    const int n_blocks = std::min(4, language::max_relaxation_blocks());
    CHECK(n_blocks > 1);
    const int           n = 64 * n_blocks, n_steps = 7;
    std::vector<int>    v = random_integers(n, 0, 9);
    device::Memory<int> values(v.data(), n, stream), next(n);
    language::relax(n_blocks, n_steps, values.data(), next.data(), stream);
    const std::vector<int> found =
      to_host(n_steps % 2 == 0 ? values : next, stream);
    for (int step = 0; step < n_steps; ++step)
      {
        const std::vector<int> old = v;
        for (int i = 0; i < n; ++i)
          v[i] = old[i] + old[(i + 1) % n];
      }
    CHECK(found == v);

    const std::string message =
      CHECK_THROWS(DeviceError,
                   language::relax(language::max_relaxation_blocks() + 1,
                                   1,
                                   values.data(),
                                   next.data(),
                                   stream));
    CHECK(!message.empty());
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream stream;
    check_warp_functions(stream);
    check_block_functions(stream);
    check_atomics(stream);
    check_transpose(stream);
    check_vectors<float>(stream);
    check_vectors<double>(stream);
    check_vectors<int>(stream);
    check_indices(stream);
    check_dynamic_shared_memory(stream);
    check_grid_barrier(stream);
  });
}
