// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernels of patch multigrid on a device, beside published figures and the
// bounds of the device. Run it with --help. scripts/gpu_check.sh does the rest.
#include <tessera/base/communication_session.h>
#include <tessera/base/version.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

#include "benchmarks/gpu_patch/sections.h"
#include "benchmarks/program.h"

namespace benchmark
{
  constexpr char usage[] =
    "Usage: gpu_patch [--cells N] [--sections NAME,...] [--repeats N]\n"
    "                 [--warm-ups N] [--levels A-B] [--seconds N] [--json "
    "FILE]\n"
    "                 [--command TEXT] [--driver TEXT] [--revision TEXT]\n"
    "\n"
    "Time of the kernels of patch multigrid on the device, medians, beside the\n"
    "plain copy and the peak measured in the same run and published figures.\n"
    "Each kernel is also compared with the host, on a small problem. Time,\n"
    "iterations and errors of the solver, beside published ones.\n"
    "\n"
    "  --cells N        cells of the largest problems (default 8388608; less\n"
    "                   where the device has no memory for them)\n"
    "  --sections NAME,...\n"
    "                   of those listed by --list;     default: all. The bounds\n"
    "                   are always measured\n"
    "  --levels A-B     solve on 2^A to 2^B cells a direction (default 4-8; as "
    "far\n"
    "                   as the device has memory)\n"
    "  --seconds N      leave out what is not begun, or would not be done, "
    "within so\n"
    "                   many seconds (default 600)\n"
    "  --repeats N      measured runs of each kernel (default 11)\n"
    "  --warm-ups N     runs before them (default 3)\n"
    "  --json FILE      also write the results as JSON, after each section\n"
    "  --command TEXT, --driver TEXT, --revision TEXT\n"
    "                   what to write about the run, where it is not known here\n"
    "  --list           list the sections, measure nothing\n"
    "  --query          say which device there is, or why there is none (exit\n"
    "                   status 3), measure nothing\n";

  struct Section
  {
    const char                         *name;
    const char                         *description;
    std::function<void(PatchSession &)> measure;
  };

  /** The most valuable first: there may not be time for all. */
  const Section sections[] = {
    {"bounds", "plain copies, fused multiply-adds", measure_bounds},
    {"table12", "solve time", measure_solve_time},
    {"table2", "iterations and errors of the solver", measure_convergence},
    {"table11", "parts of a solve", measure_parts_of_solve},
    {"options",
     "solve time with other options of the cycle",
     measure_device_cycles},
    {"table9", "steps and sweeps of the library", measure_steps},
    {"table4", "Laplacian of a cell, eight times", measure_repeated_laplacian},
    {"table6",
     "prototype of a patch update, layouts of cells",
     measure_layouts},
    {"table8", "prototype of a patch update, arithmetic", measure_arithmetic},
    {"table7", "shared memory, registers", measure_resources},
    {"passes", "cell operator, rebalancing, transfers", measure_cell_passes},
    {"variants",
     "arithmetic within the kernel of the library",
     measure_variants},
    {"table10", "iterations of four methods", measure_iterations},
    {"table3", "errors with and without rebalancing", measure_errors_of_cg}};

  struct Settings
  {
    std::size_t n_cells = std::size_t(1) << 23;
    Repeats     repeats = {3, 11};
    unsigned    seconds = 600;
    std::string levels  = device_is_emulated ? "2-3" : "4-8";
    std::string json, names, command, driver, revision;
    bool        list = false, query = false;
  };

  /** @throws InputError for a text that is not two numbers. */
  RefinementRange
  parse_levels(const std::string &text)
  {
    RefinementRange range;
    int             length = 0;
    if (std::sscanf(
          text.c_str(), "%d-%d%n", &range.first, &range.last, &length) != 2 ||
        std::size_t(length) != text.size() || range.first < 2 ||
        range.first > range.last || range.last > 8)
      throw InputError("Option --levels has the value '" + text +
                       "'; allowed are two numbers from 2 to 8, such as 4-8.");
    return range;
  }

  /** Whether a section is among the names, which are separated by commas. */
  bool
  is_listed(const std::string &name, const std::string &names)
  {
    return ("," + names + ",").find("," + name + ",") != std::string::npos;
  }

  /** @throws InputError for a name that no section has. */
  void
  check_names(const std::string &names)
  {
    for (std::size_t begin = 0; begin < names.size();)
      {
        const std::size_t end  = std::min(names.find(',', begin), names.size());
        const std::string name = names.substr(begin, end - begin);
        bool              is_known = false;
        std::string       known;
        for (const Section &section : sections)
          {
            is_known |= name == section.name;
            known += (known.empty() ? "" : ", ") + std::string(section.name);
          }
        if (!is_known)
          throw InputError("Option --sections names '" + name +
                           "'; there are " + known + ".");
        begin = end + 1;
      }
  }

  /** Cells of the largest problems for which the device has memory: 4 fields in
   * float of 64 values, or as much in double. */
  std::size_t
  cells_that_fit(std::size_t n_cells, const std::size_t memory_bytes)
  {
    constexpr std::size_t bytes_of_cell = 4 * 64 * sizeof(float);
    while (n_cells > 64 && n_cells * bytes_of_cell > memory_bytes / 10 * 8)
      n_cells /= 2;
    return n_cells;
  }

  std::string
  utc_date()
  {
    char              text[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    return text;
  }

  void
  describe_run(Record &run, const Settings &settings, const std::size_t n_cells)
  {
    const tessera::device::DeviceProperties &device =
      tessera::device::available_device().properties;
    run.set("benchmark", "gpu_patch")
      .set("command", settings.command)
      .set("date", utc_date())
      .set("git_revision",
           settings.revision.empty() ? tessera::git_revision() :
                                       settings.revision)
      .set("device", device.name)
      .set("device_is_emulated", device_is_emulated)
      .set("compute_capability",
           std::to_string(device.major) + "." + std::to_string(device.minor))
      .set("n_multiprocessors", device.n_multiprocessors)
      .set("memory_bytes", device.memory_bytes)
      .set("driver", settings.driver)
      .set("driver_cuda", device.driver)
      .set("cuda", tessera::device::toolkit_description())
      .set("n_cells", n_cells)
      .set("levels", settings.levels)
      .set("n_warm_ups", settings.repeats.n_warm_ups)
      .set("n_repeats", settings.repeats.n_repeats);
  }

  void
  run(const Settings &settings)
  {
    const tessera::device::DeviceQuery &device =
      tessera::device::available_device();
    if (settings.list)
      {
        for (const Section &section : sections)
          std::printf("%-12s %s\n", section.name, section.description);
        return;
      }
    if (!device.available())
      throw tessera::DeviceError("No device answered: " + device.why_none +
                                 ".");
    std::printf("device: %s\n", device.description().c_str());
    if (settings.query)
      return;
    check_names(settings.names);

    const std::size_t n_cells =
      cells_that_fit(settings.n_cells, device.properties.memory_bytes);
    PatchSession session(settings.json,
                         settings.repeats,
                         n_cells,
                         parse_levels(settings.levels),
                         settings.seconds);
    describe_run(session.file.run, settings, n_cells);
    session.file.write();
    std::string left_out;
    for (const Section &section : sections)
      if (section.name != std::string("bounds") && !settings.names.empty() &&
          !is_listed(section.name, settings.names))
        continue;
      else if (session.seconds_left() <= 0.)
        left_out += (left_out.empty() ? "" : ",") + std::string(section.name);
      else
        {
          section.measure(session);
          session.file.write();
        }
    session.file.run.set("left_out", left_out);
    session.file.write();
    session.print_table();
    if (!left_out.empty())
      std::printf("Left out after %u seconds: %s\n",
                  settings.seconds,
                  left_out.c_str());
    if (!session.all_correct())
      throw InputError("A kernel computes wrong numbers on this device: see "
                       "the lines marked WRONG. Their times mean nothing.");
  }
} // namespace benchmark

int
main(int argc, char **argv)
{
  const tessera::CommunicationSession session(argc, argv);
  const tessera::Communicator         ranks = tessera::Communicator::world();
  return benchmark::run_program(ranks, [&] {
    benchmark::Settings settings;
    for (int i = 0; i < argc; ++i)
      settings.command += (i == 0 ? "" : " ") + std::string(argv[i]);
    benchmark::Options options(benchmark::usage);
    options.add_number("--cells", settings.n_cells, 1u << 27);
    options.add_number("--repeats", settings.repeats.n_repeats, 1000);
    options.add_number("--warm-ups", settings.repeats.n_warm_ups, 1000);
    options.add_text("--sections", settings.names);
    options.add_text("--levels", settings.levels);
    options.add_number("--seconds", settings.seconds, 86400);
    options.add_text("--command", settings.command);
    options.add_text("--driver", settings.driver);
    options.add_text("--revision", settings.revision);
    options.add_flag("--list", settings.list);
    options.add_flag("--query", settings.query);
    options.add_text("--json", settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    benchmark::require_one_process(ranks);
    benchmark::run(settings);
  });
}
