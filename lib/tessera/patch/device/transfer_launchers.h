// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_transfer_launchers_h
#define tessera_patch_device_transfer_launchers_h

#include <tessera/base/device/stream.h>
#include <tessera/cellwise/layout.h>
#include <tessera/patch/level_kernels.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /**
     * Kernels of levels on a device: fields are contiguous, fields and lists in
     * device memory; tables are in host memory and may be changed when a
     * launcher returns. Results have the bits of the host's kernels of the same
     * name, see level_kernels.h.
     * @throws InputError for degrees that devices do not take.
     */
    namespace on_device
    {
      /**
       * $\hat b_{parent} = \sum_c (\hat P_c^T)^{\otimes} (\hat b_c -
       * \Lambda_K (S^{-1})^{\otimes} u_c)$.
       *
       * One child a thread. Cost for degree 3 in three dimensions: 136 numbers
       * a child between device memory and registers, 1600 operations and 320
       * shuffles.
       */
      template <int dim, typename T>
      void
      restrict_residual(int                      degree,
                        T                       *coarse_b,
                        const T                 *u,
                        const T                 *b,
                        const CellIndex         *parents,
                        const CellIndex         *children,
                        std::size_t              n_parents,
                        const TransferTables<T> &tables,
                        const device::Stream    &stream);

      /** $u_c \leftarrow u_c + (P_c)^{\otimes} u_{parent}$. Cost: likewise 136
       * numbers a child, 832 operations. */
      template <int dim, typename T>
      void
      prolongate_and_add(int                      degree,
                         T                       *u,
                         const T                 *coarse_u,
                         const CellIndex         *parents,
                         const CellIndex         *children,
                         std::size_t              n_parents,
                         const TransferTables<T> &tables,
                         const device::Stream    &stream);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera

#endif
