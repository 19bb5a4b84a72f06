// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_solves_h
#define tessera_tests_benchmarks_gpu_patch_solves_h

#include <tessera/patch/solver_options.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/benchmark.h"
#include "benchmarks/device_session.h"

namespace benchmark
{
  /** The published iterations for the product of sines. */
  enum class SolveKind
  {
    forward,           ///< stationary, rebalanced in every cycle
    forward_in_double, ///< the same with levels in double
    reversed,          ///< stationary, with a symmetric cycle
    cg,                ///< conjugate gradients
    cg_third,          ///< rebalanced in every third iteration
    five_of_cg_third,  ///< that, five iterations whatever the residual
    five_of_cg_never   ///< the same without rebalancing
  };

  const char *
  name_of(SolveKind kind);

  /** The tolerance of all of them but for the last two. */
  inline constexpr double solve_tolerance = 1e-9;

  tessera::patch::SolverOptions
  options_of(SolveKind kind);

  /** What a solve is to give; NaN, and zero iterations: not known. */
  struct ExpectedSolve
  {
    unsigned int n_iterations          = 0;
    double       fractional_iterations = not_a_number;
    double       contraction           = not_a_number;
    double       L2_error              = not_a_number; ///< four Gauss points

    /** Largest differences; of the error, by at most a factor of one plus this
     * number. */
    double tolerance_of_iterations = 0.02;
    double tolerance_of_error      = 0.01;
  };

  /**
   * The published numbers, for 2^n_refinements cells a direction.
   *
   * Where only the discretization matters, errors have to agree within one per
   * cent. On 128^3 cells and more there is as much left of the error of the
   * iteration, which rounding changes by some per cent. Without rebalancing,
   * rounding decides, and is another one with another order of operations: from
   * 32^3 cells on, only the order of magnitude is the same.
   */
  ExpectedSolve
  published_solve(SolveKind kind, int n_refinements);

  /** A solve on the device. */
  struct Solve
  {
    bool         converged             = false;
    unsigned int n_iterations          = 0;
    double       fractional_iterations = not_a_number;
    double       contraction           = not_a_number;
    double       L2_error              = not_a_number; ///< four Gauss points
    double       true_L2_error         = not_a_number; ///< eight
    std::size_t  n_cells               = 0;
    double       n_dofs                = 0.; ///< those of the boundary included
    double       setup_seconds         = 0.; ///< lists on the host, copies
    std::size_t  device_bytes          = 0;  ///< of all arrays
    Statistics   wall_seconds;               ///< of the host, synchronized
    Statistics   event_seconds;              ///< between events of the stream

    ExpectedSolve published;

    /** The published numbers; those which are not published are of the host's
     * solver, where it is a matter of a moment. */
    ExpectedSolve expected;

    /** All that is known is as expected. */
    bool
    is_correct() const;
  };

  /**
   * Set up, solve from zero, then time: at least three times, and up to
   * n_repeats times within two seconds (0: not at all). @p published and @p expected are left
   * unknown.
   */
  Solve
  solve_on_device(const tessera::patch::SolverOptions &options,
                  int                                  n_refinements,
                  unsigned int                         n_repeats,
                  const tessera::device::Stream       &stream);

  /**
   * Solves on the device with any of the iterations, each done once.
   */
  class Solves
  {
  public:
    /** The stream outlives the object. */
    Solves(const tessera::device::Stream &stream, unsigned int n_repeats);

    /** See solve_on_device(); only SolveKind::forward is timed. */
    const Solve &
    get(SolveKind kind, int n_refinements);

    /** Bytes of device memory that get() will take, about. */
    static double
    estimated_bytes(SolveKind kind, int n_refinements);

    /** Seconds it will take: eight times those of the next coarser grid, or 0
     * where nothing is known, or all is done. */
    double
    estimated_seconds(SolveKind kind, int n_refinements) const;

  private:
    using Key = std::pair<SolveKind, int>;

    const tessera::device::Stream &stream;
    unsigned int                   n_repeats;
    std::map<Key, Solve>           done;
    std::map<Key, double>          seconds;
  };

  /**
   * Time of f(), which gives work to the stream and may wait for it; prepare()
   * comes before each run and is not counted. At least three runs, unless there
   * are fewer repeats, and not more when two seconds are over.
   */
  template <typename Prepare, typename F>
  void
  time_solve(const tessera::device::Stream &stream,
             const unsigned int             n_repeats,
             const Prepare                 &prepare,
             const F                       &f,
             Statistics                    &wall_seconds,
             Statistics                    &event_seconds)
  {
    std::vector<double>    wall, events;
    tessera::device::Event start, end;
    const double           first = wall_clock();
    while (wall.size() < n_repeats &&
           (wall.size() < 3 || wall_clock() - first < 2.))
      {
        prepare();
        stream.synchronize();
        const double before = wall_clock();
        start.record(stream);
        f();
        end.record(stream);
        stream.synchronize();
        wall.push_back(wall_clock() - before);
        events.push_back(tessera::device::seconds_between(start, end));
      }
    wall_seconds  = statistics(wall);
    event_seconds = statistics(events);
  }
} // namespace benchmark

#endif
