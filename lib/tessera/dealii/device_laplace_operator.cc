// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_mpi.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/device/device_cell_operator.h>
#include <tessera/cellwise/device/device_ghost_values.h>
#include <tessera/cellwise/device/device_stiffness_summation.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/dealii/device_balanced_copies.h>
#include <tessera/dealii/device_laplace_operator.h>
#include <tessera/dealii/problem_checks.h>
#include <tessera/dealii/vector_mismatch.h>

#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    constexpr const char *name = "DeviceLaplaceOperator";

    /** The grid of a problem that has been checked. Collective. */
    template <int dim>
    cellwise::DistributedGrid<dim>
    checked_grid(const BoxMesh<dim>                 &mesh,
                 const Mapping<dim>                 *mapping,
                 const DoFHandler<dim>              &dof_handler,
                 const std::set<types::boundary_id> &dirichlet_ids,
                 const double                        reaction_coefficient,
                 const Communicator                 &communicator)
    {
      check_dirichlet_ids(dof_handler.get_triangulation(),
                          dirichlet_ids,
                          communicator);
      check_reaction_coefficient(reaction_coefficient);
      if (mapping != nullptr)
        check_mapping(*mapping, dof_handler, mesh, communicator);
      return mesh.distributed_grid(communicator);
    }

    template <int dim>
    int
    checked_degree(const DoFHandler<dim> &dof_handler)
    {
      const int degree = int(lagrange_element(dof_handler).degree);
      cellwise::check_device_degree(degree);
      return degree;
    }
  } // namespace



  template <int dim>
  class DeviceLaplaceOperator<dim>::Implementation
  {
  public:
    Implementation(const Mapping<dim>    *mapping,
                   const DoFHandler<dim> &dof_handler,
                   const AdditionalData  &data,
                   const device::Stream  &work_queue)
      : queue(work_queue)
      , mpi(dealii_compatibility::get_mpi_communicator(dof_handler))
    {
      const Communicator communicator = make_communicator(mpi);
      const int          degree       = checked_degree(dof_handler);
      const BoxMesh<dim> mesh(dof_handler.get_triangulation(),
                              data.dirichlet_ids);
      const auto         grid    = checked_grid(mesh,
                                     mapping,
                                     dof_handler,
                                     data.dirichlet_ids,
                                     data.reaction_coefficient,
                                     communicator);
      const auto        &cells   = grid.cells();
      const int          n_nodes = cellwise::power(degree + 1, dim);

      copies = std::make_unique<DeviceBalancedCopies<dim>>(
        dof_handler, mesh, cells, communicator, queue);
      A = std::make_unique<cellwise::DeviceCellOperator<dim>>(
        cellwise::ReferenceCell(degree),
        cellwise::element_weights(cells, data.reaction_coefficient));
      ghosts =
        cellwise::DeviceGhostValues<double>(grid.neighbours(), n_nodes, queue);
      summation =
        std::make_unique<cellwise::DeviceStiffnessSummation<dim>>(cells,
                                                                  degree,
                                                                  queue);
      u = cellwise::DevicePrimalField<double>(cells.n_local(), n_nodes, queue);
      r = cellwise::DeviceDualField<double>(cells.n_local(), n_nodes, queue);
    }

    template <typename Number>
    void
    vmult(DeviceVector<Number> &dst, const DeviceVector<Number> &src)
    {
      const std::string error =
        vector_mismatch(name, dst, src, copies->locally_owned_dofs(), queue);
      if (!error.empty())
        throw InputError(error);
      copies->gather(u, src);
      A->vmult(r, u, queue);
      ghosts.update(r);
      summation->sum(r, queue);
      copies->collect(dst, 1., r, src);
    }

    template <typename Number>
    void
    initialize_dof_vector(DeviceVector<Number> &v) const
    {
      v.reinit(copies->locally_owned_dofs(), mpi, queue);
    }

    types::global_dof_index
    n_dofs() const
    {
      return copies->n_dofs();
    }

    std::size_t
    memory_consumption() const
    {
      return copies->memory_consumption() + ghosts.memory_consumption() +
             summation->memory_consumption() + u.memory_consumption() +
             r.memory_consumption();
    }

  private:
    const device::Stream &queue;
    MPI_Comm              mpi;

    std::unique_ptr<DeviceBalancedCopies<dim>>               copies;
    std::unique_ptr<cellwise::DeviceCellOperator<dim>>       A;
    cellwise::DeviceGhostValues<double>                      ghosts;
    std::unique_ptr<cellwise::DeviceStiffnessSummation<dim>> summation;

    // Ghost cells of u stay zero.
    cellwise::DevicePrimalField<double> u;
    cellwise::DeviceDualField<double>   r;
  };



  template <int dim>
  DeviceLaplaceOperator<dim>::DeviceLaplaceOperator(
    const device::Stream &work_queue)
    : queue(work_queue)
  {}



  template <int dim>
  DeviceLaplaceOperator<dim>::~DeviceLaplaceOperator() = default;



  template <int dim>
  void
  DeviceLaplaceOperator<dim>::initialize(const DoFHandler<dim> &dof_handler,
                                         const AdditionalData  &data)
  {
    clear();
    implementation =
      std::make_unique<Implementation>(nullptr, dof_handler, data, queue);
  }



  template <int dim>
  void
  DeviceLaplaceOperator<dim>::initialize(const Mapping<dim>    &mapping,
                                         const DoFHandler<dim> &dof_handler,
                                         const AdditionalData  &data)
  {
    clear();
    implementation =
      std::make_unique<Implementation>(&mapping, dof_handler, data, queue);
  }



  template <int dim>
  void
  DeviceLaplaceOperator<dim>::clear()
  {
    implementation.reset();
  }



  template <int dim>
  typename DeviceLaplaceOperator<dim>::Implementation &
  DeviceLaplaceOperator<dim>::initialized() const
  {
    if (!implementation)
      throw InputError(std::string(name) +
                       " is used before it is initialized: call initialize() "
                       "first.");
    return *implementation;
  }



  template <int dim>
  template <typename Number>
  void
  DeviceLaplaceOperator<dim>::vmult(DeviceVector<Number>       &dst,
                                    const DeviceVector<Number> &src) const
  {
    initialized().vmult(dst, src);
  }



  template <int dim>
  template <typename Number>
  void
  DeviceLaplaceOperator<dim>::Tvmult(DeviceVector<Number>       &dst,
                                     const DeviceVector<Number> &src) const
  {
    vmult(dst, src);
  }



  template <int dim>
  template <typename Number>
  void
  DeviceLaplaceOperator<dim>::initialize_dof_vector(
    DeviceVector<Number> &v) const
  {
    initialized().initialize_dof_vector(v);
  }



  template <int dim>
  types::global_dof_index
  DeviceLaplaceOperator<dim>::m() const
  {
    return implementation ? implementation->n_dofs() : 0;
  }



  template <int dim>
  types::global_dof_index
  DeviceLaplaceOperator<dim>::n() const
  {
    return m();
  }



  template <int dim>
  std::size_t
  DeviceLaplaceOperator<dim>::memory_consumption() const
  {
    return implementation ? implementation->memory_consumption() : 0;
  }



  template class DeviceLaplaceOperator<2>;
  template class DeviceLaplaceOperator<3>;

#define TESSERA_INSTANTIATE(dim, Number)                           \
  template void DeviceLaplaceOperator<dim>::vmult(                 \
    DeviceVector<Number> &, const DeviceVector<Number> &) const;   \
  template void DeviceLaplaceOperator<dim>::Tvmult(                \
    DeviceVector<Number> &, const DeviceVector<Number> &) const;   \
  template void DeviceLaplaceOperator<dim>::initialize_dof_vector( \
    DeviceVector<Number> &) const;
  TESSERA_INSTANTIATE(2, float)
  TESSERA_INSTANTIATE(2, double)
  TESSERA_INSTANTIATE(3, float)
  TESSERA_INSTANTIATE(3, double)
#undef TESSERA_INSTANTIATE
} // namespace tessera::dealii_adapters
