// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/multigrid_solver.h"

#include "poisson_q3/chebyshev_solver.h"
#include "poisson_q3/patch_solver.h"

namespace tessera::poisson_q3
{
  template <int dim>
  std::unique_ptr<MultigridSolver<dim>>
  make_multigrid_solver(const Parameters   &parameters,
                        const Communicator &communicator,
                        Progress           &progress,
                        const apps::Backend backend)
  {
    if (backend == apps::Backend::cuda)
      return make_device_patch_solver<dim>(parameters, communicator, progress);
    if (parameters.preconditioner == Preconditioner::patch_multigrid)
      return std::make_unique<PatchSolver<dim, execution::Host>>(parameters,
                                                                 communicator,
                                                                 progress);
    return std::make_unique<ChebyshevSolver<dim>>(parameters, progress);
  }



  template std::unique_ptr<MultigridSolver<2>>
  make_multigrid_solver(const Parameters &,
                        const Communicator &,
                        Progress &,
                        apps::Backend);
  template std::unique_ptr<MultigridSolver<3>>
  make_multigrid_solver(const Parameters &,
                        const Communicator &,
                        Progress &,
                        apps::Backend);
} // namespace tessera::poisson_q3
