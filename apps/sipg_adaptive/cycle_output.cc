// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/cycle_output.h"

#include <tessera/dealii/sipg_fields.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include <functional>

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

    const auto by_cells = [&](const std::function<double(std::size_t)> &value) {
      const std::vector<unsigned int> &indices =
        state.mesh.cells().active_cell_indices();
      Vector<float> values(indices.size());
      for (std::size_t i = 0; i < indices.size(); ++i)
        values[indices[i]] = float(value(i));
      return values;
    };
    const std::vector<sipg::CellKey> cells = state.mesh.forest().active_cells();
    const Vector<float>              level =
      by_cells([&](const std::size_t i) { return cells[i].level; });
    const Vector<float> estimator =
      by_cells([&](const std::size_t i) { return state.indicators[i]; });
    field_output.add_cell_field(level, "level");
    field_output.add_cell_field(estimator, "estimator");
    Vector<float> coefficient;
    if (problem.has_coefficient())
      {
        coefficient = by_cells([&](const std::size_t i) {
          return state.discretization->coefficient[i];
        });
        field_output.add_cell_field(coefficient, "coefficient");
      }
    field_output.write(mapping, cycle);
  }



  template class CycleOutput<2>;
  template class CycleOutput<3>;
} // namespace tessera::sipg_adaptive
