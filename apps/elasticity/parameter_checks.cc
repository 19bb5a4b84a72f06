// SPDX-License-Identifier: LGPL-2.1-or-later
// What the pattern of a single parameter cannot check.
#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include "common/complete_list.h"
#include "common/parameter_warnings.h"
#include "common/text_of_numbers.h"
#include "elasticity/mesh.h"
#include "elasticity/parameters.h"

namespace tessera::elasticity
{
  using apps::positive_number;
  using apps::short_number;

  namespace
  {
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
          apps::warn_without_effect(warnings,
                                    cells != defaults.cells,
                                    set,
                                    "Mesh/Cells",
                                    ", as 'Mesh/Type = file'");
          break;
      }
    apps::warn_without_effect(warnings,
                              mesh_type != MeshType::file && !mesh_file.empty(),
                              set,
                              "Mesh/File",
                              without_file);
    if (mesh_type != MeshType::hyper_rectangle)
      for (const std::string name : {"Lower corner", "Upper corner"})
        apps::warn_without_effect(warnings,
                                  set.was_set("Mesh/" + name) &&
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
    apps::warn_without_effect(warnings,
                              n_adaptive_cycles == 0 &&
                                refinement_fraction !=
                                  defaults.refinement_fraction,
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
        apps::warn_without_effect(warnings,
                                  n_load_steps != defaults.n_load_steps,
                                  set,
                                  "Nonlinear/Load steps",
                                  on_linear);
        apps::warn_without_effect(warnings,
                                  newton_tolerance != defaults.newton_tolerance,
                                  set,
                                  "Nonlinear/Tolerance",
                                  on_linear);
        apps::warn_without_effect(warnings,
                                  max_newton_iterations !=
                                    defaults.max_newton_iterations,
                                  set,
                                  "Nonlinear/Maximum iterations",
                                  on_linear);
      }
    if (solver.preconditioner == PreconditionerType::direct)
      {
        apps::warn_without_effect(warnings,
                                  solver.tolerance != defaults.solver.tolerance,
                                  set,
                                  "Solver/Tolerance",
                                  " on a direct solver");
        apps::warn_without_effect(warnings,
                                  solver.max_iterations !=
                                    defaults.solver.max_iterations,
                                  set,
                                  "Solver/Maximum iterations",
                                  " on a direct solver");
      }
    apps::warn_without_effect(
      warnings,
      solver.block_amg.product.fused_order !=
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
} // namespace tessera::elasticity
