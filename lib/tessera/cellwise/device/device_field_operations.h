// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_field_operations_h
#define tessera_cellwise_device_device_field_operations_h

#include <tessera/cellwise/device/cell_reductions.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/device/field_launchers.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/reference_cell.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * @name The functions of field_operations.h on a device
     * The same bits; degree 1 to 3, in two and three dimensions. Fields of the
     * iteration are blocked and in double; those of the levels contiguous, of
     * Number float or double, and converted in the same pass over memory.
     * Launches go to the stream. What returns a number waits for it and is
     * collective.
     *
     * Cost for degree 3 in three dimensions with levels in float, in bytes a
     * cell between device memory and registers: dot() 768 and 16 for the sums,
     * max_abs() 512, to_modal() 768, add() 1280, convert() 768.
     * @throws InputError for cells that devices do not take.
     * @{
     */

    /** $\langle r, z \rangle$ over the first @p n_owned cells. */
    template <typename Number>
    double
    dot(const DeviceDualField<double>                       &r,
        const DevicePrimalField<Number, Layout::contiguous> &z,
        const CellIndex                                      n_owned,
        const Communicator                                  &communicator,
        CellReductions                                      &reductions,
        const device::Stream                                &stream)
    {
      TESSERA_ASSERT(internal::have_same_shape(r, z),
                     "fields of a pairing have the same cells and nodes");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= r.n_cells(), "no such cells");
      on_device::dot(reductions.numbers_of_cells(n_owned),
                     r.data(),
                     z.data(),
                     n_owned,
                     r.n_nodes(),
                     stream);
      return reductions.sum(n_owned, communicator, stream);
    }

    /** $\max |r|$ over the first @p n_owned cells; NaN if a number is not
     * finite. */
    inline double
    max_abs(const DeviceDualField<double> &r,
            const CellIndex                n_owned,
            const Communicator            &communicator,
            CellReductions                &reductions,
            const device::Stream          &stream)
    {
      TESSERA_ASSERT(0 <= n_owned && n_owned <= r.n_cells(), "no such cells");
      on_device::max_abs(r.data(),
                         n_owned,
                         r.n_nodes(),
                         reductions.start_largest(stream),
                         stream);
      return reductions.largest(communicator, stream);
    }

    /** $dst = src$ in the other layout; blocked fields of float only from and
     * to contiguous ones of float. */
    template <typename To,
              Layout to_layout,
              typename From,
              Layout from_layout,
              Space  space>
    void
    convert(DeviceField<To, space, to_layout>           &dst,
            const DeviceField<From, space, from_layout> &src,
            const device::Stream                        &stream)
    {
      TESSERA_ASSERT(internal::have_same_shape(dst, src),
                     "both fields have the same cells and nodes");
      on_device::convert<To, to_layout, From, from_layout>(
        dst.data(), src.data(), src.n_cells(), src.n_nodes(), stream);
    }

    /** Enter the hierarchy: $\hat b = \mathrm{round}(a\,(S^T)^{\otimes} r)$. */
    template <int dim, typename Number>
    void
    to_modal(DeviceDualModalField<Number>  &b,
             const double                   a,
             const DeviceDualField<double> &r,
             const ReferenceCell           &cell,
             const device::Stream          &stream)
    {
      TESSERA_ASSERT(internal::have_same_shape(b, r),
                     "both fields have the same cells and nodes");
      TESSERA_ASSERT(r.n_nodes() == power(cell.n_nodes, dim),
                     "a field of this degree and dimension");
      const DenseMatrix St = transpose(cell.eigenvectors);
      on_device::transform_and_scale<dim>(
        cell.degree, b.data(), a, St.data(), r.data(), r.n_cells(), stream);
    }

    /** Leave it: $u \leftarrow u + a z$. */
    template <typename Number>
    void
    add(DevicePrimalField<double>                           &u,
        const double                                         a,
        const DevicePrimalField<Number, Layout::contiguous> &z,
        const device::Stream                                &stream)
    {
      TESSERA_ASSERT(internal::have_same_shape(u, z),
                     "fields of a sum have the same cells and nodes");
      on_device::add(u.data(), a, z.data(), u.n_cells(), u.n_nodes(), stream);
    }

    /** @} */
  } // namespace cellwise
} // namespace tessera

#endif
