// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_dof_copy_launchers_h
#define tessera_cellwise_device_dof_copy_launchers_h

#include <tessera/base/device/stream.h>
#include <tessera/cellwise/layout.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    /** See DeviceDoFCopies. Arrays are on the device, Number is float or
     * double. */
    namespace on_device
    {
      /** message[j] = v[dofs[j]]. */
      template <typename Number>
      void
      pack_dofs(double               *message,
                const Number         *v,
                const unsigned int   *dofs,
                std::size_t           n,
                const device::Stream &stream);

      /** Largest magnitude of the v[i] with copy_of_dof[i] != no_copy; see
       * correct_and_residual(). */
      template <typename Number>
      void
      max_abs_of_dofs(const Number         *v,
                      const unsigned int   *copy_of_dof,
                      std::size_t           n,
                      unsigned long long   *largest,
                      const device::Stream &stream);

      /**
       * Value k of owned cell c in a blocked field is that of number dof, in
       * blocked order as the field: v[dof], ghosts[dof - n_owned_dofs], or zero
       * for no_dof. Cells from n_cells on, ghosts in the last block, are not
       * touched.
       *
       * @param[in] inner_faces Null, or for each cell, bit 2d + e, whether
       * there is a cell beyond the lower (e = 0) or upper (e = 1) end of axis
       * d: values are halved for each such face that the node is on.
       */
      template <typename Number>
      void
      gather_dofs(double               *field,
                  const Number         *v,
                  const double         *ghosts,
                  unsigned int          n_owned_dofs,
                  const unsigned int   *dof_of_copy,
                  const unsigned char  *inner_faces,
                  CellIndex             n_cells,
                  int                   n_nodes_of_axis,
                  int                   n_nodes,
                  const device::Stream &stream);

      /** z[i] = a u(c, k) for copy_of_dof[i] = c n_nodes + k, v[i] for no_copy.
       */
      template <typename Number, typename T, Layout layout>
      void
      collect_dofs(Number               *z,
                   double                a,
                   const T              *u,
                   const Number         *v,
                   const unsigned int   *copy_of_dof,
                   std::size_t           n,
                   int                   n_nodes,
                   const device::Stream &stream);
    } // namespace on_device
  }   // namespace cellwise
} // namespace tessera

#endif
