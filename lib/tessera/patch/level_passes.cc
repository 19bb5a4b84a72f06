// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/level_passes.h>

namespace tessera
{
  namespace patch
  {
    using execution::Host;

    template <int dim, typename Number>
    LevelPasses<dim, Number, Host>::LevelPasses(
      const cellwise::DistributedGrid<dim> &,
      const cellwise::ReferenceCell       &cell,
      const PatchMatrices                 &patch_matrices,
      const cellwise::ElementWeights<dim> &weights,
      const PatchSchedule<dim>            &schedule,
      const MultigridOptions &,
      const execution::HostQueue &)
      : p(cell.degree)
      , level_tables(cell, patch_matrices, weights)
      , patches(schedule)
    {}



    template <int dim, typename Number>
    void
    LevelPasses<dim, Number, Host>::set_zero(Primal &u, HostSteps &) const
    {
      u.set_zero();
    }



    template <int dim, typename Number>
    void
    LevelPasses<dim, Number, Host>::sweep(Primal         &u,
                                          const Dual     &b,
                                          const RunRange &runs,
                                          const bool      reversed,
                                          HostSteps &)
    {
      if (runs.begin == runs.end)
        return;
      const PatchList list = {patches.cells().data(),
                              patches.runs().data() + runs.begin,
                              runs.end - runs.begin,
                              reversed};
      TESSERA_CALL_SIMD(
        sweep<dim>(p, u.data(), b.data(), list, level_tables.patch()));
    }



    template <int dim, typename Number>
    int
    LevelPasses<dim, Number, Host>::degree() const
    {
      return p;
    }



    template <int dim, typename Number>
    const LevelTables<dim, Number> &
    LevelPasses<dim, Number, Host>::tables() const
    {
      return level_tables;
    }



    template <int dim, typename Number>
    std::size_t
    LevelPasses<dim, Number, Host>::memory_consumption() const
    {
      return level_tables.memory_consumption();
    }



    template <int dim, typename Number>
    TransferPasses<dim, Number, Host>::TransferPasses(
      const GridTransfer<dim> &families,
      const Fine              &fine,
      const execution::HostQueue &)
      : lists(families)
      , passes(fine)
    {}



    template <int dim, typename Number>
    void
    TransferPasses<dim, Number, Host>::restrict_residual(Dual         &coarse_b,
                                                         const Primal &u,
                                                         const Dual   &b,
                                                         HostSteps &) const
    {
      TESSERA_CALL_SIMD(restrict_residual<dim>(passes.degree(),
                                               coarse_b.data(),
                                               u.data(),
                                               b.data(),
                                               lists.parents.data(),
                                               lists.children.data(),
                                               lists.n_restricted,
                                               passes.tables().transfer()));
    }



    template <int dim, typename Number>
    void
    TransferPasses<dim, Number, Host>::prolongate_and_add(
      Primal       &u,
      const Primal &coarse_u,
      HostSteps &) const
    {
      TESSERA_CALL_SIMD(prolongate_and_add<dim>(passes.degree(),
                                                u.data(),
                                                coarse_u.data(),
                                                lists.parents.data(),
                                                lists.children.data(),
                                                lists.parents.size(),
                                                passes.tables().transfer()));
    }



#define TESSERA_INSTANTIATE(dim, Number)                    \
  template class LevelPasses<dim, Number, execution::Host>; \
  template class TransferPasses<dim, Number, execution::Host>

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
#undef TESSERA_INSTANTIATE
  } // namespace patch
} // namespace tessera
