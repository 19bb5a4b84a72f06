// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_poisson_parameters_h
#define tessera_apps_common_poisson_parameters_h

#include <map>
#include <string>
#include <vector>

#include "common/parameter_set.h"

namespace tessera::apps
{
  enum class BoundaryType
  {
    dirichlet,
    neumann
  };

  /** What a user says of one boundary id. */
  struct BoundaryParameters
  {
    BoundaryType type = BoundaryType::dirichlet;

    /** u or its flux; empty: see PoissonParameters::declare(). */
    std::string value;
  };

  /** The data of Poisson's equation as a user gives them: expressions and
   * boundary conditions. */
  struct PoissonParameters
  {
    std::string right_hand_side = "product of sines";
    std::string boundary_values;
    std::string exact_solution = "product of sines";
    std::string exact_gradient;

    std::map<unsigned int, BoundaryParameters> boundary_conditions;

    /**
     * Declare the first ones in the section "Problem", which is entered and
     * left; others of that section may be declared before or afterwards.
     *
     * @param[in] equation "-div grad u = f"
     */
    void
    declare_problem(ParameterSet &set, const std::string &equation);

    /**
     * Declare the sections "Boundary conditions/<id>".
     *
     * @param[in] ids Which ids there are; joins the documentation.
     * @param[in] flux "du/dn"
     */
    void
    declare_boundary_conditions(ParameterSet      &set,
                                const std::string &ids,
                                const std::string &flux);

    /**
     * Check that conditions are given for the ids 0 to n_ids - 1 only, that
     * one of these is Dirichlet, and that a gradient has dim components.
     *
     * @param[in] domain "box"
     * @throws InputError naming parameter, file and line. The same on all
     * ranks.
     */
    void
    check(const ParameterSet &set,
          const unsigned int  dim,
          const unsigned int  n_ids,
          const std::string  &domain) const;

    /** Whether f is the one that belongs to the product of sines. */
    bool
    is_product_of_sines() const;

    /** The expression of the right-hand side f. */
    std::string
    right_hand_side_expression(const unsigned int dim) const;

    /** The expression of the exact solution; empty where there is none. */
    std::string
    exact_solution_expression(const unsigned int dim) const;
  };
} // namespace tessera::apps

#endif
