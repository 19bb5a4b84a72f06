// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/reference_cell.h>

#include <cmath>
#include <utility>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      /** $P_n(x)$ and $P_{n-1}(x)$, Legendre polynomials on [-1, 1]. */
      std::pair<double, double>
      legendre(const int n, const double x)
      {
        double p = 1., previous = 0.;
        for (int k = 1; k <= n; ++k)
          previous = std::exchange(p,
                                   ((2 * k - 1) * x * p - (k - 1) * previous) /
                                     double(k));
        return {p, previous};
      }

      // Newton's method from the Chebyshev points converges for all n of
      // interest, quadratically: these are more steps than it takes.
      constexpr int n_newton_steps = 20;

      /** Gauss-Lobatto points of degree p on [0, 1], symmetric bit for bit. */
      std::vector<double>
      lobatto_nodes(const int p)
      {
        const double        pi = std::acos(-1.);
        std::vector<double> x(p + 1);
        for (int i = 0; 2 * i <= p; ++i)
          {
            // Zeros of (1 - x^2) P_p'(x), whose derivative is -p (p+1) P_p.
            double t = std::cos(pi * i / p);
            if (i == 0)
              t = 1.;
            else if (2 * i == p)
              t = 0.;
            else
              for (int step = 0; step < n_newton_steps; ++step)
                {
                  const auto [value, previous] = legendre(p, t);
                  t += (previous - t * value) / ((p + 1) * value);
                }
            x[i]     = 0.5 * (1. - t);
            x[p - i] = 0.5 * (1. + t);
          }
        return x;
      }

      /** The same matrix, up to round-off, that is symmetric and invariant
       * under reversal bit for bit. */
      DenseMatrix
      symmetrized(const DenseMatrix &A)
      {
        const std::size_t n = A.n_rows();
        DenseMatrix       B(n, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            B(i, j) = 0.25 * ((A(i, j) + A(j, i)) + (A(n - 1 - i, n - 1 - j) +
                                                     A(n - 1 - j, n - 1 - i)));
        return B;
      }
    } // namespace



    ReferenceCell::ReferenceCell(const int p)
      : degree(p)
      , n_nodes(p + 1)
      , nodes(lobatto_nodes(p))
    {
      TESSERA_ASSERT(min_degree <= p && p <= max_degree,
                     "this degree is not supported");
      const std::size_t q          = n_nodes;
      const Quadrature  quadrature = gauss_quadrature(p + 1);
      const DenseMatrix values     = lagrange_values(nodes, quadrature.points);
      const DenseMatrix derivatives =
        lagrange_derivatives(nodes, quadrature.points);
      DenseMatrix M(q, q), K(q, q);
      for (std::size_t k = 0; k < quadrature.points.size(); ++k)
        for (std::size_t i = 0; i < q; ++i)
          for (std::size_t j = 0; j < q; ++j)
            {
              const double w = quadrature.weights[k];
              M(i, j) += w * values(k, i) * values(k, j);
              K(i, j) += w * derivatives(k, i) * derivatives(k, j);
            }
      mass      = symmetrized(M);
      stiffness = symmetrized(K);

      const Eigenpairs pairs = parity_eigenpairs(stiffness, mass);
      eigenvalues            = pairs.values;
      eigenvalues[0]         = 0.; // the constant
      eigenvectors           = pairs.vectors;
      inverse_eigenvectors   = transpose(eigenvectors) * mass;
      for (std::size_t i = 0; i < q; ++i)
        TESSERA_ASSERT(pairs.parity[i] == (i % 2 == 0 ? 1 : -1),
                       "modes alternate in parity");
      // The products above may differ in the last bit between mirrored
      // columns.
      for (std::size_t i = 0; i < q; ++i)
        for (std::size_t j = 0; 2 * j < q; ++j)
          {
            const double sign  = i % 2 == 0 ? 1. : -1.;
            double      &left  = inverse_eigenvectors(i, j);
            double      &right = inverse_eigenvectors(i, q - 1 - j);
            const double mean  = 0.5 * (left + sign * right);
            left               = mean;
            right              = sign * mean;
          }

      std::vector<double> points(q);
      for (std::size_t i = 0; i < q; ++i)
        points[i] = 0.5 * nodes[i];
      embedding[0] = lagrange_values(nodes, points);
      if (p % 2 == 0) // 1/2 is a node
        for (std::size_t j = 0; j < q; ++j)
          embedding[0](p, j) = 2 * j == std::size_t(p) ? 1. : 0.;
      // Children that meet at 1/2 compute its value by the same numbers.
      for (std::size_t j = 0; 2 * j < q; ++j)
        embedding[0](p, p - j) = embedding[0](p, j);
      embedding[1] = DenseMatrix(q, q);
      for (std::size_t i = 0; i < q; ++i)
        for (std::size_t j = 0; j < q; ++j)
          embedding[1](i, j) = embedding[0](p - i, p - j);
      for (int c = 0; c < 2; ++c)
        modal_embedding[c] = inverse_eigenvectors * embedding[c] * eigenvectors;
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



    DenseMatrix
    lagrange_values(const std::vector<double> &nodes,
                    const std::vector<double> &points)
    {
      DenseMatrix values(points.size(), nodes.size());
      for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t i = 0; i < nodes.size(); ++i)
          {
            double product = 1.;
            for (std::size_t j = 0; j < nodes.size(); ++j)
              if (j != i)
                product *= (points[k] - nodes[j]) / (nodes[i] - nodes[j]);
            values(k, i) = product;
          }
      return values;
    }



    DenseMatrix
    lagrange_derivatives(const std::vector<double> &nodes,
                         const std::vector<double> &points)
    {
      DenseMatrix derivatives(points.size(), nodes.size());
      for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t i = 0; i < nodes.size(); ++i)
          {
            double sum = 0.;
            for (std::size_t l = 0; l < nodes.size(); ++l)
              if (l != i)
                {
                  double product = 1. / (nodes[i] - nodes[l]);
                  for (std::size_t j = 0; j < nodes.size(); ++j)
                    if (j != i && j != l)
                      product *= (points[k] - nodes[j]) / (nodes[i] - nodes[j]);
                  sum += product;
                }
            derivatives(k, i) = sum;
          }
      return derivatives;
    }



    Quadrature
    gauss_quadrature(const int n)
    {
      TESSERA_ASSERT(n >= 1, "a formula has a point");
      const double pi = std::acos(-1.);
      Quadrature   quadrature;
      quadrature.points.resize(n);
      quadrature.weights.resize(n);
      for (int i = 0; 2 * i < n; ++i)
        {
          double t          = std::cos(pi * (i + 0.75) / (n + 0.5));
          double derivative = 0.;
          for (int step = 0; step < n_newton_steps; ++step)
            {
              const auto [value, previous] = legendre(n, t);
              derivative = n * (previous - t * value) / (1. - t * t);
              t -= value / derivative;
            }
          if (2 * i + 1 == n)
            t = 0.;
          const double weight  = 1. / ((1. - t * t) * derivative * derivative);
          quadrature.points[i] = 0.5 * (1. - t);
          quadrature.points[n - 1 - i]  = 0.5 * (1. + t);
          quadrature.weights[i]         = weight;
          quadrature.weights[n - 1 - i] = weight;
        }
      return quadrature;
    }
  } // namespace cellwise
} // namespace tessera
