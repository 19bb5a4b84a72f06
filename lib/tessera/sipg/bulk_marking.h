// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_bulk_marking_h
#define tessera_sipg_bulk_marking_h

#include <vector>

namespace tessera
{
  namespace sipg
  {
    /** $(\sum_K \eta_K^2)^{1/2}$, from the first to the last. */
    double
    global_estimate(const std::vector<double> &indicators);

    /**
     * Bulk marking (W. Doerfler, SIAM J. Numer. Anal. 33, 1996): a smallest set
     * M of cells with $\sum_M \eta_K^2 \ge \theta \sum_K \eta_K^2$, and the
     * cells whose indicator is less than the smallest one in M by 1e-8 of it at
     * most, so that symmetric problems keep symmetric meshes.
     *
     * Cost: that of sorting. The result does not depend on the order of cells.
     *
     * @param[in] fraction $\theta$ in [0, 1] (of squares; the literature often
     *   writes $\theta^2$). 0 marks nothing, 1 all cells that are not zero.
     * @return one entry a cell, 1: marked. Nothing is if all are zero.
     *
     * @throws InputError for a fraction outside of [0, 1], and if an indicator
     * is negative or not finite.
     */
    std::vector<char>
    bulk_marking(const std::vector<double> &indicators, double fraction);
  } // namespace sipg
} // namespace tessera

#endif
