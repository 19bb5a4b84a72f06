// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_device_iteration_passes_h
#define tessera_cellwise_device_device_iteration_passes_h

#include <tessera/cellwise/device/cell_reductions.h>
#include <tessera/cellwise/device/device_cell_operator.h>
#include <tessera/cellwise/device/device_dirichlet_nodes.h>
#include <tessera/cellwise/device/device_field_operations.h>
#include <tessera/cellwise/device/device_stiffness_summation.h>
#include <tessera/cellwise/iteration_passes.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * On a device; degree 1 to 3. What returns a number waits for the stream,
     * the rest does not.
     */
    template <int dim>
    class IterationPasses<dim, execution::Device>
    {
    public:
      using Primal = DevicePrimalField<double>;
      using Dual   = DeviceDualField<double>;

      template <typename Number>
      using LevelField = DevicePrimalField<Number, Layout::contiguous>;

      IterationPasses(const DistributedGrid<dim> &grid,
                      const ReferenceCell        &cell,
                      const ElementWeights<dim>  &weights,
                      const device::Stream       &queue)
        : n_owned(grid.cells().n_owned())
        , communicator(grid.communicator())
        , stream(queue)
        , reductions(grid.cells().n_local())
        , A(cell, weights)
        , summation(grid.cells(), cell.degree, stream)
        , dirichlet(grid.cells(), cell.degree, stream)
      {}

      void
      set_zero(Primal &u)
      {
        u.set_zero(stream);
      }

      double
      residual(Dual &r, const Dual &b, const Primal &u)
      {
        A.residual(r, b, u, stream);
        return max_abs(r, n_owned, communicator, reductions, stream);
      }

      template <typename Number>
      double
      correct(Primal                   &u,
              const double              a,
              const LevelField<Number> &z,
              Dual                     &r,
              const Dual               &b)
      {
        return A.correct(
          u, a, z, r, b, n_owned, communicator, reductions, stream);
      }

      template <typename Number>
      double
      update_direction(Primal                   &d,
                       const double              beta,
                       const double              a,
                       const LevelField<Number> &z)
      {
        return A.update_direction(
          d, beta, a, z, n_owned, communicator, reductions, stream);
      }

      double
      step(Primal &u, Dual &r, const double alpha, const Primal &d)
      {
        return A.step(
          u, r, alpha, d, n_owned, communicator, reductions, stream);
      }

      template <typename Number>
      void
      add(Primal &u, const double a, const LevelField<Number> &z)
      {
        cellwise::add(u, a, z, stream);
      }

      template <typename Number>
      double
      dot(const Dual &r, const LevelField<Number> &z)
      {
        return cellwise::dot(r, z, n_owned, communicator, reductions, stream);
      }

      void
      rebalance(Dual &r)
      {
        summation.rebalance(r, stream);
      }

      void
      constrain(Dual &r)
      {
        dirichlet.set_zero(r, stream);
      }

    private:
      CellIndex                     n_owned;
      Communicator                  communicator;
      const device::Stream         &stream;
      CellReductions                reductions;
      DeviceIterationOperator<dim>  A;
      DeviceStiffnessSummation<dim> summation;
      DeviceDirichletNodes<dim>     dirichlet;
    };
  } // namespace cellwise
} // namespace tessera

#endif
