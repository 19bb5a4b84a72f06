// SPDX-License-Identifier: LGPL-2.1-or-later
#include <deal.II/multigrid/mg_transfer_global_coarsening.h>

#include <vector>

#include "benchmarks/sipg_peer/multigrid_solver.h"

namespace benchmark::sipg_peer
{
  namespace
  {
    using Transfer = dealii::MGTransferGlobalCoarsening<dim, LevelVector>;

    class GlobalCoarsening : public MultigridSolver<Transfer>
    {
    public:
      explicit GlobalCoarsening(const Problem &the_problem)
        : MultigridSolver<Transfer>(the_problem)
        , triangulations(
            dealii::MGTransferGlobalCoarseningTools::
              create_geometric_coarsening_sequence(problem.triangulation()))
      {
        for (const auto &triangulation : triangulations)
          {
            dof_handlers.push_back(
              std::make_unique<dealii::DoFHandler<dim>>(*triangulation));
            dof_handlers.back()->distribute_dofs(
              problem.dof_handler().get_fe());
          }
        const dealii::DoFHandler<dim> &finest = *dof_handlers.back();
        A.reinit(problem.mapping(), finest);

        const unsigned int max = triangulations.size() - 1;
        level_operators.resize(0, max);
        dealii::MGLevelObject<dealii::MGTwoLevelTransfer<dim, LevelVector>>
          two_level(0, max);
        for (unsigned int level = 0; level <= max; ++level)
          {
            level_operators[level].reinit(problem.mapping(),
                                          *dof_handlers[level]);
            if (level > 0)
              two_level[level].reinit(*dof_handlers[level],
                                      *dof_handlers[level - 1]);
          }
        // With vectors as the operators have them, the transfer works in place.
        // Else that of deal.II 9.4 adds what a vector of its own still holds
        // from the last time, where elements are discontinuous.
        transfer = std::make_unique<Transfer>(
          two_level, [&](const unsigned int level, LevelVector &vector) {
            level_operators[level].initialize_dof_vector(vector);
          });
        set_up_cycle(finest);
      }

    private:
      std::vector<std::shared_ptr<const dealii::Triangulation<dim>>>
                                                            triangulations;
      std::vector<std::unique_ptr<dealii::DoFHandler<dim>>> dof_handlers;
    };
  } // namespace



  SolverKind
  global_coarsening()
  {
    return {"deal.II, global coarsening",
            false,
            "MatrixFree, MGTransferGlobalCoarsening in place, three steps of "
            "Chebyshev block-Jacobi before and after, on [2/15, 2]; Chebyshev "
            "to 1e-3 on 2^3 cells",
            true,
            [](const Problem &problem) {
              return std::make_unique<GlobalCoarsening>(problem);
            }};
  }
} // namespace benchmark::sipg_peer
