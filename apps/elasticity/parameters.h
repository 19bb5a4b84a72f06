// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_parameters_h
#define tessera_apps_elasticity_parameters_h

#include <map>
#include <string>
#include <vector>

#include "common/expression.h"
#include "common/field_output_options.h"
#include "common/parameter_set.h"
#include "elasticity/linear_solver.h"
#include "elasticity/material.h"

namespace tessera::elasticity
{
  enum class MeshType
  {
    beam,            ///< [0,10] x [-1/2,1/2]^(dim-1), 10k x k (x k) cells
    hyper_rectangle, ///< a box
    file             ///< whatever deal.II's GridIn reads
  };

  enum class BoundaryType
  {
    clamped,      ///< u = 0
    displacement, ///< given components of u
    symmetry,     ///< u . n = 0 on planes normal to an axis
    traction,     ///< sigma n = t
    free          ///< sigma n = 0
  };

  /** Material constants of one material id. */
  struct MaterialParameters
  {
    double youngs_modulus = 1.;
    double poissons_ratio = 0.25;

    /** Cells whose centre makes it positive have this material whatever the
     * mesh says; empty: those of this id in the mesh. */
    std::string where;
  };

  /** What a user says of one boundary id. */
  struct BoundaryParameters
  {
    BoundaryType type = BoundaryType::free;

    /** Components separated by ';'. */
    std::string value;

    /** Of a displacement: "x, z"; empty: all. */
    std::string components;

    /** By the user, not by the kind of mesh. */
    bool is_given = false;
  };

  /**
   * The parameters of the application apart from the common ones; the
   * documentation of each is in declare() and printed by --print-parameters.
   */
  struct Parameters
  {
    unsigned int  degree = 2;
    MaterialModel model  = MaterialModel::linear;
    std::string   body_force;

    MeshType                  mesh_type = MeshType::beam;
    std::string               mesh_file;
    std::vector<unsigned int> cells               = {4};
    std::vector<double>       lower_corner        = {0.};
    std::vector<double>       upper_corner        = {1.};
    unsigned int              n_refinements       = 0;
    unsigned int              n_adaptive_cycles   = 0;
    double                    refinement_fraction = 0.5;

    std::map<unsigned int, MaterialParameters> materials;
    std::map<unsigned int, BoundaryParameters> boundary_conditions;

    LinearSolverOptions solver;
    unsigned int        n_solves = 1;

    unsigned int n_load_steps          = 1;
    double       newton_tolerance      = 1e-8;
    unsigned int max_newton_iterations = 20;
    unsigned int max_step_halvings     = 5;

    /** "x, y, z; x, y, z"; see probe_points(). */
    std::string probes;

    apps::FieldOutputOptions field_output;

    /** What check_and_complete() found that is probably not meant. */
    std::vector<std::string> warnings;

    /** The defaults. */
    Parameters();

    void
    declare(apps::ParameterSet &set);

    /**
     * Check what no single pattern can, for a problem in @p dim dimensions,
     * bring lists that were given by one number to dim entries, and complete
     * the conditions and the material of a beam.
     * @throws InputError naming parameter, file and line. The same on all
     * ranks.
     */
    void
    check_and_complete(const apps::ParameterSet &set, const unsigned int dim);

    /** The points of Output/Probes, [n][dim]. After check_and_complete(). */
    const std::vector<std::vector<double>> &
    probe_points() const;

  private:
    void
    check_mesh(const apps::ParameterSet &set, const unsigned int dim);

    void
    check_materials(const apps::ParameterSet &set);

    void
    check_boundary_conditions(const apps::ParameterSet &set,
                              const unsigned int        dim);

    void
    check_solver(const apps::ParameterSet &set);

    void
    read_probes(const apps::ParameterSet &set, const unsigned int dim);

    std::vector<std::vector<double>> points_of_probes;
  };

  /** Length of the beam; its cross-section is [-1/2, 1/2]^(dim-1). */
  constexpr double beam_length = 10.;

  /** The components of a boundary condition, e.g. {0, 2} of "x, z" or "0, 2";
   * all of an empty text.
   * @throws InputError for others than the dim directions, or one twice. */
  std::vector<unsigned int>
  parse_components(const std::string &text, const unsigned int dim);

  using apps::split_expressions;

  /** The traction on the far end of the beam, in one expression a component:
   * a transverse force of 1 in the last direction, evenly distributed, and in
   * 3D a torque of 1 about the axis: $t = (0, 0, 1) + 6 (0, -z, y)$. */
  std::string
  beam_load(const unsigned int dim);
} // namespace tessera::elasticity

#endif
