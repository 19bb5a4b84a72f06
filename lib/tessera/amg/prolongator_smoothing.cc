// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/prolongator_smoothing.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/addition.h>
#include <tessera/sparse/dispatch_shape.h>
#include <tessera/sparse/product/matrix_product.h>

#include <string>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** $W \leftarrow -\omega D^{-1} W$. */
      void
      scale_rows(const sparse::BlockDiagonal<double> &inverse_diagonal,
                 const double                         omega,
                 sparse::BlockMatrix<double>         &W)
      {
        const std::int64_t *const row_begin = W.pattern().row_begin();
        double *const             values    = W.values_to_write();
        sparse::dispatch_shape(W.shape(), [&](const auto shape) {
          const int     b = shape.rows(), q = shape.columns();
          const double *D = inverse_diagonal.data();
          for (LocalIndex i = 0; i < W.pattern().n_rows(); ++i, D += b * b)
            {
              double factors[shape.max_rows];
              for (int r = 0; r < b; ++r)
                factors[r] = -omega * D[r * (b + 1)];
              for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
                for (int r = 0; r < b; ++r)
                  for (int c = 0; c < q; ++c)
                    values[(k * b + r) * q + c] *= factors[r];
            }
        });
      }
    } // namespace



    sparse::BlockMatrix<double>
    smoothed_prolongator(const sparse::BlockMatrix<double>   &A,
                         const sparse::BlockDiagonal<double> &inverse_diagonal,
                         const double                         omega,
                         const sparse::BlockMatrix<double>   &P_0)
    {
      if (inverse_diagonal.block_size() != A.shape().rows ||
          !inverse_diagonal.rows().same_owned(A.pattern().rows()))
        throw InputError(
          "The diagonal of " +
          std::to_string(inverse_diagonal.rows().n_owned()) + " blocks of " +
          std::to_string(inverse_diagonal.block_size()) +
          " numbers does not fit a matrix of " +
          std::to_string(A.pattern().n_rows()) + " block rows of " +
          std::to_string(A.shape().rows) + '.');
      sparse::MatrixProduct<double> product(A.pattern(),
                                            A.shape(),
                                            P_0.pattern(),
                                            P_0.shape());
      sparse::BlockMatrix<double>   P(product.pattern(), product.shape());
      product.multiply(A, P_0, P);
      scale_rows(inverse_diagonal, omega, P);
      sparse::add(1., P_0, P);
      return P;
    }
  } // namespace amg
} // namespace tessera
