// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_lane_sum_h
#define tessera_base_lane_sum_h

#include <tessera/base/macros.h>

namespace tessera
{
  /**
   * Sum over aligned groups of `group` lanes: every lane receives
   * $\sum_{j \in G(\text{lane})} a_j$, where the group $G$ of a lane consists
   * of the lanes with the same `lane / group`.
   *
   * L is any lane policy (see Lanes), group a power of two not above L::width.
   *
   * The order of the additions is fixed: neighbours at distance 1 are added
   * first, then sums of two at distance 2, sums of four at distance 4, ...:
   * for eight lanes ((a0+a1)+(a2+a3))+((a4+a5)+(a6+a7)). Addition commutes
   * bit for bit, so all lanes of a group hold the same number; the SIMD unit of
   * any width, and the threads of a warp, compute the same one.
   *
   * Cost: log2(group) permutes and additions.
   */
  template <typename L, int group = L::width>
  TESSERA_ALWAYS_INLINE typename L::V
  sum_lanes(typename L::V a)
  {
    static_assert(group > 0 && (group & (group - 1)) == 0 && group <= L::width,
                  "A group is a power of two of lanes.");
    if constexpr (group > 1)
      {
        a = sum_lanes<L, group / 2>(a);
        a = a + L::template xor_lane<group / 2>(a);
      }
    return a;
  }
} // namespace tessera

#endif
