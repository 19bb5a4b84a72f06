// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_phase_timer_h
#define tessera_base_phase_timer_h

#include <tessera/base/execution.h>
#include <tessera/base/timer.h>

#include <string>

namespace tessera
{
  /**
   * A TimerScope for phases within a method, where the work is done when a
   * function returns. On a device nothing is measured: times would be those of
   * giving the work to the queue, and waiting for it would cost more than the
   * phases. There, measure kernels by events.
   */
  template <typename Execution>
  class PhaseTimer;

  template <>
  class PhaseTimer<execution::Host> : public TimerScope
  {
  public:
    explicit PhaseTimer(const std::string &name)
      : TimerScope(name)
    {}
  };

  template <>
  class PhaseTimer<execution::Device>
  {
  public:
    explicit PhaseTimer(const char *)
    {}
  };
} // namespace tessera

#endif
