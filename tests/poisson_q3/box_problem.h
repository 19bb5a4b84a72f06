// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_poisson_q3_box_problem_h
#define tessera_tests_poisson_q3_box_problem_h

#include <tessera/base/communication_mpi.h>
#include <tessera/base/progress.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>

#include <memory>
#include <random>
#include <set>
#include <vector>

#include "poisson_q3/discretization.h"

namespace tests
{
  /** Parameters of a problem on a box with its lower corner in the origin. */
  inline tessera::poisson_q3::Parameters
  box_parameters(const unsigned int               degree,
                 const std::vector<double>       &upper_corner,
                 const std::vector<unsigned int> &coarse_cells,
                 const unsigned int               n_refinements,
                 const std::set<unsigned int>    &neumann_ids = {})
  {
    tessera::poisson_q3::Parameters parameters;
    parameters.degree           = degree;
    parameters.box.lower_corner = std::vector<double>(upper_corner.size(), 0.);
    parameters.box.upper_corner = upper_corner;
    parameters.box.coarse_cells = coarse_cells;
    parameters.n_refinements    = n_refinements;
    for (const unsigned int id : neumann_ids)
      parameters.problem.boundary_conditions[id].type =
        tessera::apps::BoundaryType::neumann;
    return parameters;
  }



  /** A discretization and what it needs to live. */
  template <int dim>
  class BoxProblem
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    explicit BoxProblem(const tessera::poisson_q3::Parameters &parameters,
                        const MPI_Comm communicator = MPI_COMM_WORLD)
      : progress(tessera::Communicator(), silent())
      , data(tessera::poisson_q3::make_problem_data<dim>(parameters))
      , discretization(parameters,
                       communicator,
                       tessera::make_communicator(communicator),
                       progress)
    {
      discretization.reinit(data);
    }

    /**
     * The operator of the active mesh in a precision of choice, with its
     * diagonal. The matrix-free data live with the result.
     */
    template <typename Number>
    tessera::poisson_q3::LaplaceOperator<dim, Number>
    make_operator() const
    {
      const auto &dof_handler = discretization.get_dof_handler();
      dealii::AffineConstraints<Number> constraints;
      tessera::dealii_compatibility::reinit_constraints(
        constraints,
        dof_handler.locally_owned_dofs(),
        dealii::DoFTools::extract_locally_relevant_dofs(dof_handler));
      for (const dealii::types::boundary_id id : data.dirichlet_ids())
        dealii::DoFTools::make_zero_boundary_constraints(dof_handler,
                                                         id,
                                                         constraints);
      constraints.close();
      typename dealii::MatrixFree<dim, Number>::AdditionalData options;
      options.tasks_parallel_scheme =
        dealii::MatrixFree<dim, Number>::AdditionalData::none;
      const auto matrix_free =
        std::make_shared<dealii::MatrixFree<dim, Number>>();
      matrix_free->reinit(discretization.get_mapping(),
                          dof_handler,
                          constraints,
                          dealii::QGauss<1>(dof_handler.get_fe().degree + 1),
                          options);
      tessera::poisson_q3::LaplaceOperator<dim, Number> A;
      A.initialize(matrix_free);
      A.compute_diagonal();
      return A;
    }

    tessera::Progress                        progress;
    tessera::poisson_q3::ProblemData<dim>    data;
    tessera::poisson_q3::Discretization<dim> discretization;

  private:
    static tessera::ProgressOptions
    silent()
    {
      tessera::ProgressOptions options;
      options.stream = nullptr;
      return options;
    }
  };



  /** Numbers in (-1, 1) that depend on the rank and the seed. */
  template <typename VectorType>
  void
  fill_at_random(VectorType &vector, const unsigned int seed)
  {
    std::mt19937 generator(
      seed + 1000 * dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD));
    std::uniform_real_distribution<double> distribution(-1., 1.);
    for (auto &entry : vector)
      entry = distribution(generator);
  }
} // namespace tests

#endif
