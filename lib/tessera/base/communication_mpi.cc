// SPDX-License-Identifier: LGPL-2.1-or-later
// The back end of a build with MPI: groups and collective operations.
#include <tessera/base/communication_backend_mpi.h>
#include <tessera/base/communication_mpi.h>
#include <tessera/base/communication_session.h>

#if __has_include(<mpi-ext.h>)
#  include <mpi-ext.h> // of Open MPI: whether it is CUDA-aware
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <set>

namespace tessera
{
  namespace
  {
    MPI_Datatype
    mpi_type(const internal::DataType type)
    {
      switch (type)
        {
          case internal::DataType::float32:
            return MPI_FLOAT;
          case internal::DataType::float64:
            return MPI_DOUBLE;
          case internal::DataType::int32:
            return MPI_INT32_T;
          case internal::DataType::int64:
            return MPI_INT64_T;
          case internal::DataType::uint32:
            return MPI_UINT32_T;
          case internal::DataType::uint64:
            break;
        }
      return MPI_UINT64_T;
    }

    std::size_t
    size_of(const internal::DataType type)
    {
      switch (type)
        {
          case internal::DataType::float32:
          case internal::DataType::int32:
          case internal::DataType::uint32:
            return 4;
          case internal::DataType::float64:
          case internal::DataType::int64:
          case internal::DataType::uint64:
            break;
        }
      return 8;
    }

    MPI_Op
    mpi_operation(const internal::Reduction operation)
    {
      switch (operation)
        {
          case internal::Reduction::min:
            return MPI_MIN;
          case internal::Reduction::max:
            return MPI_MAX;
          case internal::Reduction::sum:
            break;
        }
      return MPI_SUM;
    }

    /** Call f(offset, count) for pieces that fit into the counts of MPI. */
    template <typename F>
    void
    in_pieces(const std::size_t n, const F &f)
    {
      const std::size_t largest = internal::maximum_message_count();
      for (std::size_t done = 0; done < n; done += largest)
        f(done, static_cast<int>(std::min(largest, n - done)));
    }

    /** All private duplicates, so that they can be freed when MPI ends although
     * a handle lives on. */
    std::set<internal::PrivateTraffic *> &
    living_traffic()
    {
      // Never destroyed: a handle of static storage duration may end later.
      static auto *const traffic = new std::set<internal::PrivateTraffic *>;
      return *traffic;
    }

    int
    release_all_traffic(MPI_Comm, int, void *, void *)
    {
      for (internal::PrivateTraffic *traffic : living_traffic())
        MPI_Comm_free(&traffic->communicator);
      living_traffic().clear();
      return MPI_SUCCESS;
    }

    int
    release_traffic_attribute(MPI_Comm, int, void *value, void *)
    {
      delete static_cast<std::shared_ptr<internal::PrivateTraffic> *>(value);
      return MPI_SUCCESS;
    }

    /**
     * The key under which a communicator keeps its private traffic. On first
     * use also arrange that everything is released when MPI ends: attributes
     * of MPI_COMM_SELF are deleted first, while MPI still works.
     */
    int
    traffic_key()
    {
      static const int key = [] {
        int at_end;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                               &release_all_traffic,
                               &at_end,
                               nullptr);
        MPI_Comm_set_attr(MPI_COMM_SELF, at_end, nullptr);
        MPI_Comm_free_keyval(&at_end);

        int result;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
                               &release_traffic_attribute,
                               &result,
                               nullptr);
        return result;
      }();
      return key;
    }
  } // namespace

  namespace internal
  {
    bool
    mpi_is_usable() noexcept
    {
      int initialized = 0, finalized = 0;
      MPI_Initialized(&initialized);
      MPI_Finalized(&finalized);
      return initialized != 0 && finalized == 0;
    }

    PrivateTraffic::PrivateTraffic(MPI_Comm parent)
      : communicator(MPI_COMM_NULL)
      , next_tag(0)
      , n_tags(32768)
    {
      MPI_Comm_dup(parent, &communicator);
      // Ranks must agree on the number of tags, so the bound that the standard
      // guarantees is used, not the larger one a library may offer.
      living_traffic().insert(this);
    }

    PrivateTraffic::~PrivateTraffic()
    {
      if (communicator != MPI_COMM_NULL && mpi_is_usable())
        MPI_Comm_free(&communicator);
      living_traffic().erase(this);
    }

    int
    PrivateTraffic::next_tags(const int n)
    {
      if (next_tag + n > n_tags)
        next_tag = 0;
      const int first = next_tag;
      next_tag += n;
      return first;
    }

    CommunicatorState::CommunicatorState(MPI_Comm   mpi_communicator,
                                         const bool owned)
      : communicator(mpi_communicator)
      , is_owner(owned)
    {}

    CommunicatorState::~CommunicatorState()
    {
      if (is_owner && mpi_is_usable())
        MPI_Comm_free(&communicator);
    }

    std::shared_ptr<PrivateTraffic>
    private_traffic(const Communicator &communicator)
    {
      CommunicatorState &state = *CommunicatorAccess::state(communicator);
      if (state.traffic == nullptr)
        {
          void *value = nullptr;
          int   found = 0;
          MPI_Comm_get_attr(state.communicator, traffic_key(), &value, &found);
          if (found != 0)
            state.traffic =
              *static_cast<std::shared_ptr<PrivateTraffic> *>(value);
          else
            {
              state.traffic =
                std::make_shared<PrivateTraffic>(state.communicator);
              MPI_Comm_set_attr(state.communicator,
                                traffic_key(),
                                new std::shared_ptr<PrivateTraffic>(
                                  state.traffic));
            }
        }
      return state.traffic;
    }

    namespace
    {
      Communicator
      wrap(MPI_Comm communicator, const bool is_owner)
      {
        int rank, n_ranks;
        MPI_Comm_rank(communicator, &rank);
        MPI_Comm_size(communicator, &n_ranks);
        return CommunicatorAccess::make(
          std::make_shared<CommunicatorState>(communicator, is_owner),
          static_cast<unsigned int>(rank),
          static_cast<unsigned int>(n_ranks));
      }
    } // namespace

    namespace process
    {
      Communicator
      world()
      {
        return make_communicator(MPI_COMM_WORLD);
      }

      void
      abort(const int status) noexcept
      {
        std::cout.flush();
        std::fflush(nullptr);
        if (mpi_is_usable())
          MPI_Abort(MPI_COMM_WORLD, status);
        std::_Exit(status);
      }

      std::string
      mpi_library_version()
      {
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int  length                               = 0;
        MPI_Get_library_version(text, &length);
        const std::string version(text, static_cast<std::size_t>(length));
        // The first item suffices: Open MPI adds package and identification.
        return version.substr(0, version.find_first_of(",\n"));
      }

      bool
      mpi_takes_device_memory()
      {
        if (!mpi_is_usable())
          return false;
#if defined(MPIX_CUDA_AWARE_SUPPORT)
        return MPIX_Query_cuda_support() != 0;
#elif defined(MPIX_GPU_SUPPORT_CUDA)
        int answer = 0;
        MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &answer);
        return answer != 0;
#else
        return false;
#endif
      }
    } // namespace process

    namespace backend
    {
      void
      barrier(const CommunicatorState &state)
      {
        MPI_Barrier(state.communicator);
      }

      void
      all_reduce(const CommunicatorState &state,
                 void                    *values,
                 const std::size_t        n,
                 const DataType           type,
                 const Reduction          operation)
      {
        in_pieces(n, [&](const std::size_t offset, const int count) {
          MPI_Allreduce(MPI_IN_PLACE,
                        static_cast<char *>(values) + offset * size_of(type),
                        count,
                        mpi_type(type),
                        mpi_operation(operation),
                        state.communicator);
        });
      }

      void
      exclusive_scan(const CommunicatorState &state,
                     void                    *value,
                     const DataType           type)
      {
        MPI_Exscan(
          MPI_IN_PLACE, value, 1, mpi_type(type), MPI_SUM, state.communicator);
      }

      void
      min_max_with_rank(const CommunicatorState    &state,
                        const unsigned int          rank,
                        const std::vector<double>  &values,
                        std::vector<MinMaxAverage> &result)
      {
        struct ValueOfRank // MPI_DOUBLE_INT
        {
          double value;
          int    rank;
        };
        std::vector<ValueOfRank> extremes(values.size());
        const auto               reduce = [&](MPI_Op operation) {
          for (std::size_t i = 0; i < values.size(); ++i)
            extremes[i] = {values[i], static_cast<int>(rank)};
          in_pieces(values.size(),
                    [&](const std::size_t offset, const int count) {
                      MPI_Allreduce(MPI_IN_PLACE,
                                    extremes.data() + offset,
                                    count,
                                    MPI_DOUBLE_INT,
                                    operation,
                                    state.communicator);
                    });
        };
        reduce(MPI_MINLOC);
        for (std::size_t i = 0; i < values.size(); ++i)
          {
            result[i].min      = extremes[i].value;
            result[i].min_rank = static_cast<unsigned int>(extremes[i].rank);
          }
        reduce(MPI_MAXLOC);
        for (std::size_t i = 0; i < values.size(); ++i)
          {
            result[i].max      = extremes[i].value;
            result[i].max_rank = static_cast<unsigned int>(extremes[i].rank);
          }
      }

      void
      broadcast(const CommunicatorState &state,
                void                    *data,
                const std::size_t        n_bytes,
                const unsigned int       root)
      {
        in_pieces(n_bytes, [&](const std::size_t offset, const int count) {
          MPI_Bcast(static_cast<char *>(data) + offset,
                    count,
                    MPI_BYTE,
                    static_cast<int>(root),
                    state.communicator);
        });
      }

      void
      all_gather(const CommunicatorState &state,
                 const void              *in,
                 const std::size_t        n_bytes,
                 void                    *out)
      {
        MPI_Allgather(in,
                      static_cast<int>(n_bytes),
                      MPI_BYTE,
                      out,
                      static_cast<int>(n_bytes),
                      MPI_BYTE,
                      state.communicator);
      }

      void
      gather(const CommunicatorState &state,
             const void              *in,
             const std::size_t        n_bytes,
             void                    *out,
             const unsigned int       root)
      {
        MPI_Gather(in,
                   static_cast<int>(n_bytes),
                   MPI_BYTE,
                   out,
                   static_cast<int>(n_bytes),
                   MPI_BYTE,
                   static_cast<int>(root),
                   state.communicator);
      }

      namespace
      {
        /** Counts and displacements as MPI wants them, where they fit. */
        struct CountsAndDisplacements
        {
          explicit CountsAndDisplacements(
            const std::vector<std::size_t> &offsets)
          {
            for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
              {
                counts.push_back(static_cast<int>(offsets[r + 1] - offsets[r]));
                displacements.push_back(static_cast<int>(offsets[r]));
              }
          }

          std::vector<int> counts, displacements;
        };
      } // namespace

      void
      all_gather_varying(const CommunicatorState        &state,
                         const unsigned int              rank,
                         const void                     *in,
                         const std::vector<std::size_t> &offsets,
                         void                           *out)
      {
        if (offsets.back() <= maximum_message_count())
          {
            const CountsAndDisplacements layout(offsets);
            MPI_Allgatherv(in,
                           layout.counts[rank],
                           MPI_BYTE,
                           out,
                           layout.counts.data(),
                           layout.displacements.data(),
                           MPI_BYTE,
                           state.communicator);
            return;
          }

        // More than the displacements can express: one broadcast per rank.
        char *const bytes = static_cast<char *>(out);
        if (offsets[rank + 1] > offsets[rank])
          std::memcpy(bytes + offsets[rank],
                      in,
                      offsets[rank + 1] - offsets[rank]);
        for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
          broadcast(state,
                    bytes + offsets[r],
                    offsets[r + 1] - offsets[r],
                    static_cast<unsigned int>(r));
      }

      void
      gather_varying(const CommunicatorState        &state,
                     const unsigned int              rank,
                     const void                     *in,
                     const std::vector<std::size_t> &offsets,
                     void                           *out,
                     const unsigned int              root)
      {
        if (offsets.back() <= maximum_message_count())
          {
            const CountsAndDisplacements layout(offsets);
            MPI_Gatherv(in,
                        layout.counts[rank],
                        MPI_BYTE,
                        out,
                        layout.counts.data(),
                        layout.displacements.data(),
                        MPI_BYTE,
                        static_cast<int>(root),
                        state.communicator);
            return;
          }

        // More than the displacements can express. Each rank gathers its piece
        // alone: the collective call keeps to the traffic of the group.
        const std::size_t n_ranks = offsets.size() - 1;
        std::vector<int>  counts(n_ranks, 0), displacements(n_ranks, 0);
        for (std::size_t r = 0; r < n_ranks; ++r)
          in_pieces(offsets[r + 1] - offsets[r],
                    [&](const std::size_t offset, const int count) {
                      counts[r] = count;
                      MPI_Gatherv(r == rank ?
                                    static_cast<const char *>(in) + offset :
                                    nullptr,
                                  counts[rank],
                                  MPI_BYTE,
                                  static_cast<char *>(out) + offsets[r] +
                                    offset,
                                  counts.data(),
                                  displacements.data(),
                                  MPI_BYTE,
                                  static_cast<int>(root),
                                  state.communicator);
                      counts[r] = 0;
                    });
      }

      Communicator
      split(const CommunicatorState &state,
            const unsigned int       colour,
            const int                key)
      {
        TESSERA_ASSERT(colour <= static_cast<unsigned int>(
                                   std::numeric_limits<int>::max()),
                       "MPI has no colours of 2^31 and above");
        MPI_Comm part;
        MPI_Comm_split(state.communicator,
                       static_cast<int>(colour),
                       key,
                       &part);
        return wrap(part, true);
      }

      Communicator
      duplicate(const CommunicatorState &state)
      {
        MPI_Comm result;
        MPI_Comm_dup(state.communicator, &result);
        return wrap(result, true);
      }
    } // namespace backend
  }   // namespace internal

  Communicator
  make_communicator(MPI_Comm mpi_communicator)
  {
    if (!internal::mpi_is_usable())
      throw InputError(
        "MPI is not running: it has not been initialized, or has been "
        "finalized already. Create a CommunicationSession (or deal.II's "
        "Utilities::MPI::MPI_InitFinalize) at the beginning of main().");
    if (mpi_communicator == MPI_COMM_NULL)
      throw InputError("The MPI communicator is MPI_COMM_NULL; a communicator "
                       "that contains this process is needed.");
    return internal::wrap(mpi_communicator, false);
  }

  MPI_Comm
  mpi_communicator(const Communicator &communicator)
  {
    const auto &state = internal::CommunicatorAccess::state(communicator);
    return state == nullptr ? MPI_COMM_SELF : state->communicator;
  }

  CommunicationSession::CommunicationSession(int &argc, char **&argv)
    : initialized_here(false)
    , n_exceptions_in_flight(std::uncaught_exceptions())
  {
    int initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized == 0)
      {
        int provided;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        initialized_here = true;
      }
  }

  CommunicationSession::~CommunicationSession()
  {
    if (!initialized_here || !internal::mpi_is_usable())
      return;
    int n_ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (std::uncaught_exceptions() > n_exceptions_in_flight && n_ranks > 1)
      Communicator::abort(ExitStatus::error);
    MPI_Finalize();
  }
} // namespace tessera
