// SPDX-License-Identifier: LGPL-2.1-or-later
// Time of a cell visit in sweeps of patch updates in three dimensions: of the
// arithmetic alone, in cache and out of it, for all degrees and for all
// variants of the arithmetic. On one process.
#include <tessera/base/aligned_vector.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>
#include <tessera/cellwise/field.h>
#include <tessera/patch/level_tables.h>
#include <tessera/patch/patch_schedule.h>
#include <tessera/patch/variant_kernels.h>
#include <tessera/patch/variant_tables.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "patch/call_kernels.h"
#include "patch_counts.h"
#include "patch_kernels.h"
#include "program.h"

namespace tessera
{
  namespace patch
  {
    /** See variant_kernels.h. */
    void
    sweep_variant_on(const InstructionSet        set,
                     const PatchVariant          variant,
                     float                      *u,
                     const float                *b,
                     const PatchList            &patches,
                     const VariantTables<float> &tables)
    {
      TESSERA_CALL_SIMD_FOR(set, sweep_variant(variant, u, b, patches, tables));
    }
  } // namespace patch
} // namespace tessera

namespace benchmark
{
  using namespace tessera::patch;
  using tessera::AlignedVector;
  using tessera::InstructionSet;
  using tessera::cellwise::CellGrid;
  using tessera::cellwise::GridDescription;
  using tessera::cellwise::power;
  using tessera::cellwise::PrimalField;
  using tessera::cellwise::ReferenceCell;

  constexpr char usage[] =
    "Usage: patch_sweep [--cells N] [--repeats N] [--json FILE]\n"
    "\n"
    "Nanoseconds a cell visit in sweeps of patch updates in three dimensions, "
    "medians.\n"
    "\n"
    "  --cells N    the largest sweeps of degree 3 have N^3 cells (default "
    "64); other\n"
    "               degrees use as much memory\n"
    "  --repeats N  measured runs of each (default 7)\n"
    "  --json FILE  also write the results as JSON\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\ninstruction set; the default is the widest.\n";

  struct Settings
  {
    int         n_cells = 64;
    Repeats     repeats = {1, 7};
    std::string json;
  };

  /** Names of PatchVariant, and of PatchRowUpdate behind them. */
  constexpr const char *update_names[n_patch_variants + 1] = {
    "nodal",
    "accumulator chain",
    "cell eigenbasis",
    "merged transforms",
    "reflection symmetry",
    "default"};
  constexpr int default_update = n_patch_variants;

  using Cells = std::vector<int>;

  struct Result
  {
    std::string update;
    int         degree;
    std::string precision;
    std::string operands; ///< where they are: lanes, in cache, memory
    std::string order;
    Cells       n_cells; ///< a direction; none if they are in lanes
    double      bytes;   ///< from and to memory a visit, at least
    PatchCounts counts;  ///< of instructions a visit
    Statistics  nanoseconds;
  };

  std::string
  to_string(const Cells &n_cells)
  {
    if (n_cells.empty())
      return "-";
    return std::to_string(n_cells[0]) + "x" + std::to_string(n_cells[1]) + "x" +
           std::to_string(n_cells[2]);
  }

  void
  print(const Result &r)
  {
    std::printf("%-20s %6d %-7s %-9s %-10s %-10s %9.2f %9.2f %9.2f %9.1f "
                "%7.0f\n",
                r.update.c_str(),
                r.degree,
                r.precision.c_str(),
                r.operands.c_str(),
                r.order.c_str(),
                to_string(r.n_cells).c_str(),
                r.nanoseconds.median,
                r.nanoseconds.min,
                r.nanoseconds.max,
                r.counts.all(),
                r.bytes);
    std::fflush(stdout);
  }

  template <typename T>
  AlignedVector<T>
  random_numbers(const std::size_t n)
  {
    AlignedVector<T> numbers(n);
    std::uint64_t    state = 1;
    for (T &x : numbers)
      {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x     = T(std::ldexp(double(state >> 11), -52) - 1.);
      }
    return numbers;
  }

  /** Time of f(n), which does n times the same, divided by what it does once;
   * n is so large that a run takes some milliseconds. */
  template <typename F>
  Statistics
  nanoseconds_of(const Repeats &repeats, const double n_visits, const F &f)
  {
    std::size_t n = 1;
    for (double seconds = 0.; seconds < 2e-3; n *= 2)
      {
        const double start = wall_clock();
        f(n);
        seconds = wall_clock() - start;
      }
    std::vector<double> samples = measure(repeats, [&] { f(n); });
    for (double &x : samples)
      x *= 1e9 / (double(n) * n_visits);
    return statistics(samples);
  }

  /** The kernels of one degree and precision. The units of length are such
   * that the weights of the element matrix are one. */
  template <typename T>
  class Kernels
  {
  public:
    Kernels(const ReferenceCell &cell, const InstructionSet instruction_set)
      : degree(cell.degree)
      , set(instruction_set)
      , tables(cell, PatchMatrices(cell), {{1., 1., 1.}})
    {
      if (has_variants())
        variant_tables = std::make_unique<VariantTablesOfLevel>(
          cell, PatchMatrices(cell), std::array<double, 3>{{1., 1., 1.}});
    }

    bool
    has_variants() const
    {
      return std::is_same<T, float>::value && degree == 3;
    }

    /** Numbers that fill a register. */
    int
    width() const
    {
      return int(tessera::simd_bits(set) / 8 / sizeof(T));
    }

    /** Lanes of a variant. */
    int
    n_variant_lanes() const
    {
      return TESSERA_CALL_SIMD_FOR(set, n_variant_lanes());
    }

    /** Cells that repeat() updates once for n = 1. */
    int
    n_repeated_cells(const int update) const
    {
      return update == default_update ? 4 * width() : 2 * n_variant_lanes();
    }

    PatchCounts
    counts(const int update, const double shifted) const
    {
      return update == default_update ?
               count_per_visit(degree, width(), shifted) :
               count_per_visit(PatchVariant(update),
                               n_variant_lanes(),
                               width());
    }

    /** See patch_kernels.h. */
    void
    repeat(const int update, const std::size_t n, T *u, const T *b) const
    {
      if constexpr (std::is_same<T, float>::value)
        if (update != default_update)
          return TESSERA_CALL_SIMD_FOR(
            set,
            repeat_variant(
              PatchVariant(update), n, u, b, variant_tables->tables()));
      TESSERA_CALL_SIMD_FOR(set, repeat_rows(n, u, b, tables.patch()));
    }

    void
    sweep(const int update, T *u, const T *b, const PatchList &patches) const
    {
      if constexpr (std::is_same<T, float>::value)
        if (update != default_update)
          return tessera::patch::sweep_variant_on(
            set, PatchVariant(update), u, b, patches, variant_tables->tables());
      tessera::patch::sweep_on<3>(set, degree, u, b, patches, tables.patch());
    }

    const int degree;

  private:
    InstructionSet                        set;
    LevelTables<3, T>                     tables;
    std::unique_ptr<VariantTablesOfLevel> variant_tables;
  };

  /** Cells of which u and b take so many bytes. */
  double
  cells_of_size(const double bytes, const int degree, const int bytes_of_number)
  {
    return bytes / (2. * power(degree + 1, 3) * bytes_of_number);
  }

  /** About n_cells cells in rows of @p n_x. */
  Cells
  box_of_rows(const double n_cells, const int n_x)
  {
    const int n_rows = int(n_cells / n_x * (1. + 1e-12));
    const int n_z    = std::max(2, int(std::sqrt(double(n_rows))) / 2 * 2);
    return {n_x, std::max(2, n_rows / n_z), n_z};
  }

  /** A box that is almost a cube, with rows of whole blocks. */
  Cells
  box_of_whole_blocks(const double n_cells)
  {
    constexpr int block = tessera::cellwise::cells_per_block;
    return box_of_rows(n_cells,
                       std::max(1, int(std::cbrt(n_cells) / block + .5)) *
                         block);
  }

  /** How many of the groups of @p width cells in rows of n_x that a sweep
   * treats do not begin with a piece of a block: those of every other colour,
   * and those of the rows that do not. */
  double
  share_of_shifted(const int n_x, const int width)
  {
    return 1. - .5 * std::gcd(n_x, width) / width;
  }

  /** Measures the kernels of a degree, prints the results and collects them. */
  template <typename T>
  class Measurements
  {
  public:
    Measurements(const int            degree,
                 const Settings      &the_settings,
                 std::vector<Result> &all_results)
      : kernels(ReferenceCell(degree), tessera::active_instruction_set())
      , settings(the_settings)
      , results(all_results)
    {}

    int
    first_update() const
    {
      return kernels.has_variants() ? 0 : default_update;
    }

    /** The arithmetic alone. */
    void
    repeat(const int update)
    {
      const int              n_cells = kernels.n_repeated_cells(update);
      const std::size_t      n       = std::size_t(n_cells) * 64;
      AlignedVector<T>       u       = random_numbers<T>(n);
      const AlignedVector<T> b       = random_numbers<T>(n);
      add(update,
          "lanes",
          "-",
          {},
          0.,
          0.,
          nanoseconds_of(settings.repeats,
                         n_cells,
                         [&](const std::size_t n_times) {
                           kernels.repeat(update, n_times, u.data(), b.data());
                         }));
    }

    /** Sweeps over all cells of a box, by updates from @p first to the default
     * one. */
    void
    sweep(const int       first,
          const Cells    &n_cells,
          const Traversal traversal,
          const bool      in_cache)
    {
      GridDescription<3> box;
      std::copy(n_cells.begin(), n_cells.end(), box.n_cells.begin());
      box.cell_size.fill(1.);
      const CellGrid<3>      grid(box);
      const PatchSchedule<3> schedule(grid, ColourOrder::odd_first, traversal);
      const PatchList        patches  = {schedule.cells().data(),
                                         schedule.runs().data(),
                                         schedule.runs().size(),
                                         false};
      const double           n_visits = 8. * schedule.n_patches();

      const int         p        = kernels.degree;
      const int         n_values = power(p + 1, 3);
      const std::size_t n = PrimalField<T>(grid.n_local(), n_values).size();
      AlignedVector<T>  u = random_numbers<T>(n);
      const AlignedVector<T> b = random_numbers<T>(n);

      // By colour, u and b are read in each visit, and what is not on the rim
      // of the patch in y and z is written; at least all of it once in a sweep.
      // And the indices of the cells.
      const bool   is_by_colour = traversal == Traversal::by_colour;
      const double n_moved      = is_by_colour ?
                                    2. * n_values + (p + 1) * p * p :
                                    3. * n_values * grid.n_local() / n_visits;
      for (int update = first; update <= default_update; ++update)
        add(update,
            in_cache ? "in cache" : "memory",
            is_by_colour ? "by colour" : "wavefront",
            n_cells,
            in_cache ? 0. : 4. + n_moved * sizeof(T),
            share_of_shifted(n_cells[0], kernels.width()),
            nanoseconds_of(
              settings.repeats, n_visits, [&](const std::size_t n_times) {
                for (std::size_t i = 0; i < n_times; ++i)
                  kernels.sweep(update, u.data(), b.data(), patches);
              }));
    }

  private:
    void
    add(const int         update,
        const char       *operands,
        const char       *order,
        const Cells      &n_cells,
        const double      bytes,
        const double      shifted,
        const Statistics &nanoseconds)
    {
      PatchCounts counts = kernels.counts(update, shifted);
      if (n_cells.empty())
        counts.transpositions = 0.;
      results.push_back({update_names[update],
                         kernels.degree,
                         std::is_same<T, float>::value ? "float" : "double",
                         operands,
                         order,
                         n_cells,
                         bytes,
                         counts,
                         nanoseconds});
      print(results.back());
    }

    const Kernels<T>     kernels;
    const Settings      &settings;
    std::vector<Result> &results;
  };

  template <typename T>
  void
  measure_degree(const int            degree,
                 const Settings      &settings,
                 std::vector<Result> &results)
  {
    Measurements<T> measurements(degree, settings, results);
    if (degree == 3)
      for (int update = measurements.first_update(); update <= default_update;
           ++update)
        measurements.repeat(update);

    // What a second cache of half a megabyte holds, in rows of one block. They
    // are too short for the wavefront.
    const int block = tessera::cellwise::cells_per_block;
    measurements.sweep(measurements.first_update(),
                       box_of_rows(cells_of_size(270e3, degree, sizeof(T)),
                                   block),
                       Traversal::by_colour,
                       true);

    // What it does not hold.
    const double n_cells =
      cells_of_size(std::pow(double(settings.n_cells), 3) * 2 * 64 * sizeof(T),
                    degree,
                    sizeof(T));
    for (const Traversal traversal :
         {Traversal::by_colour, Traversal::wavefront})
      measurements.sweep(default_update,
                         box_of_whole_blocks(n_cells),
                         traversal,
                         false);

    // What it costs that rows are no whole blocks.
    if (degree == 3 && std::is_same<T, float>::value)
      measurements.sweep(default_update,
                         box_of_rows(n_cells, 50),
                         Traversal::wavefront,
                         false);
  }

  void
  run(const Settings &settings)
  {
    const InstructionSet set = tessera::active_instruction_set();
    std::printf("Instruction set %s (%u bits), median of %u runs\n\n"
                "%-20s %6s %-7s %-9s %-10s %-10s %9s %9s %9s %9s %7s\n",
                tessera::to_string(set).c_str(),
                tessera::simd_bits(set),
                settings.repeats.n_repeats,
                "update",
                "degree",
                "",
                "operands",
                "order",
                "cells",
                "ns/visit",
                "min",
                "max",
                "instr.",
                "bytes");
    std::vector<Result> results;
    for (int degree = tessera::cellwise::min_degree;
         degree <= tessera::cellwise::max_degree;
         ++degree)
      {
        measure_degree<float>(degree, settings, results);
        measure_degree<double>(degree, settings, results);
      }
    std::printf(
      "\ninstr.: counted SIMD instructions a visit, without loads and "
      "stores. bytes: from and\nto memory, at least.\n");

#ifdef TESSERA_HAVE_JSON
    if (settings.json.empty())
      return;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Result &r : results)
      list.push_back({{"update", r.update},
                      {"degree", r.degree},
                      {"precision", r.precision},
                      {"operands", r.operands},
                      {"order", r.order},
                      {"n_cells_per_direction", r.n_cells},
                      {"nanoseconds_per_visit", to_json(r.nanoseconds)},
                      {"bytes_per_visit", r.bytes},
                      {"instructions_per_visit",
                       {{"operations", r.counts.operations},
                        {"permutes", r.counts.permutes},
                        {"selections", r.counts.selections},
                        {"picks", r.counts.picks},
                        {"transpositions", r.counts.transpositions}}}});
    write_json(settings.json,
               {{"benchmark", "patch_sweep"},
                {"git_revision", tessera::git_revision()},
                {"instruction_set", tessera::to_string(set)},
                {"simd_bits", tessera::simd_bits(set)},
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
    options.add_number("--cells", settings.n_cells, 256);
    options.add_number("--repeats", settings.repeats.n_repeats, 1000);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    benchmark::require_one_process(ranks);
    benchmark::run(settings);
  });
}
