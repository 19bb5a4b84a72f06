// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/local_multigrid.h>
#include <tessera/sipg/right_hand_side.h>

#include "benchmarks/sipg_peer/solver.h"

namespace benchmark::sipg_peer
{
  namespace
  {
    using namespace tessera;

    class LocalMultigridSolver : public Solver
    {
    public:
      explicit LocalMultigridSolver(const Problem &the_problem)
        : problem(the_problem)
        , matrices(degree, {penalty_factor, boundary_factor})
        , levels(std::make_shared<const sipg::LevelHierarchy<dim>>(
            problem.forest().forest()))
        , A(levels, matrices)
        , B(levels, matrices)
        , b(A.layout())
        , x(A.layout())
      {}

      void
      assemble() override
      {
        sipg::ProblemData<dim> data;
        data.source = source;
        assemble_right_hand_side(*levels, matrices, data, b);
      }

      int
      solve(const double    tolerance,
            const int       max_iterations,
            const Observer &observe) override
      {
        x.set_zero();
        sipg::IterationObserver on_fields;
        if (observe)
          on_fields = [&](const int                        iteration,
                          const sipg::PrimalField<double> &iterate) {
            observe(iteration, coefficients(iterate));
          };
        return sipg::solve_conjugate_gradients(
                 [&](const sipg::PrimalField<double> &u,
                     sipg::DualField<double>         &y) { A.apply(u, y); },
                 [&](const sipg::DualField<double> &r,
                     sipg::PrimalField<double>     &z) { B.apply(r, z); },
                 b,
                 x,
                 {tolerance, max_iterations},
                 on_fields)
          .n_iterations;
      }

      Coefficients
      solution() const override
      {
        return coefficients(x);
      }

    private:
      const Problem                                   &problem;
      const sipg::ElementMatrices                      matrices;
      std::shared_ptr<const sipg::LevelHierarchy<dim>> levels;
      sipg::FusedOperator<dim>                         A;
      sipg::LocalMultigrid<dim, float>                 B;
      sipg::DualField<double>                          b;
      sipg::PrimalField<double>                        x;

      Coefficients
      coefficients(const sipg::PrimalField<double> &field) const
      {
        Coefficients result(problem.dof_handler().n_dofs());
        problem.fields().from_primal(field, result);
        return result;
      }
    };
  } // namespace



  SolverKind
  our_solver()
  {
    return {"ours",
            true,
            "local multigrid, three steps of Chebyshev block-Jacobi before and "
            "after, on [2/15, 2]; exact on 2^3 cells",
            true,
            [](const Problem &problem) {
              return std::make_unique<LocalMultigridSolver>(problem);
            }};
  }
} // namespace benchmark::sipg_peer
