// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sipg_peer_block_jacobi_h
#define tessera_tests_benchmarks_sipg_peer_block_jacobi_h

#include <deal.II/lac/tensor_product_matrix.h>

#include <vector>

#include "benchmarks/sipg_peer/peer_operator.h"

namespace benchmark::sipg_peer
{
  /**
   * The inverse of the diagonal cell blocks of a PeerOperator by deal.II's fast
   * diagonalization.
   *
   * Cells of one size with faces of the same kinds, to neighbours of the same
   * size or larger, to smaller ones, or at the boundary, share their matrices.
   */
  template <typename Number>
  class BlockJacobi : public tessera::dealii_compatibility::Subscriptor
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<Number>;

    /** @p A is kept and has to outlive this object. */
    explicit BlockJacobi(const PeerOperator<Number> &A);

    void
    vmult(VectorType &dst, const VectorType &src) const;

  private:
    using Lanes = dealii::VectorizedArray<Number>;

    const PeerOperator<Number> &A;
    std::vector<dealii::TensorProductMatrixSymmetricSum<dim, Lanes, degree + 1>>
      inverses;

    /** Of each batch of cells: which of the inverses. */
    std::vector<unsigned int> inverse_of_batch;
  };
} // namespace benchmark::sipg_peer

#endif
