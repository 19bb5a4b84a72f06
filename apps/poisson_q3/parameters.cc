// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/parameters.h"

#include <deal.II/base/types.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "common/parameter_warnings.h"

namespace tessera::poisson_q3
{
  using dealii::Patterns::Double;
  using dealii::Patterns::Integer;

  void
  Parameters::declare(apps::ParameterSet &set)
  {
    set.add("Degree",
            degree,
            "Polynomial degree of the continuous elements. The name of the "
            "application comes from degree 3, which its solver is tuned for.",
            Integer(1, 7));

    set.enter_subsection("Mesh");
    box.declare(set,
                "Chebyshev multigrid goes down to this mesh; patch multigrid "
                "halves the number of cells as long as it is even and more "
                "than two in all directions.");
    set.add("Refinements",
            n_refinements,
            "How often the coarse mesh is refined globally for the first "
            "cycle. Each time halves the cells in all directions.",
            Integer(0, 15));
    set.add("Cycles",
            n_cycles,
            "Number of meshes to solve on, each refined once more than the one "
            "before.",
            Integer(1, 16));
    set.leave_subsection();

    problem.declare_problem(set, "-div grad u = f");
    problem.declare_boundary_conditions(
      set,
      "The ids of the box are 0 at the lower and 1 at the upper end in x, 2 "
      "and 3 in y, 4 and 5 in z. Where parts with different Dirichlet values "
      "meet, the one with the largest id prevails.",
      "du/dn");

    set.enter_subsection("Solver");
    set.add_selection("Iteration",
                      iteration,
                      {{"stationary", Iteration::stationary},
                       {"cg", Iteration::cg}},
                      "stationary: u += M^-1 (b - A u) with one multigrid "
                      "cycle M^-1 an iteration. cg: conjugate gradients "
                      "preconditioned by that cycle.");
    set.add_selection("Post-smoothing order",
                      post_smoothing_order,
                      {{"automatic", PostSmoothingOrder::automatic},
                       {"forward", PostSmoothingOrder::forward},
                       {"reverse", PostSmoothingOrder::reverse}},
                      "Patch multigrid: order of the colours in the "
                      "post-smoothing, that of the pre-smoothing or its "
                      "reverse. forward makes the stationary iteration about "
                      "twice as fast; reverse makes the cycle symmetric, which "
                      "cg needs. automatic: the one that suits the iteration.");
    set.add("Rebalance every",
            rebalance_every,
            "Patch multigrid: in every n-th iteration, give the copies of "
            "each residual entry equal shares before they are rounded to the "
            "level precision. 0: never. With float levels, the stationary "
            "iteration stagnates at a few 1e-8 of the first residual for any "
            "value but 1; for cg, 3 is as good as 1.",
            Integer(0));
    set.add_selection(
      "Level precision",
      level_precision,
      {{"float", LevelPrecision::single_precision},
       {"double", LevelPrecision::double_precision}},
      "Precision of the numbers on the multigrid levels. The iteration around "
      "them is always in double.");
    set.add_selection("Colour order",
                      colour_order,
                      {{"odd first", ColourOrder::odd_first},
                       {"even first", ColourOrder::even_first}},
                      "Patch multigrid: which patches of a direction a sweep "
                      "treats first.");
    set.add("Minimum cells per rank",
            min_cells_per_rank,
            "Patch multigrid on several ranks: coarse levels are treated by so "
            "few of them that each has at least this many cells, as messages "
            "take longer there than the work. Results do not depend on it.",
            Integer(1));
    set.add("Tolerance",
            tolerance,
            "Stop when the size of the residual r is below this number times "
            "its value at the start, where u is zero but for the Dirichlet "
            "values. The size is the Euclidean norm of r for chebyshev "
            "multigrid, and eta = (r . M^-1 r)^(1/2) with the multigrid cycle "
            "M^-1 for patch multigrid, which is about the energy norm of the "
            "error. The stationary iteration with patch multigrid knows eta "
            "one cycle late, and stops by the estimate eta_(n-1)^2/eta_(n-2).",
            Double(1e-15, 1.));
    set.add("Maximum iterations",
            max_iterations,
            "Stop without convergence, and with exit status 2, after so many "
            "iterations.",
            Integer(1));
    set.add("Fixed iterations",
            fixed_iterations,
            "Do exactly so many iterations (fewer only if the residual becomes "
            "exactly zero), whatever the residual, and call it "
            "a success. 0: stop by the tolerance.",
            Integer(0));
    set.add_selection("Preconditioner",
                      preconditioner,
                      {{"patch multigrid", Preconditioner::patch_multigrid},
                       {"chebyshev multigrid",
                        Preconditioner::chebyshev_multigrid}},
                      "The multigrid method. patch multigrid: vertex-patch "
                      "smoothing on cell-wise storage, with at least two cells "
                      "a direction. chebyshev multigrid: deal.II's matrix-free "
                      "geometric multigrid with Chebyshev smoothing.");
    set.leave_subsection();

    set.enter_subsection("Output");
    field_output.declare(set);
    set.leave_subsection();
  }



  void
  Parameters::check_and_complete(const apps::ParameterSet &set,
                                 const unsigned int        dim)
  {
    box.check_and_complete(set, dim, n_refinements + n_cycles - 1);
    problem.check(set, dim, 2 * dim, "box");

    // In floating point, because the product of integers would overflow.
    double n_dofs = 1.;
    for (unsigned int d = 0; d < dim; ++d)
      n_dofs *= double(degree) * box.coarse_cells[d] *
                  std::exp2(double(n_refinements) + double(n_cycles) - 1.) +
                1.;
    const double limit =
      double(std::numeric_limits<dealii::types::global_dof_index>::max());
    if (n_dofs > limit)
      {
        std::ostringstream text;
        text << "the last of " << n_cycles << " cycles would have " << n_dofs
             << " degrees of freedom; this deal.II counts to " << limit
             << ". Use fewer refinements, cycles ('Mesh/Cycles') or coarse "
                "cells";
        throw set.error("Mesh/Refinements", text.str());
      }

    if (preconditioner == Preconditioner::patch_multigrid)
      check_patch_multigrid(set);

    warnings.clear();
    const Parameters defaults;
    if (preconditioner == Preconditioner::chebyshev_multigrid)
      {
        const std::string on_chebyshev = " on chebyshev multigrid";
        apps::warn_without_effect(warnings,
                                  post_smoothing_order !=
                                    defaults.post_smoothing_order,
                                  set,
                                  "Solver/Post-smoothing order",
                                  on_chebyshev);
        apps::warn_without_effect(warnings,
                                  rebalance_every != defaults.rebalance_every,
                                  set,
                                  "Solver/Rebalance every",
                                  on_chebyshev);
        apps::warn_without_effect(warnings,
                                  colour_order != defaults.colour_order,
                                  set,
                                  "Solver/Colour order",
                                  on_chebyshev);
        apps::warn_without_effect(warnings,
                                  min_cells_per_rank !=
                                    defaults.min_cells_per_rank,
                                  set,
                                  "Solver/Minimum cells per rank",
                                  on_chebyshev);
      }
    else if (level_precision == LevelPrecision::single_precision &&
             (rebalance_every == 0 ||
              (iteration == Iteration::stationary && rebalance_every != 1)))
      warnings.push_back(
        set.origin("Solver/Rebalance every") +
        ": Solver/Rebalance every = " + std::to_string(rebalance_every) +
        ": with float levels, the residual of the " +
        (iteration == Iteration::cg ? "conjugate gradient method" :
                                      "stationary iteration") +
        " stagnates at a few 1e-8 of its first value unless it is rebalanced" +
        (iteration == Iteration::cg ? "; 3 is often enough" :
                                      " in every iteration"));
    if (fixed_iterations > 0)
      {
        const std::string as_fixed =
          ", as 'Solver/Fixed iterations' is not zero";
        apps::warn_without_effect(warnings,
                                  tolerance != defaults.tolerance,
                                  set,
                                  "Solver/Tolerance",
                                  as_fixed);
        apps::warn_without_effect(warnings,
                                  max_iterations != defaults.max_iterations,
                                  set,
                                  "Solver/Maximum iterations",
                                  as_fixed);
      }
  }



  void
  Parameters::check_patch_multigrid(const apps::ParameterSet &set) const
  {
    if (iteration == Iteration::cg &&
        post_smoothing_order == PostSmoothingOrder::forward)
      throw set.error("Solver/Post-smoothing order",
                      "conjugate gradients need a symmetric cycle, which "
                      "'forward' is not; use 'automatic' or 'reverse', or "
                      "'Solver/Iteration = stationary'");
    for (unsigned int d = 0; d < box.coarse_cells.size(); ++d)
      if (box.coarse_cells[d] == 1 && n_refinements == 0)
        throw set.error(
          "Mesh/Coarse cells",
          "the mesh of the first cycle has one cell in direction " +
            std::to_string(d) +
            ", which leaves no vertex inside for the patches of "
            "patch multigrid; use more coarse cells or at least "
            "one refinement ('Mesh/Refinements')");
  }



  PostSmoothing
  Parameters::post_smoothing() const
  {
    const bool is_reverse =
      post_smoothing_order == PostSmoothingOrder::automatic ?
        iteration == Iteration::cg :
        post_smoothing_order == PostSmoothingOrder::reverse;
    return is_reverse ? PostSmoothing::reversed : PostSmoothing::forward;
  }
} // namespace tessera::poisson_q3
