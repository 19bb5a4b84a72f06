// SPDX-License-Identifier: LGPL-2.1-or-later
// Where fields keep their values, and what they say about themselves.
#include <tessera/cellwise/field.h>

#include <cstdint>
#include <vector>

#include "check.h"

using namespace tessera::cellwise;

namespace
{
  template <typename F>
  void
  check_layout(const CellIndex n_cells, const int n_nodes)
  {
    constexpr int   B       = 16;
    const bool      blocked = F::field_layout == Layout::blocked;
    F               field(n_cells, n_nodes);
    const CellIndex n_blocks = (n_cells + B - 1) / B;
    CHECK_EQUAL(field.n_cells(), n_cells);
    CHECK_EQUAL(field.n_nodes(), n_nodes);
    CHECK_EQUAL(field.n_blocks(), n_blocks);
    CHECK_EQUAL(field.size(),
                std::size_t(blocked ? n_blocks * B : n_cells) * n_nodes);
    CHECK_EQUAL(field.memory_consumption(),
                field.size() * sizeof(typename F::value_type));
    CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(field.data()) % 64, 0u);

    std::size_t n_nonzero = 0;
    for (std::size_t i = 0; i < field.size(); ++i)
      n_nonzero += field.data()[i] != 0;
    CHECK_EQUAL(n_nonzero, 0u);

    std::vector<int> n_seen(field.size(), 0);
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        {
          field(c, k) = typename F::value_type(1);
          const std::size_t expected =
            blocked ? std::size_t(c / B) * n_nodes * B + k * B + c % B :
                      std::size_t(c) * n_nodes + k;
          const F &constant = field;
          CHECK(&constant(c, k) == field.data() + expected);
          CHECK(&field(c, k) == field.data() + expected);
          ++n_seen[expected];
        }
    std::size_t n_values = 0;
    for (const int n : n_seen)
      {
        CHECK(n <= 1);
        n_values += n;
      }
    CHECK_EQUAL(n_values, std::size_t(n_cells) * n_nodes);

    using Number = typename F::value_type;
    std::vector<Number> values(n_nodes + 1, Number(-1));
    for (CellIndex c = 0; c < n_cells; ++c)
      {
        for (int k = 0; k < n_nodes; ++k)
          values[k] = Number(c * n_nodes + k);
        field.set_cell(c, values.data());
      }
    for (CellIndex c = 0; c < n_cells; ++c)
      {
        field.get_cell(c, values.data());
        for (int k = 0; k < n_nodes; ++k)
          {
            CHECK_EQUAL(field(c, k), Number(c * n_nodes + k));
            CHECK_EQUAL(values[k], Number(c * n_nodes + k));
            field(c, k) = 1;
          }
        CHECK_EQUAL(values[n_nodes], Number(-1));
      }

    F other;
    CHECK_EQUAL(other.size(), 0u);
    other.swap(field);
    CHECK_EQUAL(field.n_cells(), 0);
    CHECK_EQUAL(other.n_cells(), n_cells);
    CHECK(n_cells == 0 || other(n_cells - 1, n_nodes - 1) == 1);
    other.set_zero();
    CHECK(n_cells == 0 || other(n_cells - 1, n_nodes - 1) == 0);
    other.reinit(3, 5);
    CHECK_EQUAL(other.n_cells(), 3);
    CHECK_EQUAL(other.n_nodes(), 5);
    CHECK_EQUAL(other.data()[0], 0);
  }

  template <typename Number>
  void
  check_layouts(const CellIndex n_cells, const int n_nodes)
  {
    check_layout<PrimalField<Number>>(n_cells, n_nodes);
    check_layout<DualField<Number, Layout::contiguous>>(n_cells, n_nodes);
    check_layout<DualModalField<Number>>(n_cells, n_nodes);
  }
} // namespace

int
main()
{
  CHECK_EQUAL(cells_per_block, 16);
  for (const CellIndex n_cells : {0, 1, 15, 16, 17, 40})
    for (const int n_nodes : {4, 27, 64})
      {
        check_layouts<float>(n_cells, n_nodes);
        check_layouts<double>(n_cells, n_nodes);
      }
  return check::result();
}
