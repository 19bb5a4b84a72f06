// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_timer_h
#define tessera_base_timer_h

#include <tessera/base/communication.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace tessera
{
  /** Seconds since some fixed point in time, never decreasing. */
  using Clock = std::function<double()>;

  /** The wall clock of the machine that no one sets back. */
  double
  wall_clock();

  /** One timer on this rank. */
  struct TimerEntry
  {
    std::string   path;        ///< names of the enclosing scopes, joined by '/'
    unsigned int  depth   = 0; ///< number of enclosing scopes
    std::uint64_t count   = 0; ///< how often the scope was left
    double        seconds = 0.; ///< in it, all times together

    /** The last part of the path. */
    std::string
    name() const;
  };

  /** One timer on all ranks. */
  struct ReducedTimerEntry
  {
    std::string   path;
    unsigned int  depth = 0;
    std::uint64_t count = 0; ///< the largest of all ranks
    MinMaxAverage seconds;

    std::string
    name() const;
  };

  /**
   * Named wall-clock timers that nest as the scopes of the program do.
   *
   * A TimerScope adds the time between its construction and its end to the
   * timer of its name within the enclosing scope: "smooth" inside "solve" is
   * the timer "solve/smooth", and another one than "setup/smooth". The time of
   * a scope includes that of the scopes inside. Measuring costs two calls of
   * the clock, and a search among the scopes directly inside the enclosing one.
   *
   * Asynchronous work, such as kernels on a device, is only measured if it has
   * ended when the clock is read: see set_synchronization().
   *
   * Everything but reduced() and print() is local. To be used by one thread.
   */
  class Timers
  {
  public:
    /** The timers of this process, that applications use. */
    static Timers &
    process();

    /** @param[in] time Where the time comes from; tests pass their own. */
    explicit Timers(Clock time = wall_clock);

    /** What to call before the clock is read, for instance a function that
     * waits for the device; nothing if empty. */
    void
    set_synchronization(std::function<void()> function);

    /** All timers that have been started, each followed by those inside it, in
     * the order of their first start. Open scopes count for what they were
     * before. */
    std::vector<TimerEntry>
    entries() const;

    /** Total seconds of a timer by its path; 0 if there is none. */
    double
    seconds(const std::string &path) const;

    /**
     * Minimum, maximum and average over the ranks. Timers need not exist on all
     * ranks; where one does not, it counts as 0 seconds. The order is that of
     * rank 0; timers unknown there come behind the others that are inside the
     * same timer. Collective: two reductions and a gathering of the paths.
     */
    std::vector<ReducedTimerEntry>
    reduced(const Communicator &communicator) const;

    /**
     * Print a table, on rank 0 only: count, average, and, for several ranks,
     * smallest and largest seconds with the rank that took longest, and the
     * share of the enclosing timer. Collective.
     */
    void
    print(std::ostream &out, const Communicator &communicator) const;

    /** Forget all timers. @throws InputError if a scope is open. */
    void
    reset();

  private:
    friend class TimerScope;

    struct Node
    {
      std::string              name;
      std::size_t              parent = 0;
      std::vector<std::size_t> children;
      std::uint64_t            count   = 0;
      double                   seconds = 0.;
    };

    std::size_t
    enter(const std::string &name);

    double
    now() const;

    void
    collect(std::size_t              node,
            const std::string       &prefix,
            unsigned int             depth,
            std::vector<TimerEntry> &result) const;

    Clock                 clock;
    std::function<void()> synchronize;
    std::vector<Node>     nodes; // nodes[0] is the root
    std::size_t           current = 0;
  };

  /**
   * Measures the time from its construction to stop() or its destruction.
   * Objects end in the reverse order of their construction.
   *
   * @throws InputError if the name is empty or contains '/', or if a scope is
   * stopped while another inside it is open.
   */
  class TimerScope
  {
  public:
    explicit TimerScope(const std::string &name,
                        Timers            &timers = Timers::process());

    /** Stops if that has not been done. An exception of the synchronization is
     * dropped here: the error shows at the next use of the device. */
    ~TimerScope();

    TimerScope(const TimerScope &) = delete;
    TimerScope &
    operator=(const TimerScope &) = delete;

    /** End the measurement now and return the seconds of this scope alone;
     * 0 if it has ended before. */
    double
    stop();

    /** Seconds so far. */
    double
    elapsed() const;

  private:
    void
    finish(double end_time);

    Timers     &timers_of_scope;
    std::size_t node;
    double      start_time;
    bool        is_running;
  };
} // namespace tessera

#endif
