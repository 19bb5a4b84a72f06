// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_matrix_in_blocks_h
#define tessera_dealii_matrix_in_blocks_h

#include <tessera/sparse/block_matrix.h>

#include <deal.II/base/config.h>
#include <deal.II/lac/sparse_matrix.h>
#ifdef DEAL_II_WITH_TRILINOS
#  include <deal.II/lac/trilinos_sparse_matrix.h>
#endif

namespace tessera::dealii_adapters
{
  /**
   * A matrix of numbers in blocks: rows b i, ..., b i + b - 1 are block row i.
   * There is a block where the sparsity pattern has an entry in it.
   *
   * Whether b rows that follow each other are those of one node is seen from
   * two things. Rows of a node (but those without entries beside the diagonal,
   * of constrained degrees of freedom) have entries in the same nodes; this has
   * to be so for nineteen nodes of twenty, for constraints make exceptions.
   * And where the matrix maps constants of single components to zero, it does
   * so for this numbering, and not for one component by component.
   *
   * @throws InputError, which says what was found and names
   * DoFRenumbering::support_point_wise(), if b does not divide the number of
   * rows, or the numbering is another one; for matrices that are not square, or
   * of more than one process.
   * @{
   */
  sparse::BlockMatrix<double>
  matrix_in_blocks(const dealii::SparseMatrix<double> &matrix, int b);

#ifdef DEAL_II_WITH_TRILINOS
  sparse::BlockMatrix<double>
  matrix_in_blocks(const dealii::TrilinosWrappers::SparseMatrix &matrix, int b);
#endif
  /** @} */

  /**
   * The values of another matrix of numbers, into the blocks that are there.
   * @throws InputError if there is no room for an entry: then the matrix has
   * another pattern than the one before.
   * @{
   */
  void
  copy_values(const dealii::SparseMatrix<double> &matrix,
              sparse::BlockMatrix<double>        &blocks);

#ifdef DEAL_II_WITH_TRILINOS
  void
  copy_values(const dealii::TrilinosWrappers::SparseMatrix &matrix,
              sparse::BlockMatrix<double>                  &blocks);
#endif
  /** @} */
} // namespace tessera::dealii_adapters

#endif
