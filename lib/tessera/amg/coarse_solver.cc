// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/coarse_solver.h>
#include <tessera/base/exceptions.h>

#include <algorithm>
#include <sstream>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      /** The lower triangle of A; inactive components are left with the
       * diagonal alone. Returns the largest diagonal entry. */
      double
      copy_lower_triangle(const sparse::BlockMatrix<double> &A,
                          const InactiveComponents          &inactive,
                          DenseCholesky                     &result)
      {
        const int                   b       = A.shape().rows;
        const sparse::BlockPattern &pattern = A.pattern();
        double                      largest = 0;
        for (sparse::LocalIndex i = 0; i < pattern.n_rows(); ++i)
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            {
              const sparse::LocalIndex j = pattern.column_indices()[k];
              if (j > i)
                break;
              const double *const block = A.block(k);
              for (int r = 0; r < b; ++r)
                for (int c = 0; c < (j == i ? r + 1 : b); ++c)
                  {
                    const bool on_diagonal = j == i && r == c;
                    if (on_diagonal || !(inactive.is_inactive(i, r) ||
                                         inactive.is_inactive(j, c)))
                      result.lower(i * b + r, j * b + c) = block[r * b + c];
                    if (on_diagonal && !inactive.is_inactive(i, r))
                      largest = std::max(largest, block[r * b + c]);
                  }
            }
        return largest;
      }

      void
      add_products(const OrthonormalBasis &kernel,
                   const double            alpha,
                   DenseCholesky          &result)
      {
        for (const sparse::BlockVector<double> &z : kernel.vectors())
          for (std::int32_t i = 0; i < result.n(); ++i)
            for (std::int32_t j = 0; j <= i; ++j)
              result.lower(i, j) += alpha * z.data()[i] * z.data()[j];
      }
    } // namespace



    CoarseSolver::CoarseSolver(const unsigned int level_number)
      : level(level_number)
    {}



    void
    CoarseSolver::factorize(const sparse::BlockMatrix<double> &A,
                            const InactiveComponents          &inactive,
                            const OrthonormalBasis            &kernel)
    {
      const int b = A.shape().rows;
      cholesky.reinit(A.pattern().n_rows() * b);
      // What is left of the matrix are rounding errors, as with a single
      // aggregate of a body without supports.
      is_zero = kernel.vectors().size() + inactive.n_components() ==
                static_cast<std::size_t>(cholesky.n());
      if (is_zero)
        return;
      add_products(kernel,
                   copy_lower_triangle(A, inactive, cholesky),
                   cholesky);
      const DenseCholesky::Result result = cholesky.factorize();
      if (result.row < cholesky.n())
        {
          std::ostringstream message;
          message << "Algebraic multigrid: the matrix of level " << level
                  << ", the coarsest, is not positive definite: the pivot of "
                     "component "
                  << result.row % b << " of block row " << result.row / b
                  << " (row " << result.row << ") is " << result.pivot
                  << " where the diagonal entry is " << result.diagonal
                  << ". The matrix has to be symmetric and positive definite. "
                     "If it is that of a problem without enough supports, the "
                     "near-null space has to contain its whole kernel.";
          throw SolverBreakdown(message.str());
        }
      values.resize_without_initialization(cholesky.padded_size());
    }



    template <typename Number>
    void
    CoarseSolver::solve(const sparse::BlockVector<Number> &b,
                        sparse::BlockVector<Number>       &x)
    {
      const std::size_t n = cholesky.n();
      if (is_zero)
        {
          std::fill_n(x.data(), n, Number(0));
          return;
        }
      std::copy_n(b.data(), n, values.data());
      std::fill(values.begin() + n, values.end(), 0.);
      cholesky.solve(values.data());
      std::transform(values.begin(),
                     values.begin() + n,
                     x.data(),
                     [](const double value) {
                       return static_cast<Number>(value);
                     });
    }



    std::size_t
    CoarseSolver::memory_consumption() const
    {
      return cholesky.memory_consumption() + values.size_in_bytes();
    }



    template void
    CoarseSolver::solve(const sparse::BlockVector<float> &,
                        sparse::BlockVector<float> &);
    template void
    CoarseSolver::solve(const sparse::BlockVector<double> &,
                        sparse::BlockVector<double> &);
  } // namespace amg
} // namespace tessera
