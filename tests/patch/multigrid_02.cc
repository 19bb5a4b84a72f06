// SPDX-License-Identifier: LGPL-2.1-or-later
// A cycle on several ranks has the same bits as in one process, whatever the
// partition, on how many ranks coarse levels are, and in whatever direction the
// sweeps go.
#include <tessera/base/communication_session.h>
#include <tessera/patch/multigrid.h>

#include <cstring>
#include <limits>

#include "../cellwise/keyed_values.h"
#include "../cellwise/partitions.h"
#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;
using cellwise::BoundaryCondition;
using cellwise::CellGrid;
using cellwise::CellIndex;
using cellwise::DistributedGrid;
using cellwise::DualField;
using cellwise::GridDescription;
using cellwise::ReferenceCell;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  template <int dim>
  DualField<double>
  random_residual(const CellGrid<dim> &grid, const int n_nodes)
  {
    DualField<double> r(grid.n_local(), n_nodes);
    for (CellIndex c = 0; c < grid.n_local(); ++c)
      for (int k = 0; k < n_nodes; ++k)
        // Ghosts are not read.
        r(c, k) = c < grid.n_owned() ? random_value(grid.key(c), k) :
                                       std::numeric_limits<double>::quiet_NaN();
    return r;
  }

  template <int dim, typename Number>
  void
  check_cycle(const GridDescription<dim> &box,
              const int                   degree,
              const MultigridOptions     &options)
  {
    const Communicator  world = Communicator::world();
    const ReferenceCell cell(degree);
    const int           n_nodes = cellwise::power(degree + 1, dim);

    const DistributedGrid<dim> whole(box);
    Multigrid<dim, Number>     alone(whole, cell, options);
    const auto   r_alone = random_residual(whole.cells(), n_nodes);
    const double max_r   = cellwise::max_abs(r_alone, whole.cells().n_owned());

    for (const Partition partition : all_partitions)
      {
        const auto              grid = distribute(partition, box, world);
        Multigrid<dim, Number>  together(grid, cell, options);
        const DualField<double> r = random_residual(grid.cells(), n_nodes);
        CHECK_EQUAL(together.n_levels(), alone.n_levels());

        // More than once: nothing may be left over from the cycle before.
        for (const bool adjoint : {false, true, false})
          {
            const double factor_alone = alone.cycle(r_alone, max_r, adjoint);
            const double factor       = together.cycle(r, max_r, adjoint);
            CHECK_EQUAL(factor, factor_alone);
            together.update_ghosts_of_correction();
            bool is_same = true, is_zero = true;
            for (CellIndex c = 0; c < grid.cells().n_local(); ++c)
              for (int k = 0; k < n_nodes; ++k)
                {
                  const CellIndex among_all =
                    whole.cells().find(grid.cells().coordinates(c));
                  const Number a = together.correction()(c, k);
                  const Number b = alone.correction()(among_all, k);
                  is_same = is_same && std::memcmp(&a, &b, sizeof(a)) == 0;
                  is_zero = is_zero && a == Number();
                }
            CHECK(is_same);
            CHECK(!is_zero || grid.cells().n_local() == 0);
          }

        // In a process alone all is done once.
        const double efficiency = together.partition_efficiency();
        CHECK(efficiency > 0. && efficiency <= 1.);
        CHECK_EQUAL(world.max(efficiency), efficiency);
        if (world.n_ranks() == 1)
          CHECK_EQUAL(efficiency, 1.);
      }
  }

  template <int dim>
  void
  check_cycles(const GridDescription<dim> &box, const int degree)
  {
    for (const PostSmoothing post_smoothing :
         {PostSmoothing::forward, PostSmoothing::reversed})
      for (const ColourOrder order :
           {ColourOrder::odd_first, ColourOrder::even_first})
        for (const unsigned int min_cells : {1u, 30u})
          {
            MultigridOptions options;
            options.post_smoothing     = post_smoothing;
            options.colour_order       = order;
            options.min_cells_per_rank = min_cells;
            options.traversal =
              min_cells == 1 ? Traversal::wavefront : Traversal::by_colour;
            check_cycle<dim, float>(box, degree, options);
            if (degree <= 2)
              check_cycle<dim, double>(box, degree, options);
          }
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);

  const std::array<double, 2> h2 = {{0.5, 0.4}};
  const std::array<double, 3> h3 = {{0.5, 0.4, 0.65}};
  check_cycles<2>({{{16, 12}}, h2, {{{{D, D}}, {{D, D}}}}}, 2);
  check_cycles<2>({{{24, 8}}, h2, {{{{N, D}}, {{D, N}}}}}, 1);
  check_cycles<2>({{{10, 14}}, h2, {{{{D, D}}, {{N, N}}}}}, 5);
  check_cycles<3>({{{8, 8, 8}}, h3, {{{{D, D}}, {{D, D}}, {{D, D}}}}}, 3);
  check_cycles<3>({{{12, 4, 6}}, h3, {{{{D, N}}, {{N, D}}, {{N, N}}}}}, 2);
  // A single level.
  check_cycles<2>({{{2, 2}}, h2, {}}, 3);
  check_cycles<3>({{{3, 5, 2}}, h3, {}}, 2);
  return check::result();
}
