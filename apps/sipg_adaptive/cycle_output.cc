// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/cycle_output.h"

#include <tessera/dealii/sipg_fields.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include <vector>

namespace tessera::sipg_adaptive
{
  using namespace dealii;

  template <int dim>
  CycleOutput<dim>::CycleOutput(const std::string  &directory,
                                const MPI_Comm      mpi_communicator,
                                const Parameters   &param,
                                const Problem<dim> &boundary_value_problem)
    : parameters(param)
    , problem(boundary_value_problem)
    , field_output(directory,
                   "solution",
                   mpi_communicator,
                   parameters.field_output)
  {}



  template <int dim>
  void
  CycleOutput<dim>::write(const StudyState<dim> &state,
                          const unsigned int     cycle,
                          const bool             converged)
  {
    const MappingQ1<dim> mapping;
    const FE_DGQ<dim>    fe(parameters.degree);
    DoFHandler<dim>      dof_handler(state.mesh.triangulation());
    dof_handler.distribute_dofs(fe);
    Vector<double> solution(dof_handler.n_dofs());
    dealii_adapters::SipgFields<dim>(dof_handler, state.mesh.cells())
      .from_primal(state.solution, solution);

    // ParaView shows the name wherever it shows the field.
    field_output.add_field(dof_handler,
                           solution,
                           converged ? "solution" : "solution_not_converged");
    if (problem.data().has_exact_solution())
      {
        Vector<double> error(dof_handler.n_dofs());
        VectorTools::interpolate(mapping,
                                 dof_handler,
                                 problem.data().exact_solution(),
                                 error);
        problem.data().check_finite(Communicator());
        error -= solution;
        field_output.add_field(dof_handler, error, "error");
      }

    std::vector<double> levels;
    for (const sipg::CellKey &key : state.mesh.forest().active_cells())
      levels.push_back(key.level);
    const Vector<float> level = state.mesh.in_order_of_triangulation(levels);
    const Vector<float> estimator =
      state.mesh.in_order_of_triangulation(state.indicators);
    field_output.add_cell_field(level, "level");
    field_output.add_cell_field(estimator, "estimator");
    Vector<float> coefficient;
    if (problem.has_coefficient())
      {
        coefficient = state.mesh.in_order_of_triangulation(
          state.discretization->coefficient);
        field_output.add_cell_field(coefficient, "coefficient");
      }
    field_output.write(mapping, cycle);
  }



  template class CycleOutput<2>;
  template class CycleOutput<3>;
} // namespace tessera::sipg_adaptive
