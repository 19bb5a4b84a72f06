// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_call_kernels_h
#define tessera_tests_patch_call_kernels_h

// The kernels of a level for a given instruction set.

#include <tessera/patch/level_kernels.h>

namespace tessera
{
  namespace patch
  {
    template <int dim, typename T>
    void
    sweep_on(const InstructionSet  set,
             const int             degree,
             T                    *u,
             const T              *b,
             const PatchList      &patches,
             const PatchTables<T> &tables)
    {
      TESSERA_CALL_SIMD_FOR(set, sweep<dim>(degree, u, b, patches, tables));
    }

    template <int dim, typename T>
    void
    restrict_residual_on(const InstructionSet     set,
                         const int                degree,
                         T                       *coarse_b,
                         const T                 *u,
                         const T                 *b,
                         const CellIndex         *parents,
                         const CellIndex         *children,
                         const std::size_t        n_parents,
                         const TransferTables<T> &tables)
    {
      TESSERA_CALL_SIMD_FOR(
        set,
        restrict_residual<dim>(
          degree, coarse_b, u, b, parents, children, n_parents, tables));
    }

    template <int dim, typename T>
    void
    prolongate_and_add_on(const InstructionSet     set,
                          const int                degree,
                          T                       *u,
                          const T                 *coarse_u,
                          const CellIndex         *parents,
                          const CellIndex         *children,
                          const std::size_t        n_parents,
                          const TransferTables<T> &tables)
    {
      TESSERA_CALL_SIMD_FOR(
        set,
        prolongate_and_add<dim>(
          degree, u, coarse_u, parents, children, n_parents, tables));
    }
  } // namespace patch
} // namespace tessera

#endif
