// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_coarsest_level_h
#define tessera_patch_coarsest_level_h

#include <tessera/patch/coarse_solver.h>
#include <tessera/patch/device/coarse_solver.h>
#include <tessera/patch/level.h>

#include <cstddef>
#include <optional>
#include <type_traits>

namespace tessera
{
  namespace patch
  {
    /**
     * The exact solution on the coarsest level: by the one sweep that it takes
     * on a single patch, otherwise by CoarseSolver on a single rank. Where the
     * cells belong to several ranks (a hierarchy of one level) they are
     * gathered there, and the solution is sent back.
     */
    template <int dim, typename Number, typename Execution = execution::Host>
    class CoarsestLevel
    {
    public:
      using LevelType = Level<dim, Number, Execution>;
      using Queue     = typename LevelType::Queue;
      using Steps     = typename LevelType::Steps;

      /** Collective. The level outlives the object.
       * @throws InputError on all ranks, see CoarseSolver. */
      CoarsestLevel(LevelType                     &level,
                    const cellwise::ReferenceCell &cell,
                    const Queue &queue = Execution::default_queue());

      /** $u = A^{-1} b$ in the owned cells of the level, from b in these and
       * those around them. Collective among neighbours. */
      void
      solve(Steps &steps);

      /** Whether all work goes to the steps. */
      bool
      is_in_steps() const;

      std::size_t
      memory_consumption() const;

    private:
      using Primal = typename LevelType::Primal;
      using Dual   = typename LevelType::Dual;
      using GhostCells =
        typename cellwise::Types<Execution>::template GhostCells<Number>;
      using Solver =
        std::conditional_t<std::is_same<Execution, execution::Host>::value,
                           CoarseSolver<dim>,
                           DeviceCoarseSolver<dim>>;

      LevelType   &level;
      const Queue &queue;

      /** On the rank that solves; for a single patch on none. */
      std::optional<Solver> solver;

      /** From owners to the rank that solves, and back; with all cells there,
       * in the order of their keys. */
      std::optional<GhostCells> gathering;
      Primal                    gathered_u;
      Dual                      gathered_b;
    };
  } // namespace patch
} // namespace tessera

#endif
