// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_variant_tables_h
#define tessera_patch_variant_tables_h

#include <tessera/patch/patch_tables.h>
#include <tessera/patch/patch_variants.h>

#include <array>

namespace tessera
{
  namespace patch
  {
    /** Queue the tables of all variants; see add_patch_tables().
     * @param[in] cell Of degree 3. */
    void
    add_variant_tables(TablePacker<float>            &packer,
                       VariantTables<float>          &tables,
                       const cellwise::ReferenceCell &cell,
                       const PatchMatrices           &matrices,
                       const std::array<double, 3>   &weights);
  } // namespace patch
} // namespace tessera

#endif
