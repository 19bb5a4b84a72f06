// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_eigenproblem_h
#define tessera_base_eigenproblem_h

#include <tessera/base/dense_matrix.h>

#include <vector>

namespace tessera
{
  /** Solutions of $K Q = M Q \,\mathrm{diag}(\lambda)$ with $Q^T M Q = I$. */
  template <typename Number>
  struct BasicEigenpairs
  {
    std::vector<Number>      values;  ///< ascending
    BasicDenseMatrix<Number> vectors; ///< one column each

    /** Only from parity_eigenpairs(): whether an eigenvector is even (+1) or
     * odd (-1) under reversal of the order of the rows. */
    std::vector<int> parity;
  };

  using Eigenpairs = BasicEigenpairs<double>;

  /**
   * All eigenpairs of the symmetric problem $K q = \lambda M q$, M positive
   * definite, by a Cholesky decomposition of M and cyclic Jacobi rotations.
   *
   * For the small matrices of a set-up, of double or long double: about 50 n^3
   * operations. Eigenvalues
   * are accurate to round-off relative to the largest one. Deterministic: the
   * signs of eigenvectors are such that their first entry that is not
   * negligible is positive.
   *
   * @throws SolverBreakdown if M is not positive definite.
   */
  template <typename Number>
  BasicEigenpairs<Number>
  generalized_eigenpairs(const BasicDenseMatrix<Number> &K,
                         const BasicDenseMatrix<Number> &M);

  /**
   * The same for matrices that do not change when the order of both rows and
   * columns is reversed. Solves the problems of even and of odd vectors
   * separately, so that entries of mirrored rows agree bit for bit, with equal
   * or opposite sign, and the middle entry of an odd vector is exactly zero.
   */
  template <typename Number>
  BasicEigenpairs<Number>
  parity_eigenpairs(const BasicDenseMatrix<Number> &K,
                    const BasicDenseMatrix<Number> &M);
} // namespace tessera

#endif
