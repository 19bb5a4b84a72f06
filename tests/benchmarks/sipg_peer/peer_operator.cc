// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/sipg_peer/peer_operator.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/vectorization.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/matrix_free/evaluation_flags.h>
#include <deal.II/matrix_free/fe_evaluation.h>

#include <algorithm>
#include <cmath>

namespace benchmark::sipg_peer
{
  using namespace dealii;

  namespace
  {
    constexpr double gamma = penalty_factor * degree * (degree + 1);

    const auto values_and_gradients =
      EvaluationFlags::values | EvaluationFlags::gradients;

    template <typename Number>
    using CellEvaluation = FEEvaluation<dim, degree, degree + 1, 1, Number>;

    template <typename Number>
    using FaceEvaluation = FEFaceEvaluation<dim, degree, degree + 1, 1, Number>;

    /** 1/h normal to the faces, h of the cell that is looked at. */
    template <typename Number>
    VectorizedArray<Number>
    inverse_size(const FaceEvaluation<Number> &face)
    {
      // The last coordinate of the reference face is the normal one.
      return std::abs(
        (face.get_normal_vector(0) * face.inverse_jacobian(0))[dim - 1]);
    }
  } // namespace



  template <typename Number>
  void
  PeerOperator<Number>::reinit(const Mapping<dim>    &mapping,
                               const DoFHandler<dim> &dof_handler,
                               const unsigned int     level)
  {
    AffineConstraints<Number> none;
    none.close();
    typename MatrixFree<dim, Number>::AdditionalData options;
    options.tasks_parallel_scheme =
      MatrixFree<dim, Number>::AdditionalData::none;
    options.mapping_update_flags = update_gradients | update_JxW_values;
    options.mapping_update_flags_inner_faces =
      options.mapping_update_flags_boundary_faces =
        update_gradients | update_JxW_values | update_normal_vectors;
    options.mg_level = level;
    data.reinit(mapping, dof_handler, none, QGauss<1>(degree + 1), options);
  }



  template <typename Number>
  types::global_dof_index
  PeerOperator<Number>::m() const
  {
    return data.get_vector_partitioner()->size();
  }



  template <typename Number>
  void
  PeerOperator<Number>::initialize_dof_vector(VectorType &vector) const
  {
    data.initialize_dof_vector(vector);
  }



  template <typename Number>
  void
  PeerOperator<Number>::vmult(VectorType &dst, const VectorType &src) const
  {
    // In this basis a face needs the two layers of coefficients next to it.
    using Access = typename MatrixFree<dim, Number>::DataAccessOnFaces;
    data.loop(&PeerOperator::apply_cells,
              &PeerOperator::apply_faces,
              &PeerOperator::apply_boundary,
              this,
              dst,
              src,
              true,
              Access::gradients,
              Access::gradients);
  }



  template <typename Number>
  void
  PeerOperator<Number>::Tvmult(VectorType &dst, const VectorType &src) const
  {
    vmult(dst, src);
  }



  template <typename Number>
  void
  PeerOperator<Number>::apply_cells(const MatrixFree<dim, Number> &,
                                    VectorType       &dst,
                                    const VectorType &src,
                                    const Range      &range) const
  {
    CellEvaluation<Number> cell(data);
    for (unsigned int batch = range.first; batch < range.second; ++batch)
      {
        cell.reinit(batch);
        cell.gather_evaluate(src, EvaluationFlags::gradients);
        for (unsigned int q = 0; q < cell.n_q_points; ++q)
          cell.submit_gradient(cell.get_gradient(q), q);
        cell.integrate_scatter(EvaluationFlags::gradients, dst);
      }
  }



  template <typename Number>
  void
  PeerOperator<Number>::apply_faces(const MatrixFree<dim, Number> &,
                                    VectorType       &dst,
                                    const VectorType &src,
                                    const Range      &range) const
  {
    FaceEvaluation<Number> inner(data, true), outer(data, false);
    for (unsigned int batch = range.first; batch < range.second; ++batch)
      {
        inner.reinit(batch);
        outer.reinit(batch);
        inner.gather_evaluate(src, values_and_gradients);
        outer.gather_evaluate(src, values_and_gradients);
        const VectorizedArray<Number> sigma =
          Number(gamma) * std::max(inverse_size(inner), inverse_size(outer));
        for (unsigned int q = 0; q < inner.n_q_points; ++q)
          {
            const VectorizedArray<Number> jump =
              inner.get_value(q) - outer.get_value(q);
            const VectorizedArray<Number> mean_slope =
              Number(0.5) *
              (inner.get_normal_derivative(q) + outer.get_normal_derivative(q));
            const VectorizedArray<Number> flux      = sigma * jump - mean_slope;
            const VectorizedArray<Number> half_jump = Number(-0.5) * jump;
            inner.submit_value(flux, q);
            outer.submit_value(-flux, q);
            inner.submit_normal_derivative(half_jump, q);
            outer.submit_normal_derivative(half_jump, q);
          }
        inner.integrate_scatter(values_and_gradients, dst);
        outer.integrate_scatter(values_and_gradients, dst);
      }
  }



  template <typename Number>
  void
  PeerOperator<Number>::apply_boundary(const MatrixFree<dim, Number> &,
                                       VectorType       &dst,
                                       const VectorType &src,
                                       const Range      &range) const
  {
    FaceEvaluation<Number> face(data, true);
    for (unsigned int batch = range.first; batch < range.second; ++batch)
      {
        face.reinit(batch);
        face.gather_evaluate(src, values_and_gradients);
        const VectorizedArray<Number> sigma =
          Number(boundary_factor * gamma) * inverse_size(face);
        for (unsigned int q = 0; q < face.n_q_points; ++q)
          {
            const VectorizedArray<Number> value = face.get_value(q);
            face.submit_value(sigma * value - face.get_normal_derivative(q), q);
            face.submit_normal_derivative(-value, q);
          }
        face.integrate_scatter(values_and_gradients, dst);
      }
  }



  template class PeerOperator<double>;
  template class PeerOperator<float>;
} // namespace benchmark::sipg_peer
