// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_device_balanced_copies_h
#define tessera_dealii_device_balanced_copies_h

#include <tessera/base/communication.h>
#include <tessera/cellwise/device/device_dof_copies.h>
#include <tessera/dealii/balanced_copies.h>
#include <tessera/dealii/device_vector.h>

#include <deal.II/base/index_set.h>
#include <deal.II/dofs/dof_handler.h>

#include <cstddef>

namespace tessera::dealii_adapters
{
  /**
   * BalancedCopies on a device: cellwise::DeviceDoFCopies for the DeviceVectors
   * of a DoFHandler, with the bits of the host's.
   */
  template <int dim>
  class DeviceBalancedCopies
  {
  public:
    /** As BalancedCopies; the lists are made on the host and uploaded.
     * @param[in] queue Outlives the object. */
    DeviceBalancedCopies(const dealii::DoFHandler<dim> &dof_handler,
                         const BoxMesh<dim>            &mesh,
                         const cellwise::CellGrid<dim> &cells,
                         const Communicator            &communicator,
                         const device::Stream          &queue)
      : DeviceBalancedCopies(BalancedCopies<dim>(dof_handler, mesh, cells),
                             communicator,
                             queue)
    {}

    int
    degree() const
    {
      return degree_of_element;
    }

    dealii::types::global_dof_index
    n_dofs() const
    {
      return owned.size();
    }

    const dealii::IndexSet &
    locally_owned_dofs() const
    {
      return owned;
    }

    /** $\max_i |(Z v)_i|$ over the locally owned degrees of freedom; NaN if one
     * is not finite. Waits for the stream. Local. */
    template <typename Number>
    double
    max_abs(const DeviceVector<Number> &v)
    {
      return copies.max_abs(v.begin());
    }

    /** $r = D^{-1} G Z v$ in the owned cells; collective. */
    template <typename Number>
    void
    distribute(cellwise::DeviceDualField<double> &r,
               const DeviceVector<Number>        &v)
    {
      copies.distribute(r, v.begin());
    }

    /** $u = G Z v$ in the owned cells; collective. */
    template <typename Number>
    void
    gather(cellwise::DevicePrimalField<double> &u,
           const DeviceVector<Number>          &v)
    {
      copies.gather(u, v.begin());
    }

    /** $z_i = a\,u_{K,k}$, and $z_i = v_i$ in rows of Dirichlet nodes. Local.
     */
    template <typename Number, typename Field>
    void
    collect(DeviceVector<Number>       &z,
            const double                a,
            const Field                &u,
            const DeviceVector<Number> &v) const
    {
      copies.collect(z.begin(), a, u, v.begin());
    }

    std::size_t
    memory_consumption() const
    {
      return copies.memory_consumption();
    }

  private:
    DeviceBalancedCopies(const BalancedCopies<dim> &on_host,
                         const Communicator        &communicator,
                         const device::Stream      &queue)
      : degree_of_element(on_host.degree())
      , owned(on_host.locally_owned_dofs())
      , copies(on_host.lists(communicator), queue)
    {}

    int                       degree_of_element;
    dealii::IndexSet          owned;
    cellwise::DeviceDoFCopies copies;
  };
} // namespace tessera::dealii_adapters

#endif
