// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>
#include <tessera/patch/multigrid.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      /** The factor 2^-n that brings @p magnitude into [1, 2); 1 for zero. */
      double
      scale_to_one(const double magnitude)
      {
        if (magnitude == 0.)
          return 1.;
        // 2^-n must be a number, too.
        return std::ldexp(1., -std::clamp(std::ilogb(magnitude), -1000, 1000));
      }
    } // namespace



    template <int dim>
    std::vector<cellwise::GridDescription<dim>>
    make_hierarchy(const cellwise::GridDescription<dim> &finest)
    {
      for (int d = 0; d < dim; ++d)
        if (finest.n_cells[d] < 2)
          throw InputError(
            "Patch multigrid needs at least two cells in every direction, for "
            "its patches are the cells around the vertices inside of the box; "
            "direction " +
            std::to_string(d) + " has " + std::to_string(finest.n_cells[d]) +
            ". Refine the mesh once more or use more coarse cells.");

      std::vector<cellwise::GridDescription<dim>> grids = {finest};
      const auto can_be_halved                          = [](const int n) {
        return n % 2 == 0 && n > 2;
      };
      while (std::all_of(grids.back().n_cells.begin(),
                         grids.back().n_cells.end(),
                         can_be_halved))
        {
          cellwise::GridDescription<dim> coarse = grids.back();
          for (int d = 0; d < dim; ++d)
            {
              coarse.n_cells[d] /= 2;
              coarse.cell_size[d] *= 2.;
            }
          grids.push_back(coarse);
        }
      std::reverse(grids.begin(), grids.end());
      return grids;
    }



    template <int dim, typename Number>
    Multigrid<dim, Number>::Multigrid(
      const cellwise::GridDescription<dim> &finest,
      const cellwise::ReferenceCell        &cell,
      const MultigridOptions               &multigrid_options)
      : reference_cell(cell)
      , options(multigrid_options)
    {
      // Weights are computed in units of the largest one of the finest level.
      const std::array<double, dim> finest_weights =
        cellwise::CellGrid<dim>(finest).stiffness_weights();
      unit_of_weights =
        *std::max_element(finest_weights.begin(), finest_weights.end());

      const PatchMatrices patch_matrices(reference_cell);
      const auto          grids = make_hierarchy(finest);
      for (unsigned int l = 0; l < grids.size(); ++l)
        {
          // Cells twice as large have weights 2^(dim-2) times as large.
          std::array<double, dim> weights = finest_weights;
          for (double &s : weights)
            s = std::ldexp(s / unit_of_weights,
                           int(grids.size() - 1 - l) * (dim - 2));
          levels.push_back(std::make_unique<Level<dim, Number>>(
            cellwise::CellGrid<dim>(grids[l]),
            reference_cell,
            patch_matrices,
            weights,
            options.colour_order,
            options.traversal));
        }
      if (!levels[0]->is_single_patch())
        coarse_solver =
          std::make_unique<CoarseSolver<dim>>(levels[0]->grid(),
                                              reference_cell,
                                              levels[0]->stiffness_weights());
    }



    template <int dim, typename Number>
    double
    Multigrid<dim, Number>::cycle(const cellwise::DualField<double> &r)
    {
      Level<dim, Number> &finest = *levels.back();
      const double        scale =
        scale_to_one(cellwise::max_abs(r, finest.grid().n_owned()));
      {
        TimerScope timer("transfer");
        cellwise::to_modal<dim>(finest.b, scale, r, reference_cell);
      }
      cycle_level(n_levels() - 1);
      return 1. / (scale * unit_of_weights);
    }



    template <int dim, typename Number>
    void
    Multigrid<dim, Number>::cycle_level(const unsigned int number)
    {
      Level<dim, Number> &level = *levels[number];
      if (number == 0 && coarse_solver)
        {
          TimerScope timer("coarsest level");
          coarse_solver->solve(level.u, level.b);
          return;
        }
      smooth(level, true);
      if (number == 0)
        return;

      Level<dim, Number> &coarse = *levels[number - 1];
      {
        TimerScope timer("transfer");
        level.restrict_residual_to(coarse);
      }
      cycle_level(number - 1);
      {
        TimerScope timer("transfer");
        level.prolongate_and_add_from(coarse);
      }
      smooth(level, false);
    }



    template <int dim, typename Number>
    void
    Multigrid<dim, Number>::smooth(Level<dim, Number> &level,
                                   const bool          before) const
    {
      TimerScope timer("smoothing");
      if (before)
        level.u.set_zero();
      level.sweep(!before && options.post_smoothing == PostSmoothing::reversed);
    }



    template <int dim, typename Number>
    const typename Multigrid<dim, Number>::Correction &
    Multigrid<dim, Number>::correction() const
    {
      return levels.back()->u;
    }



    template <int dim, typename Number>
    unsigned int
    Multigrid<dim, Number>::n_levels() const
    {
      return levels.size();
    }



    template <int dim, typename Number>
    const Level<dim, Number> &
    Multigrid<dim, Number>::level(const unsigned int number) const
    {
      TESSERA_ASSERT(number < levels.size(), "there is no such level");
      return *levels[number];
    }



    template <int dim, typename Number>
    std::size_t
    Multigrid<dim, Number>::memory_consumption() const
    {
      std::size_t bytes =
        coarse_solver ? coarse_solver->memory_consumption() : 0;
      for (const auto &level : levels)
        bytes += level->memory_consumption();
      return bytes;
    }



    template std::vector<cellwise::GridDescription<2>>
    make_hierarchy(const cellwise::GridDescription<2> &);
    template std::vector<cellwise::GridDescription<3>>
    make_hierarchy(const cellwise::GridDescription<3> &);

    template class Multigrid<2, float>;
    template class Multigrid<2, double>;
    template class Multigrid<3, float>;
    template class Multigrid<3, double>;
  } // namespace patch
} // namespace tessera
