// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/device/level_passes.h>

namespace tessera
{
  namespace patch
  {
    using execution::Device;

    namespace
    {
      template <int dim, typename Number>
      bool
      goes_by_bricks(const cellwise::CellGrid<dim> &cells,
                     const int                      degree,
                     const MultigridOptions        &options)
      {
        return options.traversal == Traversal::wavefront &&
               std::uint64_t(cells.n_owned()) == cells.n_global() &&
               cells.n_global() >= options.device.min_brick_cells &&
               DeviceBrickSweep<dim, Number>::has_degree(degree);
      }
    } // namespace



    template <int dim, typename Number>
    LevelPasses<dim, Number, Device>::LevelPasses(
      const cellwise::DistributedGrid<dim> &grid,
      const cellwise::ReferenceCell        &cell,
      const PatchMatrices                  &patch_matrices,
      const cellwise::ElementWeights<dim>  &weights,
      const PatchSchedule<dim>             &schedule,
      const MultigridOptions               &options,
      const device::Stream                 &queue)
      : stream(queue)
      , level_tables(cell, patch_matrices, weights)
      , p(cell.degree)
    {
      if (goes_by_bricks<dim, Number>(grid.cells(), p, options))
        by_bricks.emplace(grid.cells(),
                          schedule,
                          options.colour_order,
                          p,
                          level_tables.patch(),
                          stream);
      else
        by_colour.emplace(p, level_tables.patch(), schedule, stream);
    }



    template <int dim, typename Number>
    void
    LevelPasses<dim, Number, Device>::set_zero(Primal &u, Steps &steps) const
    {
      steps.set_zero(u.data(), u.size());
    }



    template <int dim, typename Number>
    void
    LevelPasses<dim, Number, Device>::sweep(Primal         &u,
                                            const Dual     &b,
                                            const RunRange &runs,
                                            const bool      reversed,
                                            Steps          &steps)
    {
      if (by_bricks)
        {
          by_bricks->apply(u.data(), b.data(), reversed, stream);
          return;
        }
      const std::vector<DevicePatches> &patches = steps_of(runs);
      const std::size_t                 n       = patches.size();
      for (std::size_t i = 0; i < n; ++i)
        steps.update_patches(u.data(),
                             b.data(),
                             patches[reversed ? n - 1 - i : i],
                             by_colour->tables());
    }



    template <int dim, typename Number>
    const std::vector<DevicePatches> &
    LevelPasses<dim, Number, Device>::steps_of(const RunRange &runs)
    {
      const auto [entry, is_new] =
        known_steps.try_emplace({runs.begin, runs.end});
      if (is_new)
        entry->second = by_colour->steps(runs);
      return entry->second;
    }



    template <int dim, typename Number>
    int
    LevelPasses<dim, Number, Device>::degree() const
    {
      return p;
    }



    template <int dim, typename Number>
    const LevelTables<dim, Number> &
    LevelPasses<dim, Number, Device>::tables() const
    {
      return level_tables;
    }



    template <int dim, typename Number>
    bool
    LevelPasses<dim, Number, Device>::is_in_steps() const
    {
      return by_colour.has_value();
    }



    template <int dim, typename Number>
    std::size_t
    LevelPasses<dim, Number, Device>::memory_consumption() const
    {
      return by_bricks ? by_bricks->memory_consumption() :
                         by_colour->memory_consumption();
    }



    template <int dim, typename Number>
    TransferPasses<dim, Number, Device>::TransferPasses(
      const GridTransfer<dim> &families,
      const Fine              &fine,
      const device::Stream    &stream)
      : passes(fine)
      , n_restricted(families.n_restricted)
      , parents(families.parents.data(), families.parents.size(), stream)
      , children(families.children.data(), families.children.size(), stream)
    {}



    template <int dim, typename Number>
    void
    TransferPasses<dim, Number, Device>::restrict_residual(Dual &coarse_b,
                                                           const Primal &u,
                                                           const Dual   &b,
                                                           Steps &steps) const
    {
      steps.restrict_residual(passes.degree(),
                              coarse_b.data(),
                              u.data(),
                              b.data(),
                              parents.data(),
                              children.data(),
                              n_restricted,
                              passes.tables().transfer());
    }



    template <int dim, typename Number>
    void
    TransferPasses<dim, Number, Device>::prolongate_and_add(
      Primal       &u,
      const Primal &coarse_u,
      Steps        &steps) const
    {
      steps.prolongate_and_add(passes.degree(),
                               u.data(),
                               coarse_u.data(),
                               parents.data(),
                               children.data(),
                               parents.size(),
                               passes.tables().transfer());
    }



    template <int dim, typename Number>
    std::size_t
    TransferPasses<dim, Number, Device>::memory_consumption() const
    {
      return (parents.size() + children.size()) * sizeof(CellIndex);
    }



#define TESSERA_INSTANTIATE(dim, Number)                      \
  template class LevelPasses<dim, Number, execution::Device>; \
  template class TransferPasses<dim, Number, execution::Device>

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
#undef TESSERA_INSTANTIATE
  } // namespace patch
} // namespace tessera
