// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/parameters.h"

#include <tessera/sipg/cell_key.h>
#include <tessera/sipg/level_hierarchy.h>

namespace tessera::sipg_adaptive
{
  using apps::positive_number;
  using dealii::Patterns::Bool;
  using dealii::Patterns::Double;
  using dealii::Patterns::Integer;
  using dealii::Patterns::List;

  RefinementParameters::RefinementParameters()
    : max_level(sipg::max_level)
  {}



  Parameters::Parameters()
    : block_size(sipg::LevelHierarchy<3>::default_block_size)
  {
    box.coarse_cells = {2};
  }



  void
  Parameters::declare(apps::ParameterSet &set)
  {
    set.add("Degree",
            degree,
            "Polynomial degree of the discontinuous elements.",
            Integer(1, 7));
    declare_mesh(set);
    declare_refinement(set);
    declare_method(set);

    set.enter_subsection("Output");
    field_output.declare(set);
    set.leave_subsection();

    checkpoint.declare(set);
  }



  void
  Parameters::declare_mesh(apps::ParameterSet &set)
  {
    set.enter_subsection("Mesh");
    set.add_selection(
      "Domain",
      domain,
      {{"box", Domain::box},
       {"l shape", Domain::l_shape},
       {"fichera", Domain::fichera}},
      "box: all between the two corners. l shape: without the quarter above "
      "the middle in x and y. fichera (3D): without the octant above the "
      "middle in x, y and z.");
    box.declare(
      set,
      "Multigrid goes down to this mesh and solves on it directly, so "
      "that it has to be small: use refinements for fine meshes. "
      "Even numbers where the domain has a corner in the middle.");
    set.add("Refinements",
            n_refinements,
            "How often the coarse mesh is refined globally for the first "
            "cycle. Each time halves the cells in all directions.",
            Integer(0, 15));
    set.leave_subsection();

    problem.declare_problem(set, "-div(k grad u) = f");
    set.enter_subsection("Problem");
    set.add("Diffusion coefficient",
            coefficient,
            "k, an expression; positive. It is constant on each cell, with the "
            "value at the centre: let jumps lie between cells. The products of "
            "sines belong to k = 1.");
    set.leave_subsection();
    problem.declare_boundary_conditions(
      set,
      "The ids of the box are 0 at the lower and 1 at the upper end in x, 2 "
      "and 3 in y, 4 and 5 in z. Where a corner is missing, the faces there "
      "that are normal to x, y and z have the ids 4, 5 in 2D and 6, 7, 8 in "
      "3D.",
      "k du/dn");
  }



  void
  Parameters::declare_refinement(apps::ParameterSet &set)
  {
    set.enter_subsection("Refinement");
    set.add_selection(
      "Strategy",
      refinement.strategy,
      {{"none", Strategy::none},
       {"shell", Strategy::shell},
       {"estimator", Strategy::estimator}},
      "How the mesh is refined from one cycle to the next. none: not locally; "
      "all cells are refined. shell: the cells of the finest level that meet a "
      "sphere, whatever the solution. estimator: the cells with the largest "
      "error indicators. Neighbours are refined with them, until cells that "
      "share a corner differ by one level at most.");
    set.add("Cycles",
            refinement.n_cycles,
            "Number of meshes to solve on. The study ends before where no cell "
            "is left to refine.",
            Integer(1, 100));
    set.add(
      "Fraction",
      refinement.fraction,
      "estimator: the smallest set of cells is refined that has this part "
      "of the sum of the squares of all indicators (bulk, or Doerfler, "
      "marking).",
      Double(1e-6, 1.));
    set.add("Maximum level",
            refinement.max_level,
            "shell and estimator: cells of this level, the coarse mesh being "
            "level 0, are not refined.",
            Integer(0, sipg::max_level));
    set.add("Shell radius",
            refinement.shell_radius,
            "shell: radius of the sphere, or circle.",
            positive_number());
    set.add("Shell width",
            refinement.shell_width,
            "shell: refine also what is at most so many sides of a cell away "
            "from the sphere.",
            Double(0.));
    set.add("Shell centre",
            refinement.shell_centre,
            "shell: centre of the sphere, one number a direction. Empty: the "
            "middle of the box.",
            List(Double(), 0, 3));
    set.add(
      "Compare with uniform",
      refinement.compare_with_uniform,
      "Afterwards, solve on uniform meshes up to about as many degrees of "
      "freedom as the last cycle has, for a second table.",
      Bool());
    set.leave_subsection();
  }



  void
  Parameters::declare_method(apps::ParameterSet &set)
  {
    set.enter_subsection("Discretization");
    set.add(
      "Penalty factor",
      penalty.factor,
      "C in the penalty C p (p+1) k / h of jumps at faces, p the degree, "
      "h the size normal to the face of the smaller cell. 2 is safe; 1 is "
      "deal.II's. If it is too small, the operator is not positive "
      "definite, and the solver stops.",
      positive_number(1e6));
    set.add("Boundary factor",
            penalty.boundary_factor,
            "By how much the penalty is larger at Dirichlet faces.",
            positive_number(1e6));
    set.leave_subsection();

    set.enter_subsection("Multigrid");
    set.add("Smoothing steps",
            multigrid.n_smoothing_steps,
            "Block-Jacobi steps with Chebyshev weights before, and after, the "
            "coarse correction.",
            Integer(1, 10));
    set.add("Smoothing range",
            multigrid.smoothing_range,
            "The smoother damps the upper end of the spectrum, down to the "
            "largest eigenvalue over this number. 15 serves degrees 1 to 5.",
            Double(1.0001, 1e6));
    set.add_selection(
      "Level precision",
      level_precision,
      {{"float", LevelPrecision::single_precision},
       {"double", LevelPrecision::double_precision}},
      "Precision of the numbers on the multigrid levels. The iteration around "
      "them is always in double.");
    set.add("Block size",
            block_size,
            "Cells that are stored together, a power of two up to 1024. It "
            "makes a difference in speed only; below 8 it is slow.",
            Integer(1, 1024));
    set.leave_subsection();

    set.enter_subsection("Solver");
    set.add("Tolerance",
            solver.tolerance,
            "Stop when eta = (r . M^-1 r)^(1/2), r the residual, M^-1 the "
            "multigrid cycle, is below this number times its value for u = 0. "
            "eta is about the energy norm of the error.",
            Double(1e-15, 1.));
    set.add("Maximum iterations",
            solver.max_iterations,
            "Stop without convergence, and with exit status 2, after so many "
            "iterations.",
            Integer(1));
    set.add_selection("Start value",
                      start_value,
                      {{"previous", StartValue::previous},
                       {"zero", StartValue::zero}},
                      "previous: the solution of the cycle before, which is a "
                      "function on the finer mesh, too. zero: u = 0.");
    set.leave_subsection();
  }
} // namespace tessera::sipg_adaptive
