// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/parameters.h"

#include <deal.II/base/utilities.h>

#include <algorithm>

#include "common/text_of_numbers.h"
#include "elasticity/mesh.h"

namespace tessera::elasticity
{
  using apps::positive_number;
  using dealii::Patterns::Bool;
  using dealii::Patterns::Double;
  using dealii::Patterns::FileName;
  using dealii::Patterns::Integer;
  using dealii::Patterns::List;



  namespace
  {
    const char axes[] = "xyz";
  } // namespace



  std::vector<unsigned int>
  parse_components(const std::string &text, const unsigned int dim)
  {
    std::vector<unsigned int> components;
    if (dealii::Utilities::trim(text).empty())
      for (unsigned int d = 0; d < dim; ++d)
        components.push_back(d);
    else
      for (const std::string &name :
           dealii::Utilities::split_string_list(text, ','))
        {
          unsigned int d = 0;
          while (d < dim && name != std::string(1, axes[d]) &&
                 name != std::to_string(d))
            ++d;
          if (d == dim)
            throw InputError("'" + name + "' is no component; they are " +
                             (dim == 2 ? "x and y" : "x, y and z"));
          if (std::count(components.begin(), components.end(), d) > 0)
            throw InputError("the component '" + name + "' is named twice");
          components.push_back(d);
        }
    return components;
  }



  std::string
  beam_load(const unsigned int dim)
  {
    return dim == 2 ? "0; 1" : "0; -6*z; 1 + 6*y";
  }



  Parameters::Parameters()
  {
    // A body without supports is nothing unusual here, where the load can be
    // checked.
    solver.block_amg.singular_matrix = amg::SingularMatrix::complement;
  }



  void
  Parameters::declare(apps::ParameterSet &set)
  {
    set.add("Degree",
            degree,
            "Polynomial degree of the displacement. Degree 1 is much too stiff "
            "in bending unless the mesh is fine.",
            Integer(1, 2));
    set.add_selection("Model",
                      model,
                      {{"linear", MaterialModel::linear},
                       {"neo-hookean", MaterialModel::neo_hookean}},
                      "linear: small strains and Hooke's law, sigma = lambda "
                      "tr(e) I + 2 mu e. neo-hookean: large displacements and "
                      "strains of a compressible Neo-Hookean material, by "
                      "Newton's method (section 'Nonlinear'). In 2D both are "
                      "plane strain.");
    set.add("Body force",
            body_force,
            "Force per volume, for instance weight: an expression in x, y, z "
            "and pi for each component, separated by ';'. Empty: none. With "
            "neo-hookean, per volume before the deformation.");

    set.enter_subsection("Mesh");
    set.add_selection(
      "Type",
      mesh_type,
      {{"beam", MeshType::beam},
       {"hyper rectangle", MeshType::hyper_rectangle},
       {"file", MeshType::file}},
      "beam: 0 < x < 10 with a square cross-section of side 1 about the x axis "
      "(in 2D a rectangle); unless said otherwise it is clamped at the boundary "
      "id 0 (x = 0), loaded at 1 (x = 10) and free elsewhere, and of material 0. "
      "hyper rectangle: a box. The boundary ids of both are 0 and 1 at the "
      "lower and upper end in x, 2 and 3 in y, 4 and 5 in z. file: 'Mesh/File'.");
    set.add(
      "File",
      mesh_file,
      "A mesh of quadrilaterals or hexahedra in a format that deal.II "
      "reads, known by the extension: msh (Gmsh), vtk, vtu, inp (Abaqus), "
      "ucd, unv, exo and others. Physical ids of cells are material ids, "
      "those of faces boundary ids; faces without one have the id 0. "
      "Relative to the current directory, or to that of the program's "
      "parameter file where it is not found there.",
      FileName());
    set.add("Cells",
            cells,
            "Cells a direction. beam: one number k, for 10 k cells along and k "
            "across. hyper rectangle: one number for all directions, or one a "
            "direction.",
            List(Integer(1, 100000), 1, 3));
    set.add("Lower corner",
            lower_corner,
            "hyper rectangle: corner with the smallest coordinates: one number "
            "for all directions, or one a direction.",
            List(Double(), 1, 3));
    set.add("Upper corner",
            upper_corner,
            "hyper rectangle: corner with the largest coordinates.",
            List(Double(), 1, 3));
    set.add("Refinements",
            n_refinements,
            "How often the mesh is refined globally before the first cycle.",
            Integer(0, 10));
    set.add("Adaptive cycles",
            n_adaptive_cycles,
            "How often the mesh is refined after a solve, where an estimate of "
            "the error is largest, and solved on again.",
            Integer(0, 20));
    set.add("Refinement fraction",
            refinement_fraction,
            "Adaptive cycles refine the cells with the largest indicators that "
            "make up this part of the sum of their squares.",
            Double(0.001, 1.));
    set.leave_subsection();

    set.add_section_family(
      "Materials",
      "<id>",
      Integer(0),
      "0",
      "One section for each material id of the mesh. Without any, beam and "
      "hyper rectangle have material 0 with the values given below.",
      [this](apps::ParameterSet &p, const std::string &id) {
        MaterialParameters &material =
          materials[static_cast<unsigned int>(std::stoul(id))];
        p.add("Young's modulus",
              material.youngs_modulus,
              "E, a force per area in the units of loads and lengths.",
              positive_number());
        p.add("Poisson's ratio",
              material.poissons_ratio,
              "nu, above -1 and below 1/2. Above 0.45 the material is nearly "
              "incompressible: displacements become too small (locking), and "
              "iterations many.",
              Double());
        p.add("Where",
              material.where,
              "An expression: cells whose centre makes it positive have this "
              "material, whatever the mesh says; of several materials, that "
              "with the largest id. For instance x > 5. Empty: the cells that "
              "have this id in the mesh.");
      });

    set.add_section_family(
      "Boundary conditions",
      "<id>",
      Integer(0),
      "1",
      "One section for each boundary id of the mesh; the table of ids at the "
      "start of a run has their faces and areas. Each id must have one, but "
      "for those of a beam. Nodes that several parts share have the conditions "
      "of all of them; where several give the same component of the "
      "displacement, the part with the largest id prevails.",
      [this](apps::ParameterSet &p, const std::string &id) {
        BoundaryParameters &condition =
          boundary_conditions[static_cast<unsigned int>(std::stoul(id))];
        condition.is_given = true;
        p.add_selection(
          "Type",
          condition.type,
          {{"clamped", BoundaryType::clamped},
           {"displacement", BoundaryType::displacement},
           {"symmetry", BoundaryType::symmetry},
           {"traction", BoundaryType::traction},
           {"free", BoundaryType::free}},
          "clamped: u = 0. displacement: the 'Components' of u have the "
          "'Value'. symmetry: the component normal to the part, which must be "
          "plane and normal to an axis, is zero. traction: the force per area "
          "on the body is the 'Value' (neo-hookean: per area before the "
          "deformation, in a fixed direction). free: no force.");
        p.add("Value",
              condition.value,
              "For displacement and traction: an expression in x, y, z and pi "
              "for each component, separated by ';'. For a displacement with "
              "'Components', one for each of them.");
        p.add("Components",
              condition.components,
              "For displacement: which components are given, such as 'x' or "
              "'x, z'; the others are free. Empty: all.");
      });

    set.enter_subsection("Solver");
    set.add("Tolerance",
            solver.tolerance,
            "Stop when the Euclidean norm of the residual is below this number "
            "times that of the right-hand side.",
            Double(1e-15, 1.));
    set.add("Maximum iterations",
            solver.max_iterations,
            "Stop without convergence, and with exit status 2, after so many "
            "iterations of a linear solve.",
            Integer(1));
    set.add("Number of solves",
            n_solves,
            "Solve so often in each cycle, with model linear. From the second "
            "time on, Young's modulus is multiplied by 1 + 0.2 sin(2 pi x / "
            "L), L being the extent of the mesh in x: other values of the same "
            "matrix. The set-up of block amg then keeps its interpolation "
            "('hot'). Results are those of the first solve.",
            Integer(1, 1000));
    set.add_selection(
      "Preconditioner",
      solver.preconditioner,
      {{"block amg", PreconditionerType::block_amg},
       {"trilinos ml", PreconditionerType::trilinos_ml},
       {"jacobi", PreconditionerType::jacobi},
       {"direct", PreconditionerType::direct}},
      "For conjugate gradients. block amg: smoothed aggregation "
      "with rigid-body modes on blocks. trilinos ml: the same "
      "method on single entries, for comparison. jacobi: the "
      "diagonal, for comparison. direct: no iteration but a "
      "factorization, for small problems.");
    set.add_selection("Singular matrix",
                      solver.block_amg.singular_matrix,
                      {{"complement", amg::SingularMatrix::complement},
                       {"refuse", amg::SingularMatrix::refuse}},
                      "What to do where conditions leave the body a rigid "
                      "motion, with block amg. complement: check that the load "
                      "is in equilibrium and compute the displacement without "
                      "rigid part. refuse: an error. The "
                      "other preconditioners always refuse.");
    set.leave_subsection();

    set.enter_subsection("Block AMG");
    set.add_selection("Strength measure",
                      solver.block_amg.strength_measure,
                      {{"norms", amg::StrengthMeasure::block_norms},
                       {"couplings", amg::StrengthMeasure::negative_couplings}},
                      "What makes two nodes strongly connected. norms: a block "
                      "that is large beside the diagonal ones. couplings: the "
                      "sign and size of its trace; for cells that are "
                      "stretched by more than 4, with Strength threshold = 0.3 "
                      "and Threshold scale = 1.");
    set.add("Strength threshold",
            solver.block_amg.strength_threshold,
            "Nodes are strongly connected where the sum of the absolute values "
            "of their block exceeds this number times the geometric mean of "
            "those of their diagonal blocks; or, by couplings, where theirs "
            "exceeds this number times the largest one of a node.",
            Double(0., 0.999));
    set.add("Threshold scale",
            solver.block_amg.threshold_scale,
            "The strength threshold is multiplied by it from level to level.",
            Double(0., 1.));
    set.add("Aggressive levels",
            solver.block_amg.aggressive_levels,
            "On so many of the finest levels aggregates reach to neighbours of "
            "neighbours.",
            Integer(0, 20));
    set.add("Prolongator filter",
            solver.block_amg.prolongator_filter,
            "Leave out blocks of the prolongator that are smaller than this "
            "number times their row, and correct the others so that rigid-body "
            "modes are kept. 0: none.",
            Double(0., 0.999));
    set.add("Filter scale",
            solver.block_amg.filter_scale,
            "The filter is multiplied by it from level to level.",
            Double(0., 1.));
    set.add("Smoother degree",
            solver.block_amg.smoother_degree,
            "Chebyshev steps before and after the coarse correction.",
            Integer(1, 20));
    set.add("Coarse size limit",
            solver.block_amg.coarse_size_limit,
            "Levels of no more unknowns are solved directly.",
            Integer(1, 20000));
    set.add_selection("Level precision",
                      solver.block_amg.level_precision,
                      {{"float", amg::LevelPrecision::single_precision},
                       {"double", amg::LevelPrecision::double_precision}},
                      "Precision of the numbers on the levels. Conjugate "
                      "gradients are always in double.");
    set.add_selection("Aggregation order",
                      solver.block_amg.aggregation_order,
                      {{"hash", amg::AggregationOrder::hash},
                       {"natural", amg::AggregationOrder::natural}},
                      "Which nodes become roots of aggregates first: in an "
                      "order that looks random, or as numbered. natural makes "
                      "more aggregates, by a tenth to a third.");
    set.add_selection(
      "Product algorithm",
      solver.block_amg.product.algorithm,
      {{"auto", sparse::ProductAlgorithm::automatic},
       {"two-pass", sparse::ProductAlgorithm::two_pass},
       {"fused", sparse::ProductAlgorithm::fused},
       {"fused ordered", sparse::ProductAlgorithm::fused_ordered},
       {"tiled", sparse::ProductAlgorithm::tiled},
       {"schedule", sparse::ProductAlgorithm::schedule},
       {"outer product", sparse::ProductAlgorithm::outer_product},
       {"cached positions", sparse::ProductAlgorithm::cached_positions}},
      "How Galerkin products are computed. Results agree up to rounding; auto "
      "chooses by sizes and memory.");
    set.add_selection("Fused order",
                      solver.block_amg.product.fused_order,
                      {{"natural", sparse::FusedOrder::natural},
                       {"minimum fine index",
                        sparse::FusedOrder::minimum_fine_index},
                       {"rcm", sparse::FusedOrder::rcm}},
                      "The order of coarse rows in 'fused ordered'.");
    set.add("Prolongator smoothing",
            solver.block_amg.prolongator_smoothing,
            "Smooth the interpolation of aggregates. Without, coarse levels "
            "are sparser and iterations many more.",
            Bool());
    set.add("Process limit",
            solver.block_amg.process_limit,
            "Unknowns a rank must have on a level, where there are several "
            "ranks. 0: no limit.",
            Integer(0));
    set.leave_subsection();

    set.enter_subsection("Nonlinear");
    set.add("Load steps",
            n_load_steps,
            "neo-hookean: apply loads and given displacements in so many equal "
            "steps, each solved by Newton's method from the result of the one "
            "before.",
            Integer(1, 10000));
    set.add("Tolerance",
            newton_tolerance,
            "neo-hookean: stop Newton's method when the norm of the residual "
            "is below this number times that of the first right-hand side of "
            "the load step.",
            Double(1e-14, 0.5));
    set.add("Maximum iterations",
            max_newton_iterations,
            "neo-hookean: Newton steps after which a load step counts as "
            "failed.",
            Integer(1, 1000));
    set.add("Maximum step halvings",
            max_step_halvings,
            "neo-hookean: where Newton's method fails, or turns a cell inside "
            "out, the load step is halved, so often at most.",
            Integer(0, 30));
    set.leave_subsection();

    set.enter_subsection("Output");
    set.add("Probes",
            probes,
            "Points at which the displacement is recorded: coordinates "
            "separated by ',', points by ';'. Before the deformation, within "
            "the body.");
    field_output.declare(set);
    set.leave_subsection();
  }
} // namespace tessera::elasticity
