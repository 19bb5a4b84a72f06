// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_patch_kernels_h
#define tessera_tests_benchmarks_patch_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/patch/patch_variants.h>

#include <cstddef>

namespace benchmark
{
  using tessera::patch::PatchTables;
  using tessera::patch::PatchVariant;
  using tessera::patch::VariantTables;

  // The arithmetic of the patch update of degree 3 in three dimensions alone:
  // the same cells are updated n times, and stay in lanes, in the first cache
  // if it holds them. On return u is the last iterate.
  TESSERA_DECLARE_SIMD(
    /** Cells in a set of lanes of repeat_variant(): at most 16. */
    int n_variant_lanes();

    /** PatchRowUpdate, of 4 rows of cells; they share their right-hand side.
     * u: [4][64][lanes], b: [64][lanes], as many lanes as fill a register. */
    template <typename T>
    void repeat_rows(std::size_t           n,
                     T                    *u,
                     const T              *b,
                     const PatchTables<T> &tables);

    /** PatchVariantUpdate, of two sets of lanes in turn, so that an update
     * need not wait for the one before. u: [2][64][lanes], b the same. */
    void repeat_variant(PatchVariant                variant,
                        std::size_t                 n,
                        float                      *u,
                        const float                *b,
                        const VariantTables<float> &tables);)
} // namespace benchmark

#endif
