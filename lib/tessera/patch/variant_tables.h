// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_variant_tables_h
#define tessera_patch_variant_tables_h

#include <tessera/base/aligned_vector.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/patch_matrices.h>
#include <tessera/patch/patch_variants.h>

#include <array>

namespace tessera
{
  namespace patch
  {
    /** Holds the tables of all variants, computed in double and rounded to
     * float; host memory, each aligned to 64 bytes. */
    class VariantTablesOfLevel
    {
    public:
      /**
       * @param[in] cell Of degree 3.
       * @param[in] weights $s_d$, see Level.
       */
      VariantTablesOfLevel(const cellwise::ReferenceCell &cell,
                           const PatchMatrices           &matrices,
                           const std::array<double, 3>   &weights);

      // The tables point into the object.
      VariantTablesOfLevel(const VariantTablesOfLevel &) = delete;
      VariantTablesOfLevel &
      operator=(const VariantTablesOfLevel &) = delete;

      const VariantTables<float> &
      tables() const;

    private:
      AlignedVector<float> entries;
      VariantTables<float> variant_tables;
    };
  } // namespace patch
} // namespace tessera

#endif
