#include <tessera/patch/device/coarse_solver.h>

#include <stdexcept>
namespace tessera
{
  namespace patch
  {
    template <int dim>
    DeviceCoarseSolver<dim>::DeviceCoarseSolver(
      const cellwise::CellGrid<dim> &,
      const cellwise::ReferenceCell &,
      const cellwise::ElementWeights<dim> &,
      const device::Stream &)
    {}
    template <int dim>
    template <typename Number>
    void
    DeviceCoarseSolver<dim>::solve(
      cellwise::DevicePrimalField<Number, cellwise::Layout::contiguous> &,
      const cellwise::DeviceDualModalField<Number> &,
      const device::Stream &)
    {
      throw std::runtime_error("coarse");
    }
    template <int dim>
    std::size_t
    DeviceCoarseSolver<dim>::memory_consumption() const
    {
      return 0;
    }
    template class DeviceCoarseSolver<2>;
    template class DeviceCoarseSolver<3>;
#define I(d, N)                                                     \
  template void DeviceCoarseSolver<d>::solve(                       \
    cellwise::DevicePrimalField<N, cellwise::Layout::contiguous> &, \
    const cellwise::DeviceDualModalField<N> &,                      \
    const device::Stream &);
    I(2, float) I(2, double) I(3, float) I(3, double)
  } // namespace patch
} // namespace tessera
