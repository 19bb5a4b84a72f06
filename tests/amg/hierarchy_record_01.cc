// SPDX-License-Identifier: LGPL-2.1-or-later
// The table of a hierarchy, character by character; complexities.
#include <tessera/amg/hierarchy_record.h>

#include <sstream>

#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using amg::HierarchyRecord;
using amg::LevelRecord;

namespace
{
  HierarchyRecord
  example()
  {
    HierarchyRecord record;
    LevelRecord     fine;
    fine.block_size                      = 3;
    fine.n_block_rows                    = 348480;
    fine.n_blocks                        = 21233916;
    fine.n_inactive                      = 12;
    fine.largest_eigenvalue              = 2.4301;
    fine.n_aggregates                    = 7243;
    fine.n_merged                        = 3;
    fine.n_unaggregated                  = 1;
    fine.n_unfiltered_prolongator_blocks = 2630000;
    fine.n_prolongator_blocks            = 1660000;
    fine.error_of_modes_dropped          = 2.1e-2;
    fine.error_of_modes_projected        = 2.7e-15;
    fine.product_description             = "cached positions (why)";
    fine.n_intermediate_blocks           = 7270000;
    fine.product_seconds                 = 1.234;
    fine.predicted_bytes                 = 2.03e9;
    fine.predicted_flops                 = 1.7e10;
    fine.memory                          = 1234567890;
    LevelRecord coarse;
    coarse.block_size        = 6;
    coarse.n_block_rows      = 7243;
    coarse.n_blocks          = 627000;
    coarse.memory            = 999;
    record.levels            = {fine, coarse};
    record.memory            = 1234568889;
    record.end_of_coarsening = "it was time";
    record.kernel_dimension  = 6;
    record.seconds.total     = 12.3;
    record.seconds.galerkin  = 1.25;
    return record;
  }
} // namespace



int
main()
{
  const HierarchyRecord record = example();
  CHECK_NEAR(record.grid_complexity(), 1 + 7243. * 6 / (348480. * 3), 1e-14);
  CHECK_NEAR(record.operator_complexity(),
             1 + 627000. * 36 / (21233916. * 9),
             1e-14);
  CHECK_EQUAL(HierarchyRecord().grid_complexity(), 0.);
  CHECK_EQUAL(HierarchyRecord().operator_complexity(), 0.);

  CHECK_EQUAL(
    amg::print_hierarchy(record),
    "level   b block rows       blocks  per row inactive eigenval.     memory\n"
    "    0   3     348480     21233916     60.9       12     2.430    1.23 GB\n"
    "    1   6       7243       627000     86.6        0    direct      999 B\n"
    "grid complexity 1.042, operator complexity 1.118, memory 1.23 GB\n"
    "coarsening ended: it was time\n"
    "singular: a kernel of dimension 6\n"
    "\n"
    " step aggregates merged   left   blocks P unfiltered per row lost modes\n"
    "  0>1       7243      3      1    1660000    2630000    4.76   2.7e-15\n"
    "\n"
    "product 0>1: cached positions (why)\n"
    "  7270000 blocks of A P, fill growth 4.38; predicted 2.03 GB, 17 Gflop; "
    "1.2340 s\n"
    "\n"
    "set-up 12.3000 s: aggregation 0.0000, prolongators 0.0000,\n"
    "  products 1.2500, smoothers 0.0000, coarsest matrix 0.0000\n");

  // Of a hierarchy: lines for a terminal.
  const amg_problem::Problem problem = amg_problem::beam(1, 1);
  amg::BlockAMG              C;
  amg_problem::initialize(C, problem);
  C.update(problem.A);
  const std::string  text = amg::print_hierarchy(C.record());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    CHECK(line.size() <= 80);
  CHECK(text.find("\nupdate ") != std::string::npos);
  CHECK(text.find("direct") != std::string::npos);
  CHECK(text.find("product 0>1: ") != std::string::npos);
  return check::result();
}
