// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/matrix_kernel.h>
#include <tessera/amg/vector_operations.h>
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>

#include <cmath>
#include <string>
#include <utility>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      using Vector = sparse::BlockVector<double>;

      /** $B c$ for column j of C, on a layout with ghosts. */
      Vector
      combination(const NearNullSpace       &B,
                  const DenseMatrix         &C,
                  const std::size_t          j,
                  const sparse::IndexLayout &layout)
      {
        Vector            result(layout, B.block_size());
        const std::size_t n_modes = B.n_modes();
        for (std::size_t i = 0; i < result.n_owned_values(); ++i)
          {
            double sum = 0;
            for (std::size_t m = 0; m < n_modes; ++m)
              sum += B.data()[i * n_modes + m] * C(m, j);
            result.data()[i] = sum;
          }
        return result;
      }

      /** Entry e of row i of D^{-1}, which is diagonal. */
      double
      entry(const sparse::BlockDiagonal<double> &inverse_diagonal,
            const std::size_t                    value)
      {
        const std::size_t b = inverse_diagonal.block_size();
        return inverse_diagonal
          .data()[value / b * b * b + (value % b) * (b + 1)];
      }

      /** $X^T S Y$ for columns of X and Y, S = D or its inverse. */
      DenseMatrix
      products(const std::vector<Vector>           &X,
               const sparse::BlockDiagonal<double> &inverse_diagonal,
               const bool                           by_inverse)
      {
        const std::size_t   n = X.size();
        std::vector<double> sums(n * n, 0.);
        for (std::size_t v = 0; v < X[0].n_owned_values(); ++v)
          {
            const double s = by_inverse ? entry(inverse_diagonal, v) :
                                          1 / entry(inverse_diagonal, v);
            for (std::size_t i = 0; i < n; ++i)
              for (std::size_t j = 0; j <= i; ++j)
                sums[i * n + j] += X[i].data()[v] * s * X[j].data()[v];
          }
        X[0].layout().communicator().sum(sums.data(), sums.size());
        DenseMatrix result(n, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j <= i; ++j)
            result(i, j) = result(j, i) = sums[i * n + j];
        return result;
      }

      /** W with $W^T G W = I$ for as many columns as the positive
       * semi-definite matrix G has independent ones. */
      DenseMatrix
      whitening(const DenseMatrix &G)
      {
        // Scaled to a unit diagonal, so that units of modes do not matter.
        const std::size_t   n = G.n_rows();
        DenseMatrix         scaled(n, n);
        std::vector<double> scale(n);
        for (std::size_t i = 0; i < n; ++i)
          scale[i] = G(i, i) > 0 ? 1 / std::sqrt(G(i, i)) : 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            scaled(i, j) = scale[i] * G(i, j) * scale[j];
        const Eigenpairs eigenpairs =
          generalized_eigenpairs(scaled, identity_matrix(n));
        std::size_t first = 0;
        while (first < n && eigenpairs.values[first] <= 1e-12)
          ++first;
        DenseMatrix W(n, n - first);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = first; j < n; ++j)
            W(i, j - first) = scale[i] * eigenpairs.vectors(i, j) /
                              std::sqrt(eigenpairs.values[j]);
        return W;
      }

      DenseMatrix
      columns(const DenseMatrix &A, const std::vector<std::size_t> &which)
      {
        DenseMatrix result(A.n_rows(), which.size());
        for (std::size_t i = 0; i < A.n_rows(); ++i)
          for (std::size_t j = 0; j < which.size(); ++j)
            result(i, j) = A(i, which[j]);
        return result;
      }

      double
      relative_residual(const Vector                        &z,
                        const Vector                        &Az,
                        const sparse::BlockDiagonal<double> &inverse_diagonal)
      {
        double sums[2] = {0, 0};
        for (std::size_t v = 0; v < z.n_owned_values(); ++v)
          {
            const double s = entry(inverse_diagonal, v);
            sums[0] += Az.data()[v] * s * Az.data()[v];
            sums[1] += z.data()[v] / s * z.data()[v];
          }
        z.layout().communicator().sum(sums, 2);
        return std::sqrt(sums[0] / sums[1]);
      }
    } // namespace



    DenseMatrix
    kernel_coefficients(const sparse::BlockMatrix<double>   &A,
                        const sparse::BlockDiagonal<double> &inverse_diagonal,
                        const NearNullSpace                 &B)
    {
      const std::size_t            n_modes = B.n_modes();
      const DenseMatrix            I       = identity_matrix(n_modes);
      sparse::MatrixVector<double> product(A);
      std::vector<Vector>          modes, images;
      for (std::size_t m = 0; m < n_modes; ++m)
        {
          modes.push_back(combination(B, I, m, A.pattern().columns()));
          images.emplace_back(A.pattern().rows(), A.shape().rows);
          product.multiply(A, modes[m], images[m]);
        }

      // Eigenvectors of $(A V)^T D^{-1} (A V)$, V being an orthonormal basis of
      // the modes with respect to D.
      const DenseMatrix W = whitening(products(modes, inverse_diagonal, false));
      if (W.n_columns() == 0)
        return DenseMatrix(n_modes, 0);
      const DenseMatrix squares =
        transpose(W) * products(images, inverse_diagonal, true) * W;
      const Eigenpairs eigenpairs =
        generalized_eigenpairs(squares, identity_matrix(W.n_columns()));
      const DenseMatrix candidates = W * eigenpairs.vectors;

      // Rounding of large eigenvalues is in small ones, but not in residuals.
      std::vector<std::size_t> in_kernel;
      for (std::size_t j = 0; j < W.n_columns(); ++j)
        if (eigenpairs.values[j] <= 1e-10)
          {
            const Vector z = combination(B, candidates, j, A.pattern().rows());
            Vector       Az(A.pattern().rows(), A.shape().rows);
            for (std::size_t m = 0; m < n_modes; ++m)
              add(candidates(m, j), images[m], Az);
            if (relative_residual(z, Az, inverse_diagonal) <=
                largest_kernel_residual)
              in_kernel.push_back(j);
          }
      return columns(candidates, in_kernel);
    }



    OrthonormalBasis::OrthonormalBasis(const NearNullSpace &B,
                                       const DenseMatrix   &C)
    {
      for (std::size_t j = 0; j < C.n_columns(); ++j)
        {
          Vector z = combination(B, C, j, B.layout());
          // Twice is enough.
          for (int pass = 0; pass < 2; ++pass)
            {
              remove_from(z);
              const double length = norm(z);
              for (std::size_t i = 0; i < z.n_owned_values(); ++i)
                z.data()[i] /= length;
            }
          Z.push_back(std::move(z));
        }
    }



    const std::vector<sparse::BlockVector<double>> &
    OrthonormalBasis::vectors() const
    {
      return Z;
    }



    double
    OrthonormalBasis::part_of(const Vector &x) const
    {
      const double length = norm(x);
      if (Z.empty() || length == 0)
        return 0;
      double sum = 0;
      for (const Vector &z : Z)
        sum += std::pow(inner_product(z, x) / length, 2);
      return std::sqrt(sum);
    }



    void
    OrthonormalBasis::remove_from(Vector &x) const
    {
      for (const Vector &z : Z)
        add(-inner_product(z, x), z, x);
    }



    double
    OrthonormalBasis::residual(
      const sparse::BlockMatrix<double>   &A,
      const sparse::BlockDiagonal<double> &inverse_diagonal) const
    {
      sparse::MatrixVector<double> product(A);
      Vector                       x(A.pattern().columns(), A.shape().columns);
      Vector                       y(A.pattern().rows(), A.shape().rows);
      double                       result = 0;
      for (const Vector &z : Z)
        {
          copy_values(z, x);
          product.multiply(A, x, y);
          result = std::fmax(result, relative_residual(z, y, inverse_diagonal));
        }
      return result;
    }



    std::size_t
    OrthonormalBasis::memory_consumption() const
    {
      std::size_t result = 0;
      for (const Vector &z : Z)
        result += z.n_values() * sizeof(double);
      return result;
    }



    double
    independence(const NearNullSpace &B)
    {
      const std::size_t   n      = B.n_modes();
      const std::size_t   n_rows = B.layout().n_owned() * B.block_size();
      std::vector<double> sums(n * n, 0.);
      for (std::size_t v = 0; v < n_rows; ++v)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            sums[i * n + j] += B.data()[v * n + i] * B.data()[v * n + j];
      B.layout().communicator().sum(sums.data(), sums.size());
      DenseMatrix gram(n, n);
      for (std::size_t i = 0; i < n; ++i)
        {
          if (!(sums[i * n + i] > 0) || !std::isfinite(sums[i * n + i]))
            throw InputError("Near-null space: mode " + std::to_string(i) +
                             " of " + std::to_string(n) + " is " +
                             (sums[i * n + i] == 0 ? "zero" : "not finite") +
                             ". Leave it out, or correct it.");
          for (std::size_t j = 0; j < n; ++j)
            gram(i, j) = sums[i * n + j] / std::sqrt(sums[i * n + i]) /
                         std::sqrt(sums[j * n + j]);
        }
      return generalized_eigenpairs(gram, identity_matrix(n)).values[0];
    }
  } // namespace amg
} // namespace tessera
