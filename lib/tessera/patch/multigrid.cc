// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>
#include <tessera/patch/hierarchy.h>
#include <tessera/patch/multigrid.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

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

      /** See Multigrid::partition_efficiency(). */
      template <int dim, typename Number>
      double
      find_efficiency(
        const std::vector<std::unique_ptr<Level<dim, Number>>> &levels,
        const Communicator                                     &communicator)
      {
        double n_patches = 0., n_treated = 0.;
        for (const auto &level : levels)
          {
            n_patches += double(level->n_global_patches());
            n_treated +=
              double(communicator.max(std::uint64_t(level->n_patches())));
          }
        return n_patches / (communicator.n_ranks() * n_treated);
      }
    } // namespace



    template <int dim, typename Number>
    Multigrid<dim, Number>::Multigrid(
      const cellwise::DistributedGrid<dim> &finest,
      const cellwise::ReferenceCell        &cell,
      const MultigridOptions               &multigrid_options)
      : reference_cell(cell)
      , options(multigrid_options)
    {
      TESSERA_ASSERT(options.reaction >= 0., "the matrix is definite");
      // Weights are computed in units of the largest one of the finest level.
      const cellwise::ElementWeights<dim> of_finest =
        cellwise::element_weights(finest.cells(), options.reaction);
      const std::array<double, dim> &s = of_finest.stiffness;
      unit_of_weights =
        std::max(of_finest.mass, *std::max_element(s.begin(), s.end()));

      const PatchMatrices patch_matrices(reference_cell);
      const auto grids = make_hierarchy(finest, options.min_cells_per_rank);
      for (unsigned int l = 0; l < grids.size(); ++l)
        {
          // Cells twice as large have weights 2^(dim-2) times as large, and
          // 2^dim times that of the mass matrix.
          const int               n_halvings = int(grids.size() - 1 - l);
          std::array<double, dim> stiffness;
          for (int d = 0; d < dim; ++d)
            stiffness[d] =
              std::ldexp(s[d] / unit_of_weights, n_halvings * (dim - 2));
          const double mass =
            std::ldexp(of_finest.mass / unit_of_weights, n_halvings * dim);
          levels.push_back(std::make_unique<Level<dim, Number>>(
            grids[l],
            reference_cell,
            patch_matrices,
            cellwise::ElementWeights<dim>(stiffness, mass),
            options.colour_order,
            options.traversal));
          if (l > 0)
            transfers.push_back(
              std::make_unique<LevelTransfer<dim, Number>>(*levels[l],
                                                           *levels[l - 1]));
        }
      coarsest   = std::make_unique<CoarsestLevel<dim, Number>>(*levels[0],
                                                              reference_cell);
      efficiency = find_efficiency(levels, finest.communicator());
    }



    template <int dim, typename Number>
    double
    Multigrid<dim, Number>::cycle(const cellwise::DualField<double> &r,
                                  const double                       max_abs_r,
                                  const bool                         adjoint)
    {
      Level<dim, Number> &finest = *levels.back();
      const double        scale  = scale_to_one(max_abs_r);
      {
        TimerScope timer("transfer");
        cellwise::to_modal<dim>(finest.b, scale, r, reference_cell);
        finest.update_ghosts_of_b();
      }
      cycle_level(n_levels() - 1, adjoint);
      return 1. / (scale * unit_of_weights);
    }



    template <int dim, typename Number>
    void
    Multigrid<dim, Number>::cycle_level(const unsigned int number,
                                        const bool         adjoint)
    {
      Level<dim, Number> &level = *levels[number];
      if (number == 0)
        {
          TimerScope timer("coarsest level");
          coarsest->solve();
          return;
        }

      smooth_before(level, adjoint);
      {
        TimerScope timer("transfer");
        transfers[number - 1]->restrict_residual();
      }
      cycle_level(number - 1, adjoint);
      {
        TimerScope timer("transfer");
        transfers[number - 1]->prolongate_and_add();
      }
      smooth_after(level, adjoint);
    }



    template <int dim, typename Number>
    void
    Multigrid<dim, Number>::smooth_before(Level<dim, Number> &level,
                                          const bool          adjoint) const
    {
      TimerScope timer("smoothing");
      level.u.set_zero();
      level.sweep(adjoint && options.post_smoothing == PostSmoothing::forward,
                  true);
    }



    template <int dim, typename Number>
    void
    Multigrid<dim, Number>::smooth_after(Level<dim, Number> &level,
                                         const bool          adjoint) const
    {
      TimerScope timer("smoothing");
      level.sweep(adjoint || options.post_smoothing == PostSmoothing::reversed,
                  false);
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
    void
    Multigrid<dim, Number>::update_ghosts_of_correction()
    {
      levels.back()->update_ghosts_of_u();
    }



    template <int dim, typename Number>
    const cellwise::DistributedGrid<dim> &
    Multigrid<dim, Number>::grid() const
    {
      return levels.back()->grid();
    }



    template <int dim, typename Number>
    double
    Multigrid<dim, Number>::partition_efficiency() const
    {
      return efficiency;
    }



    template <int dim, typename Number>
    std::size_t
    Multigrid<dim, Number>::memory_consumption() const
    {
      std::size_t bytes = coarsest->memory_consumption();
      for (const auto &level : levels)
        bytes += level->memory_consumption();
      for (const auto &transfer : transfers)
        bytes += transfer->memory_consumption();
      return bytes;
    }



    template class Multigrid<2, float>;
    template class Multigrid<2, double>;
    template class Multigrid<3, float>;
    template class Multigrid<3, double>;
  } // namespace patch
} // namespace tessera
