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
    double picks;          ///< cells in lanes, of two registers of neighbours
    double transpositions; ///< shuffles: cells to lanes, and back

    double
    all() const
    {
      return operations + permutes + selections + picks + transpositions;
    }
  };

  /** A cell visit of the default update of degree p in three dimensions,
   * PatchRowUpdate with registers of @p width cells along x.
   * @param[in] shifted How many of the rows do not begin with a piece of a
   * block: 0 to 1, see BlockedCells. */
  inline PatchCounts
  count_per_visit(const int p, const int width, const double shifted)
  {
    const int q = p + 1, n = 2 * p - 1;

    // A line of two cells that are in different registers. Odd modes of a
    // patch, if there are any, have a parity in their cell: its even entries,
    // or its odd ones.
    const int forward = (p > 1 ? 2 : 1) * q + p * q + p / 2 * ((q + 1) / 2) +
                        (p - 1) / 2 * (q / 2);
    const int backward = p * p + (p - 1) * (p - 1) + 2 * (p - 1);

    // Of one of the four rows; what they have in common, by a fourth.
    const int    stored   = q * p * p;
    const int    to_modes = 3 * q * q * (2 * (q / 2) + (q * q + 1) / 2);
    const int    along_x  = q * q * (q + p * q);
    const double across   = (2 * q * p + n * p) * forward / 4. +
                          (n * n * p + 2 * n * p * backward) / 4.;
    const double back_along_x = n * n * (p * p + p) / 4.;
    return {(to_modes + q * q * q + along_x + across + back_along_x +
             stored * (1. + shifted)) /
              width,
            (q * q * q + n * n * p / 4.) / width,
            n * n * q / 4. / width,
            (q * q * q + stored) * 2. * shifted / width,
            0.};
  }

  /** The same for a variant of degree 3, see PatchVariantUpdate, with W cells
   * in as many lanes. Those before merged_transforms select the nodes inside of
   * the patch first. */
  inline PatchCounts
  count_per_visit(const tessera::patch::PatchVariant variant,
                  const int                          W,
                  const int                          width)
  {
    constexpr int operations[] = {3179, 2855, 2855, 2681, 2223};
    const bool    is_nodal =
      variant < tessera::patch::PatchVariant::merged_transforms;

    int log2_width = 0;
    while ((1 << log2_width) < width)
      ++log2_width;
    // A block of W x W numbers is (W / width)^2 transpositions of registers.
    const int n_blocks = 3 * ((64 + W - 1) / W);
    return {double(operations[int(variant)]) / width,
            (is_nodal ? 162. : 229.) / width,
            (is_nodal ? 148. + 111. : 148.) / width,
            0.,
            double(n_blocks * (W / width) * log2_width)};
  }
} // namespace benchmark

#endif
