// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_patch_session_h
#define tessera_tests_benchmarks_gpu_patch_patch_session_h

#include <string>

#include "benchmarks/device_session.h"
#include "benchmarks/gpu_patch/solves.h"

namespace benchmark
{
  /** Numbers of refinements, both included. */
  struct RefinementRange
  {
    int first = 4;
    int last  = 8;
  };

  /** A run of gpu_patch: also has the solves that sections share. */
  class PatchSession : public DeviceSession
  {
  public:
    /** @param[in] seconds That the run may take, from now on. */
    PatchSession(const std::string     &json_file,
                 const Repeats         &repeats_of_all,
                 const std::size_t      cells,
                 const RefinementRange &range,
                 const double           seconds)
      : DeviceSession(json_file, repeats_of_all, cells)
      , refinements(range)
      , solves(stream, repeats_of_all.n_repeats)
      , end(wall_clock() + seconds)
    {}

    double
    seconds_left() const
    {
      return end - wall_clock();
    }

    const RefinementRange refinements;
    Solves                solves;

  private:
    double end;
  };
} // namespace benchmark

#endif
