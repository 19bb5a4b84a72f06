#ifndef tessera_patch_device_coarse_solver_h
#define tessera_patch_device_coarse_solver_h
#include <tessera/base/device/stream.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/reference_cell.h>
namespace tessera
{
  namespace patch
  {
    template <int dim>
    class DeviceCoarseSolver
    {
    public:
      DeviceCoarseSolver(const cellwise::CellGrid<dim>       &grid,
                         const cellwise::ReferenceCell       &cell,
                         const cellwise::ElementWeights<dim> &weights,
                         const device::Stream                &stream);
      template <typename Number>
      void
      solve(
        cellwise::DevicePrimalField<Number, cellwise::Layout::contiguous> &u,
        const cellwise::DeviceDualModalField<Number>                      &b,
        const device::Stream &stream);
      std::size_t
      memory_consumption() const;
    };
  } // namespace patch
} // namespace tessera
#endif
