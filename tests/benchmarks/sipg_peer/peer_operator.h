// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sipg_peer_peer_operator_h
#define tessera_tests_benchmarks_sipg_peer_peer_operator_h

#include <tessera/dealii/compatibility.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <utility>

#include "benchmarks/sipg_peer/problem.h"

namespace benchmark::sipg_peer
{
  /**
   * The operator of sipg::ElementMatrices by deal.II's MatrixFree, on active
   * cells, with hanging nodes or without, or on a level of a uniform mesh.
   * FE_DGQHermite of degree 3, Gauss formulas of 4 points a direction. One
   * process.
   */
  template <typename Number>
  class PeerOperator : public tessera::dealii_compatibility::Subscriptor
  {
  public:
    using value_type = Number;
    using VectorType = dealii::LinearAlgebra::distributed::Vector<Number>;

    /** @param[in] level invalid_unsigned_int: active cells. */
    void
    reinit(const dealii::Mapping<dim>    &mapping,
           const dealii::DoFHandler<dim> &dof_handler,
           unsigned int level = dealii::numbers::invalid_unsigned_int);

    const dealii::MatrixFree<dim, Number> &
    get_matrix_free() const
    {
      return data;
    }

    dealii::types::global_dof_index
    m() const;

    void
    initialize_dof_vector(VectorType &vector) const;

    void
    vmult(VectorType &dst, const VectorType &src) const;

    /** The operator is symmetric. */
    void
    Tvmult(VectorType &dst, const VectorType &src) const;

  private:
    using Range = std::pair<unsigned int, unsigned int>;

    dealii::MatrixFree<dim, Number> data;

    void
    apply_cells(const dealii::MatrixFree<dim, Number> &,
                VectorType       &dst,
                const VectorType &src,
                const Range      &range) const;

    void
    apply_faces(const dealii::MatrixFree<dim, Number> &,
                VectorType       &dst,
                const VectorType &src,
                const Range      &range) const;

    void
    apply_boundary(const dealii::MatrixFree<dim, Number> &,
                   VectorType       &dst,
                   const VectorType &src,
                   const Range      &range) const;
  };
} // namespace benchmark::sipg_peer

#endif
