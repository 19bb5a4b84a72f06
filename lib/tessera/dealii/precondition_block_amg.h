// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_precondition_block_amg_h
#define tessera_dealii_precondition_block_amg_h

#include <tessera/amg/hierarchy_record.h>
#include <tessera/dealii/block_amg_data.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <deal.II/base/config.h>
#include <deal.II/base/types.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>
#ifdef DEAL_II_WITH_TRILINOS
#  include <deal.II/lac/trilinos_sparse_matrix.h>
#endif

#include <cstddef>
#include <iosfwd>
#include <memory>

namespace tessera::dealii_adapters
{
  /**
   * One V-cycle of smoothed-aggregation multigrid on blocks as a preconditioner
   * of deal.II, $z = C r \approx A^{-1} r$: see amg::BlockAMG.
   *
   * For symmetric positive definite matrices of systems of equations with
   * block_size unknowns a node, such as elasticity, and of scalar ones. The
   * unknowns of a node have to be numbered one after the other. Elements of
   * systems are numbered otherwise by DoFHandler::distribute_dofs(): call
   * DoFRenumbering::support_point_wise() after it. Matrices are checked:
   * the rows of a node have entries in the same nodes.
   *
   * Rows of constrained degrees of freedom may have anything positive on the
   * diagonal, as AffineConstraints leaves it, and no other entries; columns
   * alike. They are left out of the hierarchy.
   *
   * C is symmetric and positive definite up to rounding of the level precision,
   * and fit for SolverCG. One process; one object serves one thread at a time.
   */
  class PreconditionBlockAMG : public dealii_compatibility::Subscriptor
  {
  public:
    using AdditionalData = BlockAMGData;

    /** Without a use before initialize(). */
    PreconditionBlockAMG();

    ~PreconditionBlockAMG() override;

    /**
     * Make everything for a matrix. A BlockMatrix is not copied and has to live
     * as long as this object is used, or until the next call of initialize() or
     * update(); of matrices of numbers a copy in blocks is kept.
     *
     * @throws InputError (a std::exception), with a message that says what was
     * found and what to do: for numbers of rows that are no multiple of
     * block_size; a numbering that is not by nodes; coordinates, modes or
     * keys of another length, or coordinates that are not those of the nodes;
     * matrices of more than one process; and as amg::BlockAMG::initialize().
     * @throws SolverBreakdown if the matrix is not positive definite and this
     * is noticed. The object is not initialized then.
     * @{
     */
    void
    initialize(const sparse::BlockMatrix<double> &matrix,
               const AdditionalData              &data = AdditionalData());

    void
    initialize(const dealii::SparseMatrix<double> &matrix,
               const AdditionalData               &data = AdditionalData());

#ifdef DEAL_II_WITH_TRILINOS
    void
    initialize(const dealii::TrilinosWrappers::SparseMatrix &matrix,
               const AdditionalData &data = AdditionalData());
#endif
    /** @} */

    /**
     * For a matrix of the same kind and pattern with other values: what depends
     * on values is computed again, but prolongators are kept. Several times
     * faster than initialize(), and as good as long as the values do not
     * change much.
     * @throws InputError before initialize(), or for another kind of matrix or
     * another pattern; and as amg::BlockAMG::update(). The object is not
     * initialized after an error.
     * @{
     */
    void
    update(const sparse::BlockMatrix<double> &matrix);

    void
    update(const dealii::SparseMatrix<double> &matrix);

#ifdef DEAL_II_WITH_TRILINOS
    void
    update(const dealii::TrilinosWrappers::SparseMatrix &matrix);
#endif
    /** @} */

    /** Give back all memory; the state after construction. */
    void
    clear();

    /**
     * $dst = C\,src$, for dealii::Vector<double>,
     * LinearAlgebra::distributed::Vector<double>,
     * TrilinosWrappers::MPI::Vector and sparse::BlockVector<double>. The
     * vectors are different objects.
     * @throws InputError before initialize(), or if sizes do not fit.
     */
    template <typename VectorType>
    void
    vmult(VectorType &dst, const VectorType &src) const;

    /** $dst = C^T src$: the same, since C is symmetric. */
    template <typename VectorType>
    void
    Tvmult(VectorType &dst, const VectorType &src) const;

    /** Number of rows of the matrix; zero before initialize(). @{ */
    dealii::types::global_dof_index
    m() const;

    dealii::types::global_dof_index
    n() const;
    /** @} */

    /** Bytes, with the matrix in blocks where it is a copy. */
    std::size_t
    memory_consumption() const;

    /** What there is to know of the hierarchy.
     * @throws InputError before initialize(). */
    const amg::HierarchyRecord &
    record() const;

    /** A table of it for people; see amg::print_hierarchy().
     * @throws InputError before initialize(). */
    void
    print_hierarchy(std::ostream &out) const;

  private:
    class Implementation;

    Implementation &
    initialized() const;

    template <typename Matrix>
    void
    update_or_clear(const Matrix &matrix);

    std::unique_ptr<Implementation> implementation;
  };
} // namespace tessera::dealii_adapters

#endif
