// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/laplace_operator.h"

#include <tessera/base/exceptions.h>

#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/tools.h>

#include <algorithm>

namespace tessera::poisson_q3
{
  using namespace dealii;

  namespace
  {
    template <int dim, typename Number>
    using Evaluation = FEEvaluation<dim, -1, 0, 1, Number>;

    template <int dim, typename Number>
    void
    apply_to_cell(Evaluation<dim, Number> &evaluation)
    {
      evaluation.evaluate(EvaluationFlags::gradients);
      for (unsigned int q = 0; q < evaluation.n_q_points; ++q)
        evaluation.submit_gradient(evaluation.get_gradient(q), q);
      evaluation.integrate(EvaluationFlags::gradients);
    }
  } // namespace



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::initialize(
    std::shared_ptr<const MatrixFree<dim, Number>> data)
  {
    matrix_free = std::move(data);
    constrained = matrix_free->get_constrained_dofs();
    std::sort(constrained.begin(), constrained.end());
    inverse_diagonal.reset();
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::clear()
  {
    matrix_free.reset();
    constrained.clear();
    inverse_diagonal.reset();
  }



  template <int dim, typename Number>
  types::global_dof_index
  LaplaceOperator<dim, Number>::m() const
  {
    return matrix_free->get_vector_partitioner()->size();
  }



  template <int dim, typename Number>
  types::global_dof_index
  LaplaceOperator<dim, Number>::n() const
  {
    return m();
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::initialize_dof_vector(VectorType &vector) const
  {
    matrix_free->initialize_dof_vector(vector);
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::apply_cells(
    const MatrixFree<dim, Number>               &data,
    VectorType                                  &dst,
    const VectorType                            &src,
    const std::pair<unsigned int, unsigned int> &cells) const
  {
    Evaluation<dim, Number> evaluation(data);
    for (unsigned int cell = cells.first; cell < cells.second; ++cell)
      {
        evaluation.reinit(cell);
        evaluation.read_dof_values(src);
        apply_to_cell(evaluation);
        evaluation.distribute_local_to_global(dst);
      }
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::vmult(VectorType       &dst,
                                      const VectorType &src) const
  {
    matrix_free->cell_loop(&LaplaceOperator::apply_cells, this, dst, src, true);
    for (const unsigned int i : constrained)
      dst.local_element(i) = src.local_element(i);
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::Tvmult(VectorType       &dst,
                                       const VectorType &src) const
  {
    vmult(dst, src);
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::vmult(VectorType          &dst,
                                      const VectorType    &src,
                                      const RangeFunction &before,
                                      const RangeFunction &after) const
  {
    // The loop calls the function on consecutive ranges, so that the
    // constrained entries of one are found by bisection.
    const auto set_constrained_then_after = [&](const unsigned int begin,
                                                const unsigned int end) {
      for (auto i =
             std::lower_bound(constrained.begin(), constrained.end(), begin);
           i != constrained.end() && *i < end;
           ++i)
        dst.local_element(*i) = src.local_element(*i);
      after(begin, end);
    };
    matrix_free->cell_loop(&LaplaceOperator::apply_cells,
                           this,
                           dst,
                           src,
                           before,
                           set_constrained_then_after);
  }



  template <int dim, typename Number>
  void
  LaplaceOperator<dim, Number>::compute_diagonal()
  {
    inverse_diagonal     = std::make_shared<DiagonalMatrix<VectorType>>();
    VectorType &diagonal = inverse_diagonal->get_vector();
    initialize_dof_vector(diagonal);
    const std::function<void(Evaluation<dim, Number> &)> cell_operation =
      [](Evaluation<dim, Number> &evaluation) { apply_to_cell(evaluation); };
    MatrixFreeTools::compute_diagonal(*matrix_free, diagonal, cell_operation);
    for (const unsigned int i : constrained)
      diagonal.local_element(i) = Number(1);
    for (Number &d : diagonal)
      {
        TESSERA_ASSERT(d > Number(0), "the Laplacian has a positive diagonal");
        d = Number(1) / d;
      }
  }



  template <int dim, typename Number>
  Number
  LaplaceOperator<dim, Number>::el(const unsigned int row,
                                   const unsigned int column) const
  {
    TESSERA_ASSERT(row == column, "only the diagonal is stored");
    (void)column;
    return Number(1) / inverse_diagonal->get_vector()(row);
  }



  template <int dim, typename Number>
  const std::shared_ptr<
    DiagonalMatrix<LinearAlgebra::distributed::Vector<Number>>> &
  LaplaceOperator<dim, Number>::get_matrix_diagonal_inverse() const
  {
    TESSERA_ASSERT(inverse_diagonal, "call compute_diagonal() first");
    return inverse_diagonal;
  }



  template <int dim, typename Number>
  const MatrixFree<dim, Number> &
  LaplaceOperator<dim, Number>::get_matrix_free() const
  {
    return *matrix_free;
  }



  template <int dim, typename Number>
  std::size_t
  LaplaceOperator<dim, Number>::memory_consumption() const
  {
    return matrix_free->memory_consumption() +
           constrained.capacity() * sizeof(unsigned int) +
           (inverse_diagonal ?
              inverse_diagonal->get_vector().memory_consumption() :
              0);
  }



  template class LaplaceOperator<2, double>;
  template class LaplaceOperator<2, float>;
  template class LaplaceOperator<3, double>;
  template class LaplaceOperator<3, float>;
} // namespace tessera::poisson_q3
