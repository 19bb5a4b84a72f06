// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_transfer_h
#define tessera_patch_level_transfer_h

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
    template <int dim, typename Number, typename Execution = execution::Host>
    class LevelTransfer
    {
    public:
      using LevelType = Level<dim, Number, Execution>;
      using Queue     = typename LevelType::Queue;
      using Steps     = typename LevelType::Steps;

      /** Collective. The levels are neighbours in a hierarchy and outlive the
       * object. */
      LevelTransfer(LevelType   &fine,
                    LevelType   &coarse,
                    const Queue &queue = Execution::default_queue());

      // Members refer to each other.
      LevelTransfer(const LevelTransfer &) = delete;
      LevelTransfer &
      operator=(const LevelTransfer &) = delete;

      /** Set $\hat b$ of the coarse level to the restricted residual
       * $P^T (b - A u)$ of the fine one, in owned cells and those around them.
       * Of the fine level, u is read in owned cells, b also in those around
       * them. Collective among neighbours. */
      void
      restrict_residual(Steps &steps);

      /** $u \leftarrow u + P u_{coarse}$ in the owned cells of the fine level,
       * from those of the coarse one; ghosts of both are arbitrary afterwards.
       * Collective among neighbours. */
      void
      prolongate_and_add(Steps &steps);

      std::size_t
      memory_consumption() const;

    private:
      using GhostCells =
        typename cellwise::Types<Execution>::template GhostCells<Number>;

      LevelType                             &fine;
      LevelType                             &coarse;
      GridTransfer<dim>                      families;
      TransferPasses<dim, Number, Execution> passes;

      GhostCells siblings;
      GhostCells restricted;
      GhostCells prolongated;
    };
  } // namespace patch
} // namespace tessera

#endif
