// SPDX-License-Identifier: LGPL-2.1-or-later
// In the place of device_patch_solver.cc in builds without CUDA, whose kernels
// do not exist there.
#include <tessera/base/device/device.h>
#include <tessera/base/exceptions.h>

#include "poisson_q3/patch_solver.h"

namespace tessera::poisson_q3
{
  template <int dim>
  std::unique_ptr<MultigridSolver<dim>>
  make_device_patch_solver(const Parameters &, const Communicator &, Progress &)
  {
    throw DeviceError("Backend = cuda: " + device::available_device().why_none);
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
