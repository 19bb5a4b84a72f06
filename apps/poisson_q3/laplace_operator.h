// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_laplace_operator_h
#define tessera_apps_poisson_q3_laplace_operator_h

#include <tessera/dealii/compatibility.h>

#include <deal.II/lac/diagonal_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <functional>
#include <memory>
#include <vector>

namespace tessera::poisson_q3
{
  /**
   * The matrix-free operator of the Laplacian on continuous elements,
   * $(A u)_i = \int_\Omega \nabla \phi_i \cdot \nabla u_h$, with unit rows for
   * constrained degrees of freedom, on the active mesh or a multigrid level.
   *
   * The degree is a run-time number; deal.II evaluates degrees up to 6 by
   * kernels that are compiled into its library. Constraints are homogeneous
   * Dirichlet conditions (no hanging nodes).
   *
   * Storage: vectors of locally owned degrees of freedom with the ghost layout
   * of the MatrixFree object, host memory. Deterministic for a given number of
   * ranks. Collective.
   */
  template <int dim, typename Number>
  class LaplaceOperator : public dealii_compatibility::Subscriptor
  {
  public:
    using value_type = Number;
    using VectorType = dealii::LinearAlgebra::distributed::Vector<Number>;
    using size_type  = dealii::types::global_dof_index;
    using RangeFunction =
      std::function<void(const unsigned int, const unsigned int)>;

    /** Use the first DoFHandler and first quadrature of @p matrix_free. */
    void
    initialize(
      std::shared_ptr<const dealii::MatrixFree<dim, Number>> matrix_free);

    void
    clear();

    size_type
    m() const;

    size_type
    n() const;

    void
    initialize_dof_vector(VectorType &vector) const;

    /** $dst = A\,src$. The vectors must be different. */
    void
    vmult(VectorType &dst, const VectorType &src) const;

    /** The same: the operator is symmetric. */
    void
    Tvmult(VectorType &dst, const VectorType &src) const;

    /**
     * $dst \mathrel{+}= A\,src$ with work on index ranges interleaved:
     * @p before runs on a range of locally owned entries before the product
     * first touches it (and has to set dst to zero there), @p after runs when
     * the range of dst is final. This is the interface by which
     * dealii::PreconditionChebyshev merges its vector updates into the product.
     *
     * At the end of the loop deal.II once more copies the constrained entries
     * from src to dst: what @p after writes to these entries of dst may be
     * lost. Multigrid does not mind, for corrections are zero there.
     */
    void
    vmult(VectorType          &dst,
          const VectorType    &src,
          const RangeFunction &before,
          const RangeFunction &after) const;

    /** Compute the diagonal; unit entries for constrained rows. */
    void
    compute_diagonal();

    /** Entry of the diagonal; compute_diagonal() comes first. */
    Number
    el(const unsigned int row, const unsigned int column) const;

    /** The inverse of the diagonal; compute_diagonal() comes first. */
    const std::shared_ptr<dealii::DiagonalMatrix<VectorType>> &
    get_matrix_diagonal_inverse() const;

    const dealii::MatrixFree<dim, Number> &
    get_matrix_free() const;

    std::size_t
    memory_consumption() const;

  private:
    void
    apply_cells(const dealii::MatrixFree<dim, Number>       &data,
                VectorType                                  &dst,
                const VectorType                            &src,
                const std::pair<unsigned int, unsigned int> &cells) const;

    std::shared_ptr<const dealii::MatrixFree<dim, Number>> matrix_free;

    /** Locally owned constrained entries, ascending. */
    std::vector<unsigned int> constrained;

    std::shared_ptr<dealii::DiagonalMatrix<VectorType>> inverse_diagonal;
  };
} // namespace tessera::poisson_q3

#endif
