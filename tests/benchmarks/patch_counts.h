// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_patch_counts_h
#define tessera_tests_benchmarks_patch_counts_h

#include <tessera/patch/patch_variants.h>

namespace benchmark
{
  /** Instructions on registers that an update of patches takes: counted by
   * hand, see doc/developer/benchmarks.md. */
  struct PatchCounts
  {
    double operations;     ///< additions, multiplications, fused ones
    double permutes;       ///< exchange of neighbouring cells
    double selections;     ///< between lower and upper cells
    double transpositions; ///< shuffles: cells to lanes, and back

    double
    all() const
    {
      return operations + permutes + selections + transpositions;
    }
  };

  /** A cell visit of the default update of degree p in three dimensions, with W
   * cells side by side in registers of @p width numbers. */
  inline PatchCounts
  count_per_visit(const int p, const int W, const int width)
  {
    const int q = p + 1, N = q * q * q;
    const int lines    = q * q + p * q + p * p;
    const int to_modes = 3 * q * q * (2 * (q / 2) + (q * q + 1) / 2);

    int log2_width = 0;
    while ((1 << log2_width) < width)
      ++log2_width;

    // A block of W x W numbers is (W / width)^2 transpositions of registers.
    const int n_blocks = 3 * ((N + W - 1) / W);
    return {double(to_modes + N + lines * (q + p * q) + p * p * p +
                   3 * p * p * (p * p + p) + N) /
              width,
            double(lines * q + 3 * p * p * p) / width,
            double(lines * q) / width,
            double(n_blocks * (W / width) * log2_width)};
  }

  /** The same for a variant of degree 3, see PatchVariantUpdate. Those before
   * merged_transforms select the nodes inside of the patch first. */
  inline PatchCounts
  count_per_visit(const tessera::patch::PatchVariant variant,
                  const int                          W,
                  const int                          width)
  {
    constexpr int operations[] = {3179, 2855, 2855, 2681, 2223};
    const bool    is_nodal =
      variant < tessera::patch::PatchVariant::merged_transforms;

    PatchCounts counts = count_per_visit(3, W, width);
    counts.operations  = double(operations[int(variant)]) / width;
    counts.permutes    = (is_nodal ? 162. : 229.) / width;
    counts.selections  = (is_nodal ? 148. + 111. : 148.) / width;
    return counts;
  }
} // namespace benchmark

#endif
