// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_transfer_h
#define tessera_patch_level_transfer_h

#include <tessera/base/exchange.h>
#include <tessera/cellwise/ghost_values.h>
#include <tessera/patch/grid_transfer.h>
#include <tessera/patch/level.h>

namespace tessera
{
  namespace patch
  {
    /**
     * Restriction and prolongation between two levels of a hierarchy.
     *
     * The same bits on any partition. Memory: see GridTransfer; buffers of the
     * messages.
     */
    template <int dim, typename Number>
    class LevelTransfer
    {
    public:
      /** Collective. The levels are neighbours in a hierarchy and outlive the
       * object. */
      LevelTransfer(Level<dim, Number> &fine, Level<dim, Number> &coarse);

      /** Set $\hat b$ of the coarse level to the restricted residual
       * $P^T (b - A u)$ of the fine one, in owned cells and those around them.
       * Of the fine level, u is read in owned cells, b also in those around
       * them. Collective among neighbours. */
      void
      restrict_residual();

      /** $u \leftarrow u + P u_{coarse}$ in the owned cells of the fine level,
       * from those of the coarse one; ghosts of both are arbitrary afterwards.
       * Collective among neighbours. */
      void
      prolongate_and_add();

      std::size_t
      memory_consumption() const;

    private:
      Level<dim, Number> &fine;
      Level<dim, Number> &coarse;
      GridTransfer<dim>   families;

      cellwise::GhostValues<Number> siblings;
      GhostExchange<Number>         restricted;
      cellwise::GhostValues<Number> prolongated;
    };
  } // namespace patch
} // namespace tessera

#endif
