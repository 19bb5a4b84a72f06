// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_variant_kernels_h
#define tessera_patch_variant_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/patch_variants.h>

namespace tessera
{
  namespace patch
  {
    // To compare organizations of the arithmetic.
    TESSERA_DECLARE_SIMD(
      /**
       * One sweep of patch updates as sweep<3>() for degree 3, in a variant of
       * the arithmetic, on contiguous fields.
       *
       * @param[in] b Nodal.
       * @param[in] patches All of their cells inside of the box.
       */
      void sweep_variant(PatchVariant                variant,
                         float                      *u,
                         const float                *b,
                         const PatchList            &patches,
                         const VariantTables<float> &tables);)
  } // namespace patch
} // namespace tessera

#endif
