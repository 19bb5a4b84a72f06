// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/gpu_patch/solve_parts.h"

#include <tessera/patch/hierarchy.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/gpu_patch/sections.h"
#include "benchmarks/gpu_patch/table_text.h"

namespace benchmark
{
  using tessera::cellwise::ElementWeights;
  using tessera::patch::DeviceCycleOptions;
  using tessera::patch::MultigridOptions;

  namespace
  {
    constexpr int degree  = 3;
    constexpr int n_nodes = 64;
  } // namespace



  SolveParts::SolveParts(const int                      n_refinements,
                         const std::uint64_t            max_program_cells,
                         const tessera::device::Stream &stream_of_all)
    : stream(stream_of_all)
    , grid(product_of_sines::unit_cube(n_refinements))
    , cell(degree)
    , weights(tessera::cellwise::element_weights(grid.cells(), 0.))
    , passes(grid, cell, weights, stream)
    , problem(n_refinements, stream)
    , u(grid.cells().n_local(), n_nodes, stream)
    , b(grid.cells().n_local(), n_nodes, stream)
    , r(grid.cells().n_local(), n_nodes, stream)
    , launches(stream)
    , program(degree)
  {
    problem.set_right_hand_side(b);

    // As in the solver, lengths are in units of the finest cells.
    const tessera::patch::PatchMatrices matrices(cell);
    const MultigridOptions              options;
    const auto                          grids =
      tessera::patch::make_hierarchy(grid, options.min_cells_per_rank);
    for (unsigned int l = 0; l < grids.size(); ++l)
      {
        std::array<double, 3> stiffness;
        stiffness.fill(std::ldexp(1., int(grids.size() - 1 - l)));
        levels.push_back(
          std::make_unique<Level>(grids[l],
                                  cell,
                                  matrices,
                                  ElementWeights<3>(stiffness, 0.),
                                  options,
                                  stream));
        if (l > 0)
          transfers.push_back(
            std::make_unique<Transfer>(*levels[l], *levels[l - 1], stream));
        if (grids[l].cells().n_global() <= max_program_cells)
          n_of_program = l + 1;
      }
    coarsest = std::make_unique<Coarsest>(*levels[0], cell, stream);
    TESSERA_ASSERT(n_of_program > 0 && n_of_program < levels.size(),
                   "there are levels of both kinds");

    visit(n_of_program - 1, program);
    program.prepare(stream);
    for (unsigned int l = n_of_program; l < levels.size(); ++l)
      sweeps.push_back(std::make_unique<tessera::device::Graph>(
        [this, l](const tessera::device::Stream &) {
          levels[l]->sweep(false, true, launches);
        }));
  }



  void
  SolveParts::visit(const unsigned int l, Steps &steps)
  {
    if (l == 0)
      {
        coarsest->solve(steps);
        return;
      }
    levels[l]->set_u_to_zero(steps);
    levels[l]->sweep(false, true, steps);
    transfers[l - 1]->restrict_residual(steps);
    visit(l - 1, steps);
    transfers[l - 1]->prolongate_and_add(steps);
    levels[l]->sweep(false, true, steps);
  }



  void
  SolveParts::cycle(const unsigned int l)
  {
    if (l < n_of_program)
      {
        program.run(stream);
        return;
      }
    levels[l]->set_u_to_zero(launches);
    sweep(l);
    transfers[l - 1]->restrict_residual(launches);
    cycle(l - 1);
    transfers[l - 1]->prolongate_and_add(launches);
    sweep(l);
  }



  void
  SolveParts::sweep(const unsigned int l)
  {
    sweeps[l - n_of_program]->run(stream);
  }



  std::vector<SolvePart>
  SolveParts::parts()
  {
    const auto with_cells = [&](const std::string &name, const unsigned int l) {
      return name + formatted(", %d^3 cells",
                              levels[l]->grid().description().n_cells[0]);
    };
    Level                 &finest = *levels.back();
    std::vector<SolvePart> all    = {
         {PartGroup::operators,
          "r = b - A u, max |r|",
          1,
          [&] { passes.residual(r, b, u); }},
         {PartGroup::operators,
          "u + a z, r = b - A u, max |r|",
          n_cycles - 1,
          [&] { passes.correct(u, 0., finest.u, r, b); }},
         {PartGroup::vector_operations,
          "u + a z",
          1,
          [&] { passes.add(u, 0., finest.u); }},
         {PartGroup::vector_operations,
          "zeros at Dirichlet nodes",
          n_cycles,
          [&] { passes.constrain(r); }},
         {PartGroup::rebalancing,
          "rebalance",
          n_cycles,
          [&] { passes.rebalance(r); }},
         {PartGroup::monitor,
          "(r, z)",
          n_cycles,
          [&] { passes.dot(r, finest.u); }},
         {PartGroup::transfers, "to the finest level", n_cycles, [&] {
         tessera::cellwise::to_modal<3>(finest.b, scale, r, cell, stream);
       }}};
    for (unsigned int l = levels.size() - 1; l >= n_of_program; --l)
      {
        all.push_back(
          {PartGroup::zero_fills, with_cells("u = 0", l), n_cycles, [this, l] {
             levels[l]->set_u_to_zero(launches);
           }});
        all.push_back({PartGroup::smoother,
                       with_cells("sweep", l),
                       2 * n_cycles,
                       [this, l] { sweep(l); }});
        all.push_back(
          {PartGroup::transfers,
           with_cells("restrict", l),
           n_cycles,
           [this, l] { transfers[l - 1]->restrict_residual(launches); }});
        all.push_back(
          {PartGroup::transfers,
           with_cells("prolongate", l),
           n_cycles,
           [this, l] { transfers[l - 1]->prolongate_and_add(launches); }});
      }
    all.push_back(
      {PartGroup::small_levels,
       formatted("levels of up to %d^3 cells",
                 levels[n_of_program - 1]->grid().description().n_cells[0]),
       n_cycles,
       [this] { program.run(stream); }});
    return all;
  }



  double
  SolveParts::solve()
  {
    u.set_zero(stream);
    double max_abs_r = passes.residual(r, b, u);
    for (unsigned int k = 0; k < n_cycles; ++k)
      {
        passes.constrain(r);
        passes.rebalance(r);
        scale = std::ldexp(1., -std::ilogb(max_abs_r));
        tessera::cellwise::to_modal<3>(
          levels.back()->b, scale, r, cell, stream);
        cycle(levels.size() - 1);
        const double factor = 1. / (scale * weights.stiffness[0]);
        passes.dot(r, levels.back()->u);
        if (k + 1 < n_cycles)
          max_abs_r = passes.correct(u, factor, levels.back()->u, r, b);
        else
          passes.add(u, factor, levels.back()->u);
      }
    return problem.L2_error(u, 4);
  }



  void
  measure_parts_of_solve(PatchSession &session)
  {
    struct Row
    {
      const char *name;
      double      published_milliseconds;
    };
    constexpr Row rows[n_part_groups] = {
      {"patch smoother", 12.93},
      {"transfers, with conversion", 2.71},
      {"elementwise vector operations", 1.79},
      {"cell operators, with updates of u", 1.22},
      {"rebalancing", 1.12},
      {"zero fills", 0.96},
      {"monitor", 0.70},
      {"small levels, by one kernel", not_a_number}};
    constexpr double published_other = 0.05, published_wall = 21.48;

    // The published grid is that of six refinements.
    const int L =
      std::clamp(6, session.refinements.first, session.refinements.last);
    const Solve &whole = session.solves.get(SolveKind::forward, L);
    // Of the smallest grids, one level is to be outside of the program.
    const std::uint64_t max_program_cells =
      std::min<std::uint64_t>(DeviceCycleOptions().max_program_cells,
                              std::uint64_t(1) << 3 * (L - 1));
    SolveParts solve(L, max_program_cells, session.stream);
    const bool is_correct = solve.solve() == whole.L2_error;

    session.start_table(formatted(
      "table11: parts of the solve of table12 on %d^3 cells, each timed alone "
      "by events, times its number of calls; after the bar: published, A100\n"
      "part                                    calls   ms a call         ms   "
      "%% of wall |     ms   %% of wall",
      1 << L));
    double     of_group[n_part_groups] = {};
    const auto add                     = [&](const std::string &name,
                         const unsigned int n_calls,
                         const double       seconds,
                         const double       published) {
      const double wall = whole.wall_seconds.median;
      Record       record;
      record.set("section", "table11")
        .set("case", name)
        .set("n_refinements", L)
        .set("n_cells", whole.n_cells);
      if (n_calls > 0)
        record.set("n_calls", n_calls);
      set_time(record, "seconds", seconds);
      set_time(record, "fraction_of_wall", seconds / wall);
      if (L == 6)
        set_if_known(record, "published_seconds", 1e-3 * published);
      record.set("is_correct", is_correct);
      session.add(
        record,
        formatted("%-38s ", name.c_str()) +
          fixed(n_calls > 0 ? n_calls : not_a_number, 5, 0) +
          fixed(n_calls > 0 ? 1e3 * told(seconds) / n_calls : not_a_number,
                11,
                4) +
          fixed(1e3 * told(seconds), 10, 3) +
          fixed(100. * told(seconds / wall), 11, 1) + " |" +
          fixed(L == 6 ? published : not_a_number, 6, 2) +
          fixed(L == 6 ? 100. * published / published_wall : not_a_number,
                11,
                1),
        is_correct);
    };
    for (const SolvePart &part : solve.parts())
      {
        const double seconds = part.n_calls * session.time(part.call).median;
        of_group[int(part.group)] += seconds;
        add(part.name, part.n_calls, seconds, not_a_number);
      }
    double sum = 0.;
    for (int g = 0; g < n_part_groups; ++g)
      {
        add(rows[g].name, 0, of_group[g], rows[g].published_milliseconds);
        sum += of_group[g];
      }
    add("other: the wall minus all of these",
        0,
        whole.wall_seconds.median - sum,
        published_other);
    add("wall", 0, whole.wall_seconds.median, published_wall);
  }
} // namespace benchmark
