// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_application_h
#define tessera_apps_common_application_h

#include <tessera/base/exceptions.h>
#include <tessera/base/run_record.h>

#include <deal.II/base/conditional_ostream.h>

#include <mpi.h>

#include <string>

#include "common/common_parameters.h"
#include "common/parameter_set.h"

namespace tessera
{
  class Communicator;
  class Progress;
  class Timers;
} // namespace tessera

namespace tessera::apps
{
  /**
   * What a run works with beside its own parameters. The objects behind the
   * references belong to run_application() and live as long as the run.
   */
  struct RunContext
  {
    /** For deal.II. */
    MPI_Comm mpi_communicator;

    /** The same processes, for the layers below deal.II. */
    const Communicator &communicator;

    /**
     * For people: rank 0 prints, on the screen and into log.txt. Every line an
     * application prints goes through this stream.
     */
    dealii::ConditionalOStream &out;

    /**
     * The machine-readable record. It has the parameters, the version and the
     * back end already; the application adds cycles and quantities.
     * run_application() writes it to run.json at the end, also after an error.
     */
    RunRecord &record;

    /** Timers of the whole run; those that were used are printed at its end. */
    Timers &timers;

    /** The progress line of long phases. */
    Progress &progress;

    /** host or cuda. */
    Backend backend;

    /** The directory for all files of this run; it exists and is writable. */
    std::string results_directory;

    /**
     * Tell the user about something that is probably not meant, such as a
     * parameter that was set and has no effect: printed as "warning: ..." and
     * entered in the log of the record. Called on all ranks or on rank 0.
     */
    void
    warn(const std::string &message) const;

    /** Path of a file in the results directory. */
    std::string
    result_file(const std::string &name) const
    {
      return results_directory + "/" + name;
    }
  };

  /**
   * An application of the suite: what it solves, its parameters, its run.
   *
   * Everything around it -- MPI, command line, parameter file, results
   * directory, log, record, error messages, exit status -- is done by
   * run_application(), so that
   * @code
   * int
   * main(int argc, char **argv)
   * {
   *   PoissonQ3 application;
   *   return tessera::apps::run_application(argc, argv, application);
   * }
   * @endcode
   * is a whole main program.
   */
  class Application
  {
  public:
    virtual ~Application() = default;

    /** Name of the executable: "poisson_q3". */
    virtual std::string
    name() const = 0;

    /** One sentence for --help: what the application solves, and how. */
    virtual std::string
    summary() const = 0;

    /** Further paragraphs for --help: method, limits, reference. */
    virtual std::string
    description() const
    {
      return {};
    }

    /** Whether a run may use several processes; --help shows how. */
    virtual bool
    is_parallel() const
    {
      return true;
    }

    /** Declare all parameters but the common ones, which are declared before.
     */
    virtual void
    declare_parameters(ParameterSet &parameters) = 0;

    /**
     * Check what the pattern of a single parameter cannot: combinations,
     * expressions, files named in parameters. Called on all ranks before
     * anything is computed, and by --validate.
     *
     * Deterministic checks simply run on all ranks; a check that depends on the
     * file system is done on rank 0 and its outcome broadcast.
     * @throws InputError, best made by ParameterSet::error(), on all ranks.
     */
    virtual void
    check_parameters(const ParameterSet &parameters)
    {
      (void)parameters;
    }

    /**
     * What keeps a run with these parameters from using a device, for people
     * ("degree 5, where devices take 1 to 3"); empty: nothing. Called after
     * check_parameters(); Backend = cuda is then an error of the parameters.
     */
    virtual std::string
    why_host_only() const
    {
      return "this application has no solver for a device";
    }

    /**
     * Look at what earlier runs have left in the results directory, which
     * exists and belongs to this run. Nothing in it has been changed yet, not
     * even the record of the last run: what is refused here leaves all as it
     * was. Collective.
     *
     * @param[in] all_parameters With the common ones, as in the run record.
     * @throws InputError on all ranks.
     */
    virtual void
    check_results_directory(const std::string     &directory,
                            const RunRecord::json &all_parameters,
                            const Communicator    &communicator)
    {
      (void)directory;
      (void)all_parameters;
      (void)communicator;
    }

    /**
     * Compute. Collective.
     *
     * @return success, or not_converged where a solver reached its maximum
     * number of iterations but the run has written its results.
     * @throws InputError, SolverBreakdown, DeviceError, or anything derived
     * from std::exception; see run_application().
     */
    virtual ExitStatus
    run(RunContext &context) = 0;

    /** Values of the common parameters. The constructor may change defaults. */
    CommonParameters common;
  };

  /**
   * The main program of an application.
   *
   * Initializes MPI with one thread a rank; reads command line and parameter
   * file; creates the results directory and, in it, `parameters.prm` (all
   * values as used), `log.txt` and, at the end, `run.json`; runs; finalizes
   * MPI.
   *
   * All errors end here. The message is printed once, on stderr, as
   * `<application>: error: <message>`. An exception that all ranks have thrown
   * is printed by rank 0, and MPI is finalized. Where only some ranks have
   * thrown and the others do not arrive at the end of their run within some
   * seconds, the lowest of the failed ranks prints its message with its rank,
   * and ends all processes by MPI_Abort(), since they wait in a communication
   * that will never complete.
   *
   * @return the exit status, see tessera::ExitStatus.
   */
  int
  run_application(int argc, char **argv, Application &application);
} // namespace tessera::apps

#endif
