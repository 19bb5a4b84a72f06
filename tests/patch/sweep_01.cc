// SPDX-License-Identifier: LGPL-2.1-or-later
// Updates of single patches: against a dense inverse, next to Neumann faces,
// side by side, of cells with any numbers, and nothing written besides.
#include <tessera/base/instruction_set.h>
#include <tessera/patch/level_tables.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "check.h"
#include "fields.h"
#include "shuffled.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  /** Largest relative l2 error of corrections, for any degree. */
  template <typename T>
  constexpr double tolerance = sizeof(T) == 4 ? 3e-7 : 1e-13;

  template <int dim>
  GridDescription<dim>
  box_of(const std::array<int, dim> &n_cells, const BoundaryCondition condition)
  {
    const double         sizes[3] = {0.5, 0.4, 0.65};
    GridDescription<dim> box;
    box.n_cells = n_cells;
    for (int d = 0; d < dim; ++d)
      {
        box.cell_size[d] = sizes[d];
        box.boundary[d]  = {{condition, condition}};
      }
    return box;
  }

  /** A patch of a grid in a world of NaN. */
  template <int dim, typename T>
  class PatchTest
  {
  public:
    PatchTest(const ReferenceCell &reference_cell,
              const PatchMatrices &matrices)
      : cell(reference_cell)
      , tables(reference_cell,
               matrices,
               CellGrid<dim>(grid_description()).stiffness_weights())
      , grid(grid_description())
      , schedule(grid, ColourOrder::odd_first, Traversal::by_colour)
    {}

    /** Vertices at all kinds of boundaries, and inside. */
    static GridDescription<dim>
    grid_description()
    {
      std::array<int, dim> n;
      n.fill(3);
      return box_of<dim>(n, N);
    }

    /** Update the patch in each instruction set. */
    void
    check(const PatchRun &run, const std::int32_t number, Random &random)
    {
      // The patch as a box of its own: Dirichlet conditions on the rim.
      GridDescription<dim> box = grid.description();
      for (int d = 0; d < dim; ++d)
        {
          const unsigned int ends = (run.mirrored >> (2 * d)) & 3u;
          box.n_cells[d]          = ends == 0 ? 2 : 1;
          box.boundary[d]         = {{ends == 1u ? N : D, ends == 2u ? N : D}};
        }
      const AssembledProblem<dim> problem(box, cell);
      const int                   n = power(cell.n_nodes, dim);
      const Primal<T>             u =
        problem.template copy_to_cells<T>(random.vector(problem.n_nodes));
      const DualModalField<T> b =
        to_modal<dim, T>(random.vector(std::size_t(problem.grid.n_local()) * n),
                         cell);

      const Vector before     = problem.values(u);
      const Vector r          = problem.residual(problem.assemble(b), before);
      const Vector correction = Cholesky(problem.matrix(problem.free_nodes))
                                  .solve(entries(r, problem.free_nodes));

      // Its cells are among others that must not be touched.
      constexpr T       nan = std::numeric_limits<T>::quiet_NaN();
      Primal<T>         all_u(grid.n_local(), n);
      DualModalField<T> all_b(grid.n_local(), n);
      std::fill(all_u.data(), all_u.data() + all_u.size(), nan);
      std::fill(all_b.data(), all_b.data() + all_b.size(), nan);
      std::vector<CellIndex> place(problem.grid.n_local());
      for (int lane = 0; lane < (1 << dim); ++lane)
        {
          std::array<int, dim> c;
          for (int d = 0; d < dim; ++d)
            c[d] = box.n_cells[d] == 2 ? (lane >> d) & 1 : 0;
          const CellIndex local = problem.grid.find(c);
          place[local] =
            schedule.cells()[std::size_t(number) * (1 << dim) + lane];
          for (int k = 0; k < n; ++k)
            {
              all_u(place[local], k) = u(local, k);
              all_b(place[local], k) = b(local, k);
            }
        }

      const PatchRun  only = {number, number + 1, run.mirrored};
      const PatchList list = {schedule.cells().data(), &only, 1, false};
      Primal<T>       first;
      for (const InstructionSet set : available_instruction_sets())
        {
          Primal<T> result = copy_of(all_u);
          sweep_on<dim>(set,
                        cell.degree,
                        result.data(),
                        all_b.data(),
                        list,
                        tables.patch());
          if (first.size() == 0)
            first.swap(result);
          else
            CHECK(same_bits(result, first));
        }

      Primal<T> updated(problem.grid.n_local(), n);
      for (CellIndex c = 0; c < problem.grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          {
            updated(c, k) = first(place[c], k);
            // What is compared below is back where it was.
            first(place[c], k) = all_u(place[c], k);
          }
      CHECK(same_bits(first, all_u));
      CHECK(problem.is_continuous(updated));
      const Vector after = problem.values(updated);
      for (int i = 0; i < problem.n_nodes; ++i)
        if (problem.is_dirichlet(i))
          CHECK_EQUAL(after[i], before[i]);
      Vector change = entries(after, problem.free_nodes);
      for (std::size_t i = 0; i < change.size(); ++i)
        change[i] -= before[problem.free_nodes[i]];
      corrections.insert(corrections.end(), change.begin(), change.end());
      expected_corrections.insert(expected_corrections.end(),
                                  correction.begin(),
                                  correction.end());
    }

    const ReferenceCell      &cell;
    const LevelTables<dim, T> tables;
    const CellGrid<dim>       grid;
    const PatchSchedule<dim>  schedule;

    // All together, for that of a single node may happen to be almost zero.
    Vector corrections;
    Vector expected_corrections;
  };

  template <int dim, typename T>
  void
  check_single_patches(const ReferenceCell &cell, const PatchMatrices &matrices)
  {
    PatchTest<dim, T> test(cell, matrices);
    Random            random(7);
    // Dense matrices of high degree take time: then not all faces, edges and
    // corners.
    std::set<std::uint32_t> kinds = {0b000000, 0b000001, 0b100100, 0b011010};
    if (dim == 2 || cell.degree <= 4)
      for (const PatchRun &run : test.schedule.runs())
        kinds.insert(run.mirrored);
    std::size_t n_tested = 0;
    for (const PatchRun &run : test.schedule.runs())
      if (kinds.erase(run.mirrored) == 1)
        {
          test.check(run, run.end - 1, random);
          ++n_tested;
        }
    CHECK_EQUAL(n_tested,
                dim == 2 || cell.degree <= 4 ? std::size_t(power(3, dim)) : 4);
    const double error =
      relative_error(test.corrections, test.expected_corrections);
    CHECK(error <= tolerance<T>);
    std::printf("dim %d, degree %d, %s: error %.1e\n",
                dim,
                cell.degree,
                sizeof(T) == 4 ? "float" : "double",
                error);
  }

  /** Patches side by side, any number of them: as if one by one. */
  template <int dim, typename T>
  void
  check_side_by_side(const ReferenceCell &cell, const PatchMatrices &matrices)
  {
    std::array<int, dim> n_cells;
    n_cells.fill(2);
    n_cells[0] = 20;
    const CellGrid<dim>       grid(box_of<dim>(n_cells, N));
    const PatchSchedule<dim>  schedule(grid,
                                      ColourOrder::odd_first,
                                      Traversal::by_colour);
    const LevelTables<dim, T> tables(cell, matrices, grid.stiffness_weights());
    Random                    random(9);
    const int                 n = power(cell.n_nodes, dim);

    int n_long_runs = 0;
    for (const PatchRun &run : schedule.runs())
      if (run.end - run.begin == 10)
        {
          ++n_long_runs;
          // Up to 8 patches fill the lanes of a row.
          for (const std::int32_t n_patches : {1, 2, 3, 5, 8, 10})
            {
              constexpr T       nan = std::numeric_limits<T>::quiet_NaN();
              Primal<T>         start(grid.n_local(), n);
              DualModalField<T> b(grid.n_local(), n);
              std::fill(start.data(), start.data() + start.size(), nan);
              std::fill(b.data(), b.data() + b.size(), nan);
              for (std::int32_t i = run.begin * (1 << dim);
                   i < (run.begin + n_patches) * (1 << dim);
                   ++i)
                for (int k = 0; k < n; ++k)
                  {
                    start(schedule.cells()[i], k) = T(random());
                    b(schedule.cells()[i], k)     = T(random());
                  }

              std::vector<PatchRun> one_by_one;
              for (std::int32_t i = 0; i < n_patches; ++i)
                one_by_one.push_back(
                  {run.begin + i, run.begin + i + 1, run.mirrored});
              const PatchRun together = {run.begin,
                                         run.begin + n_patches,
                                         run.mirrored};
              for (const InstructionSet set : available_instruction_sets())
                {
                  Primal<T> u = copy_of(start), v = copy_of(start);
                  sweep_on<dim>(set,
                                cell.degree,
                                u.data(),
                                b.data(),
                                {schedule.cells().data(), &together, 1, false},
                                tables.patch());
                  sweep_on<dim>(set,
                                cell.degree,
                                v.data(),
                                b.data(),
                                {schedule.cells().data(),
                                 one_by_one.data(),
                                 one_by_one.size(),
                                 true},
                                tables.patch());
                  CHECK(same_bits(u, v));
                  CHECK(!same_bits(u, start));
                }
            }
        }
    // Inside of the box, at faces, and in three dimensions at edges.
    CHECK_EQUAL(n_long_runs, power(3, dim - 1));
  }
  /** Whole sweeps do not depend on where the cells are in the fields: also
   * where those of neighbouring patches are far apart. */
  template <int dim, typename T>
  void
  check_numbering(const ReferenceCell &cell, const PatchMatrices &matrices)
  {
    std::array<int, dim> n_cells;
    n_cells.fill(dim == 2 ? 5 : 3);
    n_cells[0]               = 19;
    GridDescription<dim> box = box_of<dim>(n_cells, N);
    box.boundary[1]          = {{D, N}};
    const CellGrid<dim>       grid(box);
    const PatchSchedule<dim>  schedule(grid,
                                      ColourOrder::odd_first,
                                      Traversal::by_colour);
    const LevelTables<dim, T> tables(cell, matrices, grid.stiffness_weights());
    Random                    random(19);
    const int                 n = power(cell.n_nodes, dim);
    Primal<T>                 start(grid.n_local(), n);
    DualModalField<T>         b(grid.n_local(), n);
    for (CellIndex c = 0; c < grid.n_local(); ++c)
      for (int k = 0; k < n; ++k)
        {
          start(c, k) = T(random());
          b(c, k)     = T(random());
        }

    // One patch after the other.
    std::vector<PatchRun> one_by_one;
    for (const PatchRun &run : schedule.runs())
      for (std::int32_t i = run.begin; i < run.end; ++i)
        one_by_one.push_back({i, i + 1, run.mirrored});
    Primal<T> expected = copy_of(start);
    sweep_on<dim>(
      InstructionSet::generic,
      cell.degree,
      expected.data(),
      b.data(),
      {schedule.cells().data(), one_by_one.data(), one_by_one.size(), false},
      tables.patch());

    for (const CellIndex length : {1, 3, 7, 1000})
      {
        const std::vector<CellIndex> number = shuffled(grid.n_local(), length);
        std::vector<CellIndex>       cells;
        for (const CellIndex c : schedule.cells())
          cells.push_back(number[c]);
        for (const InstructionSet set : available_instruction_sets())
          {
            Primal<T>         u(grid.n_local(), n);
            DualModalField<T> rhs(grid.n_local(), n);
            // What is in no cell does not matter.
            constexpr T nan = std::numeric_limits<T>::quiet_NaN();
            std::fill(u.data(), u.data() + u.size(), nan);
            std::fill(rhs.data(), rhs.data() + rhs.size(), nan);
            for (CellIndex c = 0; c < grid.n_local(); ++c)
              for (int k = 0; k < n; ++k)
                {
                  u(number[c], k)   = start(c, k);
                  rhs(number[c], k) = b(c, k);
                }
            sweep_on<dim>(set,
                          cell.degree,
                          u.data(),
                          rhs.data(),
                          {cells.data(),
                           schedule.runs().data(),
                           schedule.runs().size(),
                           false},
                          tables.patch());
            bool is_same = true;
            for (CellIndex c = 0; c < grid.n_local(); ++c)
              for (int k = 0; k < n; ++k)
                is_same = is_same && u(number[c], k) == expected(c, k);
            CHECK(is_same);
          }
      }
  }
} // namespace

int
main()
{
  for (int degree = cellwise::min_degree; degree <= cellwise::max_degree;
       ++degree)
    {
      const ReferenceCell cell(degree);
      const PatchMatrices matrices(cell);
      check_single_patches<2, float>(cell, matrices);
      check_single_patches<2, double>(cell, matrices);
      check_single_patches<3, float>(cell, matrices);
      check_single_patches<3, double>(cell, matrices);
      check_side_by_side<2, float>(cell, matrices);
      check_side_by_side<2, double>(cell, matrices);
      check_side_by_side<3, float>(cell, matrices);
      check_side_by_side<3, double>(cell, matrices);
      check_numbering<2, float>(cell, matrices);
      check_numbering<2, double>(cell, matrices);
      if (degree <= 3)
        {
          check_numbering<3, float>(cell, matrices);
          check_numbering<3, double>(cell, matrices);
        }
    }
  return check::result();
}
