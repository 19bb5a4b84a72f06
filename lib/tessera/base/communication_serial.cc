// SPDX-License-Identifier: LGPL-2.1-or-later
// The back end of a build without MPI. A group is one process, so the
// functions that need more are never reached.
#include <tessera/base/communication_backend.h>
#include <tessera/base/communication_session.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace tessera
{
  CommunicationSession::CommunicationSession(int &, char **&)
    : initialized_here(false)
    , n_exceptions_in_flight(0)
  {
    (void)initialized_here;
    (void)n_exceptions_in_flight;
  }

  CommunicationSession::~CommunicationSession() = default;

  namespace internal
  {
    namespace process
    {
      Communicator
      world()
      {
        return Communicator();
      }

      void
      abort(const int status) noexcept
      {
        std::cout.flush();
        std::fflush(nullptr);
        std::_Exit(status);
      }

      std::string
      mpi_library_version()
      {
        return "none";
      }

      bool
      mpi_takes_device_memory()
      {
        return false;
      }
    } // namespace process

    namespace backend
    {
      namespace
      {
        [[noreturn]] void
        unreachable()
        {
          std::fputs("A group of several ranks in a build without MPI.\n",
                     stderr);
          std::abort();
        }
      } // namespace

      void
      barrier(const CommunicatorState &)
      {
        unreachable();
      }

      void
      all_reduce(const CommunicatorState &,
                 void *,
                 std::size_t,
                 DataType,
                 Reduction)
      {
        unreachable();
      }

      void
      exclusive_scan(const CommunicatorState &, void *, DataType)
      {
        unreachable();
      }

      void
      min_max_with_rank(const CommunicatorState &,
                        unsigned int,
                        const std::vector<double> &,
                        std::vector<MinMaxAverage> &)
      {
        unreachable();
      }

      void
      broadcast(const CommunicatorState &, void *, std::size_t, unsigned int)
      {
        unreachable();
      }

      void
      all_gather(const CommunicatorState &, const void *, std::size_t, void *)
      {
        unreachable();
      }

      void
      gather(const CommunicatorState &,
             const void *,
             std::size_t,
             void *,
             unsigned int)
      {
        unreachable();
      }

      void
      all_gather_varying(const CommunicatorState &,
                         unsigned int,
                         const void *,
                         const std::vector<std::size_t> &,
                         void *)
      {
        unreachable();
      }

      void
      gather_varying(const CommunicatorState &,
                     unsigned int,
                     const void *,
                     const std::vector<std::size_t> &,
                     void *,
                     unsigned int)
      {
        unreachable();
      }

      Communicator
      split(const CommunicatorState &, unsigned int, int)
      {
        unreachable();
      }

      Communicator
      duplicate(const CommunicatorState &)
      {
        unreachable();
      }
    } // namespace backend
  }   // namespace internal
} // namespace tessera
