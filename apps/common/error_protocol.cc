// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/error_protocol.h"

#include <deal.II/base/exceptions.h>
#include <deal.II/lac/solver_control.h>

#include <algorithm>
#include <sstream>
#include <thread>

namespace tessera::apps
{
  namespace
  {
    /** One line, without the blanks deal.II indents its explanations by. */
    std::string
    one_line(const std::string &text)
    {
      std::istringstream words(text);
      std::string        line;
      for (std::string word; words >> word;)
        line += (line.empty() ? "" : " ") + word;
      return line;
    }



    /** The explanation inside deal.II's banner and, unless it is
     * ExcMessage, the name of the exception. */
    std::string
    explanation(const dealii::ExceptionBase &e)
    {
      std::ostringstream info;
      e.print_info(info);
      const std::string text = one_line(info.str());

      // The name is the expression of the throwing macro, with its arguments.
      std::string name = e.get_exc_name();
      name             = name.substr(0, name.find('('));
      if (text.empty() || text == "(none)")
        return name + " (an exception of deal.II)";
      if (name.empty() || name.find("ExcMessage") != std::string::npos)
        return text;
      return text + " (" + name + ")";
    }


    Failure
    out_of_memory()
    {
      return {ExitStatus::device,
              "out of memory on the host; use fewer unknowns or more machines"};
    }
  } // namespace



  Failure
  describe_current_exception()
  {
    try
      {
        throw;
      }
    catch (const Exception &e)
      {
        return {e.exit_status(), e.what()};
      }
    catch (const dealii::SolverControl::NoConvergence &e)
      {
        std::ostringstream message;
        message << "a linear or nonlinear solver did not converge: after "
                << e.last_step << " steps the residual is " << e.last_residual;
        return {ExitStatus::not_converged, message.str()};
      }
    catch (const std::bad_alloc &)
      {
        return out_of_memory();
      }
    catch (const dealii::StandardExceptions::ExcOutOfMemory &)
      {
        return out_of_memory();
      }
    catch (const dealii::ExceptionBase &e)
      {
        return {ExitStatus::error, explanation(e)};
      }
    catch (const std::exception &e)
      {
        return {ExitStatus::error, one_line(e.what())};
      }
    catch (...)
      {
        return {ExitStatus::error, "an exception of unknown type"};
      }
  }



  ErrorProtocol::ErrorProtocol(MPI_Comm                        parent,
                               const std::chrono::milliseconds patience)
    : time_out(patience)
  {
    MPI_Comm_dup(parent, &communicator);
  }



  ErrorProtocol::~ErrorProtocol()
  {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0)
      MPI_Comm_free(&communicator);
  }



  std::optional<Failure>
  ErrorProtocol::conclude(
    const std::optional<Failure>               &failure,
    const std::function<void(const Failure &)> &last_words) const
  {
    int rank = 0, n_ranks = 1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &n_ranks);

    // The maxima are: the lowest failed rank, counted from the end; whether
    // one succeeded.
    int local[2]  = {failure ? n_ranks - rank : 0, failure ? 0 : 1};
    int global[2] = {0, 0};

    MPI_Request request;
    MPI_Iallreduce(local, global, 2, MPI_INT, MPI_MAX, communicator, &request);

    using clock      = std::chrono::steady_clock;
    const auto start = clock::now();
    const auto patience =
      time_out + std::min(rank, 20) * std::chrono::milliseconds(500);
    for (int done = 0; done == 0;)
      {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0)
          break;
        const auto waited = clock::now() - start;
        if (failure && waited > patience)
          {
            Failure mine = *failure;
            if (n_ranks > 1)
              mine.message =
                "on rank " + std::to_string(rank) + ": " + mine.message;
            last_words(mine);
            MPI_Abort(communicator, static_cast<int>(mine.status));
          }
        // Ranks normally arrive together; do not burn a core if they do not.
        if (waited > std::chrono::milliseconds(10))
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }

    if (global[0] == 0)
      return {};

    const int lowest  = n_ranks - global[0];
    Failure   common  = failure.value_or(Failure());
    int       data[2] = {static_cast<int>(common.status),
                         static_cast<int>(common.message.size())};
    MPI_Bcast(data, 2, MPI_INT, lowest, communicator);
    common.status = static_cast<ExitStatus>(data[0]);
    common.message.resize(data[1]);
    MPI_Bcast(&common.message[0], data[1], MPI_CHAR, lowest, communicator);
    if (global[1] != 0)
      common.message =
        "on rank " + std::to_string(lowest) + ": " + common.message;
    return common;
  }
} // namespace tessera::apps
