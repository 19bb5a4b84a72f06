// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_problem_data_h
#define tessera_apps_poisson_q3_problem_data_h

#include "common/poisson_data.h"
#include "poisson_q3/parameters.h"

namespace tessera::poisson_q3
{
  /** The functions of $-\Delta u = f$ on the box. */
  template <int dim>
  using ProblemData = apps::PoissonData<dim>;

  /** @param[in] set Where given, messages begin with the place that an
   * expression comes from.
   * @throws InputError where an expression does not parse. */
  template <int dim>
  ProblemData<dim>
  make_problem_data(const Parameters         &parameters,
                    const apps::ParameterSet *set = nullptr)
  {
    return ProblemData<dim>(parameters.problem,
                            2 * dim,
                            parameters.box.shortest_side(),
                            set);
  }
} // namespace tessera::poisson_q3

#endif
