// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/spectrum.h"

#include <deal.II/lac/tridiagonal_matrix.h>
#include <deal.II/matrix_free/fe_evaluation.h>

#include <cmath>
#include <vector>

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

    /**
     * The Lanczos process on $D^{-1} A$, by the coefficients of conjugate
     * gradients that start from the residual @p r, which is overwritten. Ends
     * early when the residual has become 1e-6 of what it was.
     *
     * Not dealii::SolverCG, because it gives eigenvalues without the step in
     * which it converges. Where there are only a few unknowns, that step has
     * an end of the spectrum.
     */
    template <int dim, typename Number>
    SpectrumEstimate
    lanczos(const LaplaceOperator<dim, Number>                &A,
            typename LaplaceOperator<dim, Number>::VectorType &r,
            const unsigned int                                 max_iterations)
    {
      const Number largest_entry = r.linfty_norm();
      if (!(largest_entry >
            Number(0))) // every degree of freedom is constrained
        return {};
      // In two steps, as squares of cell volumes can be out of the range of
      // float.
      r /= largest_entry;
      r /= r.l2_norm();

      const auto &D_inverse = *A.get_matrix_diagonal_inverse();
      typename LaplaceOperator<dim, Number>::VectorType p, z, Ap;
      for (auto *const vector : {&p, &z, &Ap})
        A.initialize_dof_vector(*vector);

      // The projection of the operator onto the Krylov space.
      std::vector<double> diagonal, off_diagonal;

      D_inverse.vmult(z, r);
      p                = z;
      double r_z       = r * z;
      double beta_term = 0.;
      while (true)
        {
          A.vmult(Ap, p);
          const double alpha = r_z / (p * Ap);
          diagonal.push_back(1. / alpha + beta_term);
          r.add(Number(-alpha), Ap);
          if (diagonal.size() == max_iterations || !(r.l2_norm() > 1e-6))
            break;
          D_inverse.vmult(z, r);
          const double beta = (r * z) / r_z;
          off_diagonal.push_back(std::sqrt(beta) / alpha);
          beta_term = beta / alpha;
          r_z *= beta;
          p.sadd(Number(beta), z);
        }

      TridiagonalMatrix<double> projection(diagonal.size(), true);
      for (unsigned int i = 0; i < diagonal.size(); ++i)
        {
          projection(i, i) = diagonal[i];
          if (i > 0)
            projection(i, i - 1) = off_diagonal[i - 1];
        }
      projection.compute_eigenvalues();
      return {projection.eigenvalue(0),
              projection.eigenvalue(diagonal.size() - 1)};
    }
  } // namespace



  template <int dim, typename Number>
  SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<dim, Number> &A,
                    const unsigned int                  max_iterations)
  {
    using VectorType = typename LaplaceOperator<dim, Number>::VectorType;
    const MatrixFree<dim, Number> &data = A.get_matrix_free();

    VectorType start;
    A.initialize_dof_vector(start);

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

    return lanczos(A, start, max_iterations);
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
