// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/spectrum.h"

#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/matrix_free/fe_evaluation.h>

#include <cmath>

namespace tessera::poisson_q3
{
  using namespace dealii;

  namespace
  {
    /** In [-1, 1], without a pattern in q. */
    double
    rough(const unsigned int q)
    {
      const double t = std::sin(12.9898 * (q + 1.)) * 43758.5453;
      return 2. * (t - std::floor(t)) - 1.;
    }
  } // namespace



  template <int dim, typename Number>
  SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<dim, Number> &A,
                    const unsigned int                  max_iterations)
  {
    using VectorType = typename LaplaceOperator<dim, Number>::VectorType;
    const MatrixFree<dim, Number> &data = A.get_matrix_free();

    VectorType start, solution;
    A.initialize_dof_vector(start);
    A.initialize_dof_vector(solution);

    FEEvaluation<dim, -1, 0, 1, Number> evaluation(data);
    for (unsigned int cell = 0; cell < data.n_cell_batches(); ++cell)
      {
        evaluation.reinit(cell);
        VectorizedArray<Number> factor(Number(0));
        for (unsigned int v = 0; v < data.n_active_entries_per_cell_batch(cell);
             ++v)
          {
            const Point<dim> center = data.get_cell_iterator(cell, v)->center();
            double           phase  = 0.5;
            for (unsigned int d = 0; d < dim; ++d)
              phase += (7. + 6. * d) * center[d];
            factor[v] = 1. + 0.5 * std::sin(phase);
          }
        for (unsigned int q = 0; q < evaluation.n_q_points; ++q)
          evaluation.submit_value(factor * Number(rough(q)), q);
        evaluation.integrate(EvaluationFlags::values);
        evaluation.distribute_local_to_global(start);
      }
    start.compress(VectorOperation::add);
    for (const unsigned int i : data.get_constrained_dofs())
      start.local_element(i) = Number(0);

    SpectrumEstimate estimate;
    const Number     largest_entry = start.linfty_norm();
    if (!(largest_entry > Number(0))) // every degree of freedom is constrained
      return estimate;
    // In two steps, as squares of cell volumes can be out of the range of
    // float.
    start /= largest_entry;
    start /= start.l2_norm();

    IterationNumberControl control(max_iterations, 1e-6, false, false);
    SolverCG<VectorType>   cg(control);
    cg.connect_eigenvalues_slot([&](const std::vector<double> &eigenvalues) {
      if (!eigenvalues.empty())
        estimate = {eigenvalues.front(), eigenvalues.back()};
    });
    cg.solve(A, solution, start, *A.get_matrix_diagonal_inverse());
    return estimate;
  }



  template SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<2, double> &, const unsigned int);
  template SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<2, float> &, const unsigned int);
  template SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<3, double> &, const unsigned int);
  template SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<3, float> &, const unsigned int);
} // namespace tessera::poisson_q3
