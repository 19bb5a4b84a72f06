// SPDX-License-Identifier: LGPL-2.1-or-later
// The two floors of every kernel on this machine: memory bandwidth, and fused
// multiply-adds per second. Run it without an argument, or with --help; under
// mpirun all ranks measure at once.
#include <tessera/base/communication.h>
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmark.h"
#include "machine_kernels.h"
#include "program.h"

namespace benchmark
{
  constexpr char usage[] =
    "Usage: machine [--megabytes N] [--repeats N] [--json FILE]\n"
    "       mpirun -np RANKS machine ...\n"
    "\n"
    "Measure memory bandwidth and the peak of fused multiply-adds, on all "
    "ranks "
    "at\nonce. Medians over repeats; 1 GB = 1e9 bytes.\n"
    "\n"
    "  --megabytes N  size of each of three arrays per rank in MiB (default "
    "256);\n"
    "                 should be many times the share of the last cache\n"
    "  --repeats N    measured runs of each kernel (default 11)\n"
    "  --json FILE    also write the results as JSON\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\n"
    "instruction set; the default is the widest.\n";

  struct Settings
  {
    std::size_t megabytes = 256;
    Repeats     repeats;
    std::string json;
  };

  struct Free
  {
    void
    operator()(double *p) const
    {
      std::free(p);
    }
  };
  using Array = std::unique_ptr<double[], Free>;

  /** Throw on all ranks if something is wrong on any. Collective. */
  template <typename E>
  void
  require_on_all_ranks(const Communicator &ranks, const bool ok, const E &error)
  {
    if (!ranks.all_ok(ok))
      throw error;
  }

  /** n numbers, aligned to 64 bytes, all pages touched. Collective. */
  Array
  allocate(const Communicator &ranks, const std::size_t n, const double value)
  {
    Array a(static_cast<double *>(std::aligned_alloc(64, n * sizeof(double))));
    require_on_all_ranks(ranks,
                         a != nullptr,
                         tessera::DeviceError(
                           "Not enough memory for an array of " +
                           std::to_string(n * sizeof(double)) +
                           " bytes per rank. Choose a smaller --megabytes."));
    std::fill(a.get(), a.get() + n, value);
    return a;
  }

  /** A rate, in units of 1e9 per second. */
  struct Result
  {
    std::string         name;
    std::string         formula;
    double              work;     ///< bytes or operations per rank and run
    std::vector<double> per_rank; ///< median of each rank
    Statistics          all;      ///< of all ranks together
  };

  /** Measure a function that does `work` per rank. The rate of all ranks
   * together is that of the slowest one times their number, run by run. */
  template <typename F>
  Result
  rate(const Communicator &ranks,
       const Repeats      &repeats,
       const std::string  &name,
       const std::string  &formula,
       const double        work,
       const F            &f)
  {
    const std::vector<double> seconds = measure(
      repeats, [&] { ranks.barrier(); }, f);
    std::vector<double> all = seconds;
    ranks.max(all.data(), all.size());
    for (double &x : all)
      x = 1e-9 * work * ranks.n_ranks() / x;
    return {name,
            formula,
            work,
            ranks.all_gather(1e-9 * work / statistics(seconds).median),
            statistics(all)};
  }

  std::vector<Result>
  measure_bandwidth(const Communicator           &ranks,
                    const Settings               &settings,
                    const tessera::InstructionSet set)
  {
    const std::size_t n     = settings.megabytes * 1024 * 1024 / sizeof(double);
    const double      bytes = static_cast<double>(n) * sizeof(double);
    const Array       a     = allocate(ranks, n, 1.);
    const Array       b     = allocate(ranks, n, 2.);
    const Array       c     = allocate(ranks, n, 3.);
    double *const     pa    = a.get();
    double *const     pb    = b.get();
    double *const     pc    = c.get();
    double            factor = 0.5;
    do_not_optimize(factor);

    // A kernel that computed something else is not worth its time.
    const auto check = [&](const std::string &name, const double expected) {
      require_on_all_ranks(
        ranks,
        pa[0] == expected && pa[n / 3] == expected && pa[n - 1] == expected,
        std::logic_error("The kernel '" + name + "' computed wrong numbers."));
    };

    std::vector<Result> results;
    results.push_back(
      rate(ranks, settings.repeats, "copy", "a = b", 2 * bytes, [&] {
        TESSERA_CALL_SIMD_FOR(set, copy(pa, pb, n));
      }));
    check("copy", 2.);
    std::fill(pa, pa + n, 0.);
    results.push_back(
      rate(ranks,
           settings.repeats,
           "streaming copy",
           "a = b, stores bypass caches",
           2 * bytes,
           [&] { TESSERA_CALL_SIMD_FOR(set, copy_streaming(pa, pb, n)); }));
    check("streaming copy", 2.);
    results.push_back(
      rate(ranks, settings.repeats, "triad", "a = b + s c", 3 * bytes, [&] {
        TESSERA_CALL_SIMD_FOR(set, triad(pa, pb, pc, factor, n));
      }));
    check("triad", 3.5);
    results.push_back(
      rate(ranks, settings.repeats, "update", "a = a + s b", 3 * bytes, [&] {
        TESSERA_CALL_SIMD_FOR(set, update(pa, pb, factor, n));
      }));
    check("update",
          3.5 + settings.repeats.n_warm_ups + settings.repeats.n_repeats);
    return results;
  }

  template <typename T>
  Result
  measure_fma(const Communicator           &ranks,
              const Settings               &settings,
              const tessera::InstructionSet set,
              const std::string            &name)
  {
    // The chains converge to a normal number: x = x/2 + 1.
    T           x = 1, y = T(0.5), z = 1;
    const bool  instruction = TESSERA_CALL_SIMD_FOR(set, has_fma());
    const int   lanes       = TESSERA_CALL_SIMD_FOR(set, n_lanes<T>());
    std::size_t n           = instruction ? 1000000 : 20000;
    return rate(ranks,
                settings.repeats,
                name,
                instruction ? "x = x y + z" : "x = x y + z, by library calls",
                2. * lanes * n_fma_chains * static_cast<double>(n),
                [&] {
                  do_not_optimize(x);
                  do_not_optimize(y);
                  do_not_optimize(z);
                  T sum = TESSERA_CALL_SIMD_FOR(set, fma_chains<T>(n, x, y, z));
                  do_not_optimize(sum);
                });
  }

  void
  print(const std::vector<Result> &results,
        const char                *unit,
        const unsigned int         n_ranks)
  {
    std::printf("%-15s %-29s %10s %10s %10s", "", "", unit, "min", "max");
    if (n_ranks > 1)
      std::printf(" %10s %10s", "rank min", "rank max");
    std::printf("\n");
    for (const Result &r : results)
      {
        std::printf("%-15s %-29s %10.2f %10.2f %10.2f",
                    r.name.c_str(),
                    r.formula.c_str(),
                    r.all.median,
                    r.all.min,
                    r.all.max);
        if (n_ranks > 1)
          {
            const Statistics s = statistics(r.per_rank);
            std::printf(" %10.2f %10.2f", s.min, s.max);
          }
        std::printf("\n");
      }
  }

#ifdef TESSERA_HAVE_JSON
  nlohmann::ordered_json
  to_json(const std::vector<Result> &results, const char *work)
  {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Result &r : results)
      list.push_back({{"name", r.name},
                      {"formula", r.formula},
                      {work, r.work},
                      {"all_ranks", to_json(r.all)},
                      {"per_rank", r.per_rank}});
    return list;
  }
#endif

  void
  run(const Communicator &ranks, const Settings &settings)
  {
    // The environment is that of the launcher on all ranks, but processors may
    // differ.
    std::string error;
    try
      {
        tessera::active_instruction_set();
      }
    catch (const InputError &e)
      {
        error = e.what();
      }
    require_on_all_ranks(ranks,
                         error.empty(),
                         InputError(error.empty() ?
                                      "A rank cannot use the instruction set "
                                      "that TESSERA_SIMD asks for." :
                                      error));
    const tessera::InstructionSet set = tessera::active_instruction_set();

    const std::vector<Result> bandwidth =
      measure_bandwidth(ranks, settings, set);
    const std::vector<Result> fma = {
      measure_fma<float>(ranks, settings, set, "FMA float"),
      measure_fma<double>(ranks, settings, set, "FMA double")};
    if (ranks.rank() != 0)
      return;

    std::printf("Instruction set %s (%u bits), %u rank%s, three arrays of %zu "
                "MiB per rank, median of %u runs\n\n",
                tessera::to_string(set).c_str(),
                tessera::simd_bits(set),
                ranks.n_ranks(),
                ranks.n_ranks() == 1 ? "" : "s at once",
                settings.megabytes,
                settings.repeats.n_repeats);
    print(bandwidth, "GB/s", ranks.n_ranks());
    std::printf("\nCounted are 8 bytes for every number read and for every "
                "number written: 16 per\nelement for the copies, 24 for triad "
                "and update. What copy and triad read before\nthey overwrite "
                "it (write allocate) is not counted.\n\n");
    print(fma, "GFLOP/s", ranks.n_ranks());
    std::printf("\nA fused multiply-add counts as two operations. All figures "
                "are those of all\nranks together%s.\n",
                ranks.n_ranks() == 1 ?
                  "" :
                  "; rank min and max are the medians of the\nslowest and the "
                  "fastest rank");

#ifdef TESSERA_HAVE_JSON
    if (!settings.json.empty())
      {
        write_json(settings.json,
                   {{"benchmark", "machine"},
                    {"instruction_set", tessera::to_string(set)},
                    {"simd_bits", tessera::simd_bits(set)},
                    {"mpi_ranks", ranks.n_ranks()},
                    {"array_bytes", settings.megabytes * 1024 * 1024},
                    {"n_repeats", settings.repeats.n_repeats},
                    {"gigabytes_per_second",
                     to_json(bandwidth, "bytes_per_rank")},
                    {"gigaflops", to_json(fma, "operations_per_rank")}});
      }
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
    options.add_number("--megabytes", settings.megabytes, 1000000);
    options.add_number("--repeats", settings.repeats.n_repeats, 1000000);
    options.add_json(settings.json);
    if (options.parse(argc, argv, ranks))
      benchmark::run(ranks, settings);
  });
}
