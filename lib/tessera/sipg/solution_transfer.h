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
     * shadows are consistent. On the same mesh, a copy.
     *
     * Cost: dim n^(dim+1) fused multiply-adds a level that a cell of @p to is
     * above the one it comes from, and a search for that.
     *
     * @param[in] from, to hierarchies on one coarse mesh; each active cell of
     *   @p to is one of @p from or descends from one. Block sizes may differ.
     * @param[out] result another field than u; is overwritten.
     * @throws InputError if the coarse meshes differ, or where a cell was
     *   coarsened; the message names it.
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
