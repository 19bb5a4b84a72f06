// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/dealii/device_vector.h>
#include <tessera/dealii/precondition_patch_multigrid.templates.h>

// In a source of its own: programs on the host, without CUDA, link none of it.

namespace tessera::dealii_adapters
{
  template class PreconditionPatchMultigrid<2, execution::Device>;
  template class PreconditionPatchMultigrid<3, execution::Device>;

#define TESSERA_INSTANTIATE(dim, Number)                                    \
  template void PreconditionPatchMultigrid<dim, execution::Device>::vmult(  \
    DeviceVector<Number> &, const DeviceVector<Number> &) const;            \
  template void PreconditionPatchMultigrid<dim, execution::Device>::Tvmult( \
    DeviceVector<Number> &, const DeviceVector<Number> &) const;
  TESSERA_INSTANTIATE(2, float)
  TESSERA_INSTANTIATE(2, double)
  TESSERA_INSTANTIATE(3, float)
  TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
} // namespace tessera::dealii_adapters
