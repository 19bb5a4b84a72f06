// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_solution_transfer_h
#define tessera_sipg_solution_transfer_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * The same function on a refined mesh: $u_c = P_c u$ on the way down from
     * each active cell to the active cells it was refined into. Exact; also the
     * shadows are consistent.
     *
     * @param[in] from, to hierarchies on one coarse mesh; each active cell of
     *   @p to is one of @p from or descends from one. Block sizes may differ.
     * @throws InputError where this is not so (the mesh was coarsened); the
     *   message names the cell.
     */
    template <int dim>
    void
    transfer_to_refined(const LevelHierarchy<dim> &from,
                        const PrimalField<double> &u,
                        const LevelHierarchy<dim> &to,
                        const ElementMatrices     &matrices,
                        PrimalField<double>       &result);
  } // namespace sipg
} // namespace tessera

#endif
