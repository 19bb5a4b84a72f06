// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_fields_h
#define tessera_tests_cellwise_fields_h

// Fields as tests need them: random, poisoned, compared bit for bit.

#include <tessera/cellwise/field.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace test
{
  using namespace tessera::cellwise;

  constexpr double poison = std::numeric_limits<double>::quiet_NaN();

  inline double
  random_number()
  {
    static std::mt19937 generator(20240229);
    return std::uniform_real_distribution<double>(-1., 1.)(generator);
  }

  /** The values of all cells; what is in the padding stays as it is. */
  template <typename F>
  void
  fill_random(F &field)
  {
    for (CellIndex c = 0; c < field.n_cells(); ++c)
      for (int k = 0; k < field.n_nodes(); ++k)
        field(c, k) = typename F::value_type(random_number());
  }

  /** Every number that is stored, the padding included. */
  template <typename F>
  void
  fill_all(F &field, const double value)
  {
    for (std::size_t i = 0; i < field.size(); ++i)
      field.data()[i] = typename F::value_type(value);
  }

  template <typename F>
  F
  copy(const F &field)
  {
    F result(field.n_cells(), field.n_nodes());
    std::memcpy(result.data(),
                field.data(),
                field.size() * sizeof(typename F::value_type));
    return result;
  }

  /** What belongs to no cell. */
  template <typename F>
  void
  fill_padding(F &field, const double value)
  {
    const F values = copy(field);
    fill_all(field, value);
    for (CellIndex c = 0; c < field.n_cells(); ++c)
      for (int k = 0; k < field.n_nodes(); ++k)
        field(c, k) = values(c, k);
  }

  /** A field of random values with NaN in its padding: input of operations
   * that must not look there. */
  template <typename F>
  F
  random_field(const CellIndex n_cells, const int n_nodes)
  {
    F field(n_cells, n_nodes);
    fill_all(field, poison);
    fill_random(field);
    return field;
  }

  /** A field of NaN: output of operations that must write everything. */
  template <typename F>
  F
  poisoned_field(const CellIndex n_cells, const int n_nodes)
  {
    F field(n_cells, n_nodes);
    fill_all(field, poison);
    return field;
  }

  /** Whether all that is stored agrees, the padding included. */
  template <typename F>
  bool
  same_bits(const F &a, const F &b)
  {
    return a.size() == b.size() &&
           std::memcmp(a.data(),
                       b.data(),
                       a.size() * sizeof(typename F::value_type)) == 0;
  }

  /** Whether neither NaN nor infinity is stored, in the padding either. */
  template <typename F>
  bool
  is_finite(const F &field)
  {
    for (std::size_t i = 0; i < field.size(); ++i)
      if (!std::isfinite(field.data()[i]))
        return false;
    return true;
  }
} // namespace test

#endif
