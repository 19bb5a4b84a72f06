// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_hermite_like_basis_h
#define tessera_sipg_hermite_like_basis_h

#include <tessera/base/dense_matrix.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * The Hermite-like basis of polynomials of degree p = 1, ..., 7 on [0, 1]:
     * that of deal.II's FE_DGQHermite.
     *
     * What a face needs of a cell is in two layers of coefficients: values at 0
     * are those of $\phi_0$, derivatives at 0 those of $\phi_0, \phi_1$; at 1
     * likewise with $\phi_p$ and $\phi_p, \phi_{p-1}$. The basis is symmetric,
     * $\phi_{p-i}(x) = \phi_i(1-x)$, and sums to one.
     *
     * - p = 1: $1-x, x$; p = 2: $(1-x)^2, 2x(1-x), x^2$.
     * - p >= 3: with the roots $z_j$ of the Jacobi polynomial
     *   $P^{(4,4)}_{p-3}$, mapped to [0, 1], and
     *   $q(x) = (1-x)^2 \prod_j (x - z_j)$,
     *   $\phi_0 \propto (x - x^*) q$ with $\phi_0(0) = 1$ and
     *   $\int \phi_0 \phi_1 = 0$; $\phi_1 \propto x q$ with
     *   $\phi_1'(0) = -\phi_0'(0)$; and for $1 < m < p-1$, $\phi_m \propto
     *   x^2 (1-x)^2 \prod_{j \neq m-2} (x - z_j)$, one at $z_{m-2}$.
     *
     * For p = 1, 2 the two layers of the two sides overlap, for p >= 3 they are
     * disjoint. Evaluated in extended precision from the roots, to a few units
     * in the last place of it.
     */
    class HermiteLikeBasis
    {
    public:
      /** @throws InputError for degrees other than 1 to 7. */
      explicit HermiteLikeBasis(int degree);

      int
      degree() const
      {
        return p;
      }

      /**
       * The k-th derivatives of all functions: one row a point, one column a
       * function. k = 0, 1, 2.
       *
       * What is zero at 0 and 1 by construction is exactly zero.
       */
      BasicDenseMatrix<long double>
      derivatives(int k, const std::vector<long double> &points) const;

      /** The same, rounded. */
      DenseMatrix
      derivatives(int k, const std::vector<double> &points) const;

      DenseMatrix
      values(const std::vector<double> &points) const
      {
        return derivatives(0, points);
      }

    private:
      /** $\phi_i$ = factor * product of (x - root), for i <= p/2; the others
       * are mirrored. */
      struct Factors
      {
        long double              factor;
        std::vector<long double> roots;
      };

      int                  p;
      std::vector<Factors> functions;
    };

    /** The n roots of the Jacobi polynomial $P^{(4,4)}_n$, mapped to [0, 1],
     * ascending. */
    std::vector<long double>
    jacobi_roots(int n);
  } // namespace sipg
} // namespace tessera

#endif
