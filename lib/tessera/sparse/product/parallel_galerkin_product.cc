// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/parallel_galerkin_product.h>

#include <string>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      /** The global rows and columns of all blocks of a pattern whose rows are
       * local indices of `rows`. */
      void
      global_coordinates(const BlockPattern       &pattern,
                         const IndexLayout        &rows,
                         std::vector<GlobalIndex> &row_indices,
                         std::vector<GlobalIndex> &column_indices)
      {
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            {
              row_indices.push_back(rows.global(i));
              column_indices.push_back(
                pattern.columns().global(pattern.column_indices()[k]));
            }
      }
    } // namespace



    template <typename Number>
    ParallelGalerkinProduct<Number>::ParallelGalerkinProduct(
      const BlockPattern   &A,
      const BlockPattern   &P,
      const int             fine,
      const int             coarse,
      const ProductOptions &options)
    {
      const Communicator &communicator = A.rows().communicator();
      communicator.throw_collectively(
        A.rows().same_owned(A.columns()) ?
          "" :
          "Galerkin product: A has " + std::to_string(A.rows().n_global()) +
            " block rows and " + std::to_string(A.columns().n_global()) +
            " block columns; it is to be square, with rows and columns owned "
            "alike.");
      if (communicator.n_ranks() == 1)
        {
          product = std::make_unique<GalerkinProduct<Number>>(
            A, P, fine, coarse, options);
          return;
        }
      rows_of_P = std::make_unique<GhostRows<Number>>(P,
                                                      BlockShape{fine, coarse},
                                                      A.columns());
      communicator.collectively([&] {
        product = std::make_unique<GalerkinProduct<Number>>(
          A, rows_of_P->pattern(), fine, coarse, options);
        contributions =
          BlockMatrix<Number>(product->pattern(), product->shape());
      });
      const IndexLayout       &columns = rows_of_P->pattern().columns();
      std::vector<GlobalIndex> row_indices, column_indices;
      global_coordinates(product->pattern(),
                         columns,
                         row_indices,
                         column_indices);
      assembly = std::make_unique<BlockAssembly<Number>>(
        columns, columns, row_indices, column_indices, product->shape());
    }



    template <typename Number>
    const BlockPattern &
    ParallelGalerkinProduct<Number>::pattern() const
    {
      return assembly ? assembly->pattern() : product->pattern();
    }



    template <typename Number>
    BlockShape
    ParallelGalerkinProduct<Number>::shape() const
    {
      return product->shape();
    }



    template <typename Number>
    const GalerkinProduct<Number> &
    ParallelGalerkinProduct<Number>::local_product() const
    {
      return *product;
    }



    template <typename Number>
    void
    ParallelGalerkinProduct<Number>::multiply(const BlockMatrix<Number> &A,
                                              const BlockMatrix<Number> &P,
                                              BlockMatrix<Number>       &A_c)
    {
      if (!assembly)
        return product->multiply(A, P, A_c);
      product->multiply(A, rows_of_P->update(P), contributions);
      assembly->set_values(contributions.values(), AssemblyMode::insert, A_c);
    }



    template <typename Number>
    std::size_t
    ParallelGalerkinProduct<Number>::memory_consumption() const
    {
      return product->memory_consumption() +
             (assembly ? rows_of_P->memory_consumption() +
                           contributions.memory_consumption() +
                           assembly->memory_consumption() :
                         0);
    }



    template class ParallelGalerkinProduct<float>;
    template class ParallelGalerkinProduct<double>;
  } // namespace sparse
} // namespace tessera
