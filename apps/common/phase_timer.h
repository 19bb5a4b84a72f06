// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_phase_timer_h
#define tessera_apps_common_phase_timer_h

#include <tessera/base/communication.h>
#include <tessera/base/timer.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera::apps
{
  /** Wall-clock times of the phases of one cycle, which also enter the timers
   * of the run. */
  class PhaseTimer
  {
  public:
    PhaseTimer(Timers &timers_of_run, const Communicator &comm)
      : timers(timers_of_run)
      , communicator(comm)
    {}

    /** Run f() as a phase. Collective. */
    template <typename F>
    void
    operator()(const std::string &phase, const F &f)
    {
      TimerScope scope(phase, timers);
      f();
      times.emplace_back(phase, communicator.max(scope.stop()));
    }

    /** Phases in the order of their start, with the seconds of the slowest
     * rank. */
    const std::vector<std::pair<std::string, double>> &
    seconds() const
    {
      return times;
    }

    /** All times of a phase together. */
    double
    seconds(const std::string &phase) const
    {
      double sum = 0.;
      for (const auto &[name, time] : times)
        if (name == phase)
          sum += time;
      return sum;
    }

    /** For the next cycle. */
    void
    clear()
    {
      times.clear();
    }

  private:
    Timers                                     &timers;
    Communicator                                communicator;
    std::vector<std::pair<std::string, double>> times;
  };
} // namespace tessera::apps

#endif
