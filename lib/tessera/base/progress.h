// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_progress_h
#define tessera_base_progress_h

#include <tessera/base/communication.h>
#include <tessera/base/timer.h>

#include <cstdint>
#include <iosfwd>
#include <string>

namespace tessera
{
  /** Where and how often progress is shown. */
  struct ProgressOptions
  {
    /** The standard error stream, so that results redirected to a file stay
     * clean; is_terminal and width as the system says. */
    ProgressOptions();

    std::ostream *stream;              ///< null: show nothing
    Clock         clock = wall_clock;  ///< seconds
    bool          is_terminal;         ///< one line that is overwritten
    unsigned int  width;               ///< longest line, in characters
    double        threshold     = 1.;  ///< seconds before a phase is shown
    double        interval      = 0.2; ///< seconds between lines on a terminal
    double        long_interval = 30.; ///< and elsewhere, e.g. in a log file
  };

  /**
   * Tells people that a long phase is alive, how far it is, and for how long it
   * may still take:
   * ```
   * Setup: 35 % (350 of 1000 cells), 7.0 s, about 13 s left
   * ```
   * Only rank 0 shows something; all functions are local and may be called by
   * all ranks or by rank 0 alone. A phase shorter than the threshold shows
   * nothing. On a terminal one line is overwritten, and is gone when the phase
   * ends. Elsewhere a full line is printed now and then, and, if there was one,
   * a last line at the end of the phase.
   *
   * Other output to the same terminal while a phase is open should be preceded
   * by clear(); the line reappears at the next update.
   */
  class Progress
  {
  public:
    explicit Progress(const Communicator    &communicator,
                      const ProgressOptions &how = ProgressOptions());

    /** Remove the line from the terminal. */
    void
    clear();

  private:
    friend class ProgressPhase;

    void
    show(const std::string &line);

    ProgressOptions options;
    bool            is_shown_here;
    std::size_t     n_characters = 0; // of the line now on the terminal
  };

  /**
   * A phase of which progress is shown; ends with the object, or by an
   * exception, in which case no last line is printed. One at a time per
   * Progress.
   */
  class ProgressPhase
  {
  public:
    /**
     * @param[in] title What is being done.
     * @param[in] n_steps Number of steps, or 0 if unknown: then neither a
     * percentage nor the remaining time is shown.
     * @param[in] unit What a step is, in the plural.
     */
    ProgressPhase(Progress          &progress,
                  const std::string &title,
                  std::uint64_t      n_steps = 0,
                  const std::string &unit    = "steps");
    ~ProgressPhase();

    ProgressPhase(const ProgressPhase &) = delete;
    ProgressPhase &
    operator=(const ProgressPhase &) = delete;

    /**
     * That many steps are done; with a remark, such as the residual, that goes
     * to the end of the line. Costs a call of the clock: in an inner loop call
     * it every so many steps only.
     */
    void
    update(std::uint64_t n_done, const std::string &remark = "");

    /** End the phase. Called by the destructor. */
    void
    finish();

  private:
    std::string
    line(std::uint64_t n_done, double seconds, const std::string &remark) const;

    Progress     &progress_of_phase;
    std::string   title_of_phase;
    std::uint64_t n_steps_of_phase;
    std::string   unit_of_phase;
    double        start_time;
    double        time_of_line; // negative infinity before the first
    std::uint64_t n_done_last  = 0;
    bool          has_printed  = false;
    bool          is_open      = true;
    int           n_exceptions = 0;
  };
} // namespace tessera

#endif
