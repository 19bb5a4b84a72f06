// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/parameters.h"

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include "common/complete_list.h"
#include "common/text_of_numbers.h"
#include "elasticity/mesh.h"

namespace tessera::elasticity
{
  using apps::positive_number;
  using apps::short_number;
  using dealii::Patterns::Bool;
  using dealii::Patterns::Double;
  using dealii::Patterns::FileName;
  using dealii::Patterns::Integer;
  using dealii::Patterns::List;

  namespace
  {
    const char axes[] = "xyz";

    /** The file as named, or, where there is none, beside the parameter file
     * that names it. @param[in] origin "run.prm:12" */
    std::string
    find_mesh_file(const std::string &name, const std::string &origin)
    {
      namespace fs = std::filesystem;
      if (fs::exists(name) || fs::path(name).is_absolute())
        return name;
      const fs::path beside =
        fs::path(origin.substr(0, origin.rfind(':'))).parent_path() / name;
      return fs::exists(beside) ? beside.string() : name;
    }



  } // namespace



  std::vector<std::string>
  split_expressions(const std::string &text)
  {
    if (dealii::Utilities::trim(text).empty())
      return {};
    // Not split_string_list(), which drops an empty last entry.
    std::vector<std::string> pieces(1);
    for (const char c : text)
      if (c == ';')
        pieces.emplace_back();
      else
        pieces.back() += c;
    for (std::string &piece : pieces)
      piece = dealii::Utilities::trim(piece);
    return pieces;
  }



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



  void
  Parameters::check_and_complete(const apps::ParameterSet &set,
                                 const unsigned int        dim)
  {
    warnings.clear();
    check_mesh(set, dim);
    check_materials(set);
    check_boundary_conditions(set, dim);
    check_solver(set);
    read_probes(set, dim);

    const std::size_t n = split_expressions(body_force).size();
    if (n != 0 && n != dim)
      throw set.error("Body force",
                      "found " + apps::counted(n, "expression") + "; give " +
                        std::to_string(dim) +
                        ", one a component, separated by ';'");
  }



  void
  Parameters::check_mesh(const apps::ParameterSet &set, const unsigned int dim)
  {
    const Parameters  defaults;
    const std::string without_file = ", as 'Mesh/Type' is not file";
    switch (mesh_type)
      {
        case MeshType::beam:
          if (cells.size() != 1)
            throw set.error("Mesh/Cells",
                            "a beam takes one number k, for 10 k cells along "
                            "and k across; found " +
                              apps::counted(cells.size(), "number") +
                              ". 'Mesh/Type = hyper rectangle' takes one a "
                              "direction");
          lower_corner.assign(dim, -0.5);
          upper_corner.assign(dim, 0.5);
          lower_corner[0] = 0.;
          upper_corner[0] = beam_length;
          cells.resize(dim, cells[0]);
          cells[0] *= 10;
          break;
        case MeshType::hyper_rectangle:
          apps::complete_list(lower_corner, set, "Mesh/Lower corner", dim);
          apps::complete_list(upper_corner, set, "Mesh/Upper corner", dim);
          apps::complete_list(cells, set, "Mesh/Cells", dim);
          for (unsigned int d = 0; d < dim; ++d)
            {
              const double width = (upper_corner[d] - lower_corner[d]) /
                                   cells[d] / std::exp2(double(n_refinements));
              const double largest =
                std::max(std::abs(lower_corner[d]), std::abs(upper_corner[d]));
              if (!(width > 1e-10 * largest && std::isfinite(width)))
                throw set.error(
                  "Mesh/Upper corner",
                  "in direction " + std::to_string(d) +
                    " the box reaches from " + short_number(lower_corner[d]) +
                    " to " + short_number(upper_corner[d]) + ", which makes " +
                    "cells of width " + short_number(width) +
                    "; it must end above where it begins ('Mesh/Lower "
                    "corner'), with cells that the coordinates resolve");
            }
          break;
        case MeshType::file:
          if (mesh_file.empty())
            throw set.error("Mesh/File",
                            "'Mesh/Type = file' needs the name of a file");
          mesh_file = find_mesh_file(mesh_file, set.origin("Mesh/File"));
          try
            {
              check_mesh_file(mesh_file);
            }
          catch (const InputError &error)
            {
              throw set.error("Mesh/File", error.what());
            }
          warn_if(cells != defaults.cells,
                  set,
                  "Mesh/Cells",
                  ", as 'Mesh/Type = file'");
          break;
      }
    warn_if(mesh_type != MeshType::file && !mesh_file.empty(),
            set,
            "Mesh/File",
            without_file);
    if (mesh_type != MeshType::hyper_rectangle)
      for (const std::string name : {"Lower corner", "Upper corner"})
        warn_if(set.was_set("Mesh/" + name) &&
                  set.value("Mesh/" + name) !=
                    (name == "Lower corner" ? "0" : "1"),
                set,
                "Mesh/" + name,
                ", as 'Mesh/Type' is not hyper rectangle");

    if (mesh_type != MeshType::file)
      {
        // In floating point, because the product of integers would overflow.
        double n_dofs = dim;
        for (unsigned int d = 0; d < dim; ++d)
          n_dofs *=
            double(degree) * cells[d] * std::exp2(double(n_refinements)) + 1.;
        const double limit = std::numeric_limits<std::int32_t>::max();
        if (n_dofs > limit)
          throw set.error("Mesh/Cells",
                          "the mesh of the first cycle has " +
                            short_number(n_dofs) +
                            " degrees of freedom; at most " +
                            short_number(limit) +
                            " are possible. Use fewer cells or refinements");
      }
    warn_if(n_adaptive_cycles == 0 &&
              refinement_fraction != defaults.refinement_fraction,
            set,
            "Mesh/Refinement fraction",
            ", as 'Mesh/Adaptive cycles = 0'");
  }



  void
  Parameters::check_materials(const apps::ParameterSet &set)
  {
    if (materials.empty() && mesh_type != MeshType::file)
      materials[0] = MaterialParameters();
    for (const auto &[id, material] : materials)
      {
        const std::string path =
          "Materials/" + std::to_string(id) + "/Poisson's ratio";
        const double nu = material.poissons_ratio;
        if (!(nu > -1. && nu < 0.5))
          throw set.error(path,
                          std::string("it must be above -1 and below 1/2") +
                            (nu == 0.5 ?
                               ", where a material is incompressible, which "
                               "displacements alone cannot describe; take at "
                               "most 0.49, and expect locking" :
                               ""));
        if (nu > locking_poissons_ratio)
          warnings.push_back(
            set.origin(path) + ": " + path + " = " + short_number(nu, 6) +
            ": above 0.45 displacements become too small (locking) and "
            "iterations many, the more the closer to 1/2; compare two meshes"
            " before you trust the result");
      }
  }



  void
  Parameters::check_boundary_conditions(const apps::ParameterSet &set,
                                        const unsigned int        dim)
  {
    if (mesh_type == MeshType::beam)
      {
        // What the user says of an id comes first.
        boundary_conditions.insert({0, {BoundaryType::clamped, "", "", false}});
        boundary_conditions.insert(
          {1, {BoundaryType::traction, beam_load(dim), "", false}});
        for (unsigned int id = 2; id < 2 * dim; ++id)
          boundary_conditions.insert({id, {BoundaryType::free, "", "", false}});
      }
    for (const auto &[id, condition] : boundary_conditions)
      {
        const std::string path = "Boundary conditions/" + std::to_string(id);
        const bool        is_displacement =
          condition.type == BoundaryType::displacement;
        const bool takes_value =
          is_displacement || condition.type == BoundaryType::traction;
        const std::size_t n = split_expressions(condition.value).size();

        if (!is_displacement && !condition.components.empty())
          throw set.error(path + "/Components",
                          "only 'Type = displacement' has components; remove "
                          "it, or change the type");
        if (!takes_value)
          {
            if (n > 0)
              throw set.error(path + "/Value",
                              "only the types displacement and traction take a "
                              "value; set 'Type' of this section, or remove "
                              "the value");
            continue;
          }
        std::size_t n_components = dim;
        if (is_displacement)
          try
            {
              n_components = parse_components(condition.components, dim).size();
            }
          catch (const InputError &error)
            {
              throw set.error(path + "/Components", error.what());
            }
        if (n != n_components)
          throw set.error(path + "/Value",
                          "found " + apps::counted(n, "expression") +
                            "; give " + std::to_string(n_components) +
                            (is_displacement && n_components < dim ?
                               ", one for each of the 'Components'" :
                               ", one a component") +
                            ", separated by ';'");
      }
  }



  void
  Parameters::check_solver(const apps::ParameterSet &set)
  {
    try
      {
        amg::check(solver.block_amg);
      }
    catch (const InputError &error)
      {
        throw InputError(std::string("section 'Block AMG': ") + error.what());
      }

    const Parameters defaults;
    if (model == MaterialModel::neo_hookean && n_solves > 1)
      throw set.error("Solver/Number of solves",
                      "with 'Model = neo-hookean' each Newton step is a solve "
                      "with other values already; use 1, and more 'Nonlinear/"
                      "Load steps'");
    if (model == MaterialModel::linear)
      {
        const std::string on_linear = " on 'Model = linear'";
        warn_if(n_load_steps != defaults.n_load_steps,
                set,
                "Nonlinear/Load steps",
                on_linear);
        warn_if(newton_tolerance != defaults.newton_tolerance,
                set,
                "Nonlinear/Tolerance",
                on_linear);
        warn_if(max_newton_iterations != defaults.max_newton_iterations,
                set,
                "Nonlinear/Maximum iterations",
                on_linear);
      }
    if (solver.preconditioner == PreconditionerType::direct)
      {
        warn_if(solver.tolerance != defaults.solver.tolerance,
                set,
                "Solver/Tolerance",
                " on a direct solver");
        warn_if(solver.max_iterations != defaults.solver.max_iterations,
                set,
                "Solver/Maximum iterations",
                " on a direct solver");
      }
    warn_if(solver.block_amg.product.fused_order !=
                defaults.solver.block_amg.product.fused_order &&
              solver.block_amg.product.algorithm !=
                sparse::ProductAlgorithm::fused_ordered,
            set,
            "Block AMG/Fused order",
            ", as 'Product algorithm' is not fused ordered");
  }



  void
  Parameters::read_probes(const apps::ParameterSet &set, const unsigned int dim)
  {
    points_of_probes.clear();
    for (const std::string &point : split_expressions(probes))
      {
        std::vector<double> coordinates;
        try
          {
            coordinates = dealii::Utilities::string_to_double(
              dealii::Utilities::split_string_list(point, ','));
          }
        catch (const dealii::ExceptionBase &)
          {
            coordinates.clear();
          }
        if (coordinates.size() != dim)
          throw set.error("Output/Probes",
                          "'" + point + "' is not a point; write " +
                            std::to_string(dim) +
                            " numbers separated by ',', and ';' between "
                            "points");
        points_of_probes.push_back(coordinates);
      }
  }



  const std::vector<std::vector<double>> &
  Parameters::probe_points() const
  {
    return points_of_probes;
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
} // namespace tessera::elasticity
