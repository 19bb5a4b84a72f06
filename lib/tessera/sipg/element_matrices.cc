// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/hermite_like_basis.h>

#include <cmath>
#include <string>
#include <utility>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** In which everything is computed before it is rounded. */
      using Extended       = long double;
      using ExtendedMatrix = BasicDenseMatrix<Extended>;
      using ExtendedVector = std::vector<Extended>;

      /** $\int f_i f_j$ of functions whose values at quadrature points are the
       * columns of F and which change places under reflection; symmetric and
       * invariant under reversal bit for bit. */
      ExtendedMatrix
      gram_matrix(const ExtendedMatrix &F, const ExtendedVector &weights)
      {
        const std::size_t n = F.n_columns();
        ExtendedMatrix    G(n, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = i; i + j < n; ++j)
            {
              Extended sum = 0;
              for (std::size_t k = 0; k < weights.size(); ++k)
                sum += weights[k] * F(k, i) * F(k, j);
              G(i, j) = G(j, i)       = sum;
              G(n - 1 - i, n - 1 - j) = G(n - 1 - j, n - 1 - i) = sum;
            }
        return G;
      }

      /** $A^{-1} B$ by elimination with pivots. */
      ExtendedMatrix
      solve(ExtendedMatrix A, ExtendedMatrix B)
      {
        const std::size_t n = A.n_rows();
        for (std::size_t k = 0; k < n; ++k)
          {
            std::size_t pivot = k;
            for (std::size_t i = k + 1; i < n; ++i)
              if (std::abs(A(i, k)) > std::abs(A(pivot, k)))
                pivot = i;
            const auto exchange_rows = [&](ExtendedMatrix &C) {
              for (std::size_t j = 0; j < C.n_columns(); ++j)
                std::swap(C(k, j), C(pivot, j));
            };
            exchange_rows(A);
            exchange_rows(B);
            for (std::size_t i = 0; i < n; ++i)
              if (i != k)
                {
                  const Extended factor = A(i, k) / A(k, k);
                  for (std::size_t j = k; j < n; ++j)
                    A(i, j) -= factor * A(k, j);
                  for (std::size_t j = 0; j < B.n_columns(); ++j)
                    B(i, j) -= factor * B(k, j);
                }
          }
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < B.n_columns(); ++j)
            B(i, j) /= A(i, i);
        return B;
      }

      std::vector<Extended>
      row(const ExtendedMatrix &A, const std::size_t i)
      {
        std::vector<Extended> values(A.n_columns());
        for (std::size_t j = 0; j < values.size(); ++j)
          values[j] = A(i, j);
        return values;
      }

      /** C <- C + factor $x y^T$. */
      void
      add_product(const Extended        factor,
                  const ExtendedVector &x,
                  const ExtendedVector &y,
                  ExtendedMatrix       &C)
      {
        for (std::size_t i = 0; i < x.size(); ++i)
          for (std::size_t j = 0; j < y.size(); ++j)
            C(i, j) += factor * x[i] * y[j];
      }

      void
      check_weight(const double value, const char *name)
      {
        if (!(std::isfinite(value) && value > 0.))
          throw InputError(std::string("The ") + name +
                           " of the interior penalty method is " +
                           std::to_string(value) +
                           "; it must be positive. 2 is a good choice.");
      }
    } // namespace



    ElementMatrices::ElementMatrices(const int p, const Penalty &weights)
      : degree(p)
      , n(p + 1)
      , penalty(weights)
      , gamma(weights.factor * p * (p + 1))
    {
      check_weight(penalty.factor, "penalty factor");
      check_weight(penalty.boundary_factor, "boundary factor");

      const HermiteLikeBasis basis(p);
      const auto     quadrature = cellwise::gauss_quadrature<Extended>(n);
      const auto     V          = basis.derivatives(0, quadrature.points);
      ExtendedMatrix M          = gram_matrix(V, quadrature.weights);
      if (p >= 3) // by the choice of phi_0
        M(0, 1) = M(1, 0) = M(p, p - 1) = M(p - 1, p) = 0;
      mass         = DenseMatrix(M);
      inverse_mass = DenseMatrix(solve(M, identity_matrix<Extended>(n)));
      stiffness =
        DenseMatrix(gram_matrix(basis.derivatives(1, quadrature.points),
                                quadrature.weights));

      const ExtendedVector ends        = {0, 1};
      const ExtendedMatrix values      = basis.derivatives(0, ends);
      const ExtendedMatrix derivatives = basis.derivatives(1, ends);
      ExtendedVector       e[2], d[2];
      for (int s = 0; s < 2; ++s)
        {
          e[s] = row(values, s);
          d[s] = row(derivatives, s);
          end_value[s].assign(e[s].begin(), e[s].end());
          end_derivative[s].assign(d[s].begin(), d[s].end());
        }

      // The cell below a face (0) has it at its upper end.
      const Extended half    = 0.5L;
      const Extended sign[2] = {1, -1};
      for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 2; ++t)
          {
            ExtendedMatrix F(n, n);
            add_product(gamma * sign[s] * sign[t], e[1 - s], e[1 - t], F);
            add_product(-half * sign[s], e[1 - s], d[1 - t], F);
            add_product(-half * sign[t], d[1 - s], e[1 - t], F);
            face[s][t] = DenseMatrix(F);
          }
      for (int s = 0; s < 2; ++s)
        {
          ExtendedMatrix N(n, n);
          add_product(Extended(penalty.boundary_factor) * gamma, e[s], e[s], N);
          add_product(sign[s], e[s], d[s], N);
          add_product(sign[s], d[s], e[s], N);
          nitsche[s] = DenseMatrix(N);
        }

      ExtendedVector points(n);
      for (int k = 0; k < n; ++k)
        points[k] = quadrature.points[k] / 2;
      ExtendedMatrix P = solve(V, basis.derivatives(0, points));
      for (int j = 0; j < n; ++j)
        {
          P(0, j) = j == 0 ? 1 : 0; // the value at 0
          if (j >= 2)
            P(1, j) = 0; // value and derivative at 0
        }
      ExtendedMatrix reversed(n, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          reversed(i, j) = P(n - 1 - i, n - 1 - j);
      child = {{DenseMatrix(P), DenseMatrix(reversed)}};
    }



    DenseMatrix
    ElementMatrices::cell_matrix(const End    lower,
                                 const End    upper,
                                 const double coefficient,
                                 const double lower_weight,
                                 const double upper_weight) const
    {
      const End    ends[2]    = {lower, upper};
      const double weights[2] = {lower_weight, upper_weight};
      DenseMatrix  sum(n, n);
      const auto   add = [&](const double factor, const DenseMatrix &A) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            sum(i, j) += factor * A(i, j);
      };
      add(coefficient, stiffness);
      for (int s = 0; s < 2; ++s)
        if (ends[s] == End::neighbour)
          add(weights[s], face[1 - s][1 - s]);
        else if (ends[s] == End::dirichlet)
          add(weights[s], nitsche[s]);
      return sum;
    }
  } // namespace sipg
} // namespace tessera
