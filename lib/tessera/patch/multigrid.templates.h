// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_multigrid_templates_h
#define tessera_patch_multigrid_templates_h

// Definitions of multigrid.h, for the sources that instantiate them.

#include <tessera/base/exceptions.h>
#include <tessera/base/phase_timer.h>
#include <tessera/cellwise/device/device_field_operations.h>
#include <tessera/cellwise/field_operations.h>
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
      template <typename LevelType>
      double
      find_efficiency(const std::vector<std::unique_ptr<LevelType>> &levels,
                      const Communicator &communicator)
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



    template <int dim, typename Number, typename Execution>
    Multigrid<dim, Number, Execution>::Multigrid(
      const cellwise::DistributedGrid<dim> &finest,
      const cellwise::ReferenceCell        &cell,
      const MultigridOptions               &multigrid_options,
      const Queue                          &work_queue)
      : reference_cell(cell)
      , options(multigrid_options)
      , queue(work_queue)
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
          levels.push_back(std::make_unique<LevelType>(
            grids[l],
            reference_cell,
            patch_matrices,
            cellwise::ElementWeights<dim>(stiffness, mass),
            options,
            queue));
          if (l > 0)
            transfers.push_back(
              std::make_unique<LevelTransfer<dim, Number, Execution>>(
                *levels[l], *levels[l - 1], queue));
        }
      coarsest =
        std::make_unique<CoarsestLevel<dim, Number, Execution>>(*levels[0],
                                                                reference_cell,
                                                                queue);
      records = std::make_unique<Records>(
        recordable_levels(),
        options,
        [this](const unsigned int l, const bool adjoint, Steps &steps) {
          visit_level(l, adjoint, steps);
        },
        queue);
      records->make(false);
      efficiency = find_efficiency(levels, finest.communicator());
    }



    template <int dim, typename Number, typename Execution>
    RecordableLevels
    Multigrid<dim, Number, Execution>::recordable_levels() const
    {
      const auto n_with = [&](const auto &condition) {
        unsigned int l = 0;
        while (l < n_levels() && condition(*levels[l]))
          ++l;
        return l;
      };
      RecordableLevels result;
      result.degree             = reference_cell.degree;
      result.n_without_messages = n_with(
        [](const LevelType &level) { return level.is_without_messages(); });
      result.n_of_program =
        coarsest->is_in_steps() ? n_with([&](const LevelType &level) {
          const auto &cells = level.grid().cells();
          return std::uint64_t(cells.n_owned()) == cells.n_global() &&
                 cells.n_global() <= options.device.max_program_cells &&
                 level.passes().is_in_steps();
        }) :
                                  0;
      return result;
    }



    template <int dim, typename Number, typename Execution>
    double
    Multigrid<dim, Number, Execution>::cycle(const Residual &r,
                                             const double    max_abs_r,
                                             const bool      adjoint)
    {
      LevelType   &finest = *levels.back();
      const double scale  = scale_to_one(max_abs_r);
      {
        PhaseTimer<Execution> timer("transfer");
        cellwise::to_modal<dim>(finest.b, scale, r, reference_cell, queue);
        finest.update_ghosts_of_b();
      }
      cycle_from(n_levels() - 1, adjoint, records->steps());
      return 1. / (scale * unit_of_weights);
    }



    template <int dim, typename Number, typename Execution>
    void
    Multigrid<dim, Number, Execution>::cycle_from(const unsigned int l,
                                                  const bool         adjoint,
                                                  Steps             &steps)
    {
      if (!records->run(l, adjoint, steps))
        visit_level(l, adjoint, steps);
    }



    template <int dim, typename Number, typename Execution>
    void
    Multigrid<dim, Number, Execution>::visit_level(const unsigned int l,
                                                   const bool         adjoint,
                                                   Steps             &steps)
    {
      if (l == 0)
        {
          PhaseTimer<Execution> timer("coarsest level");
          coarsest->solve(steps);
          return;
        }

      smooth_before(*levels[l], adjoint, steps);
      {
        PhaseTimer<Execution> timer("transfer");
        transfers[l - 1]->restrict_residual(steps);
      }
      cycle_from(l - 1, adjoint, steps);
      {
        PhaseTimer<Execution> timer("transfer");
        transfers[l - 1]->prolongate_and_add(steps);
      }
      smooth_after(*levels[l], adjoint, steps);
    }



    template <int dim, typename Number, typename Execution>
    void
    Multigrid<dim, Number, Execution>::smooth_before(LevelType &level,
                                                     const bool adjoint,
                                                     Steps     &steps) const
    {
      PhaseTimer<Execution> timer("smoothing");
      level.set_u_to_zero(steps);
      level.sweep(adjoint && options.post_smoothing == PostSmoothing::forward,
                  true,
                  steps);
    }



    template <int dim, typename Number, typename Execution>
    void
    Multigrid<dim, Number, Execution>::smooth_after(LevelType &level,
                                                    const bool adjoint,
                                                    Steps     &steps) const
    {
      PhaseTimer<Execution> timer("smoothing");
      level.sweep(adjoint || options.post_smoothing == PostSmoothing::reversed,
                  false,
                  steps);
    }



    template <int dim, typename Number, typename Execution>
    const typename Multigrid<dim, Number, Execution>::Correction &
    Multigrid<dim, Number, Execution>::correction() const
    {
      return levels.back()->u;
    }



    template <int dim, typename Number, typename Execution>
    unsigned int
    Multigrid<dim, Number, Execution>::n_levels() const
    {
      return levels.size();
    }



    template <int dim, typename Number, typename Execution>
    const typename Multigrid<dim, Number, Execution>::LevelType &
    Multigrid<dim, Number, Execution>::level(const unsigned int number) const
    {
      TESSERA_ASSERT(number < levels.size(), "there is no such level");
      return *levels[number];
    }



    template <int dim, typename Number, typename Execution>
    void
    Multigrid<dim, Number, Execution>::update_ghosts_of_correction()
    {
      levels.back()->update_ghosts_of_u();
    }



    template <int dim, typename Number, typename Execution>
    const cellwise::DistributedGrid<dim> &
    Multigrid<dim, Number, Execution>::grid() const
    {
      return levels.back()->grid();
    }



    template <int dim, typename Number, typename Execution>
    double
    Multigrid<dim, Number, Execution>::partition_efficiency() const
    {
      return efficiency;
    }



    template <int dim, typename Number, typename Execution>
    std::size_t
    Multigrid<dim, Number, Execution>::memory_consumption() const
    {
      std::size_t bytes = coarsest->memory_consumption();
      for (const auto &level : levels)
        bytes += level->memory_consumption();
      for (const auto &transfer : transfers)
        bytes += transfer->memory_consumption();
      return bytes;
    }
  } // namespace patch
} // namespace tessera

#endif
