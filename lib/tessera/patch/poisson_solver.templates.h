// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_poisson_solver_templates_h
#define tessera_patch_poisson_solver_templates_h

// Definitions of poisson_solver.h, for the sources that instantiate them.

#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/phase_timer.h>
#include <tessera/cellwise/device/device_iteration_passes.h>
#include <tessera/cellwise/iteration_passes.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/iteration_monitor.h>
#include <tessera/patch/poisson_solver.h>

#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace tessera
{
  namespace patch
  {
    namespace internal
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

      /**
       * A multigrid cycle and what is done with its result $z = C r$, whatever
       * the precision of the levels.
       */
      template <int dim, typename Execution>
      class Preconditioner
      {
      public:
        using Passes = cellwise::IterationPasses<dim, Execution>;
        using Primal = typename Passes::Primal;
        using Dual   = typename Passes::Dual;

        virtual ~Preconditioner() = default;

        /** Compute z in the owned cells.
         * @return $\langle r, z \rangle$. */
        virtual Pairing
        apply(const Dual &r, double max_abs_r, Passes &passes) = 0;

        /** Bring the ghost cells of z up to date: what the following functions
         * start from. */
        virtual void
        update_ghosts() = 0;

        /** $u \leftarrow u + z$. */
        virtual void
        add_to(Primal &u, Passes &passes) const = 0;

        /** $u \leftarrow u + z$, $r = b - A u$; see CellOperator. */
        virtual double
        correct(Primal &u, Dual &r, const Dual &b, Passes &passes) const = 0;

        /** $d \leftarrow \beta d + z$; see CellOperator.
         * @return $\langle d, A d \rangle$. */
        virtual double
        update_direction(Primal &d, double beta, Passes &passes) const = 0;

        virtual unsigned int
        n_levels() const = 0;

        virtual double
        partition_efficiency() const = 0;

        virtual std::size_t
        memory_consumption() const = 0;
      };

      template <int dim, typename Number, typename Execution>
      class MultigridPreconditioner : public Preconditioner<dim, Execution>
      {
      public:
        using typename Preconditioner<dim, Execution>::Passes;
        using typename Preconditioner<dim, Execution>::Primal;
        using typename Preconditioner<dim, Execution>::Dual;

        MultigridPreconditioner(const cellwise::DistributedGrid<dim> &grid,
                                const cellwise::ReferenceCell        &cell,
                                const MultigridOptions               &options,
                                const typename Execution::Queue      &queue)
          : multigrid(grid, cell, options, queue)
        {}

        Pairing
        apply(const Dual &r, const double max_abs_r, Passes &passes) override
        {
          {
            PhaseTimer<Execution> timer("cycle");
            factor = multigrid.cycle(r, max_abs_r);
          }
          return {passes.dot(r, multigrid.correction()), factor};
        }

        void
        update_ghosts() override
        {
          PhaseTimer<Execution> timer("exchange");
          multigrid.update_ghosts_of_correction();
        }

        void
        add_to(Primal &u, Passes &passes) const override
        {
          passes.add(u, factor, multigrid.correction());
        }

        double
        correct(Primal     &u,
                Dual       &r,
                const Dual &b,
                Passes     &passes) const override
        {
          return passes.correct(u, factor, multigrid.correction(), r, b);
        }

        double
        update_direction(Primal      &d,
                         const double beta,
                         Passes      &passes) const override
        {
          return passes.update_direction(d,
                                         beta,
                                         factor,
                                         multigrid.correction());
        }

        unsigned int
        n_levels() const override
        {
          return multigrid.n_levels();
        }

        double
        partition_efficiency() const override
        {
          return multigrid.partition_efficiency();
        }

        std::size_t
        memory_consumption() const override
        {
          return multigrid.memory_consumption();
        }

      private:
        Multigrid<dim, Number, Execution> multigrid;
        double                            factor = 0.;
      };

      template <int dim>
      void
      check_problem(const cellwise::GridDescription<dim> &grid,
                    const SolverOptions                  &options)
      {
        const double reaction = options.multigrid.reaction;
        if (!(reaction >= 0. && std::isfinite(reaction)))
          {
            std::ostringstream text;
            text << "The coefficient of the reaction term is " << reaction
                 << "; it has to be a finite number from zero up.";
            throw InputError(text.str());
          }
        bool is_definite = reaction > 0.;
        for (const auto &ends : grid.boundary)
          for (const cellwise::BoundaryCondition condition : ends)
            is_definite = is_definite ||
                          condition == cellwise::BoundaryCondition::dirichlet;
        if (!is_definite)
          throw InputError(
            "All faces of the box have Neumann conditions, which "
            "leaves the solution undetermined up to a constant; "
            "at least one must be Dirichlet, unless there is a reaction term.");
        if (options.iteration == Iteration::cg &&
            options.multigrid.post_smoothing != PostSmoothing::reversed)
          throw InputError("Conjugate gradients need a symmetric cycle: choose "
                           "the reversed order in post-smoothing, or the "
                           "stationary iteration.");
      }
    } // namespace internal



    template <int dim, typename Execution>
    class PoissonSolver<dim, Execution>::Implementation
    {
    public:
      Implementation(const cellwise::DistributedGrid<dim> &distributed_grid,
                     const int                             degree,
                     const SolverOptions                  &solver_options,
                     const Queue                          &work_queue)
        : options(solver_options)
        , grid(distributed_grid)
        , queue(work_queue)
        , cell(degree)
        , passes(grid,
                 cell,
                 cellwise::element_weights(grid.cells(),
                                           options.multigrid.reaction),
                 queue)
        , ghosts(grid.ghosts(), n_nodes(), queue)
        , r(grid.cells().n_local(), n_nodes(), queue)
      {
        if (options.level_precision == LevelPrecision::single_precision)
          C = std::make_unique<MultigridPreconditioner<float>>(
            grid, cell, options.multigrid, queue);
        else
          C = std::make_unique<MultigridPreconditioner<double>>(
            grid, cell, options.multigrid, queue);
        if (options.iteration == Iteration::cg)
          d = Primal(grid.cells().n_local(), n_nodes(), queue);
      }

      SolverStatistics
      solve(Primal &u, Dual &b, const Report &report)
      {
        const CounterPhase counters("iterations");
        update_ghosts(u);
        update_ghosts(b);
        const SolverStatistics statistics = options.iteration == Iteration::cg ?
                                              iterate_cg(u, b, report) :
                                              iterate_stationary(u, b, report);
        // Iterations keep those around the owned cells up to date. The grid may
        // have others.
        update_ghosts(u);
        queue.synchronize();
        return statistics;
      }

      const SolverOptions                  options;
      const cellwise::DistributedGrid<dim> grid;

      std::size_t
      memory_consumption() const
      {
        return C->memory_consumption() + r.memory_consumption() +
               d.memory_consumption();
      }

      unsigned int
      n_levels() const
      {
        return C->n_levels();
      }

      double
      partition_efficiency() const
      {
        return C->partition_efficiency();
      }

    private:
      using Passes = cellwise::IterationPasses<dim, Execution>;

      template <typename Number>
      using MultigridPreconditioner =
        internal::MultigridPreconditioner<dim, Number, Execution>;

      int
      n_nodes() const
      {
        return cellwise::power(cell.n_nodes, dim);
      }

      SolverStatistics
      iterate_stationary(Primal &u, const Dual &b, const Report &report)
      {
        IterationMonitor monitor(options, "stationary iteration", report);
        set_residual(u, b);
        while (true)
          {
            rebalance(monitor.n_iterations());
            if (!monitor.goes_on(apply_preconditioner()))
              return monitor.statistics();
            C->update_ghosts();
            if (!monitor.advance())
              {
                C->add_to(u, passes);
                return monitor.statistics();
              }
            max_abs_r = C->correct(u, r, b, passes);
            passes.constrain(r);
          }
      }

      SolverStatistics
      iterate_cg(Primal &u, const Dual &b, const Report &report)
      {
        IterationMonitor monitor(options, "conjugate gradient method", report);
        double           previous_r_times_z = 0.;
        set_residual(u, b);
        passes.set_zero(d);
        while (true)
          {
            rebalance(monitor.n_iterations());
            if (!monitor.goes_on(apply_preconditioner()))
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
            C->update_ghosts();
            const double d_times_Ad = C->update_direction(d, beta, passes);
            if (!(d_times_Ad > 0. && r_times_z > 0.))
              {
                if (monitor.stagnates_at_breakdown())
                  return monitor.statistics();
                throw SolverBreakdown(breakdown(d_times_Ad, monitor));
              }
            max_abs_r = passes.step(u, r, r_times_z / d_times_Ad, d);
            passes.constrain(r);
            previous_r_times_z = r_times_z;
            if (!monitor.advance())
              return monitor.statistics();
          }
      }

      template <typename FieldType>
      void
      update_ghosts(FieldType &field)
      {
        PhaseTimer<Execution> timer("exchange");
        ghosts.update(field);
      }

      /** $r = b - A u$, zero at Dirichlet nodes. */
      void
      set_residual(const Primal &u, const Dual &b)
      {
        max_abs_r = passes.residual(r, b, u);
        passes.constrain(r);
      }

      void
      rebalance(const unsigned int iteration)
      {
        if (options.rebalance_every == 0 ||
            iteration % options.rebalance_every != 0)
          return;
        // Afterwards, ghosts are right at the nodes of owned cells only, which
        // is all that the next time takes.
        passes.rebalance(r);
      }

      /**
       * Set $z = C r$; returns $\eta = \langle r, z \rangle^{1/2}$.
       * Close to round-off the pairing of an unsymmetric cycle can be
       * negative.
       */
      double
      apply_preconditioner()
      {
        if (!std::isfinite(max_abs_r))
          return std::numeric_limits<double>::quiet_NaN();
        const internal::Pairing pairing = C->apply(r, max_abs_r, passes);
        r_times_z                       = pairing.value();
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

      const Queue                                              &queue;
      const cellwise::ReferenceCell                             cell;
      Passes                                                    passes;
      typename Types::template GhostCells<double>               ghosts;
      std::unique_ptr<internal::Preconditioner<dim, Execution>> C;

      Dual   r;
      Primal d; ///< Conjugate gradients: the direction.

      /**
       * Of the residual before it was rebalanced and zeroed at Dirichlet nodes,
       * which makes nothing larger. The units of the cycle follow from it: what
       * rebalancing leaves is not smaller than the rounding errors of double,
       * which is far inside of the range of float.
       */
      double max_abs_r = 0.;
      double r_times_z = 0.;
    };



    template <int dim, typename Execution>
    PoissonSolver<dim, Execution>::PoissonSolver(
      const cellwise::DistributedGrid<dim> &grid,
      const int                             degree,
      const SolverOptions                  &options,
      const Queue                          &queue)
    {
      internal::check_problem(grid.description(), options);
      implementation =
        std::make_unique<Implementation>(grid, degree, options, queue);
    }



    template <int dim, typename Execution>
    PoissonSolver<dim, Execution>::~PoissonSolver() = default;



    template <int dim, typename Execution>
    SolverStatistics
    PoissonSolver<dim, Execution>::solve(Primal       &u,
                                         Dual         &b,
                                         const Report &report)
    {
      TESSERA_ASSERT(u.n_cells() == grid().cells().n_local() &&
                       b.n_cells() == grid().cells().n_local(),
                     "fields are of the solver's grid");
      return implementation->solve(u, b, report);
    }



    template <int dim, typename Execution>
    const cellwise::DistributedGrid<dim> &
    PoissonSolver<dim, Execution>::grid() const
    {
      return implementation->grid;
    }



    template <int dim, typename Execution>
    unsigned int
    PoissonSolver<dim, Execution>::n_levels() const
    {
      return implementation->n_levels();
    }



    template <int dim, typename Execution>
    double
    PoissonSolver<dim, Execution>::partition_efficiency() const
    {
      return implementation->partition_efficiency();
    }



    template <int dim, typename Execution>
    std::size_t
    PoissonSolver<dim, Execution>::memory_consumption() const
    {
      return implementation->memory_consumption();
    }
  } // namespace patch
} // namespace tessera

#endif
