// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/patch_solver.templates.h"

namespace tessera::poisson_q3
{
  template class PatchSolver<2, execution::Device>;
  template class PatchSolver<3, execution::Device>;



  template <int dim>
  std::unique_ptr<MultigridSolver<dim>>
  make_device_patch_solver(const Parameters   &parameters,
                           const Communicator &communicator,
                           Progress           &progress)
  {
    return std::make_unique<PatchSolver<dim, execution::Device>>(parameters,
                                                                 communicator,
                                                                 progress);
  }



  template std::unique_ptr<MultigridSolver<2>>
  make_device_patch_solver(const Parameters &,
                           const Communicator &,
                           Progress &);
  template std::unique_ptr<MultigridSolver<3>>
  make_device_patch_solver(const Parameters &,
                           const Communicator &,
                           Progress &);
} // namespace tessera::poisson_q3
