// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_coarsest_level_h
#define tessera_patch_coarsest_level_h

#include <tessera/base/exchange.h>
#include <tessera/patch/coarse_solver.h>
#include <tessera/patch/level.h>

#include <cstddef>
#include <optional>

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
    template <int dim, typename Number>
    class CoarsestLevel
    {
    public:
      /** Collective. The level outlives the object.
       * @throws InputError on all ranks, see CoarseSolver. */
      CoarsestLevel(Level<dim, Number>            &level,
                    const cellwise::ReferenceCell &cell);

      /** $u = A^{-1} b$ in the owned cells of the level, from b in these and
       * those around them. Collective among neighbours. */
      void
      solve();

      std::size_t
      memory_consumption() const;

    private:
      using Primal = typename Level<dim, Number>::Primal;
      using Dual   = typename Level<dim, Number>::Dual;

      Level<dim, Number> &level;

      /** On the rank that solves; for a single patch on none. */
      std::optional<CoarseSolver<dim>> solver;

      /** From owners to the rank that solves, and back; with all cells there,
       * in the order of their keys. */
      std::optional<GhostExchange<Number>> gathering;
      Primal                               gathered_u;
      Dual                                 gathered_b;
    };
  } // namespace patch
} // namespace tessera

#endif
