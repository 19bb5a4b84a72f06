// SPDX-License-Identifier: LGPL-2.1-or-later
// Operations on fields on a device have the bits of the host's: conversions,
// pairings and their exact sums, the way into and out of a hierarchy, messages.
#include <tessera/base/exact_sum.h>
#include <tessera/cellwise/device/device_field_operations.h>
#include <tessera/cellwise/device/exact_sum_launchers.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

#ifdef TESSERA_TEST_VARIANT_thread
  constexpr CellIndex n_cells = 37, n_owned = 33;
#else
  constexpr CellIndex n_cells = 149, n_owned = 101;
#endif

  const Communicator alone;

  bool
  same_number(const double a, const double b)
  {
    return a == b || (std::isnan(a) && std::isnan(b));
  }



  template <typename To, Layout to_layout, typename From, Layout from_layout>
  void
  check_conversion(const int n_nodes, const device::Stream &stream)
  {
    const auto      u = test::random_field<PrimalField<From>>(n_cells, n_nodes);
    PrimalField<To> expected(n_cells, n_nodes);
    convert(expected, u);
    const auto source = test::on_device<from_layout>(u, stream);
    auto       target =
      test::poisoned_on_device<DevicePrimalField<To, to_layout>>(n_cells,
                                                                 n_nodes,
                                                                 stream);
    convert(target, source, stream);
    CHECK(test::same_on_device(target, expected, stream));
  }



  template <int dim, typename Number>
  void
  check_operations(const int degree, const device::Stream &stream)
  {
    constexpr Layout blocked = Layout::blocked;
    using Dual               = DualField<double>;
    using Primal             = PrimalField<double>;
    const ReferenceCell cell(degree);
    const int           N = power(degree + 1, dim);
    Dual                r = test::random_field<Dual>(n_cells, N);
    Primal              u = test::random_field<Primal>(n_cells, N);
    const auto          z = test::random_field<PrimalField<Number>>(n_cells, N);
    // Sums of cells of all sizes, which cancel to round-off.
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < N; ++k)
        r(c, k) =
          std::ldexp(r(c, k), 7 * (c / 2 % 20) - 60) * (c % 2 == 0 ? 1. : -1.);
    for (CellIndex c = 1; c < n_owned; c += 2)
      for (int k = 0; k < N; ++k)
        r(c, k) = -r(c - 1, k) * double(z(c - 1, k)) / double(z(c, k));

    CellReductions reductions(n_cells);
    auto           device_r = test::on_device<blocked>(r, stream);
    auto           device_u = test::on_device<blocked>(u, stream);
    const auto     device_z = test::on_device<Layout::contiguous>(z, stream);

    CHECK_EQUAL(dot(device_r, device_z, n_owned, alone, reductions, stream),
                dot(r, z, n_owned));
    CHECK_EQUAL(dot(device_r, device_z, 0, alone, reductions, stream), 0.);
    CHECK_EQUAL(max_abs(device_r, n_owned, alone, reductions, stream),
                max_abs(r, n_owned));
    CHECK_EQUAL(max_abs(device_r, 0, alone, reductions, stream), 0.);

    DualModalField<Number> b(n_cells, N);
    to_modal<dim>(b, 0.37, r, cell);
    auto device_b =
      test::poisoned_on_device<DeviceDualModalField<Number>>(n_cells,
                                                             N,
                                                             stream);
    to_modal<dim>(device_b, 0.37, device_r, cell, stream);
    CHECK(test::same_on_device(device_b, b, stream));

    add(u, 0.7, z);
    add(device_u, 0.7, device_z, stream);
    CHECK(test::same_on_device(device_u, u, stream));

    // What is not finite is seen in owned cells only.
    for (const CellIndex c : {0, n_owned - 1, n_owned})
      for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()})
        {
          Dual s      = test::copy(r);
          s(c, N - 1) = bad;
          device_r.copy_from_host(s, stream);
          const double largest =
            max_abs(device_r, n_owned, alone, reductions, stream);
          CHECK_EQUAL(std::isnan(largest), c < n_owned);
          CHECK(same_number(largest, max_abs(s, n_owned)));
          CHECK(same_number(
            dot(device_r, device_z, n_owned, alone, reductions, stream),
            dot(s, z, n_owned)));
        }
  }



  template <typename T, Layout layout>
  void
  check_messages(const int n_nodes, const device::Stream &stream)
  {
    const auto u     = test::random_field<PrimalField<T>>(n_cells, n_nodes);
    auto       field = test::on_device<layout>(u, stream);
    std::vector<CellIndex> cells;
    for (CellIndex c = n_cells - 1; c > 0; c -= 3)
      cells.push_back(c);
    const device::Memory<CellIndex> list(cells.data(), cells.size(), stream);
    std::vector<T>                  message(cells.size() * n_nodes);
    device::Memory<T>               device_message(message.size());
    device_message.fill_bytes_async(0xff, stream);
    on_device::pack_cells<T, layout>(device_message.data(),
                                     field.data(),
                                     list.data(),
                                     CellIndex(cells.size()),
                                     n_nodes,
                                     stream);
    device_message.copy_to_host(message.data(), stream);
    bool equal = true;
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (int k = 0; k < n_nodes; ++k)
        equal = equal && message[i * n_nodes + k] == u(cells[i], k);
    CHECK(equal);

    // Back to other cells.
    auto expected = test::copy(u);
    for (std::size_t i = 0; i < cells.size(); ++i)
      {
        --cells[i];
        expected.set_cell(cells[i], &message[i * n_nodes]);
      }
    const device::Memory<CellIndex> others(cells.data(), cells.size(), stream);
    on_device::unpack_cells<T, layout>(field.data(),
                                       device_message.data(),
                                       others.data(),
                                       CellIndex(cells.size()),
                                       n_nodes,
                                       stream);
    CHECK(test::same_on_device(field, expected, stream));
  }



  template <int dim>
  void
  check_degree(const int degree)
  {
    constexpr Layout     blocked    = Layout::blocked;
    constexpr Layout     contiguous = Layout::contiguous;
    const device::Stream stream;
    const int            N = power(degree + 1, dim);
    check_conversion<float, contiguous, double, blocked>(N, stream);
    check_conversion<double, contiguous, double, blocked>(N, stream);
    check_conversion<double, blocked, float, contiguous>(N, stream);
    check_conversion<double, blocked, double, contiguous>(N, stream);
    check_conversion<float, contiguous, float, blocked>(N, stream);
    check_conversion<float, blocked, float, contiguous>(N, stream);
    check_operations<dim, float>(degree, stream);
    check_operations<dim, double>(degree, stream);
    check_messages<double, blocked>(N, stream);
    check_messages<double, contiguous>(N, stream);
    check_messages<float, contiguous>(N, stream);
  }
} // namespace

int
main()
{
  return device_test::run([] {
    for (int degree = 1; degree <= 3; ++degree)
      {
        check_degree<2>(degree);
        check_degree<3>(degree);
      }

    // Many numbers: lanes with several, blocks with less.
    const device::Stream stream;
#ifdef TESSERA_TEST_VARIANT_thread
    const CellIndex n = 2100;
#else
    const CellIndex n = 20011;
#endif
    std::vector<double> numbers(n);
    ExactSum            expected;
    for (CellIndex i = 0; i < n; ++i)
      {
        numbers[i] = std::ldexp(test::random_number(), i % 2000 - 1070);
        expected.add(numbers[i]);
      }
    const device::Memory<double> device_numbers(numbers.data(), n, stream);
    device::Memory<unsigned long long> entries(ExactSum::n_entries);
    entries.fill_bytes_async(0, stream);
    // In two parts.
    const CellIndex half = n / 2;
    on_device::add_exactly(entries.data(), device_numbers.data(), half, stream);
    on_device::add_exactly(entries.data(),
                           device_numbers.data() + half,
                           n - half,
                           stream);
    std::vector<unsigned long long> on_host(ExactSum::n_entries);
    entries.copy_to_host(on_host.data(), stream);
    const std::vector<std::int64_t> signed_entries(on_host.begin(),
                                                   on_host.end());
    ExactSum                        sum;
    sum.add_entries(signed_entries.data());
    CHECK_EQUAL(sum.value(), expected.value());

    const std::string message = CHECK_THROWS(
      InputError,
      on_device::max_abs(device_numbers.data(), 1, 125, nullptr, stream));
    CHECK(message.find("125 values") != std::string::npos);
    CHECK(message.find("host") != std::string::npos);
  });
}
