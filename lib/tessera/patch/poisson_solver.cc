// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/timer.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/dirichlet_nodes.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/cellwise/stiffness_summation.h>
#include <tessera/patch/iteration_monitor.h>
#include <tessera/patch/poisson_solver.h>

#include <array>
#include <cmath>
#include <sstream>
#include <string>

namespace tessera
{
  namespace patch
  {
    using cellwise::BoundaryCondition;
    using Primal = cellwise::PrimalField<double>;
    using Dual   = cellwise::DualField<double>;

    namespace
    {
      /** $\langle r, z \rangle$ in two factors, neither of which is out of
       * the range of numbers where r and z are not. */
      struct Pairing
      {
        double of_scaled; ///< with z divided by the factor
        double factor;    ///< positive

        double
        value() const
        {
          return of_scaled * factor;
        }

        /** $|\langle r, z \rangle|^{1/2}$ */
        double
        root() const
        {
          return std::sqrt(std::abs(of_scaled)) * std::sqrt(factor);
        }
      };

      /** A multigrid cycle, whatever the precision of its levels. */
      class Preconditioner
      {
      public:
        virtual ~Preconditioner() = default;

        /** $z = C r$, kept inside. */
        virtual void
        apply(const Dual &r) = 0;

        /** $\langle r, z \rangle$. */
        virtual Pairing
        pairing(const Dual &r) const = 0;

        /** $u \leftarrow s u + z$. */
        virtual void
        scale_and_add_to(Primal &u, double s) const = 0;

        virtual unsigned int
        n_levels() const = 0;

        virtual std::size_t
        memory_consumption() const = 0;
      };

      template <int dim, typename Number>
      class MultigridPreconditioner : public Preconditioner
      {
      public:
        template <typename... Arguments>
        explicit MultigridPreconditioner(const Arguments &...arguments)
          : multigrid(arguments...)
        {}

        void
        apply(const Dual &r) override
        {
          TimerScope timer("cycle");
          factor = multigrid.cycle(r, cellwise::max_abs(r, r.n_cells()));
        }

        Pairing
        pairing(const Dual &r) const override
        {
          TimerScope timer("vector operations");
          return {cellwise::dot(r, multigrid.correction(), r.n_cells()),
                  factor};
        }

        void
        scale_and_add_to(Primal &u, const double s) const override
        {
          TimerScope timer("vector operations");
          cellwise::scale_and_add(u, s, factor, multigrid.correction());
        }

        unsigned int
        n_levels() const override
        {
          return multigrid.n_levels();
        }

        std::size_t
        memory_consumption() const override
        {
          return multigrid.memory_consumption();
        }

      private:
        Multigrid<dim, Number> multigrid;
        double                 factor = 0.;
      };

      template <int dim>
      void
      check(const cellwise::GridDescription<dim> &grid,
            const SolverOptions                  &options,
            const Communicator                   &communicator)
      {
        if (communicator.n_ranks() > 1)
          throw InputError("Patch multigrid runs in one process in this "
                           "version; there are " +
                           std::to_string(communicator.n_ranks()) +
                           ". Start it without mpirun.");
        bool any_dirichlet = false;
        for (const auto &ends : grid.boundary)
          for (const BoundaryCondition condition : ends)
            any_dirichlet =
              any_dirichlet || condition == BoundaryCondition::dirichlet;
        if (!any_dirichlet)
          throw InputError(
            "All faces of the box have Neumann conditions, which "
            "leaves the solution undetermined up to a constant; "
            "at least one must be Dirichlet.");
        if (options.iteration == Iteration::cg &&
            options.multigrid.post_smoothing != PostSmoothing::reversed)
          throw InputError("Conjugate gradients need a symmetric cycle: choose "
                           "the reversed order in post-smoothing, or the "
                           "stationary iteration.");
      }
    } // namespace



    template <int dim>
    class PoissonSolver<dim>::Implementation
    {
    public:
      Implementation(const cellwise::DistributedGrid<dim> &description,
                     const int                             degree,
                     const SolverOptions                  &solver_options)
        : options(solver_options)
        , cell(degree)
        , dgrid(description)
        , grid(description.cells())
        , A(cell, grid.stiffness_weights())
        , summation(grid, degree)
        , dirichlet(grid, degree)
      {
        if (options.level_precision == LevelPrecision::single_precision)
          C = std::make_unique<MultigridPreconditioner<dim, float>>(
            description, cell, options.multigrid);
        else
          C = std::make_unique<MultigridPreconditioner<dim, double>>(
            description, cell, options.multigrid);
        const int n_nodes = cellwise::power(degree + 1, dim);
        r.reinit(grid.n_local(), n_nodes);
        if (options.iteration == Iteration::cg)
          {
            d.reinit(grid.n_local(), n_nodes);
            Ad.reinit(grid.n_local(), n_nodes);
          }
      }

      SolverStatistics
      iterate_stationary(Primal &u, const Dual &b, const Report &report)
      {
        IterationMonitor monitor(options, "stationary iteration", report);
        while (true)
          {
            set_residual(u, b);
            rebalance(monitor.n_iterations());
            const double eta = apply_preconditioner();
            if (!monitor.goes_on(eta))
              return monitor.statistics();
            C->scale_and_add_to(u, 1.);
            if (!monitor.goes_on_after_update())
              return monitor.statistics();
          }
      }

      SolverStatistics
      iterate_cg(Primal &u, const Dual &b, const Report &report)
      {
        IterationMonitor monitor(options, "conjugate gradient method", report);
        double           previous_r_times_z = 0.;
        set_residual(u, b);
        while (true)
          {
            rebalance(monitor.n_iterations());
            const double eta = apply_preconditioner();
            if (!monitor.goes_on(eta))
              {
                if (monitor.needs_confirmation())
                  {
                    set_residual(u, b);
                    rebalance(0);
                    monitor.confirm(apply_preconditioner());
                  }
                return monitor.statistics();
              }

            const double beta =
              monitor.n_iterations() == 0 ? 0. : r_times_z / previous_r_times_z;
            if (monitor.n_iterations() == 0)
              d.set_zero();
            C->scale_and_add_to(d, beta);
            {
              TimerScope timer("operator");
              A.vmult(Ad, d);
              dirichlet.set_zero(Ad);
            }
            {
              TimerScope   timer("vector operations");
              const double d_times_Ad = cellwise::dot(Ad, d, grid.n_owned());
              if (!(d_times_Ad > 0. && r_times_z > 0.))
                {
                  if (monitor.stagnates_at_breakdown())
                    return monitor.statistics();
                  throw SolverBreakdown(breakdown(d_times_Ad, monitor));
                }
              const double alpha = r_times_z / d_times_Ad;
              cellwise::add(u, alpha, d);
              cellwise::add(r, -alpha, Ad);
            }
            previous_r_times_z = r_times_z;
            if (!monitor.goes_on_after_update())
              return monitor.statistics();
          }
      }

      const SolverOptions                  options;
      const cellwise::ReferenceCell        cell;
      const cellwise::DistributedGrid<dim> dgrid;
      const cellwise::CellGrid<dim>        grid;

      std::size_t
      memory_consumption() const
      {
        return C->memory_consumption() + r.memory_consumption() +
               d.memory_consumption() + Ad.memory_consumption();
      }

      unsigned int
      n_levels() const
      {
        return C->n_levels();
      }

    private:
      /** $r = b - A u$, zero at Dirichlet nodes. */
      void
      set_residual(const Primal &u, const Dual &b)
      {
        TimerScope timer("operator");
        A.residual(r, b, u);
        dirichlet.set_zero(r);
      }

      void
      rebalance(const unsigned int iteration)
      {
        if (options.rebalance_every == 0 ||
            iteration % options.rebalance_every != 0)
          return;
        TimerScope timer("rebalancing");
        summation.rebalance(r);
      }

      /** Set $z = C r$; returns $\eta = \langle r, z \rangle^{1/2}$.
       * Close to round-off the pairing of an unsymmetric cycle can be
       * negative. */
      double
      apply_preconditioner()
      {
        C->apply(r);
        const Pairing pairing = C->pairing(r);
        r_times_z             = pairing.value();
        return pairing.root();
      }

      std::string
      breakdown(const double d_times_Ad, const IterationMonitor &monitor) const
      {
        std::ostringstream text;
        text
          << "The conjugate gradient method broke down in iteration "
          << monitor.n_iterations() + 1 << ": <r, C r> = " << r_times_z
          << ", <d, A d> = " << d_times_Ad
          << ", and both should be positive. Use the stationary iteration or "
             "levels in double precision, ask for less accuracy, or, if these "
             "numbers are infinite or zero, change the units of the data.";
        return text.str();
      }

      cellwise::CellOperator<dim, double> A;
      cellwise::StiffnessSummation<dim>   summation;
      cellwise::DirichletNodes<dim>       dirichlet;
      std::unique_ptr<Preconditioner>     C;

      Dual   r;
      Primal d;  ///< Conjugate gradients: the direction
      Dual   Ad; ///< and what the operator makes of it.
      double r_times_z = 0.;
    };



    template <int dim>
    PoissonSolver<dim>::PoissonSolver(
      const cellwise::DistributedGrid<dim> &grid,
      const int                             degree,
      const SolverOptions                  &options)
    {
      check(grid.description(), options, grid.communicator());
      implementation = std::make_unique<Implementation>(grid, degree, options);
    }



    template <int dim>
    PoissonSolver<dim>::~PoissonSolver() = default;



    template <int dim>
    SolverStatistics
    PoissonSolver<dim>::solve(Primal &u, const Dual &b, const Report &report)
    {
      TESSERA_ASSERT(u.n_cells() == grid().cells().n_local() &&
                       b.n_cells() == grid().cells().n_local(),
                     "fields are of the solver's grid");
      return implementation->options.iteration == Iteration::cg ?
               implementation->iterate_cg(u, b, report) :
               implementation->iterate_stationary(u, b, report);
    }



    template <int dim>
    const cellwise::DistributedGrid<dim> &
    PoissonSolver<dim>::grid() const
    {
      return implementation->dgrid;
    }



    template <int dim>
    unsigned int
    PoissonSolver<dim>::n_levels() const
    {
      return implementation->n_levels();
    }



    template <int dim>
    std::size_t
    PoissonSolver<dim>::memory_consumption() const
    {
      return implementation->memory_consumption();
    }



    template class PoissonSolver<2>;
    template class PoissonSolver<3>;
  } // namespace patch
} // namespace tessera
