// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/sparse_products/vector_forms.h"

#include <tessera/sparse/conversion.h>
#include <tessera/sparse/matrix_vector.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/sparse_products/matrix_bytes.h"

namespace benchmark
{
  using namespace tessera;
  using namespace tessera::sparse;

  namespace
  {
    /** Bytes of a product of matrix and vector: each array once. */
    template <typename Number>
    double
    bytes_of_product(const BlockMatrix<Number> &A)
    {
      const double rows    = A.pattern().n_rows(),
                   columns = A.pattern().n_columns();
      return sizeof(Number) *
               (rows * A.shape().rows + columns * A.shape().columns) +
             bytes_of(A) + 16. * rows;
    }

    double
    value_of_x(const std::size_t i)
    {
      return 1. + double(i % 17);
    }

    /** Matrix, vectors and the product. */
    template <typename Number>
    class VectorWork : public Work
    {
    public:
      explicit VectorWork(BlockMatrix<Number> matrix)
        : A(std::move(matrix))
        , x(A.pattern().columns(), A.shape().columns)
        , y(A.pattern().rows(), A.shape().rows)
        , product(A)
      {
        for (std::size_t i = 0; i < x.n_values(); ++i)
          x.data()[i] = Number(value_of_x(i));
        bytes     = bytes_of_product(A);
        tolerance = sizeof(Number) == 8 ? 1e-12 : 1e-5;
      }

      void
      run() override
      {
        product.multiply(A, x, y);
      }

      std::vector<double>
      result() override
      {
        return std::vector<double>(y.data(), y.data() + y.n_owned_values());
      }

    private:
      BlockMatrix<Number>  A;
      BlockVector<Number>  x, y;
      MatrixVector<Number> product;
    };

    class PeerVectorWork : public Work
    {
    public:
      PeerVectorWork(std::unique_ptr<PeerMatrixVector> peer_product,
                     const double                      bytes_of_a_run)
        : product(std::move(peer_product))
      {
        bytes = bytes_of_a_run;
      }

      void
      run() override
      {
        product->multiply();
      }

      std::vector<double>
      result() override
      {
        return product->result();
      }

    private:
      std::unique_ptr<PeerMatrixVector> product;
    };

    std::unique_ptr<Work>
    peer_vector_work(const Peer &peer, const BlockMatrix<double> &A)
    {
      std::vector<double> x;
      for (LocalIndex i = 0; i < A.pattern().n_columns() * A.shape().columns;
           ++i)
        x.push_back(value_of_x(i));
      return std::make_unique<PeerVectorWork>(peer.matrix_vector(A, x),
                                              bytes_of_product(A));
    }
  } // namespace



  Measurements
  measure_matrix_vector(const MeasureSettings     &settings,
                        const Peer                *peer,
                        const BlockMatrix<double> &A)
  {
    const int         n    = A.shape().rows;
    const std::string form = std::to_string(n) + " x " + std::to_string(n);
    std::vector<Form> forms;
    forms.push_back({form + ", double", bytes_of(A), [&A] {
                       return std::make_unique<VectorWork<double>>(A.copy());
                     }});
    forms.push_back({form + ", float", 0.5 * bytes_of(A), [&A] {
                       return std::make_unique<VectorWork<float>>(
                         convert<float>(A));
                     }});
    if (n > 1)
      forms.push_back({"1 x 1, double", bytes_as_numbers(A), [&A] {
                         return std::make_unique<VectorWork<double>>(
                           to_scalar(A));
                       }});
    if (peer)
      {
        // Ours as numbers, and the peer's.
        forms.push_back({"PETSc AIJ", 2 * bytes_as_numbers(A), [&A, peer] {
                           return peer_vector_work(*peer, to_scalar(A));
                         }});
        if (n > 1)
          forms.push_back({"PETSc BAIJ", bytes_of(A), [&A, peer] {
                             return peer_vector_work(*peer, A);
                           }});
      }
    return measure_forms(settings, forms);
  }
} // namespace benchmark
