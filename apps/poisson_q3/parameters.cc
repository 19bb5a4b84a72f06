// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/parameters.h"

#include <deal.II/base/types.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "common/complete_list.h"

namespace tessera::poisson_q3
{
  using dealii::Patterns::Double;
  using dealii::Patterns::Integer;
  using dealii::Patterns::List;

  namespace
  {
    const std::string product_of_sines = "product of sines";

    // Of what double resolves, 1e-16, the nodes of a cell need some digits.
    constexpr double min_relative_width = 1e-12;

    // Products of several lengths, and their squares, stay in the range of
    // double.
    constexpr double min_width      = 1e-30;
    constexpr double max_coordinate = 1e30;

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
  Parameters::declare(apps::ParameterSet &set)
  {
    set.add("Degree",
            degree,
            "Polynomial degree of the continuous elements. The name of the "
            "application comes from degree 3, which its solver is tuned for.",
            Integer(1, 7));

    set.enter_subsection("Mesh");
    set.add("Lower corner",
            lower_corner,
            "Corner of the box with the smallest coordinates: one number for "
            "all directions, or one a direction.",
            List(Double(), 1, 3));
    set.add("Upper corner",
            upper_corner,
            "Corner of the box with the largest coordinates.",
            List(Double(), 1, 3));
    set.add("Coarse cells",
            coarse_cells,
            "Cells a direction of the coarsest mesh: one number for all "
            "directions, or one a direction. Choose the smallest numbers that "
            "make the cells about cubes. Chebyshev multigrid goes down to this "
            "mesh; patch multigrid halves the number of cells as long as it is "
            "even and more than two in all directions.",
            List(Integer(1, 1000), 1, 3));
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

    set.enter_subsection("Problem");
    set.add("Right hand side",
            right_hand_side,
            "f in -div grad u = f, an expression in x, y, z and pi. Empty: "
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
    set.leave_subsection();

    set.add_section_family(
      "Boundary conditions",
      "<id>",
      Integer(0),
      "1",
      "One section for each part of the boundary with a condition of its own. "
      "The ids of the box are 0 at the lower and 1 at the upper end in x, 2 "
      "and 3 in y, 4 and 5 in z. Without a section, a part has the Dirichlet "
      "condition with 'Problem/Boundary values'. Where parts with different "
      "Dirichlet values meet, the one with the largest id prevails.",
      [this](apps::ParameterSet &p, const std::string &id) {
        BoundaryParameters &condition =
          boundary_conditions[static_cast<unsigned int>(std::stoul(id))];
        p.add_selection("Type",
                        condition.type,
                        {{"dirichlet", BoundaryType::dirichlet},
                         {"neumann", BoundaryType::neumann}},
                        "dirichlet: u = Value. neumann: du/dn = Value, n the "
                        "outward normal. At least one part must be dirichlet.");
        p.add("Value",
              condition.value,
              "An expression. Empty: for dirichlet, 'Problem/Boundary values'; "
              "for neumann, the normal derivative of the exact solution where "
              "there is one, otherwise zero.");
      });

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
    apps::complete_list(lower_corner, set, "Mesh/Lower corner", dim);
    apps::complete_list(upper_corner, set, "Mesh/Upper corner", dim);
    apps::complete_list(coarse_cells, set, "Mesh/Coarse cells", dim);
    for (unsigned int d = 0; d < dim; ++d)
      if (!(lower_corner[d] < upper_corner[d]))
        {
          std::ostringstream text;
          text << "in direction " << d << " the box reaches from "
               << lower_corner[d] << " to " << upper_corner[d]
               << "; it must end above where it begins ('Mesh/Lower corner')";
          throw set.error("Mesh/Upper corner", text.str());
        }

    // Cells that nodes and quadrature points have no room in.
    for (unsigned int d = 0; d < dim; ++d)
      {
        const double width =
          (upper_corner[d] - lower_corner[d]) / coarse_cells[d] /
          std::exp2(double(n_refinements) + double(n_cycles) - 1.);
        const double largest =
          std::max(std::abs(lower_corner[d]), std::abs(upper_corner[d]));
        if (!(width > min_relative_width * largest && width > min_width &&
              largest < max_coordinate))
          {
            std::ostringstream text;
            text << "in direction " << d << " the cells of the last cycle are "
                 << width << " wide at coordinates up to " << largest
                 << "; a width must be more than " << min_width << " and "
                 << min_relative_width
                 << " times the largest coordinate, which must be below "
                 << max_coordinate
                 << ". Move the box to the origin, change the unit of length, "
                    "or refine less";
            throw set.error("Mesh/Upper corner", text.str());
          }
      }

    // In floating point, because the product of integers would overflow.
    double n_dofs = 1.;
    for (unsigned int d = 0; d < dim; ++d)
      n_dofs *= double(degree) * coarse_cells[d] *
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
        warn_if(post_smoothing_order != defaults.post_smoothing_order,
                set,
                "Solver/Post-smoothing order",
                on_chebyshev);
        warn_if(rebalance_every != defaults.rebalance_every,
                set,
                "Solver/Rebalance every",
                on_chebyshev);
        warn_if(colour_order != defaults.colour_order,
                set,
                "Solver/Colour order",
                on_chebyshev);
        warn_if(min_cells_per_rank != defaults.min_cells_per_rank,
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
        warn_if(tolerance != defaults.tolerance,
                set,
                "Solver/Tolerance",
                as_fixed);
        warn_if(max_iterations != defaults.max_iterations,
                set,
                "Solver/Maximum iterations",
                as_fixed);
      }

    unsigned int n_neumann = 0;
    for (const auto &[id, condition] : boundary_conditions)
      {
        const std::string path = "Boundary conditions/" + std::to_string(id);
        if (id >= 2 * dim)
          throw set.error(path + "/Type",
                          "the boundary of the box has the ids 0 to " +
                            std::to_string(2 * dim - 1) + " in " +
                            std::to_string(dim) + "D; there is no id " +
                            std::to_string(id));
        if (condition.type == BoundaryType::neumann)
          ++n_neumann;
      }
    if (n_neumann == 2 * dim)
      throw set.error("Boundary conditions/0/Type",
                      "all parts of the boundary are neumann, which leaves the "
                      "solution undetermined up to a constant; make at least "
                      "one dirichlet");
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
    for (unsigned int d = 0; d < coarse_cells.size(); ++d)
      if (coarse_cells[d] == 1 && n_refinements == 0)
        throw set.error(
          "Mesh/Coarse cells",
          "the mesh of the first cycle has one cell in direction " +
            std::to_string(d) +
            ", which leaves no vertex inside for the patches of "
            "patch multigrid; use more coarse cells or at least "
            "one refinement ('Mesh/Refinements')");
  }



  void
  Parameters::warn_if(const bool                changed,
                      const apps::ParameterSet &set,
                      const std::string        &path,
                      const std::string        &reason)
  {
    if (changed)
      warnings.push_back(set.origin(path) + ": " + path + " has no effect" +
                         reason);
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



  std::string
  Parameters::right_hand_side_expression(const unsigned int dim) const
  {
    if (right_hand_side == product_of_sines)
      return sines(dim, std::to_string(dim) + "*pi^2");
    return right_hand_side.empty() ? "0" : right_hand_side;
  }



  std::string
  Parameters::exact_solution_expression(const unsigned int dim) const
  {
    if (exact_solution == product_of_sines)
      return right_hand_side == product_of_sines ? sines(dim, "") : "";
    return exact_solution;
  }
} // namespace tessera::poisson_q3
