// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_discretization_h
#define tessera_apps_poisson_q3_discretization_h

#include <tessera/base/communication.h>
#include <tessera/base/progress.h>
#include <tessera/cellwise/field.h>
#include <tessera/dealii/cellwise_dofs.h>

#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <memory>

#include "poisson_q3/laplace_operator.h"
#include "poisson_q3/parameters.h"
#include "poisson_q3/problem_data.h"

namespace tessera::poisson_q3
{
  /** Distances of a discrete from the exact solution. */
  struct ErrorNorms
  {
    double L2          = 0.; ///< $\|u - u_h\|_{L_2}$
    double H1_seminorm = 0.; ///< $\|\nabla (u - u_h)\|_{L_2}$
  };

  /**
   * The box mesh, continuous Lagrange elements of one degree on it, the
   * discrete operator of the Laplacian, and the integrals of the problem.
   *
   * Distributed by p4est; the multigrid hierarchy is the refinement history.
   * Right-hand side and errors are integrated with degree+2 Gauss points a
   * direction, the operator with degree+1, which is exact.
   */
  template <int dim>
  class Discretization
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /**
     * Make the mesh of the first cycle. Collective.
     *
     * @param[in] progress Shows how far long integrations are.
     */
    Discretization(const Parameters   &parameters,
                   const MPI_Comm      mpi_communicator,
                   const Communicator &communicator,
                   Progress           &progress);

    /** Refine once; reinit() has to follow. Collective. */
    void
    refine();

    /** Set up degrees of freedom, also those of the levels where Chebyshev
     * multigrid needs them, constraints and the operator. Collective. */
    void
    reinit(const ProblemData<dim> &problem);

    /**
     * Set @p boundary_lift to the Dirichlet values at their nodes and zero
     * elsewhere, and @p rhs to
     * $b_i = \int f \phi_i + \int_{\Gamma_N} g_N \phi_i
     *        - \int \nabla u_D \cdot \nabla \phi_i$
     * for free degrees of freedom, zero for the others. Collective.
     * @throws InputError on all ranks where a function is not finite.
     */
    void
    assemble(const ProblemData<dim> &problem,
             VectorType             &rhs,
             VectorType             &boundary_lift) const;

    /** Set @p boundary_lift to the Dirichlet values at their nodes and zero
     * elsewhere, with ghost values. Collective.
     * @throws InputError on all ranks where a value is not finite. */
    void
    interpolate_boundary_values(const ProblemData<dim> &problem,
                                VectorType             &boundary_lift) const;

    /**
     * Set @p load to $b_{K,i} = \int_K f \phi_i
     * + \int_{\Gamma_N \cap \partial K} g_N \phi_i$, cell by cell and without
     * assembly, for all nodes. Collective.
     * @throws InputError on all ranks where a function is not finite.
     */
    void
    assemble_cellwise(const ProblemData<dim>                   &problem,
                      const dealii_adapters::CellwiseDoFs<dim> &dofs,
                      cellwise::DualField<double>              &load) const;

    /**
     * Errors of @p solution, whose ghost values are set. Collective.
     * @throws InputError on all ranks where the exact solution is not finite.
     */
    ErrorNorms
    compute_errors(const ProblemData<dim> &problem,
                   const VectorType       &solution) const;

    const dealii::parallel::distributed::Triangulation<dim> &
    get_triangulation() const;

    const dealii::DoFHandler<dim> &
    get_dof_handler() const;

    const dealii::Mapping<dim> &
    get_mapping() const;

    const LaplaceOperator<dim, double> &
    get_operator() const;

  private:
    /** Evaluate an expression at the quadrature points of a batch of cells. */
    template <typename Evaluation>
    dealii::VectorizedArray<double>
    value_at(const apps::Expression<dim> &function,
             const Evaluation            &evaluation,
             const unsigned int           q,
             const unsigned int           n_lanes) const;

    /**
     * Call @p consume(load, batch) for every batch of cells with the
     * FEEvaluation object that holds $\int_K f \phi_i$.
     */
    template <typename F>
    void
    integrate_right_hand_side(const ProblemData<dim> &problem,
                              const F                &consume) const;

    /**
     * Call @p consume(cell, values) for every cell with Neumann faces with
     * $\int_{\Gamma_N \cap \partial K} g_N \phi_i$ in the order of
     * cell->get_dof_indices().
     */
    template <typename F>
    void
    integrate_neumann_terms(const ProblemData<dim> &problem,
                            const F                &consume) const;

    Communicator communicator;
    Progress    &progress;
    bool         has_level_dofs;

    dealii::parallel::distributed::Triangulation<dim> triangulation;
    dealii::FE_Q<dim>                                 fe;
    dealii::MappingQ1<dim>                            mapping;
    dealii::DoFHandler<dim>                           dof_handler;
    dealii::AffineConstraints<double>                 constraints;
    std::shared_ptr<dealii::MatrixFree<dim, double>>  matrix_free;
    LaplaceOperator<dim, double>                      laplace_operator;
  };
} // namespace tessera::poisson_q3

#endif
