// SPDX-License-Identifier: LGPL-2.1-or-later
// Eigenvalue estimates bound what a dense computation finds, the multigrid
// cycle is symmetric and positive definite, and the solver reports the residual
// that there is.
#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>

#include "box_problem.h"
#include "check.h"
#include "poisson_q3/chebyshev_multigrid.h"
#include "poisson_q3/linear_solver.h"
#include "poisson_q3/spectrum.h"

using namespace tessera;
using namespace tessera::poisson_q3;
using tests::box_parameters;
using tests::BoxProblem;
using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

namespace
{
  /** Both ends of the spectrum of $D^{-1} A$ by a dense solver, on one rank. */
  template <int dim>
  SpectrumEstimate
  dense_spectrum(const LaplaceOperator<dim, double> &A)
  {
    VectorType unit, column;
    A.initialize_dof_vector(unit);
    A.initialize_dof_vector(column);

    // Constrained rows are not part of the problem.
    std::vector<bool> is_free(A.m(), true);
    for (const unsigned int i : A.get_matrix_free().get_constrained_dofs())
      is_free[i] = false;
    std::vector<unsigned int> indices;
    for (unsigned int i = 0; i < A.m(); ++i)
      if (is_free[i])
        indices.push_back(i);

    dealii::LAPACKFullMatrix<double> matrix(indices.size(), indices.size());
    for (unsigned int j = 0; j < indices.size(); ++j)
      {
        unit             = 0.;
        unit(indices[j]) = 1.;
        A.vmult(column, unit);
        for (unsigned int i = 0; i < indices.size(); ++i)
          matrix(i, j) =
            column(indices[i]) / std::sqrt(A.el(indices[i], indices[i]) *
                                           A.el(indices[j], indices[j]));
      }
    dealii::Vector<double>     eigenvalues;
    dealii::FullMatrix<double> eigenvectors;
    matrix.compute_eigenvalues_symmetric(
      -1., 1000., 1e-14, eigenvalues, eigenvectors);
    CHECK_EQUAL(eigenvalues.size(), indices.size());
    return {eigenvalues[0], eigenvalues[eigenvalues.size() - 1]};
  }



  template <int dim>
  void
  test_spectrum(const Parameters &parameters)
  {
    const BoxProblem<dim> serial(parameters, MPI_COMM_SELF);
    const auto            A     = serial.template make_operator<double>();
    const auto            dense = dense_spectrum(A);

    // As for a smoother: a safety factor of 1.2 has to make it a bound.
    const SpectrumEstimate smoother = estimate_spectrum(A, 15);
    CHECK(smoother.largest <= dense.largest * (1. + 1e-6));
    CHECK(1.2 * smoother.largest >= dense.largest);

    // As for the coarsest level.
    const SpectrumEstimate coarse = estimate_spectrum(A, 200);
    CHECK_NEAR(coarse.largest / dense.largest, 1., 0.05);
    CHECK_NEAR(coarse.smallest / dense.smallest, 1., 0.05);

    const SpectrumEstimate in_float =
      estimate_spectrum(serial.template make_operator<float>(), 15);
    CHECK(in_float.largest <= dense.largest * (1. + 1e-4));
    CHECK(1.2 * in_float.largest >= dense.largest);

    // Independent of the number of ranks.
    const BoxProblem<dim>  parallel(parameters);
    const SpectrumEstimate on_all_ranks =
      estimate_spectrum(parallel.template make_operator<double>(), 15);
    CHECK_NEAR(on_all_ranks.largest, smoother.largest, 1e-8);
  }



  template <int dim, typename LevelNumber>
  void
  test_preconditioner(const Parameters &parameters, const double tolerance)
  {
    const BoxProblem<dim> problem(parameters);
    const auto           &A = problem.discretization.get_operator();
    ChebyshevMultigrid<dim, LevelNumber> M;
    M.initialize(problem.discretization.get_mapping(),
                 problem.discretization.get_dof_handler(),
                 {problem.data.dirichlet_ids()});

    VectorType x, y, Mx, My;
    for (auto *const vector : {&x, &y, &Mx, &My})
      A.initialize_dof_vector(*vector);
    for (unsigned int seed = 0; seed < 4; ++seed)
      {
        // Rough vectors, and smooth ones.
        tests::fill_at_random(x, 2 * seed);
        tests::fill_at_random(y, 2 * seed + 1);
        for (const unsigned int i : A.get_matrix_free().get_constrained_dofs())
          x.local_element(i) = y.local_element(i) = 0.;
        if (seed % 2 == 1)
          {
            M.vmult(Mx, x);
            x = Mx;
            M.vmult(My, y);
            y = My;
          }
        Mx = std::nan("");
        My = std::nan("");
        M.vmult(Mx, x);
        M.Tvmult(My, y);
        const double x_norm = x * Mx, y_norm = y * My;
        CHECK(x_norm > 0.);
        CHECK(y_norm > 0.);
        CHECK_NEAR((y * Mx - x * My) / std::sqrt(x_norm * y_norm),
                   0.,
                   tolerance);
      }
  }



  template <int dim, typename LevelNumber>
  void
  test_solver(Parameters parameters)
  {
    BoxProblem<dim> problem(parameters);
    const auto     &A = problem.discretization.get_operator();
    ChebyshevMultigrid<dim, LevelNumber> M;
    M.initialize(problem.discretization.get_mapping(),
                 problem.discretization.get_dof_handler(),
                 {problem.data.dirichlet_ids()});
    VectorType b, lift, x, r;
    problem.discretization.assemble(problem.data, b, lift);
    x.reinit(b);
    r.reinit(b);
    const auto residual_norm = [&]() {
      A.vmult(r, x);
      r -= b;
      return r.l2_norm();
    };

    for (const auto iteration : {Iteration::cg, Iteration::stationary})
      {
        parameters.iteration        = iteration;
        parameters.fixed_iterations = 0;
        parameters.tolerance        = 1e-8;
        tests::fill_at_random(x, 3); // has to be ignored
        unsigned int       n_reports = 0;
        const SolverResult result =
          solve(A, M, x, b, parameters, [&](unsigned int, double) {
            ++n_reports;
          });
        CHECK(result.converged);
        CHECK(result.n_iterations >= 1 && result.n_iterations <= 12);
        CHECK_EQUAL(n_reports, result.n_iterations);
        CHECK_EQUAL(result.residual_history.size(), result.n_iterations + 1u);
        CHECK_NEAR(result.residual_history.front() / b.l2_norm(), 1., 1e-13);
        CHECK_NEAR(result.residual_history.back() / residual_norm(), 1., 1e-4);
        CHECK(residual_norm() <= 1.0001e-8 * b.l2_norm());

        // The history of one run is that of every shorter one.
        parameters.fixed_iterations = 2;
        const SolverResult two      = solve(A, M, x, b, parameters);
        CHECK(two.converged);
        CHECK_EQUAL(two.n_iterations, 2u);
        CHECK_NEAR(two.residual_history[2] / result.residual_history[2],
                   1.,
                   1e-12);
        CHECK_NEAR(two.residual_history[2] / residual_norm(), 1., 1e-6);

        parameters.fixed_iterations = 0;
        parameters.max_iterations   = 1;
        const SolverResult short_of = solve(A, M, x, b, parameters);
        CHECK(!short_of.converged);
        CHECK_EQUAL(short_of.n_iterations, 1u);
        CHECK_NEAR(short_of.residual_history[1] / residual_norm(), 1., 1e-6);
        parameters.max_iterations = 100;

        VectorType zero(b);
        zero                          = 0.;
        const SolverResult nothing_to = solve(A, M, x, zero, parameters);
        CHECK(nothing_to.converged);
        CHECK_EQUAL(nothing_to.n_iterations, 0u);
        CHECK_EQUAL(x.linfty_norm(), 0.);

#ifdef NDEBUG
        // In debug builds, deal.II's vectors stop at a NaN before we do.
        VectorType broken(b);
        broken = std::nan("");
        CHECK_THROWS(SolverBreakdown, solve(A, M, x, broken, parameters));
#endif
      }
  }



  void
  test_rates()
  {
    // A tenth in each step.
    SolverResult result;
    result.n_iterations     = 3;
    result.residual_history = {5., 0.5, 0.05, 0.005};
    result.set_rates(0.002);
    CHECK_NEAR(result.contraction, 0.1, 1e-14);
    CHECK_NEAR(result.fractional_iterations, std::log10(1. / 0.002), 1e-13);

    // The tolerance met exactly, at a mean rate, and not yet.
    result.set_rates(0.001);
    CHECK_NEAR(result.fractional_iterations, 3., 1e-12);
    result.residual_history = {1., 1e-1, 1e-2, 1e-6};
    result.set_rates(1e-4);
    CHECK_NEAR(result.contraction, 1e-2, 1e-14);
    CHECK_NEAR(result.fractional_iterations, 2., 1e-12);
    result.set_rates(1e-8);
    CHECK_NEAR(result.fractional_iterations, 4., 1e-12);

    // An exact zero, and a residual that grows.
    result.residual_history = {1., 1e-1, 1e-2, 0.};
    result.set_rates(1e-4);
    CHECK_EQUAL(result.fractional_iterations, 3.);
    CHECK_EQUAL(result.contraction, 0.);
    result.residual_history = {1., 2., 4., 8.};
    result.set_rates(1e-4);
    CHECK_NEAR(result.contraction, 2., 1e-14);
    CHECK(std::isinf(result.fractional_iterations));

    // The last residual is not known, or all but the first one.
    result.residual_history = {1., 1e-2, 1e-4};
    result.set_rates(1e-6);
    CHECK_NEAR(result.contraction, 1e-2, 1e-14);
    CHECK_NEAR(result.fractional_iterations, 3., 1e-12);
    result.residual_history = {1.};
    result.set_rates(1e-4);
    CHECK(std::isnan(result.contraction));
    CHECK(std::isnan(result.fractional_iterations));

    // Nothing was done.
    result.n_iterations     = 0;
    result.residual_history = {0.};
    result.set_rates(1e-4);
    CHECK_EQUAL(result.contraction, 0.);
    CHECK_EQUAL(result.fractional_iterations, 0.);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);

  test_rates();

  // Two and three unknowns, where the Lanczos process ends by itself.
  test_spectrum<2>(box_parameters(1, {1., 4.}, {1, 1}, 1, {1}));
  test_spectrum<2>(box_parameters(2, {1., 4.}, {1, 1}, 0, {1}));
  test_spectrum<2>(box_parameters(2, {1., 1.}, {1, 1}, 0, {1}));
  test_spectrum<3>(box_parameters(1, {1., 1., 4.}, {1, 1, 1}, 1, {1}));

  for (unsigned int degree = 1; degree <= 7; ++degree)
    {
      test_spectrum<2>(box_parameters(degree, {1., 1.}, {1, 1}, 1));
      test_spectrum<2>(box_parameters(degree, {2., 1.}, {1, 1}, 1, {0, 3}));
    }
  test_spectrum<2>(box_parameters(3, {3., 2.}, {3, 2}, 1, {2}));
  test_spectrum<3>(box_parameters(2, {2., 1., 1.}, {1, 1, 1}, 1, {1, 2, 5}));
  test_spectrum<3>(box_parameters(4, {1., 1., 1.}, {1, 1, 1}, 1));

  const Parameters square = box_parameters(3, {1., 1.}, {1, 1}, 3);
  const Parameters box =
    box_parameters(2, {3., 2., 1.}, {3, 2, 1}, 2, {1, 2, 5});
  const Parameters few = box_parameters(1, {1., 4.}, {1, 1}, 2, {1});
  test_preconditioner<2, double>(square, 1e-13);
  test_preconditioner<2, float>(square, 1e-5);
  test_preconditioner<2, double>(few, 1e-13);
  test_preconditioner<3, double>(box, 1e-13);
  test_preconditioner<3, float>(box, 1e-5);

  test_solver<2, double>(square);
  test_solver<2, float>(square);
  test_solver<3, float>(box);
  return check::result();
}
