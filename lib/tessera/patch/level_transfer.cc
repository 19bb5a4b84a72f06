// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/level_transfer.h>

namespace tessera
{
  namespace patch
  {
    template <int dim, typename Number>
    LevelTransfer<dim, Number>::LevelTransfer(Level<dim, Number> &fine_level,
                                              Level<dim, Number> &coarse_level)
      : fine(fine_level)
      , coarse(coarse_level)
      , families(fine.grid(), coarse.grid())
      , siblings(families.siblings, fine.u.n_nodes())
      , restricted(families.restricted, (unsigned int)(fine.u.n_nodes()))
      , prolongated(families.prolongated, fine.u.n_nodes())
    {}



    template <int dim, typename Number>
    void
    LevelTransfer<dim, Number>::restrict_residual()
    {
      siblings.update(fine.u);
      TESSERA_CALL_SIMD(restrict_residual<dim>(fine.degree(),
                                               coarse.b.data(),
                                               fine.u.data(),
                                               fine.b.data(),
                                               families.parents.data(),
                                               families.children.data(),
                                               families.n_restricted,
                                               fine.transfer_tables()));
      restricted.update_ghosts_start_with(
        [&](const std::size_t cell, Number *values) {
          coarse.b.get_cell(CellIndex(cell), values);
        });
      restricted.update_ghosts_finish_with(
        [&](const std::size_t ghost, const Number *values) {
          coarse.b.set_cell(families.received_parents[ghost], values);
        });
    }



    template <int dim, typename Number>
    void
    LevelTransfer<dim, Number>::prolongate_and_add()
    {
      prolongated.update(coarse.u);
      TESSERA_CALL_SIMD(prolongate_and_add<dim>(fine.degree(),
                                                fine.u.data(),
                                                coarse.u.data(),
                                                families.parents.data(),
                                                families.children.data(),
                                                families.parents.size(),
                                                fine.transfer_tables()));
    }



    template <int dim, typename Number>
    std::size_t
    LevelTransfer<dim, Number>::memory_consumption() const
    {
      return (families.parents.capacity() + families.children.capacity() +
              families.received_parents.capacity()) *
             sizeof(CellIndex);
    }



    template class LevelTransfer<2, float>;
    template class LevelTransfer<2, double>;
    template class LevelTransfer<3, float>;
    template class LevelTransfer<3, double>;
  } // namespace patch
} // namespace tessera
