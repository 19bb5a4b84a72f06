// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/aggregation.h>
#include <tessera/amg/spectrum.h>
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_vector.h>
#include <tessera/sparse/dispatch_shape.h>
#include <tessera/sparse/matrix_vector.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** In (-1, 1), from the key of a node. */
      double
      random_number(const std::uint64_t key, const int component)
      {
        // Hashed twice, for the order of aggregation is by the first hash.
        const std::uint64_t hash =
          hash_of_key(hash_of_key(key) + static_cast<std::uint64_t>(component));
        return std::ldexp(static_cast<double>(hash >> 11) + 0.5, -52) - 1.;
      }

      template <typename Number>
      void
      set_random(const InactiveComponents         &inactive,
                 const std::vector<std::uint64_t> &keys,
                 sparse::BlockVector<Number>      &b)
      {
        const int n = b.block_size();
        for (LocalIndex i = 0; i < b.layout().n_owned(); ++i)
          for (int r = 0; r < n; ++r)
            b.data()[std::size_t(i) * n + r] =
              inactive.is_inactive(i, r) ?
                Number(0) :
                static_cast<Number>(random_number(keys[i], r));
      }

      /** The sum of products of owned values of this rank: eight sums, for a
       * processor to work on them at once. */
      template <typename Number>
      double
      local_dot(const sparse::BlockVector<Number> &x,
                const sparse::BlockVector<Number> &y)
      {
        constexpr std::size_t width       = 8;
        double                sums[width] = {};
        const Number *const   a           = x.data();
        const Number *const   b           = y.data();
        const std::size_t     n           = x.n_owned_values();
        std::size_t           v           = 0;
        for (; v + width <= n; v += width)
          for (std::size_t s = 0; s < width; ++s)
            sums[s] += double(a[v + s]) * double(b[v + s]);
        for (; v < n; ++v)
          sums[0] += double(a[v]) * double(b[v]);
        double sum = 0.;
        for (const double s : sums)
          sum += s;
        return sum;
      }

      /** $r \leftarrow r - \alpha q$, $z = M r$, in one pass.
       * @return $r^T z$ of this rank. */
      template <typename Number>
      double
      update_residual(const sparse::BlockDiagonal<Number> &M,
                      const Number                         alpha,
                      const sparse::BlockVector<Number>   &q,
                      sparse::BlockVector<Number>         &r,
                      sparse::BlockVector<Number>         &z)
      {
        double sum = 0.;
        sparse::dispatch_square_shape(M.block_size(), [&](const auto shape) {
          const int     n  = shape.rows();
          const Number *m  = M.data();
          const Number *qi = q.data();
          Number       *ri = r.data();
          Number       *zi = z.data();
          for (LocalIndex i = 0; i < M.rows().n_owned();
               ++i, m += n * n, qi += n, ri += n, zi += n)
            {
              for (int c = 0; c < n; ++c)
                ri[c] -= alpha * qi[c];
              for (int e = 0; e < n; ++e)
                {
                  Number value = 0;
                  for (int c = 0; c < n; ++c)
                    value += m[e * n + c] * ri[c];
                  zi[e] = value;
                  sum += double(value) * double(ri[e]);
                }
            }
        });
        return sum;
      }

      /** $p \leftarrow z + \beta p$ for owned values. */
      template <typename Number>
      void
      update_direction(const Number                       beta,
                       const sparse::BlockVector<Number> &z,
                       sparse::BlockVector<Number>       &p)
      {
        const Number *const from = z.data();
        Number *const       to   = p.data();
        for (std::size_t v = 0; v < z.n_owned_values(); ++v)
          to[v] = from[v] + beta * to[v];
      }

      /** @throws SolverBreakdown unless the square of a norm is positive. */
      void
      check_positive(const double       value,
                     const char        *what,
                     const char        *matrix,
                     const unsigned int step)
      {
        if (value > 0. && std::isfinite(value))
          return;
        char number[32];
        std::snprintf(number, sizeof(number), "%.3g", value);
        throw SolverBreakdown(
          std::string("The largest eigenvalue is estimated by conjugate "
                      "gradients, and in step ") +
          std::to_string(step) + ", " + what + " is " + number + ": " + matrix +
          " is not positive definite. Check material, constraints and signs of "
          "the matrix.");
      }

      /** The largest eigenvalue of the symmetric tridiagonal matrix that
       * belongs to step lengths alpha and ratios beta of conjugate gradients.
       */
      double
      largest_ritz_value(const std::vector<double> &alpha,
                         const std::vector<double> &beta)
      {
        const std::size_t n = alpha.size();
        DenseMatrix       T(n, n);
        for (std::size_t k = 0; k < n; ++k)
          {
            T(k, k) = 1. / alpha[k] + (k > 0 ? beta[k - 1] / alpha[k - 1] : 0.);
            if (k + 1 < n)
              T(k, k + 1) = T(k + 1, k) = std::sqrt(beta[k]) / alpha[k];
          }
        return generalized_eigenpairs(T, identity_matrix(n)).values.back();
      }

      void
      invert_diagonal(const sparse::BlockMatrix<double> &A,
                      sparse::BlockDiagonal<double>     &D)
      {
        const int n = D.block_size();
        for (LocalIndex i = 0; i < D.rows().n_owned(); ++i)
          {
            double *const block = D.data() + std::size_t(i) * n * n;
            for (int r = 0; r < n; ++r)
              for (int c = 0; c < n; ++c)
                {
                  double &value = block[r * n + c];
                  if (r != c)
                    value = 0.;
                  else if (value > 0. && std::isfinite(value))
                    value = 1. / value;
                  else
                    throw SolverBreakdown(
                      "The diagonal entry of row " + std::to_string(r) +
                      " of block row " +
                      std::to_string(A.pattern().rows().global(i)) +
                      " of a matrix is " + std::to_string(value) +
                      "; those of positive definite matrices are positive.");
                }
          }
      }
    } // namespace



    sparse::BlockDiagonal<double>
    inverse_scalar_diagonal(const sparse::BlockMatrix<double> &A)
    {
      sparse::BlockDiagonal<double> D = sparse::diagonal_blocks(A);
      A.pattern().rows().communicator().collectively(
        [&] { invert_diagonal(A, D); });
      return D;
    }



    template <typename Number>
    double
    largest_eigenvalue(const sparse::BlockMatrix<Number>   &A,
                       const sparse::BlockDiagonal<Number> &M,
                       const InactiveComponents            &inactive,
                       const std::vector<std::uint64_t>    &keys,
                       const unsigned int                   n_steps)
    {
      const sparse::IndexLayout &columns      = A.pattern().columns();
      const Communicator        &communicator = columns.communicator();
      communicator.throw_collectively(
        keys.size() == static_cast<std::size_t>(columns.n_owned()) ?
          "" :
          std::to_string(keys.size()) + " keys were given for " +
            std::to_string(columns.n_owned()) +
            " nodes of this rank; each needs one.");

      sparse::MatrixVector<Number> product(A);
      sparse::BlockVector<Number>  p(columns, A.shape().columns);
      sparse::BlockVector<Number>  q(A.pattern().rows(), A.shape().rows);
      sparse::BlockVector<Number>  r(M.rows(), M.block_size());
      sparse::BlockVector<Number>  z(M.rows(), M.block_size());
      set_random(inactive, keys, r);
      if (!communicator.logical_or(local_dot(r, r) > 0.))
        return 1.;

      double rz = communicator.sum(update_residual(M, Number(0), q, r, z));
      const double     first_rz = rz;
      constexpr double epsilon = double(std::numeric_limits<Number>::epsilon());
      std::vector<double> alpha, beta;
      for (unsigned int step = 1; step <= n_steps; ++step)
        {
          check_positive(rz, "r^T M r", "the preconditioner", step);
          update_direction(step == 1 ? Number(0) : Number(beta.back()), z, p);
          product.multiply(A, p, q);
          const double pq = communicator.sum(local_dot(p, q));
          check_positive(pq, "p^T A p", "the matrix", step);
          alpha.push_back(rz / pq);
          const double old_rz = rz;
          rz =
            communicator.sum(update_residual(M, Number(alpha.back()), q, r, z));
          // Nothing is left of the start: there are fewer eigenvectors than
          // steps. Rounding errors alone are as good as another start.
          if (std::abs(rz) <= std::pow(epsilon, 4) * first_rz)
            break;
          beta.push_back(rz / old_rz);
        }
      return largest_ritz_value(alpha, beta);
    }



    template double
    largest_eigenvalue(const sparse::BlockMatrix<float> &,
                       const sparse::BlockDiagonal<float> &,
                       const InactiveComponents &,
                       const std::vector<std::uint64_t> &,
                       unsigned int);
    template double
    largest_eigenvalue(const sparse::BlockMatrix<double> &,
                       const sparse::BlockDiagonal<double> &,
                       const InactiveComponents &,
                       const std::vector<std::uint64_t> &,
                       unsigned int);
  } // namespace amg
} // namespace tessera
