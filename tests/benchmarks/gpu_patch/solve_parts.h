// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_solve_parts_h
#define tessera_tests_benchmarks_gpu_patch_solve_parts_h

#include <tessera/base/device/graph.h>
#include <tessera/cellwise/device/device_iteration_passes.h>
#include <tessera/patch/coarsest_level.h>
#include <tessera/patch/device/program.h>
#include <tessera/patch/level_transfer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/gpu_patch/device_product_of_sines.h"

namespace benchmark
{
  /** The rows of Table 11, and one for what is a kernel of its own here. */
  enum class PartGroup
  {
    smoother,
    transfers,
    vector_operations,
    operators,
    rebalancing,
    zero_fills,
    monitor,
    small_levels
  };

  inline constexpr int n_part_groups = int(PartGroup::small_levels) + 1;

  /** A part of a solve that can be done by itself. */
  struct SolvePart
  {
    PartGroup             group;
    std::string           name;
    unsigned int          n_calls; ///< in a solve
    std::function<void()> call;
  };

  /**
   * The stationary solve of SolveKind::forward in its parts, each with the
   * kernels and fields of the solver and launched as the solver does it:
   * sweeps, which are several launches, as CUDA graphs, the smallest levels as
   * a single kernel. solve() puts them together to the solver's iteration,
   * which shows that they are its parts; one after the other, they can be timed
   * alone.
   */
  class SolveParts
  {
  public:
    /** @param[in] max_program_cells See DeviceCycleOptions; at least the 8 of
     * the coarsest level, less than the cells of the finest one.
     * @param[in] stream Outlives the object. */
    SolveParts(int                            n_refinements,
               std::uint64_t                  max_program_cells,
               const tessera::device::Stream &stream);

    // Parts refer to the object.
    SolveParts(const SolveParts &) = delete;
    SolveParts &
    operator=(const SolveParts &) = delete;

    static constexpr unsigned int n_cycles = 4;

    /** All parts, with the numbers of calls in n_cycles cycles. */
    std::vector<SolvePart>
    parts();

    /** n_cycles cycles from zero.
     * @return the L2 error with four Gauss points. */
    double
    solve();

  private:
    using Execution = tessera::execution::Device;
    using Level     = tessera::patch::Level<3, float, Execution>;
    using Transfer  = tessera::patch::LevelTransfer<3, float, Execution>;
    using Coarsest  = tessera::patch::CoarsestLevel<3, float, Execution>;
    using Steps     = Level::Steps;

    /** Level l and those below it. */
    void
    visit(unsigned int l, Steps &steps);

    /** The same; those of the program by it, sweeps by graphs. */
    void
    cycle(unsigned int l);

    void
    sweep(unsigned int l);

    const tessera::device::Stream                   &stream;
    tessera::cellwise::DistributedGrid<3>            grid;
    tessera::cellwise::ReferenceCell                 cell;
    tessera::cellwise::ElementWeights<3>             weights;
    tessera::cellwise::IterationPasses<3, Execution> passes;
    DeviceProductOfSines                             problem;
    tessera::cellwise::DevicePrimalField<double>     u;
    tessera::cellwise::DeviceDualField<double>       b, r;
    double                                           scale = 1.;
    tessera::patch::DeviceLaunches<3, float>         launches;
    std::vector<std::unique_ptr<Level>>              levels;
    std::vector<std::unique_ptr<Transfer>>           transfers;
    std::unique_ptr<Coarsest>                        coarsest;

    /** The levels [0, n_of_program). */
    unsigned int                            n_of_program = 0;
    tessera::patch::DeviceProgram<3, float> program;

    /** Sweeps of the other levels. */
    std::vector<std::unique_ptr<tessera::device::Graph>> sweeps;
  };
} // namespace benchmark

#endif
