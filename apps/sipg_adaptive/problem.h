// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_problem_h
#define tessera_apps_sipg_adaptive_problem_h

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/sipg/problem_data.h>

#include <vector>

#include "common/expression.h"
#include "common/poisson_data.h"
#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /**
   * The boundary value problem $-\nabla\cdot(k\nabla u) = f$ as a user gives
   * it, for the functions of lib/tessera/sipg.
   *
   * The functions made here refer to this object, and throw InputError at once
   * where an expression is not finite, naming its parameter.
   */
  template <int dim>
  class Problem
  {
  public:
    /**
     * @param[in] set Where given, messages begin with the place that an
     * expression comes from.
     * @throws InputError where an expression does not parse.
     */
    explicit Problem(const Parameters         &parameters,
                     const apps::ParameterSet *set = nullptr);

    const apps::PoissonData<dim> &
    data() const
    {
      return poisson;
    }

    dealii_adapters::BoundaryConditions
    boundary_conditions() const;

    bool
    has_coefficient() const
    {
      return !is_unit_coefficient;
    }

    /** k of the active cells in the order of Forest::active_cells(); empty for
     * k = 1.
     * @throws InputError where it is not positive. */
    std::vector<double>
    coefficient(const sipg::Forest<dim> &forest) const;

    /** f, g and q. The cells must live as long as the result. */
    sipg::ProblemData<dim>
    functions(const dealii_adapters::CartesianForest<dim> &cells) const;

    sipg::ScalarFunction<dim>
    exact_solution() const;

    sipg::GradientFunction<dim>
    exact_gradient() const;

  private:
    unsigned int           n_ids;
    apps::PoissonData<dim> poisson;
    apps::Expression<dim>  k;
    bool                   is_unit_coefficient;

    /** k of a cell of the forest. */
    double
    coefficient(const sipg::Forest<dim> &forest,
                const sipg::CellKey     &key) const;

    /** Return it; throw, naming the parameter, if it is not finite. */
    double
    checked(const double value) const;
  };
} // namespace tessera::sipg_adaptive

#endif
