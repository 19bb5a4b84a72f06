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
  // cells are in lanes, and stay in the first cache. The same cells are updated
  // n times; they are those of two sets of lanes in turn, so that an update
  // need not wait for the one before.
  //
  // u: [2][64][lanes], b the same; on return u is the last iterate.
  TESSERA_DECLARE_SIMD(
    /** Cells in a set of lanes: at most 16. */
    template <typename T> int n_patch_lanes();

    /** PatchUpdate. */
    template <typename T>
    void repeat_update(std::size_t           n,
                       T                    *u,
                       const T              *b,
                       const PatchTables<T> &tables);

    /** PatchVariantUpdate. */
    void repeat_variant(PatchVariant                variant,
                        std::size_t                 n,
                        float                      *u,
                        const float                *b,
                        const VariantTables<float> &tables);)
} // namespace benchmark

#endif
