// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_stress_output_h
#define tessera_apps_elasticity_stress_output_h

#include <deal.II/numerics/data_postprocessor.h>

#include <string>
#include <vector>

#include "elasticity/material.h"

namespace tessera::elasticity
{
  /**
   * For dealii::DataOut::add_data_vector(solution, postprocessor): the
   * displacement as a vector, the Cauchy stress as a tensor, and scalars: in 2D
   * the stress out of the plane, the von Mises stress, the material id.
   *
   * Values are those of the cell at the points that are written; nothing is
   * averaged across cells, so that jumps between materials stay sharp and those
   * between cells show the error of the discretization. Where a finite
   * deformation is not invertible, stresses are NaN.
   */
  template <int dim>
  class StressOutput : public dealii::DataPostprocessor<dim>
  {
  public:
    explicit StressOutput(const Constitution &constitution);

    void
    evaluate_vector_field(
      const dealii::DataPostprocessorInputs::Vector<dim> &inputs,
      std::vector<dealii::Vector<double>> &quantities) const override;

    std::vector<std::string>
    get_names() const override;

    std::vector<
      dealii::DataComponentInterpretation::DataComponentInterpretation>
    get_data_component_interpretation() const override;

    dealii::UpdateFlags
    get_needed_update_flags() const override;

  private:
    const Constitution law;
  };
} // namespace tessera::elasticity

#endif
