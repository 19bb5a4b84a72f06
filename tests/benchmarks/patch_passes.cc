// SPDX-License-Identifier: LGPL-2.1-or-later
// Time of the passes over memory that an iteration of patch multigrid consists
// of besides its sweeps, degree 3 in three dimensions, float levels, against
// the bytes they move and the instructions they take. On one process.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/stiffness_summation.h>
#include <tessera/patch/level_transfer.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "patch/product_of_sines.h"
#include "program.h"

namespace benchmark
{
  using namespace tessera;
  using namespace tessera::patch;
  using cellwise::DistributedGrid;
  using cellwise::DualField;
  using cellwise::PrimalField;
  using cellwise::ReferenceCell;

  constexpr char usage[] =
    "Usage: patch_passes [--refinements L] [--repeats N] [--json FILE]\n"
    "\n"
    "Passes of an iteration of patch multigrid on a cube of 2^L cells a "
    "direction\n(default 6), elements of degree 3. Each is measured N times "
    "(default 11) after\ntwo warm-ups; the median is printed.\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\ninstruction set; the default is the widest.\n";

  struct Settings
  {
    int         n_refinements = 6;
    Repeats     repeats;
    std::string json;
  };

  /**
   * A pass and what it costs for each cell: bytes that have to be read and
   * written, and instructions on registers of float and of double, counted by
   * hand for one cell a lane; see doc/developer/cellwise.md and patch.md.
   */
  struct Pass
  {
    std::string           name;
    double                bytes;
    double                float_operations;  ///< of a register of cells
    double                double_operations; ///< of a register of cells
    std::function<void()> run;
    Statistics            nanoseconds; ///< a cell
  };

  std::vector<Pass>
  measure_passes(const Settings &settings)
  {
    const auto box = product_of_sines::unit_cube(settings.n_refinements);
    const ReferenceCell       cell(3);
    const PatchMatrices       matrices(cell);
    const DistributedGrid<3>  grid(box);
    const cellwise::CellIndex n = grid.cells().n_local();

    cellwise::GridDescription<3> coarse_box = box;
    for (int d = 0; d < 3; ++d)
      {
        coarse_box.n_cells[d] /= 2;
        coarse_box.cell_size[d] *= 2.;
      }
    const auto make_level = [&](const cellwise::GridDescription<3> &level_box) {
      return std::make_unique<Level<3, float>>(DistributedGrid<3>(level_box),
                                               cell,
                                               matrices,
                                               std::array<double, 3>{
                                                 {1., 1., 1.}},
                                               MultigridOptions());
    };
    const auto fine = make_level(box), coarse = make_level(coarse_box);
    LevelTransfer<3, float> transfer(*fine, *coarse);
    HostSteps               steps;

    DualField<double> b = product_of_sines::right_hand_side(grid.cells(), cell);
    DualField<double> r(n, 64);
    PrimalField<double>                   u(n, 64), d(n, 64);
    const cellwise::CellOperator<3>       A(cell,
                                      cellwise::element_weights(grid.cells(),
                                                                0.));
    const cellwise::StiffnessSummation<3> summation(grid.cells(), 3);
    const Communicator                    alone;
    A.residual(r, b, u);

    // The fine fields hold what a cycle would leave there, not zeros.
    cellwise::to_modal<3>(fine->b, 1., r, cell);
    fine->sweep(false, true, steps);

    double            result = 0.;
    std::vector<Pass> passes = {
      {"rebalance", 896, 0, 96, [&] { summation.rebalance(r); }, {}},
      {"to modes, float",
       768,
       0,
       704,
       [&] { cellwise::to_modal<3>(fine->b, 1., r, cell); },
       {}},
      {"restrict",
       548.5,
       1600,
       0,
       [&] { transfer.restrict_residual(steps); },
       {}},
      {"prolongate",
       548.5,
       528,
       0,
       [&] { transfer.prolongate_and_add(steps); },
       {}},
      {"pairing",
       768,
       0,
       128,
       [&] { result += cellwise::dot(r, fine->u, n, alone); },
       {}},
      {"correct, residual",
       2304,
       0,
       1600,
       [&] { result += A.correct(u, 1e-9, fine->u, r, b, n, alone); },
       {}},
      {"direction, energy",
       1280,
       0,
       896,
       [&] { result += A.update_direction(d, 0.9, 1e-9, fine->u, n, alone); },
       {}},
      {"step",
       2560,
       0,
       1536,
       [&] { result += A.step(u, r, 1e-9, d, n, alone); },
       {}},
    };
    for (Pass &pass : passes)
      {
        pass.nanoseconds = statistics(measure(settings.repeats, pass.run));
        for (double *t : {&pass.nanoseconds.median,
                          &pass.nanoseconds.min,
                          &pass.nanoseconds.max})
          *t *= 1e9 / n;
      }
    do_not_optimize(result);
    return passes;
  }

  /** For a cell, with registers of @p bits. */
  double
  instructions(const Pass &pass, const unsigned int bits)
  {
    return pass.float_operations / (bits / 32.) +
           pass.double_operations / (bits / 64.);
  }

  void
  run(const Settings &settings)
  {
    const InstructionSet    set    = active_instruction_set();
    const std::vector<Pass> passes = measure_passes(settings);
    std::printf("Instruction set %s (%u bits), %d^3 cells, median of %u\n\n"
                "%-20s %10s %8s %12s\n",
                to_string(set).c_str(),
                simd_bits(set),
                1 << settings.n_refinements,
                settings.repeats.n_repeats,
                "pass",
                "ns a cell",
                "bytes",
                "instructions");
    for (const Pass &pass : passes)
      std::printf("%-20s %10.2f %8.0f %12.1f\n",
                  pass.name.c_str(),
                  pass.nanoseconds.median,
                  pass.bytes,
                  instructions(pass, simd_bits(set)));

#ifdef TESSERA_HAVE_JSON
    if (settings.json.empty())
      return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Pass &pass : passes)
      list.push_back(
        {{"pass", pass.name},
         {"nanoseconds_per_cell", to_json(pass.nanoseconds)},
         {"bytes_per_cell", pass.bytes},
         {"instructions_per_cell", instructions(pass, simd_bits(set))}});
    write_json(settings.json,
               {{"benchmark", "patch_passes"},
                {"git_revision", git_revision()},
                {"instruction_set", to_string(set)},
                {"simd_bits", simd_bits(set)},
                {"n_cells_per_direction", 1 << settings.n_refinements},
                {"n_repeats", settings.repeats.n_repeats},
                {"results", list}});
#endif
  }
} // namespace benchmark

int
main(int argc, char **argv)
{
  const tessera::CommunicationSession session(argc, argv);
  const tessera::Communicator         ranks = tessera::Communicator::world();
  return benchmark::run_program(ranks, [&] {
    benchmark::Settings settings;
    benchmark::Options  options(benchmark::usage);
    options.add_number("--refinements", settings.n_refinements, 8);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    benchmark::require_one_process(ranks);
    benchmark::run(settings);
  });
}
