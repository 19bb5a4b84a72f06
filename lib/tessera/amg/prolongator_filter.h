// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_prolongator_filter_h
#define tessera_amg_prolongator_filter_h

#include <tessera/amg/near_null_space.h>
#include <tessera/sparse/block_matrix.h>

#include <cstddef>

namespace tessera
{
  namespace amg
  {
    struct FilteredProlongator
    {
      sparse::BlockMatrix<double> P;

      std::size_t n_dropped = 0; ///< blocks, of all ranks

      /** $\|P_f B_c - P B_c\|_F / \|P B_c\|_F$ after dropping, and after the
       * projection (which is the same without one). */
      double error_of_modes_dropped   = 0;
      double error_of_modes_projected = 0;
    };

    /**
     * Leave out the blocks of P with
     * $\|P_{iJ}\|_F < \tau \|P_{i,:}\|_F$ but the largest one of each
     * row, and the largest one of each column of which nothing else would be
     * left; and change the others as little as possible in the Frobenius norm
     * so that $P_f B_c = P B_c$:
     * $P_{iJ} \leftarrow P_{iJ} + E_i G_i^+ B_{c,J}^T$, with
     * $E_i = (P B_c)_i - \sum_{J \in S_i} P_{iJ} B_{c,J}$ and
     * $G_i = \sum_{J \in S_i} B_{c,J}^T B_{c,J}$.
     *
     * $G_i^+$ is by a Cholesky factorization or, where a pivot is below
     * $10^{-12}$ times the trace, by eigenvectors of eigenvalues above
     * $10^{-12}$ times the largest. Rows of which nothing is left out stay as
     * they are.
     *
     * Cost: 2 b q^2 flops for each block of P, and 4 b q^2 for each that stays
     * in a row that loses others. Collective.
     *
     * @param[in] tau At least 0, below 1.
     * @param[in] project Without, blocks are only left out.
     */
    FilteredProlongator
    filtered_prolongator(const sparse::BlockMatrix<double> &P,
                         const NearNullSpace               &coarse_modes,
                         double                             tau,
                         bool                               project);
  } // namespace amg
} // namespace tessera

#endif
