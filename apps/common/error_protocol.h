// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_error_protocol_h
#define tessera_apps_common_error_protocol_h

#include <tessera/base/exceptions.h>

#include <mpi.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tessera::apps
{
  /** An exception, as a user gets to see it. */
  struct Failure
  {
    ExitStatus  status = ExitStatus::error;
    std::string message;
  };

  /**
   * Turn the exception being handled into a status and a readable message; to
   * be called in a catch block.
   *
   * Of deal.II's exceptions only the explanation is kept, not the banner and
   * the stack around it; dealii::SolverControl::NoConvergence has the status
   * not_converged, and std::bad_alloc and deal.II's ExcOutOfMemory the status
   * device.
   */
  Failure
  describe_current_exception();

  /**
   * How the ranks of a program agree on its end.
   *
   * Each rank calls conclude() once, when its work is done or has failed. A
   * rank that failed alone cannot know whether the others will come: they may
   * be waiting for it in a communication that will never complete. So the
   * agreement is a non-blocking reduction, on a communicator of its own so
   * that it matches nothing but itself, which a failed rank waits for only for
   * some seconds. A rank that did not fail waits as long as it takes.
   *
   * * All ranks arrive: they return the same outcome, that of the lowest rank
   *   that failed, and the caller prints it on rank 0. MPI can be finalized.
   * * The time is up: the failed rank calls @p last_words and ends all
   *   processes by MPI_Abort(). Failed ranks of higher number wait a little
   *   longer, so that normally a single one gets to speak.
   */
  class ErrorProtocol
  {
  public:
    /** Collective. */
    explicit ErrorProtocol(
      MPI_Comm                  communicator,
      std::chrono::milliseconds time_out = std::chrono::seconds(5));

    ErrorProtocol(const ErrorProtocol &) = delete;
    ErrorProtocol &
    operator=(const ErrorProtocol &) = delete;

    /** Collective, unless MPI has been finalized. */
    ~ErrorProtocol();

    /**
     * Agree on the end.
     *
     * @param[in] failure What this rank saw, if anything.
     * @param[in] last_words Called before MPI_Abort() with a failure whose
     * message names the rank; must not communicate.
     * @return The failure of the lowest failed rank, on all ranks; its message
     * names that rank if it is not true of all. Empty if no rank failed.
     */
    std::optional<Failure>
    conclude(const std::optional<Failure>               &failure,
             const std::function<void(const Failure &)> &last_words) const;

  private:
    MPI_Comm                  communicator = MPI_COMM_NULL;
    std::chrono::milliseconds time_out;
  };
} // namespace tessera::apps

#endif
