// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_parameters_h
#define tessera_apps_sipg_adaptive_parameters_h

#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/local_multigrid.h>

#include <string>
#include <vector>

#include "common/box_parameters.h"
#include "common/field_output_options.h"
#include "common/parameter_set.h"
#include "common/poisson_parameters.h"
#include "sipg_adaptive/checkpoint_parameters.h"

namespace tessera::sipg_adaptive
{
  /** Which part of the box is the domain; see make_coarse_mesh(). */
  enum class Domain
  {
    box,
    l_shape,
    fichera
  };

  /** Which cells are refined from cycle to cycle; see mark_cells(). */
  enum class Strategy
  {
    none,     ///< all of them
    shell,    ///< those of the finest level on a sphere
    estimator ///< those with large indicators
  };

  enum class LevelPrecision
  {
    single_precision,
    double_precision
  };

  enum class StartValue
  {
    previous, ///< the solution of the cycle before
    zero
  };

  struct RefinementParameters
  {
    Strategy     strategy = Strategy::none;
    unsigned int n_cycles = 3;
    double       fraction = 0.5;
    unsigned int max_level;
    double       shell_radius = 0.3;
    double       shell_width  = 0.;

    /** Empty in the file: the middle of the box. */
    std::vector<double> shell_centre;

    bool compare_with_uniform = false;

    RefinementParameters();
  };

  /**
   * The parameters of the application apart from the common ones; the
   * documentation of each is in declare() and printed by --print-parameters.
   */
  struct Parameters
  {
    unsigned int degree = 3;

    Domain              domain = Domain::box;
    apps::BoxParameters box;
    unsigned int        n_refinements = 1;

    apps::PoissonParameters problem;
    std::string             coefficient = "1";

    RefinementParameters refinement;

    sipg::Penalty          penalty;
    sipg::MultigridOptions multigrid;
    LevelPrecision         level_precision = LevelPrecision::single_precision;
    unsigned int           block_size;

    sipg::ConjugateGradientOptions solver;
    StartValue                     start_value = StartValue::previous;

    apps::FieldOutputOptions field_output;
    CheckpointParameters     checkpoint;

    /** What check_and_complete() found that is probably not meant. */
    std::vector<std::string> warnings;

    Parameters();

    void
    declare(apps::ParameterSet &set);

    /**
     * Check what no single pattern can, for a problem in @p dim dimensions, and
     * bring lists to dim entries.
     * @throws InputError naming parameter, file and line. The same on all
     * ranks.
     */
    void
    check_and_complete(const apps::ParameterSet &set, const unsigned int dim);

  private:
    void
    declare_mesh(apps::ParameterSet &set);

    void
    declare_refinement(apps::ParameterSet &set);

    void
    declare_method(apps::ParameterSet &set);

    void
    check_domain(const apps::ParameterSet &set, const unsigned int dim);

    void
    check_problem(const apps::ParameterSet &set, const unsigned int dim) const;

    void
    check_refinement(const apps::ParameterSet &set, const unsigned int dim);
  };
} // namespace tessera::sipg_adaptive

#endif
