// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/dealii/precondition_patch_multigrid.templates.h>

#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>

namespace tessera::dealii_adapters
{
  template class PreconditionPatchMultigrid<2>;
  template class PreconditionPatchMultigrid<3>;

#define TESSERA_INSTANTIATE(dim, VectorType)                                \
  template void PreconditionPatchMultigrid<dim>::vmult(VectorType &,        \
                                                       const VectorType &)  \
    const;                                                                  \
  template void PreconditionPatchMultigrid<dim>::Tvmult(VectorType &,       \
                                                        const VectorType &) \
    const;
  TESSERA_INSTANTIATE(2, Vector<double>)
  TESSERA_INSTANTIATE(2, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(2, LinearAlgebra::distributed::Vector<float>)
  TESSERA_INSTANTIATE(3, Vector<double>)
  TESSERA_INSTANTIATE(3, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(3, LinearAlgebra::distributed::Vector<float>)
#undef TESSERA_INSTANTIATE
} // namespace tessera::dealii_adapters
