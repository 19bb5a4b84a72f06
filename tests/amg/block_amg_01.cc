// SPDX-License-Identifier: LGPL-2.1-or-later
// The beam: displacements, iterations with and without filter, and what the
// filter is worth without its projection. Elements of degree 2 on 20 x 2 x 2
// and 40 x 4 x 4 cubes, force and moment 1.
#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using namespace amg_problem;
using amg::LevelPrecision;

namespace
{
  unsigned int
  difference(const unsigned int a, const unsigned int b)
  {
    return a > b ? a - b : b - a;
  }

  void
  check_displacements(const Problem &problem,
                      const int      k,
                      const double   tip,
                      const double   tip_tolerance,
                      const double   largest)
  {
    BlockAMG C;
    initialize(C, problem);
    BlockVector<double> u;
    const SolveResult   result = solve(problem, C, u, 1e-11);
    CHECK(result.converged);
    CHECK_EQUAL(result.residual_history.size(), result.n_iterations + 1);

    const brick::Brick brick = brick::beam(k);
    const auto         node =
      brick.number({{brick.last(0), brick.last(1) / 2, brick.last(2) / 2}});
    CHECK_NEAR(u.data()[3 * node + 2], tip, tip_tolerance / tip);
    double maximum = 0;
    for (std::size_t i = 0; i < u.n_owned_values(); ++i)
      maximum = std::fmax(maximum, std::abs(u.data()[i]));
    CHECK_NEAR(maximum, largest, 0.006 / largest);
  }

  void
  check_iterations(const Problem     &problem,
                   const unsigned int expected,
                   const unsigned int least_without_projection)
  {
    for (const double tau : {0., 0.01, 0.03, 0.05})
      {
        Options options;
        options.prolongator_filter = tau;
        const unsigned int single  = n_iterations(problem, options);
        CHECK(difference(single, expected) <= 1);
        options.level_precision = LevelPrecision::double_precision;
        CHECK(difference(n_iterations(problem, options), single) <= 1);
      }
    Options options;
    options.filter_projection = false;
    CHECK(n_iterations(problem, options) >= least_without_projection);
  }

  /** In the order of numbers the reference has the same aggregates. */
  void
  check_natural_order(const Problem      &problem,
                      const unsigned int  expected_iterations,
                      const std::uint64_t n_aggregates,
                      const std::uint64_t n_unfiltered,
                      const double        n_filtered,
                      const double        n_intermediate,
                      const double        n_coarse)
  {
    Options options;
    options.aggregation_order = amg::AggregationOrder::natural;
    BlockAMG C;
    initialize(C, problem, options);
    const amg::LevelRecord &level = C.record().levels[0];
    CHECK_EQUAL(level.n_aggregates, n_aggregates);
    CHECK_EQUAL(level.n_unfiltered_prolongator_blocks, n_unfiltered);
    // The estimate of an eigenvalue is not the same.
    CHECK_NEAR(level.n_prolongator_blocks / n_filtered, 1., 0.01);
    CHECK_NEAR(level.n_intermediate_blocks / n_intermediate, 1., 0.01);
    CHECK_NEAR(C.record().levels[1].n_blocks / n_coarse, 1., 0.01);
    CHECK(difference(n_iterations(problem, options), expected_iterations) <= 1);
  }
} // namespace



int
main()
{
  const Problem small = beam(2);
  check_displacements(small, 2, 4005.052, 0.0006, 4093.22);
  check_iterations(small, 24, 30);
  check_natural_order(small, 14, 40, 5008, 3886, 9478, 640);

  const Problem problem = beam(4);
  check_displacements(problem, 4, 4009.10873, 0.000006, 4098.81);
  check_iterations(problem, 21, 40);
  check_natural_order(problem, 17, 191, 45655, 29998, 107009, 7951);

  // The hierarchy, beside that of the reference: 137 aggregates of 6480 nodes,
  // 5.6 and 3.85 blocks in a row of P.
  BlockAMG C;
  initialize(C, problem);
  const amg::HierarchyRecord &record = C.record();
  CHECK_EQUAL(record.levels.size(), 2u);
  const amg::LevelRecord &fine = record.levels[0];
  CHECK_EQUAL(fine.n_block_rows, 6480u);
  CHECK_EQUAL(fine.n_blocks, 344124u);
  CHECK_NEAR(double(fine.n_aggregates), 137., 0.06);
  CHECK_NEAR(fine.n_unfiltered_prolongator_blocks / 6480., 5.60, 0.05);
  CHECK_NEAR(fine.n_prolongator_blocks / 6480., 3.85, 0.05);
  CHECK_NEAR(fine.n_intermediate_blocks / double(fine.n_prolongator_blocks),
             3.31,
             0.05);
  CHECK(fine.error_of_modes_dropped > 1e-2);
  CHECK(fine.error_of_modes_projected < 1e-13);
  CHECK_NEAR(record.operator_complexity(), 1.0488, 0.01);
  CHECK_EQUAL(record.kernel_dimension, 0);

  // Of degree 1; and other choices of how to coarsen.
  const Problem linear = beam(4, 1);
  CHECK(difference(n_iterations(linear), 15) <= 2);
  Options options;
  options.prolongator_smoothing = false;
  const unsigned int unsmoothed = n_iterations(linear, options);
  CHECK(unsmoothed > 0 && unsmoothed <= 30);
  options                    = Options();
  options.aggregation_order  = amg::AggregationOrder::natural;
  const unsigned int natural = n_iterations(linear, options);
  CHECK(natural > 0 && natural <= 15);
  options                   = Options();
  options.coarse_size_limit = 200; // three levels
  options.aggressive_levels = 0;
  initialize(C, linear, options);
  CHECK(C.record().levels.size() >= 3);
  CHECK(difference(n_iterations(linear, options), 12) <= 4);
  return check::result();
}
