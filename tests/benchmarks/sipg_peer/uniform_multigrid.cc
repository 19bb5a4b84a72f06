// SPDX-License-Identifier: LGPL-2.1-or-later
#include <deal.II/multigrid/mg_transfer_matrix_free.h>

#include "benchmarks/sipg_peer/multigrid_solver.h"

namespace benchmark::sipg_peer
{
  namespace
  {
    using Transfer = dealii::MGTransferMatrixFree<dim, float>;

    class UniformMultigrid : public MultigridSolver<Transfer>
    {
    public:
      explicit UniformMultigrid(const Problem &the_problem)
        : MultigridSolver<Transfer>(the_problem)
        , dof_handler(problem.triangulation())
      {
        dof_handler.distribute_dofs(problem.dof_handler().get_fe());
        dof_handler.distribute_mg_dofs();
        A.reinit(problem.mapping(), dof_handler);
        level_operators.resize(0, problem.triangulation().n_levels() - 1);
        for (unsigned int level = 0; level <= level_operators.max_level();
             ++level)
          level_operators[level].reinit(problem.mapping(), dof_handler, level);
        transfer = std::make_unique<Transfer>();
        transfer->build(dof_handler,
                        [&](const unsigned int level, LevelVector &vector) {
                          level_operators[level].initialize_dof_vector(vector);
                        });
        set_up_cycle(dof_handler);
      }

    private:
      dealii::DoFHandler<dim> dof_handler;
    };
  } // namespace



  SolverKind
  uniform_multigrid()
  {
    return {"deal.II, geometric",
            false,
            "MatrixFree, MGTransferMatrixFree, three steps of Chebyshev "
            "block-Jacobi before and after, on [2/15, 2]; Chebyshev to 1e-3 on "
            "2^3 cells",
            false,
            [](const Problem &problem) {
              return std::make_unique<UniformMultigrid>(problem);
            }};
  }
} // namespace benchmark::sipg_peer
