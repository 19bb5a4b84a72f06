// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/device.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "benchmarks/gpu_patch/sections.h"
#include "benchmarks/gpu_patch/table_text.h"

namespace benchmark
{
  namespace
  {
    /** Table 12, from 16^3 to 256^3 cells. */
    constexpr double published_milliseconds[] = {8.6, 8.7, 22.1, 142.2, 1093.2};

    double
    published_seconds(const int n_refinements)
    {
      return n_refinements >= 4 && n_refinements <= 8 ?
               1e-3 * published_milliseconds[n_refinements - 4] :
               not_a_number;
    }

    /** Why a solve cannot be done; empty if it can. */
    std::string
    obstacle(const PatchSession &session,
             const SolveKind     kind,
             const int           n_refinements)
    {
      const double memory =
        double(tessera::device::available_device().properties.memory_bytes);
      if (Solves::estimated_bytes(kind, n_refinements) > 0.9 * memory)
        return "the device has no memory for it";
      if (session.solves.estimated_seconds(kind, n_refinements) >
          session.seconds_left())
        return "no time is left";
      return "";
    }

    /** A line in place of a solve that cannot be done. */
    void
    add_left_out(DeviceSession     &session,
                 const std::string &section,
                 const SolveKind    kind,
                 const int          n_refinements,
                 const std::string &reason)
    {
      Record record;
      record.set("section", section)
        .set("case", name_of(kind))
        .set("n_refinements", n_refinements)
        .set("left_out", reason);
      session.add(record,
                  formatted("%2d  left out, %s: %s",
                            n_refinements,
                            name_of(kind),
                            reason.c_str()),
                  true);
    }

    /** f(n_refinements, solve) for all grids up to a number of refinements, as
     * far as possible. */
    template <typename F>
    void
    for_each_solve(PatchSession      &session,
                   const std::string &section,
                   const SolveKind    kind,
                   const int          max_refinements,
                   const F           &f)
    {
      for (int L = session.refinements.first;
           L <= session.refinements.last && L <= max_refinements;
           ++L)
        {
          const std::string reason = obstacle(session, kind, L);
          if (reason.empty())
            f(L, session.solves.get(kind, L));
          else
            add_left_out(session, section, kind, L, reason);
        }
    }

    /** What all tables say about a solve. */
    Record
    to_record(const std::string &section,
              const SolveKind    kind,
              const int          n_refinements,
              const Solve       &solve)
    {
      Record record;
      record.set("section", section)
        .set("case", name_of(kind))
        .set("n_refinements", n_refinements)
        .set("n_cells", solve.n_cells)
        .set("n_dofs", solve.n_dofs)
        .set("n_iterations", solve.n_iterations);
      const auto set = [&](const char *name, const double value) {
        set_if_known(record, name, value);
      };
      set("fractional_iterations", solve.fractional_iterations);
      set("contraction", solve.contraction);
      record.set("L2_error_four_points", solve.L2_error)
        .set("L2_error", solve.true_L2_error);
      set("published_fractional_iterations",
          solve.published.fractional_iterations);
      set("published_contraction", solve.published.contraction);
      set("published_L2_error_four_points", solve.published.L2_error);
      if (solve.expected.n_iterations > 0)
        record.set("expected_n_iterations", solve.expected.n_iterations);
      set("expected_fractional_iterations",
          solve.expected.fractional_iterations);
      set("expected_L2_error_four_points", solve.expected.L2_error);
      record
        .set("tolerance_of_iterations", solve.expected.tolerance_of_iterations)
        .set("tolerance_of_error", solve.expected.tolerance_of_error)
        .set("is_correct", solve.is_correct());
      return record;
    }

    /** $\log_2$ of the reduction from one error to the next; NaN at first. */
    class Rate
    {
    public:
      double
      next(const double error)
      {
        const double rate = std::log2(previous / error);
        previous          = error;
        return rate;
      }

    private:
      double previous = not_a_number;
    };
  } // namespace



  void
  measure_solve_time(PatchSession &session)
  {
    session.start_table(
      "table12: four stationary cycles from zero, levels in float; medians by "
      "the clock of the host and by events; between the bars: published, "
      "A100\n"
      " L      cells       DoFs cycles       ms (least   largest)   events   "
      "MDoF/s |       ms   MDoF/s | set-up s  memory GB");
    for_each_solve(
      session,
      "table12",
      SolveKind::forward,
      8,
      [&](const int L, const Solve &solve) {
        const double seconds   = told(solve.wall_seconds.median);
        const double published = published_seconds(L);
        Record record = to_record("table12", SolveKind::forward, L, solve);
        set_time(record, "seconds", seconds);
        set_time(record, "seconds_min", solve.wall_seconds.min);
        set_time(record, "seconds_max", solve.wall_seconds.max);
        set_time(record, "event_seconds", solve.event_seconds.median);
        set_time(record, "dofs_per_second", solve.n_dofs / seconds);
        set_if_known(record, "published_seconds", published);
        set_time(record, "setup_seconds", solve.setup_seconds);
        record.set("device_bytes", solve.device_bytes);
        session.add(record,
                    formatted("%2d %10zu %10.0f %6u",
                              L,
                              solve.n_cells,
                              solve.n_dofs,
                              solve.n_iterations) +
                      fixed(1e3 * seconds, 8, 3) +
                      fixed(1e3 * told(solve.wall_seconds.min), 9, 3) +
                      fixed(1e3 * told(solve.wall_seconds.max), 9, 3) + " " +
                      fixed(1e3 * told(solve.event_seconds.median), 8, 3) +
                      fixed(1e-6 * solve.n_dofs / seconds, 8, 1) + " |" +
                      fixed(1e3 * published, 8, 1) +
                      fixed(1e-6 * solve.n_dofs / published, 8, 1) + " |" +
                      fixed(told(solve.setup_seconds), 8, 2) +
                      fixed(1e-9 * double(solve.device_bytes), 10, 3),
                    solve.is_correct());
      });
  }



  void
  measure_convergence(PatchSession &session)
  {
    session.start_table(
      "table2: stationary, forward post-smoothing, rebalanced in every cycle, "
      "until 1e-9; after the bar: published\n"
      " L      cells n n_frac    rho  L2, 4 points  rate    L2 error | n_frac    "
      "rho  L2, 4 points");
    Rate rate;
    for_each_solve(
      session,
      "table2",
      SolveKind::forward,
      8,
      [&](const int L, const Solve &solve) {
        const ExpectedSolve &published = solve.published;
        session.add(
          to_record("table2", SolveKind::forward, L, solve),
          formatted("%2d %10zu %u", L, solve.n_cells, solve.n_iterations) +
            fixed(solve.fractional_iterations, 6, 2) +
            fixed(solve.contraction, 6, 4) + scientific(solve.L2_error, 13) +
            fixed(rate.next(solve.L2_error), 5, 2) +
            scientific(solve.true_L2_error, 11) + " |" +
            fixed(published.fractional_iterations, 6, 2) +
            fixed(published.contraction, 6, 4) +
            scientific(published.L2_error, 13),
          solve.is_correct());
      });

    session.start_table("table2, levels in double; after the bar: published\n"
                        " L      cells n n_frac    rho  L2, 4 points    L2 "
                        "error | n_frac");
    for_each_solve(
      session,
      "table2",
      SolveKind::forward_in_double,
      7,
      [&](const int L, const Solve &solve) {
        session.add(
          to_record("table2", SolveKind::forward_in_double, L, solve),
          formatted("%2d %10zu %u", L, solve.n_cells, solve.n_iterations) +
            fixed(solve.fractional_iterations, 6, 2) +
            fixed(solve.contraction, 6, 4) + scientific(solve.L2_error, 13) +
            scientific(solve.true_L2_error, 11) + " |" +
            fixed(solve.published.fractional_iterations, 6, 2),
          solve.is_correct());
      });
  }



  void
  measure_device_cycles(PatchSession &session)
  {
    using tessera::patch::DeviceCycleOptions;
    struct Variant
    {
      std::string        name;
      DeviceCycleOptions options;
      int                max_refinements;
    };
    const DeviceCycleOptions defaults;
    const std::uint64_t      small = defaults.max_program_cells;
    const std::uint64_t      large = defaults.min_brick_cells;
    constexpr std::uint64_t  all   = std::uint64_t(-1);
    // The emulated device sees small grids alone.
    const int         n_brick     = device_is_emulated ? 8 : 32;
    const std::string bricks_from = formatted("bricks from %d^3 on", n_brick);
    const auto        cube        = [](const int n) {
      return std::uint64_t(n) * std::uint64_t(n) * std::uint64_t(n);
    };
    const Variant variants[] = {
      {"as by default", defaults, 6},
      {"no graph", {false, small, large}, 6},
      {"no levels by one kernel", {true, 0, large}, 5},
      {"neither of both", {false, 0, large}, 5},
      {"16^3 cells by one kernel", {true, cube(16), large}, 5},
      {"32^3 cells by one kernel", {true, cube(32), large}, 5},
      {"no bricks", {true, small, all}, 7},
      {bricks_from,
       {true, std::min(small, cube(n_brick) / 8), cube(n_brick)},
       5}};

    session.start_table(
      "options: the solve of table12 with other options of the cycle\n"
      " L      cells  options                           ms (least   largest)");
    const int last = std::min(session.refinements.last, 7);
    for (int L = session.refinements.first; L <= last; ++L)
      {
        const std::string reason = obstacle(session, SolveKind::forward, L);
        if (!reason.empty())
          {
            add_left_out(session, "options", SolveKind::forward, L, reason);
            continue;
          }
        const Solve &usual = session.solves.get(SolveKind::forward, L);
        for (const Variant &variant : variants)
          {
            if (L > variant.max_refinements)
              continue;
            tessera::patch::SolverOptions options =
              options_of(SolveKind::forward);
            options.multigrid.device = variant.options;
            const Solve solve        = solve_on_device(options,
                                                L,
                                                session.repeats.n_repeats,
                                                session.stream);
            // Results do not depend on it.
            const bool is_correct = solve.converged &&
                                    solve.n_iterations == usual.n_iterations &&
                                    solve.contraction == usual.contraction &&
                                    solve.L2_error == usual.L2_error;
            Record record = to_record("options", SolveKind::forward, L, solve);
            record.set("case", variant.name)
              .set("use_graph", variant.options.use_graph)
              .set("max_program_cells", variant.options.max_program_cells)
              .set("min_brick_cells", variant.options.min_brick_cells);
            set_time(record, "seconds", solve.wall_seconds.median);
            set_time(record, "seconds_min", solve.wall_seconds.min);
            set_time(record, "seconds_max", solve.wall_seconds.max);
            record.set("is_correct", is_correct);
            session.add(record,
                        formatted("%2d %10zu  %-26s",
                                  L,
                                  solve.n_cells,
                                  variant.name.c_str()) +
                          fixed(1e3 * told(solve.wall_seconds.median), 9, 3) +
                          fixed(1e3 * told(solve.wall_seconds.min), 9, 3) +
                          fixed(1e3 * told(solve.wall_seconds.max), 9, 3),
                        is_correct);
          }
      }
  }



  void
  measure_errors_of_cg(PatchSession &session)
  {
    for (const SolveKind kind :
         {SolveKind::five_of_cg_third, SolveKind::five_of_cg_never})
      {
        session.start_table(formatted(
          "table3: %s; after the bar: published\n"
          " L      cells  L2, 4 points  rate    L2 error |  L2, 4 points",
          name_of(kind)));
        Rate rate;
        for_each_solve(
          session, "table3", kind, 7, [&](const int L, const Solve &solve) {
            session.add(to_record("table3", kind, L, solve),
                        formatted("%2d %10zu", L, solve.n_cells) +
                          scientific(solve.L2_error, 13) +
                          fixed(rate.next(solve.L2_error), 5, 2) +
                          scientific(solve.true_L2_error, 11) + " |" +
                          scientific(solve.published.L2_error, 13),
                        solve.is_correct());
          });
      }
  }



  void
  measure_iterations(PatchSession &session)
  {
    session.start_table(
      "table10: iterations until 1e-9; after the bar: published\n"
      " L      cells  iteration                             "
      "  n n_frac | n_frac");
    for (const SolveKind kind : {SolveKind::forward,
                                 SolveKind::reversed,
                                 SolveKind::cg,
                                 SolveKind::cg_third})
      for_each_solve(
        session, "table10", kind, 7, [&](const int L, const Solve &solve) {
          session.add(to_record("table10", kind, L, solve),
                      formatted("%2d %10zu  %-38s %2u",
                                L,
                                solve.n_cells,
                                name_of(kind),
                                solve.n_iterations) +
                        fixed(solve.fractional_iterations, 6, 2) + " |" +
                        fixed(solve.published.fractional_iterations, 6, 2),
                      solve.is_correct());
        });
  }
} // namespace benchmark
