// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sipg_peer_multigrid_solver_h
#define tessera_tests_benchmarks_sipg_peer_multigrid_solver_h

#include <deal.II/base/mg_level_object.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/multigrid.h>

#include <memory>

#include "benchmarks/sipg_peer/block_jacobi.h"
#include "benchmarks/sipg_peer/peer_operator.h"
#include "benchmarks/sipg_peer/solver.h"

namespace benchmark::sipg_peer
{
  using LevelVector = dealii::LinearAlgebra::distributed::Vector<float>;

  /**
   * Conjugate gradients of deal.II with a V-cycle on levels in float: on each
   * three steps of Chebyshev in the block-Jacobi preconditioned operator before
   * and after the coarse correction, as ours, and a Chebyshev iteration to
   * 1e-3 on the coarsest level.
   *
   * Derived classes fill operator and level operators, make the transfer, and
   * call set_up_cycle().
   */
  template <typename Transfer>
  class MultigridSolver : public Solver
  {
  public:
    explicit MultigridSolver(const Problem &the_problem)
      : problem(the_problem)
    {}

    void
    assemble() override
    {
      A.initialize_dof_vector(b);
      A.initialize_dof_vector(x);
      for (unsigned int i = 0; i < b.locally_owned_size(); ++i)
        b.local_element(i) = problem.right_hand_side()(i);
    }

    int
    solve(const double    tolerance,
          const int       max_iterations,
          const Observer &observe) override
    {
      x = 0.;
      if (tolerance > 0.)
        {
          dealii::ReductionControl control(max_iterations, 0., tolerance);
          solve(control, observe);
          return control.last_step();
        }
      dealii::IterationNumberControl control(max_iterations, 0.);
      solve(control, observe);
      return control.last_step();
    }

    Coefficients
    solution() const override
    {
      return coefficients(x);
    }

  protected:
    const Problem                             &problem;
    PeerOperator<double>                       A;
    dealii::MGLevelObject<PeerOperator<float>> level_operators;
    std::unique_ptr<Transfer>                  transfer;

    /** @param[in] dof_handler The finest one, which is kept. */
    void
    set_up_cycle(const dealii::DoFHandler<dim> &dof_handler)
    {
      const unsigned int min = level_operators.min_level(),
                         max = level_operators.max_level();
      dealii::MGLevelObject<typename Smoother::AdditionalData> options(min,
                                                                       max);
      for (unsigned int level = min; level <= max; ++level)
        {
          auto &option = options[level];
          option.preconditioner =
            std::make_shared<BlockJacobi<float>>(level_operators[level]);
          if (level == min)
            {
              // A range below one is the tolerance of a solver.
              option.smoothing_range = 1e-3;
              option.degree          = dealii::numbers::invalid_unsigned_int;
              option.eig_cg_n_iterations = level_operators[level].m();
            }
          else
            {
              // Without estimates, as ours. They exceed the largest eigenvalue
              // by a safety factor of 1.2, and the smoother loses by it. On
              // uniform meshes the spectrum is bounded by 2; with hanging
              // nodes, too, where it was estimated.
              option.smoothing_range     = 15.;
              option.degree              = 3;
              option.max_eigenvalue      = 2.;
              option.eig_cg_n_iterations = 0;
            }
        }
      smoother.initialize(level_operators, options);
      for (unsigned int level = min; level <= max; ++level)
        {
          LevelVector vector;
          level_operators[level].initialize_dof_vector(vector);
          smoother[level].estimate_eigenvalues(vector);
        }
      coarse_solver.initialize(smoother);
      matrices.initialize(level_operators);
      multigrid = std::make_unique<dealii::Multigrid<LevelVector>>(
        matrices, coarse_solver, *transfer, smoother, smoother);
      preconditioner =
        std::make_unique<Preconditioner>(dof_handler, *multigrid, *transfer);
    }

  private:
    using Vector         = typename PeerOperator<double>::VectorType;
    using Smoother       = dealii::PreconditionChebyshev<PeerOperator<float>,
                                                   LevelVector,
                                                   BlockJacobi<float>>;
    using Preconditioner = dealii::PreconditionMG<dim, LevelVector, Transfer>;

    dealii::mg::SmootherRelaxation<Smoother, LevelVector> smoother;
    dealii::MGCoarseGridApplySmoother<LevelVector>        coarse_solver;
    dealii::mg::Matrix<LevelVector>                       matrices;
    std::unique_ptr<dealii::Multigrid<LevelVector>>       multigrid;
    std::unique_ptr<Preconditioner>                       preconditioner;
    Vector                                                b, x;

    void
    solve(dealii::SolverControl &control, const Observer &observe)
    {
      dealii::SolverCG<Vector> solver(control);
      if (observe)
        solver.connect(
          [&](const unsigned int iteration, double, const Vector &iterate) {
            if (iteration > 0)
              observe(iteration, coefficients(iterate));
            return dealii::SolverControl::success;
          });
      solver.solve(A, x, b, *preconditioner);
    }

    Coefficients
    coefficients(const Vector &vector) const
    {
      Coefficients result(vector.size());
      for (unsigned int i = 0; i < result.size(); ++i)
        result(i) = vector.local_element(i);
      return result;
    }
  };
} // namespace benchmark::sipg_peer

#endif
