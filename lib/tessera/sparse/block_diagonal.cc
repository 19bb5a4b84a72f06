// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_diagonal.h>
#include <tessera/sparse/vector_kernels.h>
#include <tessera/sparse/vector_sizes.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      using Block = double[max_block_size][max_block_size];

      /** The power of two next to 1 / sqrt(|x|); scaling by it is exact. */
      double
      scale_of(const double x)
      {
        int exponent = 0;
        std::frexp(x, &exponent);
        return std::ldexp(1., -exponent / 2);
      }

      /** Replace a block by its inverse; false if it is singular. */
      bool
      invert(const int n, Block &a, const double tolerance)
      {
        double scale[max_block_size];
        for (int i = 0; i < n; ++i)
          {
            double size = std::abs(a[i][i]);
            if (size == 0.)
              for (int j = 0; j < n; ++j)
                size = std::fmax(size, std::abs(a[i][j]));
            if (!(size > 0.) || !std::isfinite(size))
              return false;
            scale[i] = scale_of(size);
          }
        double largest = 0.;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            {
              a[i][j] *= scale[i] * scale[j];
              if (!std::isfinite(a[i][j]))
                return false;
              largest = std::fmax(largest, std::abs(a[i][j]));
            }

        // In place: step k turns column k into that of the inverse.
        int row_of_pivot[max_block_size];
        for (int k = 0; k < n; ++k)
          {
            int best = k;
            for (int i = k + 1; i < n; ++i)
              if (std::abs(a[i][k]) > std::abs(a[best][k]))
                best = i;
            if (!(std::abs(a[best][k]) > tolerance * largest))
              return false;
            row_of_pivot[k] = best;
            for (int j = 0; j < n; ++j)
              std::swap(a[k][j], a[best][j]);

            const double inverse_pivot = 1. / a[k][k];
            a[k][k]                    = 1.;
            for (int j = 0; j < n; ++j)
              a[k][j] *= inverse_pivot;
            for (int i = 0; i < n; ++i)
              if (i != k)
                {
                  const double factor = a[i][k];
                  a[i][k]             = 0.;
                  for (int j = 0; j < n; ++j)
                    a[i][j] -= factor * a[k][j];
                }
          }
        for (int k = n - 1; k >= 0; --k)
          for (int i = 0; i < n; ++i)
            std::swap(a[i][k], a[i][row_of_pivot[k]]);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            a[i][j] *= scale[i] * scale[j];
        return true;
      }

      template <typename Number>
      void
      extract_diagonal(const BlockMatrix<Number> &A, BlockDiagonal<Number> &D)
      {
        const BlockPattern &pattern = A.pattern();
        if (A.shape().rows != A.shape().columns ||
            !pattern.rows().same_owned(pattern.columns()))
          throw InputError(
            "The diagonal was asked for of a matrix of " +
            std::to_string(pattern.rows().n_global()) + " x " +
            std::to_string(pattern.columns().n_global()) + " blocks of " +
            std::to_string(A.shape().rows) + " x " +
            std::to_string(A.shape().columns) +
            " entries; both must be square, and rows and columns owned alike.");
        D              = BlockDiagonal<Number>(pattern.rows(), A.shape().rows);
        const int size = A.shape().size();
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            const std::int64_t k = pattern.find(i, i);
            if (k < 0)
              throw InputError("Block row " +
                               std::to_string(pattern.rows().global(i)) +
                               " of a matrix has no diagonal block.");
            std::copy_n(A.block(k),
                        size,
                        D.data() + static_cast<std::size_t>(i) * size);
          }
      }

      template <typename Number>
      void
      invert_blocks(BlockDiagonal<Number> &D)
      {
        constexpr double tolerance =
          16 * double(std::numeric_limits<Number>::epsilon());
        const int n = D.block_size();
        for (LocalIndex i = 0; i < D.rows().n_owned(); ++i)
          {
            Number *const values =
              D.data() + static_cast<std::size_t>(i) * n * n;
            Block block;
            for (int r = 0; r < n; ++r)
              for (int c = 0; c < n; ++c)
                block[r][c] = values[r * n + c];
            if (!invert(n, block, tolerance))
              throw SolverBreakdown(
                "The diagonal block of block row " +
                std::to_string(D.rows().global(i)) +
                " of a matrix is singular or not finite; its inverse is "
                "needed.");
            for (int r = 0; r < n; ++r)
              for (int c = 0; c < n; ++c)
                values[r * n + c] = static_cast<Number>(block[r][c]);
          }
      }
    } // namespace



    template <typename Number>
    BlockDiagonal<Number>::BlockDiagonal(const IndexLayout &rows,
                                         const int          block_size)
      : row_layout(rows)
      , size_of_block(checked_block_size(block_size))
      , entries(static_cast<std::size_t>(rows.n_owned()) * block_size *
                block_size)
    {}



    template <typename Number>
    const IndexLayout &
    BlockDiagonal<Number>::rows() const
    {
      return row_layout;
    }



    template <typename Number>
    int
    BlockDiagonal<Number>::block_size() const
    {
      return size_of_block;
    }



    template <typename Number>
    Number *
    BlockDiagonal<Number>::data()
    {
      return entries.data();
    }



    template <typename Number>
    const Number *
    BlockDiagonal<Number>::data() const
    {
      return entries.data();
    }



    template <typename Number>
    std::size_t
    BlockDiagonal<Number>::memory_consumption() const
    {
      return entries.size_in_bytes();
    }



    template <typename Number>
    BlockDiagonal<Number>
    diagonal_blocks(const BlockMatrix<Number> &A)
    {
      BlockDiagonal<Number> result;
      A.pattern().rows().communicator().collectively(
        [&] { extract_diagonal(A, result); });
      return result;
    }



    template <typename Number>
    BlockDiagonal<Number>
    inverse_diagonal_blocks(const BlockMatrix<Number> &A)
    {
      BlockDiagonal<Number> result;
      A.pattern().rows().communicator().collectively([&] {
        extract_diagonal(A, result);
        invert_blocks(result);
      });
      return result;
    }



    template <typename Number>
    void
    multiply(const BlockDiagonal<Number> &M,
             const Number                 alpha,
             const BlockVector<Number>   &x,
             BlockVector<Number>         &y)
    {
      check_owned_vector("x", x, M.rows(), M.block_size());
      check_owned_vector("y", y, M.rows(), M.block_size());
      TESSERA_CALL_SIMD(
        multiply_diagonal_rows<Number>(M.block_size(),
                                       M.rows().n_owned(),
                                       M.data(),
                                       alpha,
                                       x.data(),
                                       y.data(),
                                       static_cast<Number *>(nullptr)));
    }



    template class BlockDiagonal<float>;
    template class BlockDiagonal<double>;
    template BlockDiagonal<float>
    diagonal_blocks(const BlockMatrix<float> &);
    template BlockDiagonal<double>
    diagonal_blocks(const BlockMatrix<double> &);
    template BlockDiagonal<float>
    inverse_diagonal_blocks(const BlockMatrix<float> &);
    template BlockDiagonal<double>
    inverse_diagonal_blocks(const BlockMatrix<double> &);
    template void
    multiply(const BlockDiagonal<float> &,
             float,
             const BlockVector<float> &,
             BlockVector<float> &);
    template void
    multiply(const BlockDiagonal<double> &,
             double,
             const BlockVector<double> &,
             BlockVector<double> &);
  } // namespace sparse
} // namespace tessera
