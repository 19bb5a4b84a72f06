// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/sweep_patches.h>
#include <tessera/patch/variant_kernels.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        template <PatchVariant variant>
        void
        sweep_one_variant(float                      *u,
                          const float                *b,
                          const PatchList            &patches,
                          const VariantTables<float> &tables)
        {
          using L      = PatchLanes<3, float>;
          using Update = PatchVariantUpdate<variant, L>;
          typename L::V inverse_eigenvalues[Update::n_modes];
          load_inverse_eigenvalues<3, Update::n_modes, L>(
            tables.patch.inverse_eigenvalues, inverse_eigenvalues);
          sweep_patches<3, Update::n_nodes, L>(
            u, b, patches, Update(tables, inverse_eigenvalues));
        }
      } // namespace



      void
      sweep_variant(const PatchVariant          variant,
                    float                      *u,
                    const float                *b,
                    const PatchList            &patches,
                    const VariantTables<float> &tables)
      {
        dispatch_variant(variant, [&](const auto v) {
          sweep_one_variant<decltype(v)::value>(u, b, patches, tables);
        });
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera
