// SPDX-License-Identifier: LGPL-2.1-or-later
#include "patch_kernels.h"

#include <tessera/patch/sweep_patches.h>

namespace benchmark
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    namespace
    {
      using namespace tessera::patch;
      using namespace tessera::patch::TESSERA_SIMD_NAMESPACE;

      template <typename L, typename Update, typename Tables>
      TESSERA_ALWAYS_INLINE void
      repeat(const std::size_t    n,
             typename L::T       *u,
             const typename L::T *b,
             const typename L::T *inverse_eigenvalues,
             const Tables        &tables)
      {
        typename L::V inverse[Update::n_modes];
        load_inverse_eigenvalues<3, Update::n_modes, L>(inverse_eigenvalues,
                                                        inverse);
        const Update update(tables, inverse);

        constexpr int n_sets = 2, n_nodes = Update::n_nodes;
        typename L::V values[n_sets][n_nodes], rhs[n_sets][n_nodes];
        for (int set = 0; set < n_sets; ++set)
          for (int k = 0; k < n_nodes; ++k)
            {
              const int offset = (set * n_nodes + k) * L::width;
              values[set][k]   = L::load(u + offset);
              rhs[set][k]      = L::load(b + offset);
            }
        for (std::size_t i = 0; i < n; ++i)
          for (int set = 0; set < n_sets; ++set)
            {
              update(0, rhs[set], values[set]);
              // One update after the other, from and to memory.
              asm volatile("" : : "r"(values), "r"(rhs) : "memory");
            }
        for (int set = 0; set < n_sets; ++set)
          for (int k = 0; k < n_nodes; ++k)
            L::store(u + (set * n_nodes + k) * L::width, values[set][k]);
      }

      template <PatchVariant variant>
      void
      repeat_one_variant(const std::size_t           n,
                         float                      *u,
                         const float                *b,
                         const VariantTables<float> &tables)
      {
        using L = PatchLanes<3, float>;
        repeat<L, PatchVariantUpdate<variant, L>>(
          n, u, b, tables.patch.inverse_eigenvalues, tables);
      }
    } // namespace

    template <typename T>
    int
    n_patch_lanes()
    {
      return PatchLanes<3, T>::width;
    }

    template <typename T>
    void
    repeat_update(const std::size_t     n,
                  T                    *u,
                  const T              *b,
                  const PatchTables<T> &tables)
    {
      using L = PatchLanes<3, T>;
      repeat<L, PatchUpdate<3, 3, L>>(
        n, u, b, tables.inverse_eigenvalues, tables);
    }

    void
    repeat_variant(const PatchVariant          variant,
                   const std::size_t           n,
                   float                      *u,
                   const float                *b,
                   const VariantTables<float> &tables)
    {
      dispatch_variant(variant, [&](const auto v) {
        repeat_one_variant<decltype(v)::value>(n, u, b, tables);
      });
    }

    template int
    n_patch_lanes<float>();
    template int
    n_patch_lanes<double>();
    template void
    repeat_update(std::size_t,
                  float *,
                  const float *,
                  const PatchTables<float> &);
    template void
    repeat_update(std::size_t,
                  double *,
                  const double *,
                  const PatchTables<double> &);
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace benchmark
