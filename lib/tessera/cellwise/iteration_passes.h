// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_iteration_passes_h
#define tessera_cellwise_iteration_passes_h

#include <tessera/base/phase_timer.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/dirichlet_nodes.h>
#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/stiffness_summation.h>
#include <tessera/cellwise/types.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The passes over fields of an outer iteration: its operator, pairing,
     * rebalancing, Dirichlet nodes. The leaf under methods that are written for
     * any Execution; there is a specialization for each.
     *
     * Numbers that are returned are of the owned cells of all ranks, which is
     * collective; the same bits on any number of them, and from every
     * Execution. z is a field of a level, of Number float or double.
     */
    template <int dim, typename Execution>
    class IterationPasses;

    template <int dim>
    class IterationPasses<dim, execution::Host>
    {
    public:
      using Primal = PrimalField<double>;
      using Dual   = DualField<double>;

      IterationPasses(const DistributedGrid<dim> &grid,
                      const ReferenceCell        &cell,
                      const ElementWeights<dim>  &weights,
                      const execution::HostQueue &)
        : n_owned(grid.cells().n_owned())
        , communicator(grid.communicator())
        , A(cell, weights)
        , summation(grid.cells(), cell.degree)
        , dirichlet(grid.cells(), cell.degree)
      {}

      void
      set_zero(Primal &u)
      {
        u.set_zero();
      }

      /** $r = b - A u$. @return $\max |r|$, see CellOperator. */
      double
      residual(Dual &r, const Dual &b, const Primal &u)
      {
        PhaseTimer<execution::Host> timer("operator");
        A.residual(r, b, u);
        return max_abs(r, n_owned, communicator);
      }

      /** See CellOperator. */
      template <typename Number>
      double
      correct(Primal                    &u,
              const double               a,
              const PrimalField<Number> &z,
              Dual                      &r,
              const Dual                &b)
      {
        PhaseTimer<execution::Host> timer("operator");
        return A.correct(u, a, z, r, b, n_owned, communicator);
      }

      /** See CellOperator. */
      template <typename Number>
      double
      update_direction(Primal                    &d,
                       const double               beta,
                       const double               a,
                       const PrimalField<Number> &z)
      {
        PhaseTimer<execution::Host> timer("operator");
        return A.update_direction(d, beta, a, z, n_owned, communicator);
      }

      /** See CellOperator. */
      double
      step(Primal &u, Dual &r, const double alpha, const Primal &d)
      {
        PhaseTimer<execution::Host> timer("operator");
        return A.step(u, r, alpha, d, n_owned, communicator);
      }

      /** $u \leftarrow u + a z$. */
      template <typename Number>
      void
      add(Primal &u, const double a, const PrimalField<Number> &z)
      {
        PhaseTimer<execution::Host> timer("vector operations");
        cellwise::add(u, a, z);
      }

      /** $\langle r, z \rangle$. */
      template <typename Number>
      double
      dot(const Dual &r, const PrimalField<Number> &z)
      {
        PhaseTimer<execution::Host> timer("vector operations");
        return cellwise::dot(r, z, n_owned, communicator);
      }

      /** See StiffnessSummation. */
      void
      rebalance(Dual &r)
      {
        PhaseTimer<execution::Host> timer("rebalancing");
        summation.rebalance(r);
      }

      /** Zero in Dirichlet nodes. */
      void
      constrain(Dual &r)
      {
        PhaseTimer<execution::Host> timer("vector operations");
        dirichlet.set_zero(r);
      }

    private:
      CellIndex               n_owned;
      Communicator            communicator;
      CellOperator<dim>       A;
      StiffnessSummation<dim> summation;
      DirichletNodes<dim>     dirichlet;
    };
  } // namespace cellwise
} // namespace tessera

#endif
