// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_patch_matrices_h
#define tessera_patch_patch_matrices_h

#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * One-dimensional matrices of the fast diagonalization of a vertex patch,
     * the two cells a = 0 (lower) and a = 1 of a direction, degree p.
     *
     * $K_v$, $M_v$: stiffness and mass matrix assembled over both cells,
     * without the nodes at the two ends; $K_v Q = M_v Q\,\mathrm{diag}(\mu)$,
     * $Q^T M_v Q = I$. The inverse on a patch of cells with weights $s_d$ is
     * $A_v^{-1} = Q^{\otimes} \mathrm{diag}(1/\sum_d s_d \mu_{i_d})
     * (Q^T)^{\otimes}$.
     *
     * The p modes that are even under reflection at the vertex belong to cell
     * 0, the p-1 odd ones and a row of zeros to cell 1. Row m of
     * $F_{ab}$ (p x p) is mode m of group a at the p nodes of cell b that are
     * not on the rim: nodes 1 ... p of cell 0, nodes 0 ... p-1 of cell 1; the
     * vertex is among both. Then
     * - forward, $y_a = \sum_b F_{ab} x_b$ assembles and transforms;
     * - backward, $x_b = \sum_a F_{ab}^T y_a$ transforms and copies;
     * - $B_{ab} = F_{ab} R_b S^{-T}$ (p x q), $R_b$ the restriction to the p
     *   nodes, acts on a residual in the eigenbasis of cell b.
     *
     * Reflection symmetry, with $\bar a = 1 - a$, $\sigma_0 = 1$,
     * $\sigma_1 = -1$ and the reversal J:
     * $B_{a \bar a} = \sigma_a B_{aa}\,\mathrm{diag}(\tau)$ and
     * $F_{\bar a a}^T = \sigma_{\bar a} J F_{\bar a \bar a}^T$. Entries of odd
     * modes at the vertex are exactly zero, so that the copies of a
     * correction agree bit for bit.
     *
     * Source: M. Wichrowski, Mixed-Precision Coalesced Matrix-Free Multigrid
     * with Vertex-Patch Smoothing, arXiv:2610.31496, sections 3 and 6.
     */
    struct PatchMatrices
    {
      explicit PatchMatrices(const cellwise::ReferenceCell &cell);

      DenseMatrix stiffness; ///< $K_v$, 2p-1 rows
      DenseMatrix mass;      ///< $M_v$

      /** $\mu$ of the even modes, of the odd modes, and 1 for the row of
       * zeros: 2p numbers. */
      std::vector<double> eigenvalues;

      std::array<std::array<DenseMatrix, 2>, 2> nodal; ///< $F_{ab}$
      std::array<std::array<DenseMatrix, 2>, 2> modal; ///< $B_{ab}$
    };
  } // namespace patch
} // namespace tessera

#endif
