// SPDX-License-Identifier: LGPL-2.1-or-later
// What the pattern of a single parameter cannot check.
#include <tessera/sipg/coarse_solver.h>

#include <algorithm>
#include <cmath>

#include "common/complete_list.h"
#include "common/parameter_warnings.h"
#include "common/text_of_numbers.h"
#include "sipg_adaptive/domain.h"
#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  using apps::short_number;
  using apps::warn_without_effect;

  namespace
  {
    // Block-Jacobi does not see what varies along the long side of a cell.
    constexpr double max_good_aspect = 3.;

    // Numbers of cells are 32-bit integers.
    constexpr double max_cells = 2e9;

    std::size_t
    max_coarse_unknowns(const unsigned int dim)
    {
      return dim == 2 ? sipg::CoarseSolver<2>::max_unknowns :
                        sipg::CoarseSolver<3>::max_unknowns;
    }
  } // namespace



  void
  Parameters::check_and_complete(const apps::ParameterSet &set,
                                 const unsigned int        dim)
  {
    warnings.clear();
    check_domain(set, dim);
    check_problem(set, dim);
    check_refinement(set, dim);
    if ((block_size & (block_size - 1)) != 0)
      throw set.error("Multigrid/Block size",
                      "it must be a power of two: 1, 2, 4, ..., 1024");
  }



  void
  Parameters::check_domain(const apps::ParameterSet &set,
                           const unsigned int        dim)
  {
    const unsigned int deepest =
      std::min(n_refinements + refinement.n_cycles - 1,
               std::max(refinement.max_level, n_refinements));
    box.check_and_complete(set, dim, deepest);

    if (domain == Domain::fichera && dim == 2)
      throw set.error("Mesh/Domain",
                      "the Fichera corner is a domain in 3D; use 'l shape', or "
                      "'Dimension = 3'");
    for (unsigned int d = 0; d < n_halved_axes(domain); ++d)
      if (box.coarse_cells[d] % 2 != 0)
        throw set.error(
          "Mesh/Coarse cells",
          "there are " + std::to_string(box.coarse_cells[d]) +
            " cells in direction " + std::to_string(d) +
            "; the domain has a corner in the middle, which takes "
            "an even number");

    // In floating point, because the product of integers would overflow.
    double n_coarse_cells = 1.;
    for (unsigned int d = 0; d < dim; ++d)
      n_coarse_cells *= box.coarse_cells[d];
    n_coarse_cells *= filled_part(domain);
    const double n_unknowns =
      n_coarse_cells * std::pow(double(degree) + 1., double(dim));
    if (n_unknowns > double(max_coarse_unknowns(dim)))
      throw set.error(
        "Mesh/Coarse cells",
        "the coarse mesh has " + short_number(n_coarse_cells, 12) +
          " cells and " + short_number(n_unknowns, 12) +
          " unknowns, where the direct solver on it takes up to " +
          std::to_string(max_coarse_unknowns(dim)) +
          ". Use fewer coarse cells and more 'Mesh/Refinements': "
          "half the cells a direction and one refinement more "
          "make the same mesh");
    const double n_cells =
      n_coarse_cells *
      std::exp2(double(dim) * (refinement.strategy == Strategy::none ?
                                 deepest :
                                 n_refinements));
    if (n_cells > max_cells)
      throw set.error("Mesh/Refinements",
                      "there would be " + short_number(n_cells) +
                        " cells; numbers of cells go up to " +
                        short_number(max_cells) +
                        ". Use fewer refinements, cycles ('Refinement/Cycles') "
                        "or coarse cells");

    double longest = 0., shortest = 0.;
    for (unsigned int d = 0; d < dim; ++d)
      {
        const double side =
          (box.upper_corner[d] - box.lower_corner[d]) / box.coarse_cells[d];
        longest  = d == 0 ? side : std::max(longest, side);
        shortest = d == 0 ? side : std::min(shortest, side);
      }
    if (longest > max_good_aspect * shortest)
      warnings.push_back(
        set.origin("Mesh/Coarse cells") +
        ": the sides of the cells have the ratio " +
        short_number(longest / shortest) +
        "; the solver needs more iterations the more it is above 2. Choose "
        "'Mesh/Coarse cells' such that cells are about cubes");
  }



  void
  Parameters::check_problem(const apps::ParameterSet &set,
                            const unsigned int        dim) const
  {
    problem.check(set, dim, n_boundary_ids(domain, dim), name(domain));
    if (problem.is_product_of_sines() && coefficient != "1")
      throw set.error("Problem/Diffusion coefficient",
                      "the product of sines is the right hand side for k = 1; "
                      "give 'Problem/Right hand side' for this coefficient");
  }



  void
  Parameters::check_refinement(const apps::ParameterSet &set,
                               const unsigned int        dim)
  {
    if (refinement.shell_centre.empty())
      for (unsigned int d = 0; d < dim; ++d)
        refinement.shell_centre.push_back(
          (box.lower_corner[d] + box.upper_corner[d]) / 2.);
    else if (refinement.strategy == Strategy::shell)
      apps::complete_list(refinement.shell_centre,
                          set,
                          "Refinement/Shell centre",
                          dim);

    const RefinementParameters defaults;
    const bool is_shell = refinement.strategy == Strategy::shell;
    const auto check    = [&](const bool         changed,
                           const std::string &name,
                           const std::string &strategy) {
      warn_without_effect(warnings,
                          changed,
                          set,
                          "Refinement/" + name,
                          ", as 'Refinement/Strategy' is not " + strategy);
    };
    if (!is_shell)
      {
        check(refinement.shell_radius != defaults.shell_radius,
              "Shell radius",
              "shell");
        check(refinement.shell_width != defaults.shell_width,
              "Shell width",
              "shell");
        check(!set.value("Refinement/Shell centre").empty(),
              "Shell centre",
              "shell");
      }
    if (refinement.strategy != Strategy::estimator)
      check(refinement.fraction != defaults.fraction, "Fraction", "estimator");
    if (refinement.strategy == Strategy::none)
      {
        check(refinement.max_level != defaults.max_level,
              "Maximum level",
              "shell or estimator");
        check(refinement.compare_with_uniform,
              "Compare with uniform",
              "shell or estimator");
      }
  }
} // namespace tessera::sipg_adaptive
