// SPDX-License-Identifier: LGPL-2.1-or-later
// Variants of the arithmetic of a patch update of degree 3, in float: single
// patches against a dense decomposition in double; sweeps against PatchUpdate
// in double; shared copies agree bit for bit, and so do instruction sets.
#include <tessera/cellwise/field_operations.h>
#include <tessera/patch/level_tables.h>
#include <tessera/patch/variant_kernels.h>
#include <tessera/patch/variant_tables.h>

#include <cstdio>
#include <limits>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "check.h"
#include "fields.h"

using namespace reference;

namespace tessera
{
  namespace patch
  {
    namespace
    {
      constexpr int n_values = 64;

      /** The number behind the last variant: PatchUpdate, with a right-hand
       * side that is in the eigenbasis before it is rounded. */
      constexpr int default_update = n_patch_variants;

      using cellwise::Layout;
      using Nodal = cellwise::DualField<float, Layout::contiguous>;

      /** The right-hand side of all variants. */
      struct RightHandSide
      {
        RightHandSide(const Vector &values, const ReferenceCell &cell)
          : nodal(CellIndex(values.size() / n_values), n_values)
          , modal(to_modal<3, float>(values, cell))
        {
          for (std::size_t i = 0; i < values.size(); ++i)
            nodal.data()[i] = float(values[i]);
        }

        Nodal                 nodal;
        DualModalField<float> modal;
      };

      /** Sweep in all instruction sets, which agree. */
      Primal<float>
      sweep(const int                   variant,
            const Primal<float>        &start,
            const RightHandSide        &b,
            const PatchList            &patches,
            const VariantTables<float> &tables)
      {
        Primal<float> first;
        for (const InstructionSet set : available_instruction_sets())
          {
            Primal<float> u = copy_of(start);
            if (variant == default_update)
              sweep_on<3>(
                set, 3, u.data(), b.modal.data(), patches, tables.patch);
            else
              {
                cellwise::PrimalField<float, Layout::contiguous> v(u.n_cells(),
                                                                   n_values);
                cellwise::convert(v, u);
                TESSERA_CALL_SIMD_FOR(set,
                                      sweep_variant(PatchVariant(variant),
                                                    v.data(),
                                                    b.nodal.data(),
                                                    patches,
                                                    tables));
                cellwise::convert(u, v);
              }
            if (first.size() == 0)
              first.swap(u);
            else
              CHECK(same_bits(u, first));
          }
        return first;
      }

      Vector
      rounded(Vector values)
      {
        for (double &x : values)
          x = float(x);
        return values;
      }

      /** Many patches that share no cell, each a box of its own. */
      void
      check_patches(const std::array<double, 3> &cell_size)
      {
        const ReferenceCell        cell(3);
        const AssembledProblem<3>  patch({{2, 2, 2}, cell_size, {}}, cell);
        const Cholesky             A(patch.matrix(patch.free_nodes));
        const VariantTablesOfLevel tables(cell,
                                          PatchMatrices(cell),
                                          patch.grid.stiffness_weights());

        // So many that the last register is not full. One cell more is in no
        // patch.
        constexpr int    n_patches = 63, n_cells = 8 * n_patches;
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        Random           random(1);
        const Vector     b = rounded(random.vector(n_cells * n_values));
        Primal<float>    start(n_cells + 1, n_values);
        Vector           expected;
        for (int i = 0; i < n_patches; ++i)
          {
            const Vector u = rounded(random.vector(patch.n_nodes));
            Vector       assembled(patch.n_nodes, 0.);
            for (int c = 0; c < 8; ++c)
              for (int k = 0; k < n_values; ++k)
                {
                  start(8 * i + c, k) = float(u[patch.node(c, k)]);
                  assembled[patch.node(c, k)] += b[(8 * i + c) * n_values + k];
                }
            const Vector correction =
              A.solve(entries(patch.residual(assembled, u), patch.free_nodes));
            expected.insert(expected.end(),
                            correction.begin(),
                            correction.end());
          }
        for (int k = 0; k < n_values; ++k)
          start(n_cells, k) = float(nan);
        Vector b_and_nan = b;
        b_and_nan.resize(b.size() + n_values, nan);
        const RightHandSide rhs(b_and_nan, cell);

        std::vector<CellIndex> cells(n_cells);
        for (int c = 0; c < n_cells; ++c)
          cells[c] = c;
        const PatchRun run = {0, n_patches, 0};
        for (int variant = 0; variant <= default_update; ++variant)
          {
            const Primal<float> result = sweep(variant,
                                               start,
                                               rhs,
                                               {cells.data(), &run, 1, false},
                                               tables.tables());
            Vector              corrections;
            for (int i = 0; i < n_patches; ++i)
              {
                Primal<float> u(8, n_values), before(8, n_values);
                for (int c = 0; c < 8; ++c)
                  for (int k = 0; k < n_values; ++k)
                    {
                      u(c, k)      = result(8 * i + c, k);
                      before(c, k) = start(8 * i + c, k);
                    }
                CHECK(patch.is_continuous(u));
                const Vector old_values = patch.values(before),
                             new_values = patch.values(u);
                for (int node = 0; node < patch.n_nodes; ++node)
                  if (patch.is_dirichlet(node))
                    CHECK_EQUAL(new_values[node], old_values[node]);
                  else
                    corrections.push_back(new_values[node] - old_values[node]);
              }
            for (int k = 0; k < n_values; ++k)
              CHECK(std::isnan(result(n_cells, k)));
            const double error = relative_error(corrections, expected);
            std::printf("variant %d: error %.2e\n", variant, error);
            CHECK(error <= 3.0e-7);
          }
      }

      /** All patches of a grid. */
      void
      check_sweep(const bool reversed)
      {
        const ReferenceCell        cell(3);
        const AssembledProblem<3>  problem({{5, 4, 3}, {0.25, 0.25, 0.25}, {}},
                                          cell);
        const PatchMatrices        matrices(cell);
        const auto                 weights = problem.grid.stiffness_weights();
        const VariantTablesOfLevel tables(cell, matrices, weights);
        const LevelTables<3, double> tables_in_double(cell, matrices, weights);

        Random       random(2);
        const Vector u = rounded(random.vector(problem.n_nodes));
        const Vector b = rounded(
          random.vector(std::size_t(problem.grid.n_local()) * n_values));
        const Primal<float> start = problem.copy_to_cells<float>(u);
        const RightHandSide rhs(b, cell);

        const auto patches_of = [&](const PatchSchedule<3> &schedule) {
          return PatchList{schedule.cells().data(),
                           schedule.runs().data(),
                           schedule.runs().size(),
                           reversed};
        };
        const PatchSchedule<3> by_colour(problem.grid,
                                         ColourOrder::odd_first,
                                         Traversal::by_colour);
        const PatchSchedule<3> wavefront(problem.grid,
                                         ColourOrder::odd_first,
                                         Traversal::wavefront);
        Primal<double>         expected = problem.copy_to_cells<double>(u);
        sweep_on<3>(InstructionSet::generic,
                    3,
                    expected.data(),
                    to_modal<3, double>(b, cell).data(),
                    patches_of(by_colour),
                    tables_in_double.patch());

        for (int variant = 0; variant <= default_update; ++variant)
          {
            const Primal<float> result = sweep(
              variant, start, rhs, patches_of(by_colour), tables.tables());
            CHECK(same_bits(result,
                            sweep(variant,
                                  start,
                                  rhs,
                                  patches_of(wavefront),
                                  tables.tables())));
            CHECK(problem.is_continuous(result));
            const double error =
              relative_error(problem.values(result), problem.values(expected));
            std::printf("variant %d, sweep: error %.2e\n", variant, error);
            CHECK(error <= 3.0e-7);
          }
      }
    } // namespace
  }   // namespace patch
} // namespace tessera

int
main()
{
  using namespace tessera::patch;
  check_patches({{1. / 16, 1. / 16, 1. / 16}});
  check_patches({{1. / 16, 1. / 12, 1. / 20}});
  check_sweep(false);
  check_sweep(true);
  return check::result();
}
