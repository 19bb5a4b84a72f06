// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_tables_h
#define tessera_patch_patch_tables_h

#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/patch_matrices.h>
#include <tessera/patch/patch_update.h>
#include <tessera/patch/table_packer.h>

namespace tessera
{
  namespace patch
  {
    /**
     * Queue the tables of a patch update; @p tables points to them once they
     * are packed.
     * @param[in] weights Of the element matrix.
     */
    template <int dim, typename Number>
    void
    add_patch_tables(TablePacker<Number>                 &packer,
                     PatchTables<Number>                 &tables,
                     const cellwise::ReferenceCell       &cell,
                     const PatchMatrices                 &matrices,
                     const cellwise::ElementWeights<dim> &weights);
  } // namespace patch
} // namespace tessera

#endif
