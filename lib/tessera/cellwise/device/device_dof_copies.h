// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_dof_copies_h
#define tessera_cellwise_device_device_dof_copies_h

#include <tessera/base/device/buffer_exchange.h>
#include <tessera/base/device/memory.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/device/dof_copy_launchers.h>
#include <tessera/cellwise/dof_copies.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Between vectors and cell-wise fields in the memory of a device. With G,
     * which copies degrees of freedom to cells, $D = \mathrm{diag}(G^T G)$, how
     * many cells share them, and Z, which sets those of Dirichlet nodes to
     * zero:
     * - $u = G Z v$ and $r = D^{-1} G Z v$ in the owned cells;
     * - $z_i = a\,u_{K,k}$ for a copy (K, k) of i, $z_i = v_i$ for Dirichlet
     *   nodes.
     *
     * Vectors are arrays v[n_owned()] of Number = float or double on the
     * device. Fields are blocked and in double, or those of levels. Work is
     * given to the stream; only max_abs() waits for it, and, with ghosts,
     * messages wait for what they send. Deterministic.
     *
     * Device memory: 4 bytes a copy and 4 a degree of freedom, one a cell, 8
     * bytes for each value of a message. Cost for degree 3 in three dimensions,
     * in bytes a cell between device memory and registers, of vectors of double
     * and levels in float: max_abs() 324, gather() and distribute() 984,
     * collect() 580.
     */
    class DeviceDoFCopies
    {
    public:
      /**
       * Collective.
       * @param[in] queue Outlives the object.
       * @throws DeviceError where there is no memory; InputError for more than
       * $2^{32} - 1$ copies.
       */
      DeviceDoFCopies(const DoFCopies &copies, const device::Stream &queue);

      std::size_t
      n_owned() const
      {
        return copy_of_dof.size();
      }

      /** $\max_i |(Z v)_i|$ of this rank; NaN if a number is not finite. Waits
       * for the stream: 8 bytes are copied. Local. */
      template <typename Number>
      double
      max_abs(const Number *v);

      /** $u = G Z v$ in the owned cells; others are not touched. Collective. */
      template <typename Number>
      void
      gather(DevicePrimalField<double> &u, const Number *v);

      /** $r = D^{-1} G Z v$, likewise. */
      template <typename Number>
      void
      distribute(DeviceDualField<double> &r, const Number *v);

      /** $z_i = a\,u_{K,k}$, $z_i = v_i$ for Dirichlet nodes, rounded once.
       * Local. */
      template <typename Number, typename T, Space space, Layout layout>
      void
      collect(Number                              *z,
              const double                         a,
              const DeviceField<T, space, layout> &u,
              const Number                        *v) const
      {
        TESSERA_ASSERT(u.n_cells() >= n_cells && u.n_nodes() == n_nodes,
                       "a field of these cells");
        on_device::collect_dofs<Number, T, layout>(
          z, a, u.data(), v, copy_of_dof.data(), n_owned(), n_nodes, stream);
      }

      /** Bytes on the device. */
      std::size_t
      memory_consumption() const;

    private:
      template <typename Field, typename Number>
      void
      gather(Field &field, const Number *v, const unsigned char *faces);

      const device::Stream &stream;
      int                   degree, n_nodes;
      CellIndex             n_cells;

      device::BufferExchange       exchange;
      device::Memory<unsigned int> sent_dofs;

      /** In the order of a blocked field. Ghosts are numbered as they are in
       * the buffer of the exchange. */
      device::Memory<unsigned int>  dof_of_copy;
      device::Memory<unsigned int>  copy_of_dof;
      device::Memory<unsigned char> inner_faces;

      device::Memory<unsigned long long>       largest;
      device::PinnedMemory<unsigned long long> largest_on_host;
    };
  } // namespace cellwise
} // namespace tessera

#endif
