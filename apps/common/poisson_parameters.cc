// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/poisson_parameters.h"

#include "common/expression.h"
#include "common/text_of_numbers.h"

namespace tessera::apps
{
  namespace
  {
    const std::string product_of_sines = "product of sines";

    /** $\prod_d \sin(\pi x_d)$, with a factor in front. */
    std::string
    sines(const unsigned int dim, const std::string &factor)
    {
      const char *const names[] = {"x", "y", "z"};
      std::string       text    = factor;
      for (unsigned int d = 0; d < dim; ++d)
        text +=
          (text.empty() ? "sin(pi*" : "*sin(pi*") + std::string(names[d]) + ")";
      return text;
    }
  } // namespace



  void
  PoissonParameters::declare_problem(ParameterSet      &set,
                                     const std::string &equation)
  {
    set.enter_subsection("Problem");
    set.add("Right hand side",
            right_hand_side,
            "f in " + equation +
              ", an expression in x, y, z and pi. Empty: "
              "zero. 'product of sines': the one that belongs to u = sin(pi x) "
              "sin(pi y) sin(pi z), without the last factor in 2D.");
    set.add("Boundary values",
            boundary_values,
            "Dirichlet values, an expression, for all parts of the boundary "
            "that have no section of their own in 'Boundary conditions', or "
            "one without a value. Empty: the exact solution where there is "
            "one, otherwise zero.");
    set.add("Exact solution",
            exact_solution,
            "An expression; the errors in the tables are measured against it. "
            "Empty: none. 'product of sines' as for the right hand side; with "
            "any other right hand side it means none.");
    set.add("Exact gradient",
            exact_gradient,
            "The gradient of the exact solution, one expression a direction, "
            "separated by ';'. Empty: difference quotients, which are enough "
            "for smooth solutions; near a singularity they are wrong.");
    set.leave_subsection();
  }



  void
  PoissonParameters::declare_boundary_conditions(ParameterSet      &set,
                                                 const std::string &ids,
                                                 const std::string &flux)
  {
    set.add_section_family(
      "Boundary conditions",
      "<id>",
      dealii::Patterns::Integer(0),
      "1",
      "One section for each part of the boundary with a condition of its own. " +
        ids +
        " Without a section, a part has the Dirichlet condition with "
        "'Problem/Boundary values'.",
      [this, flux](ParameterSet &p, const std::string &id) {
        BoundaryParameters &condition =
          boundary_conditions[static_cast<unsigned int>(std::stoul(id))];
        p.add_selection("Type",
                        condition.type,
                        {{"dirichlet", BoundaryType::dirichlet},
                         {"neumann", BoundaryType::neumann}},
                        "dirichlet: u = Value. neumann: " + flux +
                          " = Value, n the outward normal. At least one part "
                          "must be dirichlet.");
        p.add("Value",
              condition.value,
              "An expression. Empty: for dirichlet, 'Problem/Boundary values'; "
              "for neumann, that of the exact solution where there is one, "
              "otherwise zero.");
      });
  }



  void
  PoissonParameters::check(const ParameterSet &set,
                           const unsigned int  dim,
                           const unsigned int  n_ids,
                           const std::string  &domain) const
  {
    if (!exact_gradient.empty() && exact_solution_expression(dim).empty())
      throw set.error("Problem/Exact gradient",
                      "there is no exact solution that this could be the "
                      "gradient of; give 'Problem/Exact solution'");
    if (const auto n = split_expressions(exact_gradient).size();
        n != 0 && n != dim)
      throw set.error("Problem/Exact gradient",
                      "found " + counted(n, "expression") + "; give " +
                        std::to_string(dim) +
                        ", one a direction, separated by ';'");

    unsigned int n_neumann = 0;
    for (const auto &[id, condition] : boundary_conditions)
      {
        const std::string path = "Boundary conditions/" + std::to_string(id);
        if (id >= n_ids)
          throw set.error(path + "/Type",
                          "the boundary of the " + domain +
                            " has the ids 0 to " + std::to_string(n_ids - 1) +
                            " in " + std::to_string(dim) +
                            "D; there is no id " + std::to_string(id));
        if (condition.type == BoundaryType::neumann)
          ++n_neumann;
      }
    if (n_neumann == n_ids)
      throw set.error("Boundary conditions/0/Type",
                      "all parts of the boundary are neumann, which leaves the "
                      "solution undetermined up to a constant; make at least "
                      "one dirichlet");
  }



  bool
  PoissonParameters::is_product_of_sines() const
  {
    return right_hand_side == product_of_sines;
  }



  std::string
  PoissonParameters::right_hand_side_expression(const unsigned int dim) const
  {
    if (is_product_of_sines())
      return sines(dim, std::to_string(dim) + "*pi^2");
    return right_hand_side.empty() ? "0" : right_hand_side;
  }



  std::string
  PoissonParameters::exact_solution_expression(const unsigned int dim) const
  {
    if (exact_solution == product_of_sines)
      return is_product_of_sines() ? sines(dim, "") : "";
    return exact_solution;
  }
} // namespace tessera::apps
