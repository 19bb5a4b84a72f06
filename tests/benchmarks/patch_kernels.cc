// SPDX-License-Identifier: LGPL-2.1-or-later
#include "patch_kernels.h"

#include <tessera/patch/sweep_patches.h>
#include <tessera/patch/sweep_rows.h>

namespace benchmark
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    namespace
    {
      using namespace tessera::patch;
      using namespace tessera::patch::TESSERA_SIMD_NAMESPACE;

      template <PatchVariant variant>
      void
      repeat_one_variant(const std::size_t           n,
                         float                      *u,
                         const float                *b,
                         const VariantTables<float> &tables)
      {
        using L      = PatchLanes<3, float>;
        using Update = PatchVariantUpdate<variant, L>;
        using V      = typename L::V;
        V inverse[Update::n_modes];
        load_inverse_eigenvalues<3, Update::n_modes, L>(
          tables.patch.inverse_eigenvalues, inverse);
        const Update update(tables, inverse);

        constexpr int n_sets = 2, n_nodes = Update::n_nodes;
        V             values[n_sets][n_nodes], rhs[n_sets][n_nodes];
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
    } // namespace

    int
    n_variant_lanes()
    {
      return PatchLanes<3, float>::width;
    }

    template <typename T>
    void
    repeat_rows(const std::size_t     n,
                T                    *u,
                const T              *b,
                const PatchTables<T> &tables)
    {
      namespace lanes = tessera::TESSERA_SIMD_NAMESPACE;
      using L         = lanes::Lanes<T, lanes::native_width<T>()>;
      using Update    = PatchRowUpdate<3, 3, L>;
      using V         = typename L::V;
      V inverse[Update::n_modes];
      load_row_eigenvalues<3, 3, L>(tables.inverse_eigenvalues, inverse);
      const Update update(tables, inverse);

      constexpr int n_rows = Update::n_rows, n_nodes = Update::n_nodes;
      V             values[n_rows][n_nodes], rhs[n_nodes];
      for (int k = 0; k < n_nodes; ++k)
        {
          for (int c = 0; c < n_rows; ++c)
            values[c][k] = L::load(u + (c * n_nodes + k) * L::width);
          rhs[k] = L::load(b + k * L::width);
        }
      for (std::size_t i = 0; i < n; ++i)
        {
          update(
            0,
            [&](const int c, const int z, V(&)[Update::slab]) {
              return static_cast<const V *>(values[c] + z * Update::slab);
            },
            [&](const int, const int z, V(&)[Update::slab]) {
              return static_cast<const V *>(rhs + z * Update::slab);
            },
            [&](const int c, const int k, const V(&line)[Update::q]) {
              TESSERA_UNROLL
              for (int j = 0; j < Update::q; ++j)
                values[c][k + j] = values[c][k + j] + line[j];
            });
          asm volatile("" : : "r"(values), "r"(rhs) : "memory");
        }
      for (int c = 0; c < n_rows; ++c)
        for (int k = 0; k < n_nodes; ++k)
          L::store(u + (c * n_nodes + k) * L::width, values[c][k]);
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

    template void
    repeat_rows(std::size_t,
                float *,
                const float *,
                const PatchTables<float> &);
    template void
    repeat_rows(std::size_t,
                double *,
                const double *,
                const PatchTables<double> &);
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace benchmark
