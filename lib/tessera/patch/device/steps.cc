// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/device/steps.h>
#include <tessera/patch/device/transfer_launchers.h>

namespace tessera
{
  namespace patch
  {
    template <int dim, typename T>
    DeviceLaunches<dim, T>::DeviceLaunches(const device::Stream &queue)
      : stream(queue)
    {}



    template <int dim, typename T>
    void
    DeviceLaunches<dim, T>::set_zero(T *values, const std::size_t n)
    {
      if (n > 0)
        device::backend::fill_bytes(values, 0, n * sizeof(T), stream.handle());
    }



    template <int dim, typename T>
    void
    DeviceLaunches<dim, T>::update_patches(
      T                               *u,
      const T                         *b,
      const DevicePatches             &patches,
      const DevicePatchTables<dim, T> &tables)
    {
      on_device::update_patches(u, b, patches, tables, stream);
    }



    template <int dim, typename T>
    void
    DeviceLaunches<dim, T>::restrict_residual(const int         degree,
                                              T                *coarse_b,
                                              const T          *u,
                                              const T          *b,
                                              const CellIndex  *parents,
                                              const CellIndex  *children,
                                              const std::size_t n_parents,
                                              const TransferTables<T> &tables)
    {
      on_device::restrict_residual<dim>(
        degree, coarse_b, u, b, parents, children, n_parents, tables, stream);
    }



    template <int dim, typename T>
    void
    DeviceLaunches<dim, T>::prolongate_and_add(const int         degree,
                                               T                *u,
                                               const T          *coarse_u,
                                               const CellIndex  *parents,
                                               const CellIndex  *children,
                                               const std::size_t n_parents,
                                               const TransferTables<T> &tables)
    {
      on_device::prolongate_and_add<dim>(
        degree, u, coarse_u, parents, children, n_parents, tables, stream);
    }



    template class DeviceLaunches<2, float>;
    template class DeviceLaunches<2, double>;
    template class DeviceLaunches<3, float>;
    template class DeviceLaunches<3, double>;
  } // namespace patch
} // namespace tessera
