// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_spectrum_h
#define tessera_amg_spectrum_h

#include <tessera/amg/inactive_components.h>
#include <tessera/sparse/block_diagonal.h>
#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /** $D^{-1}$, the inverse of the diagonal of A, number by number, as a
     * diagonal matrix of blocks.
     * @throws SolverBreakdown on all ranks, naming it, if an entry is not
     * positive. */
    sparse::BlockDiagonal<double>
    inverse_scalar_diagonal(const sparse::BlockMatrix<double> &A);

    /**
     * An estimate from below of the largest eigenvalue of $M A$, A and M
     * being symmetric and positive definite: that of the tridiagonal matrix of
     * n_steps steps of conjugate gradients, for a right-hand side of numbers
     * in (-1, 1) that are drawn from the keys of the nodes and zero in inactive
     * components. For symmetric matrices only. Cost: n_steps products with A.
     * Collective. 1 where all components are inactive.
     *
     * @throws SolverBreakdown on all ranks if a curvature $p^T A p$ or
     * $r^T M r$ is not positive or not finite: A or M is not positive
     * definite.
     */
    template <typename Number>
    double
    largest_eigenvalue(const sparse::BlockMatrix<Number>   &A,
                       const sparse::BlockDiagonal<Number> &M,
                       const InactiveComponents            &inactive,
                       const std::vector<std::uint64_t>    &keys,
                       unsigned int                         n_steps = 10);
  } // namespace amg
} // namespace tessera

#endif
