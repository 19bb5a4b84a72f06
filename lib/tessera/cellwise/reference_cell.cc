// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/reference_cell.h>

#include <cmath>
#include <string>
#include <utility>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      /** In which everything is computed before it is rounded. */
      using Extended       = long double;
      using ExtendedMatrix = BasicDenseMatrix<Extended>;

      /** $P_n(x)$ and $P_{n-1}(x)$, Legendre polynomials on [-1, 1]. */
      template <typename Number>
      std::pair<Number, Number>
      legendre(const int n, const Number x)
      {
        Number p = 1, previous = 0;
        for (int k = 1; k <= n; ++k)
          previous =
            std::exchange(p, ((2 * k - 1) * x * p - (k - 1) * previous) / k);
        return {p, previous};
      }

      // Newton's method from the Chebyshev points converges for all n of
      // interest, quadratically: these are more steps than it takes.
      constexpr int n_newton_steps = 20;

      /** Gauss-Lobatto points of degree p on [0, 1]. */
      std::vector<Extended>
      lobatto_nodes(const int p)
      {
        const Extended        pi = std::acos(Extended(-1));
        std::vector<Extended> x(p + 1);
        for (int i = 0; 2 * i <= p; ++i)
          {
            // Zeros of (1 - x^2) P_p'(x), whose derivative is -p (p+1) P_p.
            Extended t = std::cos(pi * i / p);
            if (i == 0)
              t = 1;
            else if (2 * i == p)
              t = 0;
            else
              for (int step = 0; step < n_newton_steps; ++step)
                {
                  const auto [value, previous] = legendre(p, t);
                  t += (previous - t * value) / ((p + 1) * value);
                }
            x[i]     = (1 - t) / 2;
            x[p - i] = (1 + t) / 2;
          }
        return x;
      }

      /** The same matrix, up to round-off, that is symmetric and invariant
       * under reversal bit for bit. */
      ExtendedMatrix
      symmetrized(const ExtendedMatrix &A)
      {
        const std::size_t n = A.n_rows();
        ExtendedMatrix    B(n, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            B(i, j) = ((A(i, j) + A(j, i)) +
                       (A(n - 1 - i, n - 1 - j) + A(n - 1 - j, n - 1 - i))) /
                      4;
        return B;
      }

      /** The same for a matrix with even and odd rows in turn. */
      ExtendedMatrix
      with_parity(const ExtendedMatrix &A)
      {
        const std::size_t n = A.n_rows();
        ExtendedMatrix    B(n, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            B(i, j) =
              (A(i, j) + (i % 2 == 0 ? A(i, n - 1 - j) : -A(i, n - 1 - j))) / 2;
        return B;
      }

      template <typename Matrix>
      Matrix
      reversed(const Matrix &A)
      {
        const std::size_t n = A.n_rows();
        Matrix            B(n, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            B(i, j) = A(n - 1 - i, n - 1 - j);
        return B;
      }
    } // namespace



    ReferenceCell::ReferenceCell(const int p)
      : degree(p)
      , n_nodes(p + 1)
    {
      if (p < min_degree || p > max_degree)
        throw InputError("Elements of degree " + std::to_string(p) +
                         " on cell-wise fields: degrees " +
                         std::to_string(min_degree) + " to " +
                         std::to_string(max_degree) + " are supported.");
      const std::size_t           q = n_nodes;
      const std::vector<Extended> x = lobatto_nodes(p);
      nodes.assign(x.begin(), x.end());

      const auto           quadrature = gauss_quadrature<Extended>(p + 1);
      const ExtendedMatrix values     = lagrange_values(x, quadrature.points);
      const ExtendedMatrix derivatives =
        lagrange_derivatives(x, quadrature.points);
      ExtendedMatrix M(q, q), K(q, q);
      for (std::size_t k = 0; k < quadrature.points.size(); ++k)
        for (std::size_t i = 0; i < q; ++i)
          for (std::size_t j = 0; j < q; ++j)
            {
              const Extended w = quadrature.weights[k];
              M(i, j) += w * values(k, i) * values(k, j);
              K(i, j) += w * derivatives(k, i) * derivatives(k, j);
            }
      M         = symmetrized(M);
      K         = symmetrized(K);
      mass      = DenseMatrix(M);
      stiffness = DenseMatrix(K);

      const BasicEigenpairs<Extended> pairs = parity_eigenpairs(K, M);
      for (std::size_t i = 0; i < q; ++i)
        TESSERA_ASSERT(pairs.parity[i] == (i % 2 == 0 ? 1 : -1),
                       "modes alternate in parity");
      eigenvalues.assign(pairs.values.begin(), pairs.values.end());
      eigenvalues[0]                  = 0.; // the constant
      const ExtendedMatrix &S         = pairs.vectors;
      const ExtendedMatrix  S_inverse = with_parity(transpose(S) * M);
      eigenvectors                    = DenseMatrix(S);
      inverse_eigenvectors            = DenseMatrix(S_inverse);

      std::vector<Extended> points(q);
      for (std::size_t i = 0; i < q; ++i)
        points[i] = x[i] / 2;
      ExtendedMatrix P = lagrange_values(x, points);
      if (p % 2 == 0) // 1/2 is a node
        for (std::size_t j = 0; j < q; ++j)
          P(p, j) = 2 * j == std::size_t(p) ? 1 : 0;
      // Children that meet at 1/2 compute its value by the same numbers.
      for (std::size_t j = 0; 2 * j < q; ++j)
        P(p, p - j) = P(p, j);
      const ExtendedMatrix embeddings[2] = {P, reversed(P)};
      for (int c = 0; c < 2; ++c)
        {
          embedding[c]       = DenseMatrix(embeddings[c]);
          modal_embedding[c] = DenseMatrix(S_inverse * embeddings[c] * S);
        }
    }



    DenseMatrix
    assemble_row_of_cells(const DenseMatrix &A, const std::size_t n_cells)
    {
      const std::size_t p = A.n_rows() - 1;
      DenseMatrix       sum(p * n_cells + 1, p * n_cells + 1);
      for (std::size_t cell = 0; cell < n_cells; ++cell)
        for (std::size_t i = 0; i <= p; ++i)
          for (std::size_t j = 0; j <= p; ++j)
            sum(cell * p + i, cell * p + j) += A(i, j);
      return sum;
    }



    template <typename Number>
    BasicDenseMatrix<Number>
    lagrange_values(const std::vector<Number> &nodes,
                    const std::vector<Number> &points)
    {
      BasicDenseMatrix<Number> values(points.size(), nodes.size());
      for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t i = 0; i < nodes.size(); ++i)
          {
            Number product = 1;
            for (std::size_t j = 0; j < nodes.size(); ++j)
              if (j != i)
                product *= (points[k] - nodes[j]) / (nodes[i] - nodes[j]);
            values(k, i) = product;
          }
      return values;
    }



    template <typename Number>
    BasicDenseMatrix<Number>
    lagrange_derivatives(const std::vector<Number> &nodes,
                         const std::vector<Number> &points)
    {
      BasicDenseMatrix<Number> derivatives(points.size(), nodes.size());
      for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t i = 0; i < nodes.size(); ++i)
          {
            Number sum = 0;
            for (std::size_t l = 0; l < nodes.size(); ++l)
              if (l != i)
                {
                  Number product = 1 / (nodes[i] - nodes[l]);
                  for (std::size_t j = 0; j < nodes.size(); ++j)
                    if (j != i && j != l)
                      product *= (points[k] - nodes[j]) / (nodes[i] - nodes[j]);
                  sum += product;
                }
            derivatives(k, i) = sum;
          }
      return derivatives;
    }



    template <typename Number>
    BasicQuadrature<Number>
    gauss_quadrature(const int n)
    {
      TESSERA_ASSERT(n >= 1, "a formula has a point");
      const Number            pi = std::acos(Number(-1));
      BasicQuadrature<Number> quadrature;
      quadrature.points.resize(n);
      quadrature.weights.resize(n);
      for (int i = 0; 2 * i < n; ++i)
        {
          Number t = std::cos(pi * (i + Number(0.75)) / (n + Number(0.5)));
          Number derivative = 0;
          for (int step = 0; step < n_newton_steps; ++step)
            {
              const auto [value, previous] = legendre(n, t);
              derivative = n * (previous - t * value) / (1 - t * t);
              t -= value / derivative;
            }
          if (2 * i + 1 == n)
            t = 0;
          const Number weight  = 1 / ((1 - t * t) * derivative * derivative);
          quadrature.points[i] = (1 - t) / 2;
          quadrature.points[n - 1 - i]  = (1 + t) / 2;
          quadrature.weights[i]         = weight;
          quadrature.weights[n - 1 - i] = weight;
        }
      return quadrature;
    }



#define TESSERA_INSTANTIATE(Number)                            \
  template BasicDenseMatrix<Number> lagrange_values(           \
    const std::vector<Number> &, const std::vector<Number> &); \
  template BasicDenseMatrix<Number> lagrange_derivatives(      \
    const std::vector<Number> &, const std::vector<Number> &); \
  template BasicQuadrature<Number> gauss_quadrature(int)

    TESSERA_INSTANTIATE(double);
    TESSERA_INSTANTIATE(long double);
  } // namespace cellwise
} // namespace tessera
