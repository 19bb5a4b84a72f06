// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_block_matrix_assembly_h
#define tessera_dealii_block_matrix_assembly_h

#include <tessera/dealii/node_blocks.h>
#include <tessera/sparse/block_matrix.h>

#include <deal.II/lac/full_matrix.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * Assembly of matrices of cells into a matrix of blocks,
   * $A = \sum_K C_K^T A_K C_K$ with the constraints $u = C \tilde u + k$
   * of AffineConstraints: what
   * AffineConstraints::distribute_local_to_global() does for deal.II's
   * matrices.
   *
   * The pattern couples all components of all nodes of a cell, and those that
   * constrained degrees of freedom of it depend on. Rows and columns of
   * constrained components (of nodes that are block rows: see NodeBlocks) are
   * zero but for the diagonal, where cells add the absolute values of theirs
   * (or the mean of the cell's diagonal if that is zero), as in deal.II.
   *
   * Memory besides the pattern: 4 bytes a degree of freedom, and for each
   * constrained one 24 and 12 for each that it depends on.
   */
  template <int dim>
  class BlockMatrixAssembly
  {
  public:
    /** Finds the pattern.
     * @param[in] nodes Made from the same DoFHandler and constraints. Has to
     * live as long as this object. */
    BlockMatrixAssembly(const NodeBlocks<dim>                   &nodes,
                        const dealii::DoFHandler<dim>           &dof_handler,
                        const dealii::AffineConstraints<double> &constraints);

    const sparse::BlockPattern &
    pattern() const;

    /** A matrix of zeros. */
    sparse::BlockMatrix<double>
    matrix() const;

    /** Take over other inhomogeneities, for the right-hand sides to come.
     * @throws InputError if other degrees of freedom are constrained, or they
     * depend on others. */
    void
    set_inhomogeneities(const dealii::AffineConstraints<double> &constraints);

    /**
     * Add the matrix and right-hand side of a cell:
     * $A \mathrel{+}= C_K^T A_K C_K$,
     * $b \mathrel{+}= C_K^T (b_K - A_K k_K)$.
     *
     * Entries of b of constrained components are not touched. To be called by
     * one thread at a time. Cost: for cells without constraints, a pass over
     * A_K and over the blocks of A that it is added to.
     *
     * @param[in] dofs Of the cell, as get_dof_indices() gives them.
     * @throws InputError if A or b do not have the pattern or the nodes of this
     * object, or if these are not the degrees of freedom of a cell.
     */
    void
    distribute_local_to_global(
      const dealii::FullMatrix<double>                   &cell_matrix,
      const dealii::Vector<double>                       &cell_rhs,
      const std::vector<dealii::types::global_dof_index> &dofs,
      sparse::BlockMatrix<double>                        &A,
      sparse::BlockVector<double>                        &b);

    /** The matrix alone.
     * @throws InputError if A has not the pattern of this object. */
    void
    distribute_local_to_global(
      const dealii::FullMatrix<double>                   &cell_matrix,
      const std::vector<dealii::types::global_dof_index> &dofs,
      sparse::BlockMatrix<double>                        &A);

    /** The right-hand side alone, for constraints without inhomogeneities:
     * $b \mathrel{+}= C_K^T b_K$. */
    void
    distribute_local_to_global(
      const dealii::Vector<double>                       &cell_rhs,
      const std::vector<dealii::types::global_dof_index> &dofs,
      sparse::BlockVector<double>                        &b) const;

    std::size_t
    memory_consumption() const;

  private:
    /** A number of a cell's matrix, in the rows of a degree of freedom of the
     * cell, goes there, times the weight. */
    struct Term
    {
      unsigned int local; ///< number of the degree of freedom in the cell
      std::int32_t entry; ///< of block vectors
      double       weight;
    };

    /** What a constrained degree of freedom is equal to. */
    struct Line
    {
      std::int32_t entry; ///< its own; -1 if its node is no block row
      std::int32_t first_term, end_of_terms;
      double       inhomogeneity;
    };

    void
    find_lines(const dealii::AffineConstraints<double> &constraints);

    void
    find_pattern(const dealii::DoFHandler<dim> &dof_handler);

    /** Find terms, lines, and nodes of a cell. */
    void
    resolve(const std::vector<dealii::types::global_dof_index> &dofs);

    void
    add_matrix(const dealii::FullMatrix<double> &cell_matrix,
               sparse::BlockMatrix<double>      &A);

    void
    check_vector(const sparse::BlockVector<double> &b) const;

    const NodeBlocks<dim> &nodes;
    sparse::BlockPattern   blocks;

    /** [n_dofs]: the entry of a free degree of freedom, -1 - line of a
     * constrained one. */
    std::vector<std::int32_t> places;
    std::vector<Line>         lines;
    std::vector<std::int32_t> entries_of_terms;
    std::vector<double>       weights_of_terms;

    // Of the cell that is worked on.
    std::vector<Term>                                  terms;
    std::vector<std::pair<unsigned int, std::int32_t>> constrained; ///< lines
    std::vector<sparse::LocalIndex> cell_nodes;                  ///< ascending
    std::vector<std::size_t>        row_offsets, column_offsets; ///< of terms
    std::vector<double>             cell_blocks; ///< [n][n][b][b], n nodes
  };
} // namespace tessera::dealii_adapters

#endif
