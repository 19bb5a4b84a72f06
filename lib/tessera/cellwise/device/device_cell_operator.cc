// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/device/cell_operator_launchers.h>
#include <tessera/cellwise/device/device_cell_operator.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/cellwise/field_operations.h>

namespace tessera
{
  namespace cellwise
  {
    using internal::have_same_shape;



    template <int dim, typename Number, Layout layout>
    DeviceCellOperator<dim, Number, layout>::DeviceCellOperator(
      const ReferenceCell       &cell,
      const ElementWeights<dim> &weights)
      : degree(cell.degree)
    {
      check_device_degree(degree);
      const int q = cell.n_nodes;
      inverse_eigenvectors.assign(cell.inverse_eigenvectors.data(),
                                  cell.inverse_eigenvectors.data() + q * q);
      const std::vector<double> lambda = cell_eigenvalues<dim>(cell, weights);
      eigenvalues.assign(lambda.begin(), lambda.end());
    }



    template <int dim, typename Number, Layout layout>
    void
    DeviceCellOperator<dim, Number, layout>::vmult(
      Dual                 &dst,
      const Primal         &src,
      const device::Stream &stream) const
    {
      TESSERA_ASSERT(have_same_shape(dst, src),
                     "both fields have the same cells and nodes");
      TESSERA_ASSERT(src.n_nodes() == int(eigenvalues.size()),
                     "a field of this degree and dimension");
      on_device::apply_laplacian<dim, Number, layout>(
        degree,
        dst.data(),
        src.data(),
        inverse_eigenvectors.data(),
        eigenvalues.data(),
        src.n_cells(),
        stream);
    }



    template <int dim, typename Number, Layout layout>
    void
    DeviceCellOperator<dim, Number, layout>::residual(
      Dual                 &r,
      const Dual           &b,
      const Primal         &u,
      const device::Stream &stream) const
    {
      TESSERA_ASSERT(have_same_shape(r, u) && have_same_shape(b, u),
                     "all fields have the same cells and nodes");
      TESSERA_ASSERT(u.n_nodes() == int(eigenvalues.size()),
                     "a field of this degree and dimension");
      on_device::laplacian_residual<dim, Number, layout>(
        degree,
        r.data(),
        b.data(),
        u.data(),
        inverse_eigenvectors.data(),
        eigenvalues.data(),
        u.n_cells(),
        stream);
    }



    template <int dim>
    template <typename Number>
    double
    DeviceIterationOperator<dim>::correct(
      Primal                                              &u,
      const double                                         a,
      const DevicePrimalField<Number, Layout::contiguous> &z,
      Dual                                                &r,
      const Dual                                          &b,
      const CellIndex                                      n_owned,
      const Communicator                                  &communicator,
      CellReductions                                      &reductions,
      const device::Stream                                &stream) const
    {
      TESSERA_ASSERT(have_same_shape(z, u) && have_same_shape(r, u) &&
                       have_same_shape(b, u),
                     "all fields have the same cells and nodes");
      TESSERA_ASSERT(u.n_nodes() == int(this->eigenvalues.size()),
                     "fields of this degree and dimension");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= u.n_cells(), "no such cells");
      on_device::correct_and_residual<dim>(this->degree,
                                           u.data(),
                                           a,
                                           z.data(),
                                           r.data(),
                                           b.data(),
                                           this->inverse_eigenvectors.data(),
                                           this->eigenvalues.data(),
                                           u.n_cells(),
                                           n_owned,
                                           reductions.start_largest(stream),
                                           stream);
      return reductions.largest(communicator, stream);
    }



    template <int dim>
    template <typename Number>
    double
    DeviceIterationOperator<dim>::update_direction(
      Primal                                              &d,
      const double                                         beta,
      const double                                         a,
      const DevicePrimalField<Number, Layout::contiguous> &z,
      const CellIndex                                      n_owned,
      const Communicator                                  &communicator,
      CellReductions                                      &reductions,
      const device::Stream                                &stream) const
    {
      TESSERA_ASSERT(have_same_shape(z, d),
                     "both fields have the same cells and nodes");
      TESSERA_ASSERT(d.n_nodes() == int(this->eigenvalues.size()),
                     "fields of this degree and dimension");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= d.n_cells(), "no such cells");
      on_device::scale_and_add_energy<dim>(this->degree,
                                           reductions.numbers_of_cells(
                                             d.n_cells()),
                                           d.data(),
                                           beta,
                                           a,
                                           z.data(),
                                           this->inverse_eigenvectors.data(),
                                           this->eigenvalues.data(),
                                           d.n_cells(),
                                           stream);
      return reductions.sum(n_owned, communicator, stream);
    }



    template <int dim>
    double
    DeviceIterationOperator<dim>::step(Primal               &u,
                                       Dual                 &r,
                                       const double          alpha,
                                       const Primal         &d,
                                       const CellIndex       n_owned,
                                       const Communicator   &communicator,
                                       CellReductions       &reductions,
                                       const device::Stream &stream) const
    {
      TESSERA_ASSERT(have_same_shape(r, u) && have_same_shape(d, u),
                     "all fields have the same cells and nodes");
      TESSERA_ASSERT(u.n_nodes() == int(this->eigenvalues.size()),
                     "fields of this degree and dimension");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= u.n_cells(), "no such cells");
      on_device::step_along_direction<dim>(this->degree,
                                           u.data(),
                                           r.data(),
                                           alpha,
                                           d.data(),
                                           this->inverse_eigenvectors.data(),
                                           this->eigenvalues.data(),
                                           u.n_cells(),
                                           n_owned,
                                           reductions.start_largest(stream),
                                           stream);
      return reductions.largest(communicator, stream);
    }



#define TESSERA_INSTANTIATE(dim, Number)                          \
  template double DeviceIterationOperator<dim>::correct(          \
    Primal &,                                                     \
    double,                                                       \
    const DevicePrimalField<Number, Layout::contiguous> &,        \
    Dual &,                                                       \
    const Dual &,                                                 \
    CellIndex,                                                    \
    const Communicator &,                                         \
    CellReductions &,                                             \
    const device::Stream &) const;                                \
  template double DeviceIterationOperator<dim>::update_direction( \
    Primal &,                                                     \
    double,                                                       \
    double,                                                       \
    const DevicePrimalField<Number, Layout::contiguous> &,        \
    CellIndex,                                                    \
    const Communicator &,                                         \
    CellReductions &,                                             \
    const device::Stream &) const

    template class DeviceCellOperator<2>;
    template class DeviceCellOperator<3>;
    template class DeviceCellOperator<2, float, Layout::blocked>;
    template class DeviceCellOperator<3, float, Layout::blocked>;
    template class DeviceCellOperator<2, float, Layout::contiguous>;
    template class DeviceCellOperator<3, float, Layout::contiguous>;
    template class DeviceIterationOperator<2>;
    template class DeviceIterationOperator<3>;
    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace cellwise
} // namespace tessera
