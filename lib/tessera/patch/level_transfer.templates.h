// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_transfer_templates_h
#define tessera_patch_level_transfer_templates_h

// Definitions of level_transfer.h, for the sources that instantiate them.

#include <tessera/patch/level_transfer.h>

namespace tessera
{
  namespace patch
  {
    template <int dim, typename Number, typename Execution>
    LevelTransfer<dim, Number, Execution>::LevelTransfer(
      LevelType   &fine_level,
      LevelType   &coarse_level,
      const Queue &queue)
      : fine(fine_level)
      , coarse(coarse_level)
      , families(fine.grid(), coarse.grid())
      , passes(families, fine.passes(), queue)
      , siblings(families.siblings, fine.u.n_nodes(), queue)
      , restricted(families.restricted,
                   families.received_parents,
                   fine.u.n_nodes(),
                   queue)
      , prolongated(families.prolongated, fine.u.n_nodes(), queue)
    {}



    template <int dim, typename Number, typename Execution>
    void
    LevelTransfer<dim, Number, Execution>::restrict_residual(Steps &steps)
    {
      siblings.update(fine.u);
      passes.restrict_residual(coarse.b, fine.u, fine.b, steps);
      restricted.update(coarse.b);
    }



    template <int dim, typename Number, typename Execution>
    void
    LevelTransfer<dim, Number, Execution>::prolongate_and_add(Steps &steps)
    {
      prolongated.update(coarse.u);
      passes.prolongate_and_add(fine.u, coarse.u, steps);
    }



    template <int dim, typename Number, typename Execution>
    std::size_t
    LevelTransfer<dim, Number, Execution>::memory_consumption() const
    {
      return (families.parents.capacity() + families.children.capacity() +
              families.received_parents.capacity()) *
               sizeof(CellIndex) +
             passes.memory_consumption();
    }
  } // namespace patch
} // namespace tessera

#endif
