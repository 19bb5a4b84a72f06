// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_parameters_h
#define tessera_apps_poisson_q3_parameters_h

#include <tessera/patch/poisson_solver.h>

#include <string>
#include <vector>

#include "common/box_parameters.h"
#include "common/field_output_options.h"
#include "common/parameter_set.h"
#include "common/poisson_parameters.h"

namespace tessera::poisson_q3
{
  using patch::ColourOrder;
  using patch::Iteration;
  using patch::LevelPrecision;
  using patch::PostSmoothing;

  enum class PostSmoothingOrder
  {
    automatic, ///< forward for the stationary iteration, reverse for cg
    forward,
    reverse
  };

  enum class Preconditioner
  {
    patch_multigrid,
    chebyshev_multigrid
  };

  /**
   * The parameters of the application apart from the common ones; the
   * documentation of each is in declare() and printed by --print-parameters.
   */
  struct Parameters
  {
    unsigned int degree = 3;

    apps::BoxParameters     box;
    unsigned int            n_refinements = 2;
    unsigned int            n_cycles      = 3;
    apps::PoissonParameters problem;

    Iteration          iteration            = Iteration::cg;
    PostSmoothingOrder post_smoothing_order = PostSmoothingOrder::automatic;
    unsigned int       rebalance_every      = 1;
    LevelPrecision     level_precision      = LevelPrecision::single_precision;
    ColourOrder        colour_order         = ColourOrder::odd_first;
    unsigned int       min_cells_per_rank =
      patch::MultigridOptions().min_cells_per_rank;
    double         tolerance        = 1e-9;
    unsigned int   max_iterations   = 100;
    unsigned int   fixed_iterations = 0;
    Preconditioner preconditioner   = Preconditioner::chebyshev_multigrid;

    apps::FieldOutputOptions field_output;

    /** What check_and_complete() found that is probably not meant. */
    std::vector<std::string> warnings;

    void
    declare(apps::ParameterSet &set);

    /**
     * Check what no single pattern can, for a problem in @p dim dimensions, and
     * bring lists that were given by one number to dim entries.
     * @throws InputError naming parameter, file and line. The same on all
     * ranks.
     */
    void
    check_and_complete(const apps::ParameterSet &set, const unsigned int dim);

    /** The order of post-smoothing that automatic stands for, or the one that
     * was chosen. */
    PostSmoothing
    post_smoothing() const;

  private:
    /** What patch multigrid cannot do. */
    void
    check_patch_multigrid(const apps::ParameterSet &set) const;
  };
} // namespace tessera::poisson_q3

#endif
