// SPDX-License-Identifier: LGPL-2.1-or-later
// The larger beam, of 80 x 8 x 8 cubes: displacements, iterations for all
// thresholds of the filter, and the sizes of two levels beside those of a
// reference program, which draws its order of nodes at random.
#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using namespace amg_problem;
using amg::HierarchyRecord;
using amg::LevelRecord;

namespace
{
  /** A row of the table of the reference. */
  struct Expected
  {
    double tau;
    double operator_complexity;
    double blocks_per_row; ///< of the prolongator
    double percent_dropped;
    double fill_growth;
    double coarse_blocks_per_row;
    double error_of_modes; ///< before the projection
  };

  double
  blocks_per_row(const LevelRecord &level)
  {
    return double(level.n_prolongator_blocks) / level.n_block_rows;
  }

  double
  fill_growth(const LevelRecord &level)
  {
    return double(level.n_intermediate_blocks) / level.n_prolongator_blocks;
  }

  double
  percent_dropped(const LevelRecord &level)
  {
    return 100. - 100. * level.n_prolongator_blocks /
                    level.n_unfiltered_prolongator_blocks;
  }

  bool
  about(const unsigned int n_iterations, const unsigned int expected)
  {
    return n_iterations + 1 >= expected && n_iterations <= expected + 1;
  }

  /** The displacement of the centre of the end in z. */
  double
  tip(const brick::Brick &beam, const BlockVector<double> &u)
  {
    const auto node =
      beam.number({{beam.last(0), beam.last(1) / 2, beam.last(2) / 2}});
    return u.data()[3 * node + 2];
  }

  double
  largest_entry(const BlockVector<double> &u)
  {
    double result = 0.;
    for (std::size_t i = 0; i < u.n_owned_values(); ++i)
      result = std::fmax(result, std::abs(u.data()[i]));
    return result;
  }

  void
  check_filter(const Problem &problem)
  {
    for (const Expected &row :
         {Expected{0., 1.1278, 6.80, 0., 3.39, 80.2, 0.},
          Expected{0.01, 1.1116, 5.73, 15.6, 3.51, 71.7, 5.9e-3},
          Expected{0.02, 1.1042, 4.94, 27.4, 3.79, 66.4, 1.4e-2},
          Expected{0.03, 1.0979, 4.38, 35.5, 3.99, 62.2, 2.1e-2},
          Expected{0.05, 1.0856, 3.59, 47.1, 4.22, 53.9, 3.7e-2}})
      {
        Options options;
        options.prolongator_filter = row.tau;
        BlockAMG C;
        initialize(C, problem, options);
        BlockVector<double> u;
        const SolveResult   result = solve(problem, C, u);
        CHECK(result.converged && about(result.n_iterations, 21));

        const HierarchyRecord &record = C.record();
        CHECK_EQUAL(record.levels.size(), 3u);
        CHECK_NEAR(record.operator_complexity(), row.operator_complexity, 0.01);
        const LevelRecord &fine = record.levels[0], &next = record.levels[1];
        CHECK_EQUAL(fine.n_block_rows, 46240u);
        CHECK_EQUAL(fine.n_blocks, 2687100u);
        CHECK_NEAR(double(fine.n_aggregates), 949., 0.02);
        CHECK_NEAR(fine.n_unfiltered_prolongator_blocks / 46240., 6.80, 0.02);
        CHECK_NEAR(blocks_per_row(fine), row.blocks_per_row, 0.02);
        CHECK(std::abs(percent_dropped(fine) - row.percent_dropped) < 1.);
        CHECK_NEAR(fill_growth(fine), row.fill_growth, 0.02);
        CHECK_NEAR(double(next.n_blocks) / next.n_block_rows,
                   row.coarse_blocks_per_row,
                   0.03);
        CHECK(std::abs(fine.error_of_modes_dropped - row.error_of_modes) <=
              0.06 * row.error_of_modes);
        for (const unsigned int l : {0, 1})
          CHECK(record.levels[l].error_of_modes_projected < 1e-13);

        CHECK_EQUAL(next.block_size, 6);
        if (row.tau == 0.)
          {
            CHECK_NEAR(blocks_per_row(next), 18.13, 0.08);
            CHECK_NEAR(fill_growth(next), 2.31, 0.08);
            CHECK_NEAR(double(next.n_aggregates), 153., 0.08);
          }
        if (row.tau == 0.03)
          {
            CHECK_NEAR(blocks_per_row(next), 5.54, 0.08);
            CHECK(std::abs(percent_dropped(next) - 63.6) < 2.);
            CHECK_NEAR(fill_growth(next), 4.99, 0.08);
            CHECK_NEAR(double(next.n_aggregates), 157., 0.08);
            CHECK(solve(problem, C, u, 1e-11).converged);
            CHECK(std::abs(tip(brick::beam(8), u) - 4010.44830) < 6e-6);
            CHECK(std::abs(largest_entry(u) - 4100.40) < 0.006);
          }
      }
  }
} // namespace



int
main()
{
  check_filter(beam(8));

  const Problem linear = beam(8, 1);
  BlockAMG      C;
  initialize(C, linear);
  BlockVector<double> u;
  CHECK(about(solve(linear, C, u).n_iterations, 14));
  CHECK_NEAR(blocks_per_row(C.record().levels[0]), 3.31, 0.02);
  CHECK(std::abs(percent_dropped(C.record().levels[0]) - 2.5) < 0.5);
  CHECK(solve(linear, C, u, 1e-11).converged);
  CHECK(std::abs(tip(brick::beam(8, 1), u) - 3976.41) < 0.006);
  return check::result();
}
