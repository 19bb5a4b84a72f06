// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/stress_output.h"

#include <deal.II/dofs/dof_handler.h>

#include <limits>

#include "elasticity/constitutive_law.h"

namespace tessera::elasticity
{
  using namespace dealii;

  template <int dim>
  StressOutput<dim>::StressOutput(const Constitution &constitution)
    : law(constitution)
  {}



  template <int dim>
  void
  StressOutput<dim>::evaluate_vector_field(
    const DataPostprocessorInputs::Vector<dim> &inputs,
    std::vector<Vector<double>>                &quantities) const
  {
    const auto cell = inputs.template get_cell<dim>();
    for (unsigned int q = 0; q < quantities.size(); ++q)
      {
        Tensor<2, dim> gradient;
        for (unsigned int i = 0; i < dim; ++i)
          gradient[i] = inputs.solution_gradients[q][i];
        const StressState<dim> state = evaluate_stress(
          law, cell->material_id(), inputs.evaluation_points[q], gradient);

        unsigned int c = 0;
        for (unsigned int i = 0; i < dim; ++i)
          quantities[q][c++] = inputs.solution_values[q][i];
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            quantities[q][c++] = state.cauchy[i][j];
        if (dim == 2)
          quantities[q][c++] = state.cauchy[2][2];
        quantities[q][c++] = von_mises_stress(state.cauchy);
        if (!state.is_valid())
          for (unsigned int k = dim; k < c; ++k)
            quantities[q][k] = std::numeric_limits<double>::quiet_NaN();
        quantities[q][c++] = cell->material_id();
        AssertDimension(c, quantities[q].size());
      }
  }



  template <int dim>
  std::vector<std::string>
  StressOutput<dim>::get_names() const
  {
    std::vector<std::string> names(dim, "displacement");
    names.insert(names.end(), dim * dim, "stress");
    if (dim == 2)
      names.emplace_back("out_of_plane_stress");
    names.emplace_back("von_mises_stress");
    names.emplace_back("material");
    return names;
  }



  template <int dim>
  std::vector<DataComponentInterpretation::DataComponentInterpretation>
  StressOutput<dim>::get_data_component_interpretation() const
  {
    using namespace DataComponentInterpretation;
    std::vector<DataComponentInterpretation::DataComponentInterpretation>
      interpretation(dim, component_is_part_of_vector);
    interpretation.insert(interpretation.end(),
                          dim * dim,
                          component_is_part_of_tensor);
    interpretation.resize(get_names().size(), component_is_scalar);
    return interpretation;
  }



  template <int dim>
  UpdateFlags
  StressOutput<dim>::get_needed_update_flags() const
  {
    return update_values | update_gradients | update_quadrature_points;
  }



  template class StressOutput<2>;
  template class StressOutput<3>;
} // namespace tessera::elasticity
