// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_tentative_prolongator_h
#define tessera_amg_tentative_prolongator_h

#include <tessera/amg/aggregation.h>
#include <tessera/amg/inactive_components.h>
#include <tessera/amg/near_null_space.h>
#include <tessera/sparse/block_matrix.h>

namespace tessera
{
  namespace amg
  {
    /** $P_0$ with $P_0 B_c = B$ in aggregates, $P_0^T P_0 = I$ but for
     * inactive components. */
    struct TentativeProlongator
    {
      sparse::BlockMatrix<double> P;            ///< blocks b x q
      NearNullSpace               coarse_modes; ///< $B_c$, blocks q x q
      InactiveComponents          inactive;     ///< of coarse nodes
    };

    /**
     * QR factorization of the rows of B of each aggregate by Householder
     * reflections: the rows of Q are blocks of $P_0$, R is a block of $B_c$,
     * with a diagonal that is not negative. A column that adds nothing to those
     * before, $|R_{jj}| \le 10^{-8} \max_c \|B_{a,c}\|$ (where $B_{a,c}$ are
     * the columns of the aggregate), has no row of R: the column of Q and row j
     * of R are zero, and coarse component j is inactive.
     *
     * Cost: about 4 n b q^2 flops for n nodes. Collective.
     *
     * @param[in] fine Layout of the rows of P: owned nodes.
     * @throws InputError on all ranks if sizes do not fit.
     */
    TentativeProlongator
    tentative_prolongator(const sparse::IndexLayout &fine,
                          const Aggregates          &aggregates,
                          const NearNullSpace       &B);
  } // namespace amg
} // namespace tessera

#endif
