// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/patch/coarse_factors.h>
#include <tessera/patch/device/coarse_solver.h>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      device::Memory<double>
      to_device(const DenseMatrix &matrix, const device::Stream &stream)
      {
        return {matrix.data(), matrix.n_rows() * matrix.n_columns(), stream};
      }
    } // namespace



    template <int dim>
    DeviceCoarseSolver<dim>::DeviceCoarseSolver(
      const cellwise::CellGrid<dim>       &grid,
      const cellwise::ReferenceCell       &cell,
      const cellwise::ElementWeights<dim> &weights,
      const device::Stream                &stream)
      : DeviceCoarseSolver(CoarseFactors<dim>(grid, cell, weights), stream)
    {}



    template <int dim>
    DeviceCoarseSolver<dim>::DeviceCoarseSolver(
      const CoarseFactors<dim> &factors,
      const device::Stream     &stream)
      : n_cells(factors.n_cells)
      , degree(factors.degree)
      , mass_weight(factors.mass_weight)
    {
      std::size_t n_entries = 1;
      for (int d = 0; d < dim; ++d)
        {
          const auto &factor = factors.directions[d];
          directions[d]      = {{factor.eigenvalues.data(),
                                 factor.eigenvalues.size(),
                                 stream},
                                to_device(factor.to_modes, stream),
                                to_device(factor.to_nodes, stream)};
          n_entries *= std::size_t(n_cells[d]) * (degree + 1);
        }
      for (device::Memory<double> &tensor : tensors)
        tensor = device::Memory<double>(n_entries);
    }



    template <int dim>
    template <typename Number>
    void
    DeviceCoarseSolver<dim>::solve(
      cellwise::DevicePrimalField<Number, cellwise::Layout::contiguous> &u,
      const cellwise::DeviceDualModalField<Number>                      &b,
      const device::Stream                                              &stream)
    {
      TESSERA_ASSERT(u.size() == tensors[0].size() &&
                       b.size() == tensors[0].size(),
                     "fields hold all cells");
      on_device::CoarseMatrices<dim> matrices;
      matrices.degree      = degree;
      matrices.mass_weight = mass_weight;
      for (int d = 0; d < dim; ++d)
        {
          matrices.n_cells[d]     = n_cells[d];
          matrices.n_unknowns[d]  = int(directions[d].eigenvalues.size());
          matrices.eigenvalues[d] = directions[d].eigenvalues.data();
          matrices.to_modes[d]    = directions[d].to_modes.data();
          matrices.to_nodes[d]    = directions[d].to_nodes.data();
        }
      on_device::solve_coarse<dim>(matrices,
                                   u.data(),
                                   b.data(),
                                   tensors[0].data(),
                                   tensors[1].data(),
                                   stream);
    }



    template <int dim>
    std::size_t
    DeviceCoarseSolver<dim>::memory_consumption() const
    {
      std::size_t n_numbers = tensors[0].size() + tensors[1].size();
      for (const Direction &direction : directions)
        n_numbers += direction.eigenvalues.size() + direction.to_modes.size() +
                     direction.to_nodes.size();
      return n_numbers * sizeof(double);
    }



    template class DeviceCoarseSolver<2>;
    template class DeviceCoarseSolver<3>;

#define TESSERA_INSTANTIATE_SOLVE(dim, Number)                           \
  template void DeviceCoarseSolver<dim>::solve(                          \
    cellwise::DevicePrimalField<Number, cellwise::Layout::contiguous> &, \
    const cellwise::DeviceDualModalField<Number> &,                      \
    const device::Stream &);
    TESSERA_INSTANTIATE_SOLVE(2, float)
    TESSERA_INSTANTIATE_SOLVE(2, double)
    TESSERA_INSTANTIATE_SOLVE(3, float)
    TESSERA_INSTANTIATE_SOLVE(3, double)
#undef TESSERA_INSTANTIATE_SOLVE
  } // namespace patch
} // namespace tessera
