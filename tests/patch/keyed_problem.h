// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_keyed_problem_h
#define tessera_tests_patch_keyed_problem_h

// A problem with random data that do not depend on the partition, and what its
// solutions have to have in common.

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>
#include <tessera/patch/solver_options.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "../cellwise/keyed_values.h"
#include "check.h"

namespace reference
{
  using tessera::cellwise::CellGrid;
  using tessera::cellwise::CellIndex;
  using tessera::cellwise::DualField;
  using tessera::cellwise::PrimalField;
  using tessera::patch::SolverStatistics;

  /** Right-hand side and start iterate, with NaN in ghost cells. */
  template <int dim>
  struct Problem
  {
    Problem(const CellGrid<dim> &grid, const int degree)
      : u(grid.n_local(), tessera::cellwise::power(degree + 1, dim))
      , b(grid.n_local(), tessera::cellwise::power(degree + 1, dim))
    {
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        for (int k = 0; k < u.n_nodes(); ++k)
          if (c < grid.n_owned())
            {
              u(c, k) = value_of_node(grid, c, k, degree);
              b(c, k) = random_value(grid.key(c), k);
            }
          else
            u(c, k) = b(c, k) = std::numeric_limits<double>::quiet_NaN();
    }

    /** The same for all copies of a node. */
    static double
    value_of_node(const CellGrid<dim> &grid,
                  const CellIndex      cell,
                  const int            node,
                  const int            degree)
    {
      std::uint64_t number = 7;
      for (int d = 0, rest = node; d < dim; ++d, rest /= degree + 1)
        number =
          number * 1009 + std::uint64_t(grid.coordinates(cell)[d] * degree +
                                        rest % (degree + 1));
      return random_value(number, 0);
    }

    PrimalField<double> u;
    DualField<double>   b;
  };

  inline bool
  same_bits(const double a, const double b)
  {
    return std::memcmp(&a, &b, sizeof(double)) == 0;
  }

  /** Where the cells of a part are among all, u must be the same. */
  template <int dim>
  void
  compare(const CellGrid<dim>       &part,
          const PrimalField<double> &u,
          const CellGrid<dim>       &whole,
          const PrimalField<double> &u_whole)
  {
    bool is_same = true;
    for (CellIndex c = 0; c < part.n_local(); ++c)
      {
        const CellIndex among_all = whole.find(part.coordinates(c));
        for (int k = 0; k < u.n_nodes(); ++k)
          is_same = is_same && same_bits(u(c, k), u_whole(among_all, k));
      }
    CHECK(is_same);
  }

  inline void
  compare(const SolverStatistics &found, const SolverStatistics &expected)
  {
    CHECK_EQUAL(found.converged, expected.converged);
    CHECK_EQUAL(found.n_iterations, expected.n_iterations);
    CHECK(found.eta == expected.eta);
    CHECK(found.extrapolated_eta == expected.extrapolated_eta);
    CHECK_EQUAL(found.stagnation.has_value(), expected.stagnation.has_value());
    if (found.stagnation && expected.stagnation)
      {
        CHECK_EQUAL(found.stagnation->since, expected.stagnation->since);
        CHECK_EQUAL(found.stagnation->level, expected.stagnation->level);
      }
  }

  inline tessera::patch::SolverOptions
  options_of(const tessera::patch::Iteration iteration,
             const unsigned int              rebalance_every,
             const unsigned int              min_cells_per_rank)
  {
    tessera::patch::SolverOptions options;
    options.iteration = iteration;
    options.multigrid.post_smoothing =
      iteration == tessera::patch::Iteration::cg ?
        tessera::patch::PostSmoothing::reversed :
        tessera::patch::PostSmoothing::forward;
    options.multigrid.min_cells_per_rank = min_cells_per_rank;
    options.rebalance_every              = rebalance_every;
    return options;
  }
} // namespace reference

#endif
