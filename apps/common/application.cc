// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/application.h"

#include <tessera/base/communication_mpi.h>
#include <tessera/base/device/device.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/progress.h>
#include <tessera/base/run_record.h>
#include <tessera/base/timer.h>
#include <tessera/base/version.h>

#include <deal.II/base/mpi.h>

#include <boost/iostreams/stream.hpp>
#include <boost/iostreams/tee.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "common/command_line.h"
#include "common/error_protocol.h"
#include "common/parameter_file.h"
#include "common/results_directory.h"

namespace tessera::apps
{
  namespace
  {
    using TeeDevice = boost::iostreams::tee_device<std::ostream, std::ofstream>;
    using TeeStream = boost::iostreams::stream<TeeDevice>;

    std::string
    backend_name(const Backend backend)
    {
      return backend == Backend::cuda ? "cuda" : "host";
    }



    /** The status in run.json. */
    std::string
    status_name(const ExitStatus status)
    {
      switch (status)
        {
          case ExitStatus::success:
            return "success";
          case ExitStatus::not_converged:
            return "not converged";
          default:
            return "error";
        }
    }



    /** `<program>: error: ` before the first line; the others, which are
     * further errors with their own places, as they are. */
    void
    print_error(const std::string &program, const std::string &message)
    {
      std::cout << std::flush;
      std::cerr << program + ": error: " + message + "\n" << std::flush;
    }



    /** One run of an application, from the command line to its last file. */
    class Session
    {
    public:
      Session(Application &app, MPI_Comm all_processes);

      /** Do what the command line asks for. Throws. */
      ExitStatus
      work(const std::vector<std::string> &arguments);

      /** Enter the end of the run in the record and write it. Collective. */
      void
      finish(ExitStatus status, const std::optional<Failure> &failure);

      /** The worst status of all ranks. Collective. */
      ExitStatus
      worst(const ExitStatus status) const
      {
        return static_cast<ExitStatus>(
          communicator.max(static_cast<int>(status)));
      }

      /** The same where the other ranks cannot be reached. */
      void
      finish_alone(const Failure &failure) noexcept;

    private:
      void
      read_parameters(const CommandLine &command_line);

      /** What needs no device to be known. Throws. */
      void
      check_parameters();

      ExitStatus
      compute(const CommandLine &command_line);

      bool
      is_first() const
      {
        return communicator.rank() == 0;
      }

      std::string
      result_file(const std::string &name) const
      {
        return results_directory + "/" + name;
      }

      Application &application;

      /** What the application works on. */
      const MPI_Comm mpi_communicator;

      /** For the session itself: after an error of some ranks, messages of the
       * application may be left over in its own communicator. */
      const Communicator communicator;

      ParameterSet parameters;
      Timers       timers;

      /** Empty until the directory exists; from then on there is a record. */
      std::string                           results_directory;
      std::unique_ptr<ResultsDirectoryLock> lock;
      std::unique_ptr<RunRecord>            record;

      std::ofstream              log;
      std::unique_ptr<TeeStream> screen_and_log;
    };



    Session::Session(Application &app, MPI_Comm all_processes)
      : application(app)
      , mpi_communicator(all_processes)
      , communicator(make_communicator(all_processes).duplicate())
    {}



    ExitStatus
    Session::work(const std::vector<std::string> &arguments)
    {
      const std::string program      = application.name();
      const CommandLine command_line = parse_command_line(arguments, program);

      const auto print = [&](std::ostream &stream, const std::string &text) {
        communicator.collectively([&] {
          if (is_first() && !(stream << text << std::flush))
            throw InputError("the output could not be written completely; is "
                             "the disk full?");
        });
      };

      switch (command_line.action)
        {
          case CommandLine::Action::usage:
            print(std::cerr, usage_text(program));
            return ExitStatus::error;
          case CommandLine::Action::help:
            print(std::cout, help_text(application));
            return ExitStatus::success;
          case CommandLine::Action::version:
            print(std::cout, version_text(program));
            return ExitStatus::success;
          case CommandLine::Action::print_parameters:
            {
              read_parameters(command_line);
              std::ostringstream text;
              parameters.print_documentation(text);
              print(std::cout, text.str());
              return ExitStatus::success;
            }
          case CommandLine::Action::validate:
            read_parameters(command_line);
            check_parameters();
            print(std::cout, command_line.file + ": valid\n");
            return ExitStatus::success;
          case CommandLine::Action::run:
            break;
        }
      read_parameters(command_line);
      check_parameters();
      return compute(command_line);
    }



    void
    Session::read_parameters(const CommandLine &command_line)
    {
      application.common.declare(parameters);
      application.declare_parameters(parameters);

      // --set stands behind the file and so overrides it; errors of both are
      // reported together.
      std::vector<Statement> statements;
      if (!command_line.file.empty())
        statements = read_parameter_file(command_line.file, mpi_communicator);
      for (const std::string &setting : command_line.settings)
        statements.push_back(parse_assignment(setting));
      parameters.apply(statements);
    }



    void
    Session::check_parameters()
    {
      application.check_parameters(parameters);
      const std::string why_host = application.why_host_only();
      if (application.common.backend == Backend::cuda && !why_host.empty())
        throw parameters.error("Backend", why_host + "; use auto or host");
    }



    ExitStatus
    Session::compute(const CommandLine &command_line)
    {
      const auto [backend, why_host] =
        resolve_backend(application.common.backend,
                        application.why_host_only(),
                        communicator);

      const std::string directory =
        results_directory_name(command_line.results_directory,
                               application.common.results_directory,
                               command_line.file);
      create_results_directory(directory, communicator);
      lock = std::make_unique<ResultsDirectoryLock>(directory, communicator);
      application.check_results_directory(directory,
                                          parameters.as_json(),
                                          communicator);

      record = std::make_unique<RunRecord>(application.name(), communicator);
      results_directory                     = directory;
      record->data()["parameters"]          = parameters.as_json();
      record->data()["backend"]["name"]     = backend_name(backend);
      record->data()["backend"]["why_host"] = why_host;
      record->data()["backend"]["simd_bits"] =
        simd_bits(active_instruction_set());
      record->data()["backend"]["device"] =
        device::available_device().description();

      communicator.collectively([&] {
        if (!is_first())
          return;
        // A run that is killed must not leave the success of an earlier one.
        std::error_code code;
        std::filesystem::remove(result_file("run.json"), code);
        if (code)
          throw InputError("results directory '" + directory +
                           "': the record 'run.json' of an earlier run cannot "
                           "be removed: " +
                           code.message() +
                           "; choose another directory with --results");
        std::ofstream used(result_file("parameters.prm"));
        parameters.print_values(used);
        log.open(result_file("log.txt"));
        if (!used.flush() || !log)
          throw InputError("results directory '" + directory +
                           "': 'parameters.prm' or 'log.txt' in it cannot be "
                           "written; remove what is in their place, or choose "
                           "another directory with --results");
        screen_and_log = std::make_unique<TeeStream>(TeeDevice(std::cout, log));
      });

      dealii::ConditionalOStream out(is_first() ? *screen_and_log : std::cout,
                                     is_first());
      out << application.name() << " " << version() << ", " << git_revision()
          << ": "
          << (command_line.file == "-" ? "parameters from stdin" :
                                         command_line.file)
          << ", " << communicator.n_ranks()
          << (communicator.n_ranks() == 1 ? " process" : " processes")
          << ", back end " << backend_name(backend);
      // Where there is no device, nobody expects one.
      if (!why_host.empty() && device::available_device().available())
        out << " (" << why_host << ")";
      out << std::endl;

      Progress           progress(communicator);
      const Communicator world = make_communicator(mpi_communicator);
      RunContext         context{mpi_communicator,
                         world,
                         out,
                         *record,
                         timers,
                         progress,
                         backend,
                         results_directory};
      return application.run(context);
    }



    void
    Session::finish(const ExitStatus              status,
                    const std::optional<Failure> &failure)
    {
      if (!communicator.all_ok(record != nullptr))
        return;
      const bool  failed  = failure.has_value();
      std::string message = failed ? failure->message : std::string();
      if (!failed && status == ExitStatus::not_converged)
        // The application may have said more.
        message = record->data()["status"] == "not converged" ?
                    record->data()["message"].get<std::string>() :
                    "a solver reached its maximum number of iterations";

      record->set_status(status_name(status), message);

      if (!failed && communicator.logical_or(!timers.entries().empty()))
        {
          if (is_first())
            *screen_and_log << '\n';
          timers.print(is_first() ? *screen_and_log : std::cout, communicator);
          if (is_first())
            *screen_and_log << '\n';
        }
      if (screen_and_log != nullptr)
        {
          if (failed)
            // On stderr it is printed already.
            log << "error: " << message << std::endl;
          else
            *screen_and_log
              << (message.empty() ? "" : "Not converged: " + message + ".\n")
              << "Results are in '" << results_directory << "'." << std::endl;
        }
      record->write(result_file("run.json"));
      communicator.collectively([&] {
        if (is_first() && !log)
          throw InputError("'" + result_file("log.txt") +
                           "' could not be written completely; is the disk "
                           "full?");
      });
    }



    void
    Session::finish_alone(const Failure &failure) noexcept
    {
      if (record == nullptr)
        return;
      try
        {
          // The parameters and what else rank 0 knows are known here too, but
          // for what the application recorded on rank 0 alone.
          record->set_status(status_name(failure.status), failure.message);
          std::ofstream file(result_file("run.json"));
          file << record->document().dump(2) << std::endl;
        }
      catch (...)
        {
          // The message on stderr is what counts; it is printed already.
        }
    }
  } // namespace



  void
  RunContext::warn(const std::string &message) const
  {
    out << "warning: " << message << std::endl;
    record.log("warning: " + message);
  }



  int
  run_application(int argc, char **argv, Application &application)
  {
    // deal.II hands the arguments on to PETSc, which would take our options
    // for its own and print its own help. No MPI library needs them.
    int                                      n_names = 1;
    char                                    *names[] = {argv[0], nullptr};
    char                                   **name    = names;
    dealii::Utilities::MPI::MPI_InitFinalize mpi(n_names, name, 1);

    const std::string program = application.name();
    const bool        is_first =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
    const ErrorProtocol protocol(MPI_COMM_WORLD);

    Session                session(application, MPI_COMM_WORLD);
    ExitStatus             status = ExitStatus::error;
    std::optional<Failure> failure;
    try
      {
        status = session.work(std::vector<std::string>(argv + 1, argv + argc));
      }
    catch (...)
      {
        failure = describe_current_exception();
      }

    failure = protocol.conclude(failure, [&](const Failure &mine) {
      print_error(program, mine.message);
      session.finish_alone(mine);
    });
    if (failure)
      {
        status = failure->status;
        if (is_first)
          print_error(program, failure->message);
      }

    status = session.worst(status);
    try
      {
        session.finish(status, failure);
      }
    catch (...)
      {
        // Collective functions threw: the same exception on all ranks.
        const Failure last = describe_current_exception();
        if (is_first)
          print_error(program, last.message);
        if (status == ExitStatus::success)
          status = last.status;
      }
    return static_cast<int>(status);
  }
} // namespace tessera::apps
