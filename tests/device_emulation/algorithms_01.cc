// SPDX-License-Identifier: LGPL-2.1-or-later
// Scans and stable sorts on the device and on the host, against their
// definitions.
#include <tessera/base/device/algorithms.h>
#include <tessera/base/device/memory.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;

  constexpr std::size_t sizes[] = {0, 1, 2, 33, 1000, 70000};



  template <typename T>
  void
  check_scan(const device::Stream &stream)
  {
    for (const std::size_t n : sizes)
      {
        std::mt19937                     random(7);
        std::uniform_int_distribution<T> uniform(0, 20);
        std::vector<T>                   counts(n), expected(n), found(n);
        T                                sum = sizeof(T) == 8 ? T(1) << 40 : 0;
        const T                          first = sum;
        for (std::size_t i = 0; i < n; ++i)
          {
            counts[i]   = i == 0 ? first : uniform(random);
            expected[i] = i == 0 ? 0 : expected[i - 1] + counts[i - 1];
          }
        device::host_exclusive_scan(counts.data(), found.data(), n);
        CHECK(found == expected);

        device::Memory<T> in(counts.data(), n, stream), out(n);
        device::exclusive_scan(in.data(), out.data(), n, stream);
        out.copy_to_host(found.data(), stream);
        CHECK(found == expected);

        device::exclusive_scan(in.data(), in.data(), n, stream);
        in.copy_to_host(found.data(), stream);
        CHECK(found == expected);
      }
  }



  template <typename Key>
  void
  check_sort(const device::Stream &stream)
  {
    for (const std::size_t n : sizes)
      {
        // Few different keys, of which the highest bits matter too.
        std::mt19937     random(9);
        std::vector<Key> keys(n), found_keys(n);
        std::vector<int> values(n), found_values(n);
        for (std::size_t i = 0; i < n; ++i)
          {
            keys[i] = Key(random() % 50) << (8 * sizeof(Key) - 7);
            keys[i] += Key(random() % 3);
            values[i] = int(i);
          }
        // Equal keys keep their order: the values are then ascending.
        std::vector<std::pair<Key, int>> expected;
        for (std::size_t i = 0; i < n; ++i)
          expected.emplace_back(keys[i], values[i]);
        std::sort(expected.begin(), expected.end());

        const auto check = [&] {
          bool equal = true;
          for (std::size_t i = 0; i < n; ++i)
            equal = equal && found_keys[i] == expected[i].first &&
                    found_values[i] == expected[i].second;
          CHECK(equal);
        };
        device::host_stable_sort_by_key(keys.data(),
                                        found_keys.data(),
                                        values.data(),
                                        found_values.data(),
                                        n);
        check();

        device::Memory<Key> keys_in(keys.data(), n, stream), keys_out(n);
        device::Memory<int> values_in(values.data(), n, stream), values_out(n);
        device::stable_sort_by_key(keys_in.data(),
                                   keys_out.data(),
                                   values_in.data(),
                                   values_out.data(),
                                   n,
                                   stream);
        keys_out.copy_to_host(found_keys.data(), stream);
        values_out.copy_to_host(found_values.data(), stream);
        check();
      }
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream stream;
    check_scan<int>(stream);
    check_scan<long long>(stream);
    check_sort<unsigned int>(stream);
    check_sort<unsigned long long>(stream);
  });
}
