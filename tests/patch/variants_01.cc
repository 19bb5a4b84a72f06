// SPDX-License-Identifier: LGPL-2.1-or-later
// The update of degree 3 in three dimensions, in float, and all variants of its
// arithmetic: one patch, and a sweep, against dense decompositions in double;
// shared copies agree bit for bit; all instruction sets give the same bits.
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/patch_schedule.h>
#include <tessera/patch/variant_kernels.h>
#include <tessera/patch/variant_tables.h>

#include <cstring>
#include <limits>
#include <string>

#include "assembled_problem.h"
#include "check.h"

using namespace tessera;
using namespace tessera::cellwise;

namespace tessera
{
  namespace patch
  {
    constexpr int n_values = 64;

    /** Variant n_patch_variants is the default, sweep<3>(), which takes the
     * right-hand side in the eigenbasis. */
    constexpr int default_update = n_patch_variants;

    using Field = AlignedVector<float>;

    Field
    rounded(const reference::Vector &values)
    {
      Field field(values.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        field[i] = float(values[i]);
      return field;
    }

    reference::Vector
    widened(const Field &field)
    {
      return {field.begin(), field.end()};
    }

    void
    sweep_on(const InstructionSet        set,
             const int                   variant,
             Field                      &u,
             const Field                &b,
             const Field                &modal_b,
             const PatchList            &patches,
             const VariantTables<float> &tables)
    {
      if (variant == default_update)
        TESSERA_CALL_SIMD_FOR(
          set, sweep<3>(3, u.data(), modal_b.data(), patches, tables.patch));
      else
        TESSERA_CALL_SIMD_FOR(set,
                              sweep_variant(PatchVariant(variant),
                                            u.data(),
                                            b.data(),
                                            patches,
                                            tables));
    }

    /** The same in all instruction sets; u becomes the result. */
    void
    sweep_on_all(const int                   variant,
                 Field                      &u,
                 const Field                &b,
                 const Field                &modal_b,
                 const PatchList            &patches,
                 const VariantTables<float> &tables)
    {
      const Field start = u.copy();
      for (const InstructionSet set : available_instruction_sets())
        {
          Field result = start.copy();
          sweep_on(set, variant, result, b, modal_b, patches, tables);
          if (set == InstructionSet::generic)
            u = std::move(result);
          else
            CHECK(std::memcmp(u.data(), result.data(), u.size_in_bytes()) == 0);
        }
    }

    GridDescription<3>
    box(const std::array<int, 3> &n_cells, const std::array<double, 3> &size)
    {
      GridDescription<3> description;
      description.n_cells   = n_cells;
      description.cell_size = size;
      return description;
    }

    /** $\hat b$ of nodal values, cell by cell. */
    Field
    to_modal(const reference::Vector &b, const ReferenceCell &cell)
    {
      const auto modal = reference::to_modal<3, float>(b, cell);
      Field      field(modal.size());
      std::copy(modal.data(), modal.data() + modal.size(), field.begin());
      return field;
    }

    /** $A_v^{-1}$ on the residual of one patch after the other, each with a
     * box of its own and a random right-hand side. */
    void
    check_patches(const std::array<double, 3> &cell_size,
                  const double                 tolerance)
    {
      const ReferenceCell                  cell(3);
      const reference::AssembledProblem<3> patch(box({2, 2, 2}, cell_size),
                                                 cell);
      const DenseMatrix                    A = patch.matrix();
      const reference::Cholesky            inverse(
        reference::submatrix(A, patch.free_nodes));

      // A number of patches that fills no register to the end.
      constexpr int     n_patches = 63;
      constexpr int     n_cells   = 8 * n_patches;
      reference::Random random(1);
      reference::Vector u, b = random.vector(n_cells * n_values);
      for (double &x : b)
        x = float(x);
      reference::Vector expected;
      for (int i = 0; i < n_patches; ++i)
        {
          reference::Vector nodal = random.vector(patch.n_nodes);
          for (double &x : nodal)
            x = float(x);
          reference::Vector residual = reference::multiply(A, nodal);
          for (double &x : residual)
            x = -x;
          for (int c = 0; c < 8; ++c)
            for (int k = 0; k < n_values; ++k)
              residual[patch.node(c, k)] += b[(8 * i + c) * n_values + k];
          reference::Vector restricted;
          for (const int node : patch.free_nodes)
            restricted.push_back(residual[node]);
          const reference::Vector solution = inverse.solve(restricted);
          reference::Vector       correction(patch.n_nodes, 0.);
          for (std::size_t j = 0; j < solution.size(); ++j)
            correction[patch.free_nodes[j]] = solution[j];
          for (int c = 0; c < 8; ++c)
            for (int k = 0; k < n_values; ++k)
              {
                u.push_back(nodal[patch.node(c, k)]);
                expected.push_back(correction[patch.node(c, k)]);
              }
        }

      // The last cell is in no patch, and must be left alone.
      std::vector<CellIndex> cells(n_cells);
      for (int c = 0; c < n_cells; ++c)
        cells[c] = c;
      u.resize(u.size() + n_values, std::numeric_limits<double>::quiet_NaN());
      b.resize(b.size() + n_values, std::numeric_limits<double>::quiet_NaN());
      const PatchRun             run     = {0, n_patches, 0};
      const PatchList            patches = {cells.data(), &run, 1, false};
      const VariantTablesOfLevel tables(cell,
                                        PatchMatrices(cell),
                                        patch.grid.stiffness_weights());
      const Field rounded_b = rounded(b), modal_b = to_modal(b, cell);

      for (int variant = 0; variant <= n_patch_variants; ++variant)
        {
          Field result = rounded(u);
          sweep_on_all(
            variant, result, rounded_b, modal_b, patches, tables.tables());
          const reference::Vector updated = widened(result);
          reference::Vector       correction(expected.size());
          for (std::size_t i = 0; i < correction.size(); ++i)
            correction[i] = updated[i] - u[i];
          const double error = reference::relative_error(correction, expected);
          std::cout << "variant " << variant << ": relative error " << error
                    << std::endl;
          CHECK(error <= tolerance);
          for (int k = 0; k < n_values; ++k)
            CHECK(std::isnan(result[n_cells * n_values + k]));

          for (int i = 0; i < n_patches; ++i)
            {
              reference::Primal<float> field(8, n_values);
              std::copy(result.begin() + 8 * i * n_values,
                        result.begin() + 8 * (i + 1) * n_values,
                        field.data());
              CHECK(patch.is_continuous(field));
            }
        }
    }

    /** All patches of a grid in both directions, each updated by a dense
     * decomposition. */
    void
    check_sweep(const ColourOrder order, const bool reversed)
    {
      const ReferenceCell                  cell(3);
      const std::array<double, 3>          size = {0.25, 0.25, 0.25};
      const reference::AssembledProblem<3> problem(box({4, 4, 3}, size), cell);
      const reference::AssembledProblem<3> patch(box({2, 2, 2}, size), cell);
      const DenseMatrix                    A = problem.matrix();
      const reference::Cholesky            inverse(
        reference::submatrix(patch.matrix(), patch.free_nodes));

      reference::Random random(2);
      reference::Vector u = random.vector(problem.n_nodes);
      for (double &x : u)
        x = float(x);
      const int         n_cells = problem.grid.n_local();
      reference::Vector b       = random.vector(n_cells * n_values);
      for (double &x : b)
        x = float(x);
      reference::Vector rhs(problem.n_nodes, 0.);
      for (int c = 0; c < n_cells; ++c)
        for (int k = 0; k < n_values; ++k)
          rhs[problem.node(c, k)] += b[c * n_values + k];

      const auto             start = problem.copy_to_cells<float>(u);
      const PatchSchedule<3> by_colour(problem.grid,
                                       order,
                                       Traversal::by_colour);
      for (std::size_t i = 0; i < by_colour.n_patches(); ++i)
        {
          const std::size_t number =
            reversed ? by_colour.n_patches() - 1 - i : i;
          const CellIndex *cells = by_colour.cells().data() + 8 * number;
          // The nodes inside of the patch, in the order of its free nodes.
          std::vector<int> nodes(patch.n_nodes);
          for (int c = 0; c < 8; ++c)
            for (int k = 0; k < n_values; ++k)
              nodes[patch.node(c, k)] = problem.node(cells[c], k);
          reference::Vector residual;
          for (const int free : patch.free_nodes)
            {
              double sum = rhs[nodes[free]];
              for (int j = 0; j < problem.n_nodes; ++j)
                sum -= A(nodes[free], j) * u[j];
              residual.push_back(sum);
            }
          const reference::Vector correction = inverse.solve(residual);
          for (std::size_t j = 0; j < correction.size(); ++j)
            u[nodes[patch.free_nodes[j]]] += correction[j];
        }

      const VariantTablesOfLevel tables(cell,
                                        PatchMatrices(cell),
                                        problem.grid.stiffness_weights());
      const Field rounded_b = rounded(b), modal_b = to_modal(b, cell);
      for (int variant = 0; variant <= n_patch_variants; ++variant)
        {
          reference::Primal<float> result(n_cells, n_values);
          for (const Traversal traversal :
               {Traversal::by_colour, Traversal::wavefront})
            {
              const PatchSchedule<3> schedule(problem.grid, order, traversal);
              const PatchList        patches = {schedule.cells().data(),
                                                schedule.runs().data(),
                                                schedule.runs().size(),
                                                reversed};
              Field                  field(start.size());
              std::copy(start.data(),
                        start.data() + start.size(),
                        field.begin());
              sweep_on_all(
                variant, field, rounded_b, modal_b, patches, tables.tables());
              if (traversal == Traversal::by_colour)
                std::copy(field.begin(), field.end(), result.data());
              else
                CHECK(std::memcmp(field.data(),
                                  result.data(),
                                  field.size_in_bytes()) == 0);
            }
          CHECK(problem.is_continuous(result));
          const double error =
            reference::relative_error(problem.values(result), u);
          std::cout << "variant " << variant << ", sweep: relative error "
                    << error << std::endl;
          CHECK(error <= 3e-7);
        }
    }
  } // namespace patch
} // namespace tessera

int
main()
{
  patch::check_patches({1. / 16, 1. / 16, 1. / 16}, 3.0e-7);
  patch::check_patches({1. / 16, 1. / 12, 1. / 20}, 3.0e-7);
  patch::check_sweep(patch::ColourOrder::odd_first, false);
  patch::check_sweep(patch::ColourOrder::even_first, true);
  return check::result();
}
