// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_communication_h
#define tessera_base_communication_h

#include <tessera/base/exceptions.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera
{
  class Communicator;

  namespace internal
  {
    /** What a communicator is to the back end that was built; see
     * communication_backend.h. */
    struct CommunicatorState;

    /** The only door from Communicator to the back end and back. */
    struct CommunicatorAccess;

    /** Types that can be reduced. */
    enum class DataType
    {
      float32,
      float64,
      int32,
      int64,
      uint32,
      uint64
    };

    enum class Reduction
    {
      sum,
      min,
      max
    };

    /** The DataType of a C++ type, by kind and size, so that `std::size_t` and
     * `long long` have one too wherever they live. */
    template <typename T>
    constexpr DataType
    data_type()
    {
      static_assert(std::is_arithmetic<T>::value &&
                      !std::is_same<T, bool>::value &&
                      (sizeof(T) == 4 || sizeof(T) == 8),
                    "Reductions work on float, double, and signed and unsigned "
                    "integers of 32 and 64 bits.");
      if constexpr (std::is_floating_point<T>::value)
        return sizeof(T) == 4 ? DataType::float32 : DataType::float64;
      else if constexpr (std::is_signed<T>::value)
        return sizeof(T) == 4 ? DataType::int32 : DataType::int64;
      else
        return sizeof(T) == 4 ? DataType::uint32 : DataType::uint64;
    }
  } // namespace internal

  /** Smallest, largest and average value of a quantity over all ranks. */
  struct MinMaxAverage
  {
    double       min      = 0.;
    double       max      = 0.;
    double       average  = 0.;
    unsigned int min_rank = 0; ///< the lowest rank that has the minimum
    unsigned int max_rank = 0; ///< the lowest rank that has the maximum
  };

  /**
   * A group of ranks that work together: the deal.II-free layers' only way to
   * talk to other processes.
   *
   * The class looks the same whether the library was built with or without
   * MPI; without it, and for a default-constructed object, the group is this
   * process alone, no function communicates, and none needs an initialized
   * MPI. An `MPI_Comm` is wrapped and unwrapped by the functions of
   * tessera/base/communication_mpi.h. Messages between neighbours are the
   * business of ExchangePlan and sparse_exchange(), which use a private
   * duplicate of the communicator, so that they cannot be confused with the
   * messages of other libraries.
   *
   * An object is a handle: copies are cheap and mean the same group. What
   * split() and duplicate() create is released with the last handle, or at the
   * end of MPI. Handles may outlive MPI, but can then only be destroyed.
   *
   * Unless stated otherwise all functions are *collective*: all ranks call them
   * in the same order, with arrays of the same length and the same `root`.
   * They are to be called by one thread at a time. Errors inside MPI end the
   * program through MPI's own error handler.
   *
   * Determinism: gathering functions deliver in the order of the ranks. The sum
   * of floating-point numbers is associated as the MPI library likes, which all
   * libraries in use do in the same way for the same numbers on the same number
   * of ranks, with the same bits on all ranks; on another number of ranks the
   * sum may differ by round-off. Nothing is added where the group is one rank.
   *
   * Cost: $O(\log p)$ messages for reductions, broadcasts and prefix sums on
   * $p$ ranks; gathering moves all data to the root or to everyone.
   */
  class Communicator
  {
  public:
    /** The group that consists of this process alone. Not collective. */
    Communicator() = default;

    /**
     * All processes of the program. Not collective.
     *
     * @throws InputError if the library was built with MPI and MPI is not
     * initialized (see CommunicationSession) or has already ended.
     */
    static Communicator
    world();

    /** The number of this process in the group, in [0, n_ranks()). Local. */
    unsigned int
    rank() const noexcept
    {
      return this_rank;
    }

    /** The number of processes of the group. Local. */
    unsigned int
    n_ranks() const noexcept
    {
      return group_size;
    }

    /** Return once all ranks have called. For measurements; never needed for
     * correctness. */
    void
    barrier() const;

    /**
     * @name Reductions
     * Of `float`, `double` and integers of 32 and 64 bits; the result is on all
     * ranks. An array is overwritten by the elementwise result. A NaN
     * survives sum(), but min() and max() may drop it: test for it with
     * logical_or(). Integer overflow is not detected.
     * @{
     */
    template <typename T>
    T
    sum(const T value) const
    {
      return reduced(value, internal::Reduction::sum);
    }

    template <typename T>
    T
    min(const T value) const
    {
      return reduced(value, internal::Reduction::min);
    }

    template <typename T>
    T
    max(const T value) const
    {
      return reduced(value, internal::Reduction::max);
    }

    template <typename T>
    void
    sum(T *values, const std::size_t n) const
    {
      all_reduce(values, n, internal::data_type<T>(), internal::Reduction::sum);
    }

    template <typename T>
    void
    min(T *values, const std::size_t n) const
    {
      all_reduce(values, n, internal::data_type<T>(), internal::Reduction::min);
    }

    template <typename T>
    void
    max(T *values, const std::size_t n) const
    {
      all_reduce(values, n, internal::data_type<T>(), internal::Reduction::max);
    }

    bool
    logical_and(const bool value) const
    {
      return min(static_cast<int>(value)) != 0;
    }

    bool
    logical_or(const bool value) const
    {
      return max(static_cast<int>(value)) != 0;
    }

    /** Whether the argument is true on all ranks: the means to agree on an
     * error that only some have seen. See also throw_collectively(). */
    bool
    all_ok(const bool ok) const
    {
      return logical_and(ok);
    }

    /** Extremes, their ranks, and the average of every entry of an array. */
    std::vector<MinMaxAverage>
    min_max_average(const std::vector<double> &values) const;

    /** The sum over all lower ranks, $s_r = \sum_{q<r} v_q$; zero on rank 0.
     * With counts of owned items: the first global number of a rank. */
    template <typename T>
    T
    exclusive_prefix_sum(const T value) const
    {
      T result = value;
      exclusive_scan(&result, internal::data_type<T>());
      return result;
    }
    /** @} */

    /**
     * @name Moving data
     * Of any trivially copyable type; it is moved as bytes, so all processes
     * must run on machines of one kind. There is no limit on the length: what
     * exceeds MPI's counts is moved in pieces.
     * @{
     */

    /** Overwrite `values[0..n)` on all ranks by those of the root. */
    template <typename T>
    void
    broadcast(T *values, const std::size_t n, const unsigned int root = 0) const
    {
      static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");
      broadcast_bytes(values, n * sizeof(T), root);
    }

    /** The value of the root, on all ranks. */
    template <
      typename T,
      typename = std::enable_if_t<std::is_trivially_copyable<T>::value &&
                                  !std::is_pointer<T>::value>>
    T
    broadcast(T value, const unsigned int root = 0) const
    {
      broadcast(&value, 1, root);
      return value;
    }

    /** The vector of the root; lengths need not agree beforehand. */
    template <typename T>
    std::vector<T>
    broadcast(std::vector<T> values, const unsigned int root = 0) const
    {
      values.resize(broadcast(static_cast<std::uint64_t>(values.size()), root));
      broadcast(values.data(), values.size(), root);
      return values;
    }

    /** The string of the root; lengths need not agree beforehand. */
    std::string
    broadcast(std::string text, const unsigned int root = 0) const;

    /** One value per rank, in the order of the ranks, on all ranks. */
    template <typename T>
    std::vector<T>
    all_gather(const T &value) const
    {
      static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");
      std::vector<T> values(n_ranks());
      all_gather_bytes(&value, sizeof(T), values.data());
      return values;
    }

    /** As all_gather(), on the root; empty elsewhere. */
    template <typename T>
    std::vector<T>
    gather(const T &value, const unsigned int root = 0) const
    {
      static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");
      std::vector<T> values(rank() == root ? n_ranks() : 0);
      gather_bytes(&value, sizeof(T), values.data(), root);
      return values;
    }

    /**
     * The vectors of all ranks one after the other, on all ranks. Those of
     * rank r are the entries [offsets[r], offsets[r+1]); `offsets` gets
     * n_ranks()+1 entries.
     */
    template <typename T>
    std::vector<T>
    all_gather_flat(const std::vector<T>     &values,
                    std::vector<std::size_t> &offsets) const
    {
      static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");
      offsets = offsets_of_ranks(values.size());
      std::vector<T> result(offsets.back());
      all_gather_varying(values.data(), sizeof(T), offsets, result.data());
      return result;
    }

    /** As all_gather_flat(), on the root; the result is empty elsewhere, while
     * the offsets are there on all ranks. */
    template <typename T>
    std::vector<T>
    gather_flat(const std::vector<T>     &values,
                std::vector<std::size_t> &offsets,
                const unsigned int        root = 0) const
    {
      static_assert(std::is_trivially_copyable<T>::value, "moved as bytes");
      offsets = offsets_of_ranks(values.size());
      std::vector<T> result(rank() == root ? offsets.back() : 0);
      gather_varying(values.data(), sizeof(T), offsets, result.data(), root);
      return result;
    }

    /** One vector per rank, of varying length, on all ranks. */
    template <typename T>
    std::vector<std::vector<T>>
    all_gather(const std::vector<T> &values) const
    {
      std::vector<std::size_t> offsets;
      const std::vector<T>     flat = all_gather_flat(values, offsets);
      return nested(flat, offsets);
    }

    /** As all_gather(), on the root; empty elsewhere. */
    template <typename T>
    std::vector<std::vector<T>>
    gather(const std::vector<T> &values, const unsigned int root = 0) const
    {
      std::vector<std::size_t> offsets;
      const std::vector<T>     flat = gather_flat(values, offsets, root);
      return rank() == root ? nested(flat, offsets) :
                              std::vector<std::vector<T>>();
    }

    /** One string per rank, on all ranks. */
    std::vector<std::string>
    all_gather(const std::string &text) const;

    /** As all_gather(), on the root; empty elsewhere. */
    std::vector<std::string>
    gather(const std::string &text, unsigned int root = 0) const;
    /** @} */

    /**
     * @name Groups
     * @{
     */

    /**
     * The group of those ranks that name the same colour, in the order of
     * their `key`, and of their rank where keys agree. For coarse levels on
     * fewer ranks: the ranks that take part name one colour, all others
     * another, and the latter drop what they get. Colours are below 2^31.
     */
    Communicator
    split(unsigned int colour, int key) const;

    /** split() that keeps the order of the ranks. */
    Communicator
    split(unsigned int colour) const;

    /** The same ranks, with traffic of their own. */
    Communicator
    duplicate() const;
    /** @} */

    /**
     * @name Errors
     * @{
     */

    /**
     * Throw on all ranks if the message is not empty on at least one, the same
     * exception everywhere: that of the lowest such rank, of the type that
     * belongs to its exit status (InputError, SolverBreakdown, DeviceError).
     * Where all messages are empty this costs one reduction.
     */
    void
    throw_collectively(const std::string &local_message,
                       const ExitStatus   status = ExitStatus::error) const
    {
      agree_on_error(!local_message.empty(), status, local_message);
    }

    /**
     * Call a function, and if it throws on at least one rank, throw on all
     * ranks: the exception of the lowest rank that failed, as
     * throw_collectively() does. `std::bad_alloc` becomes a DeviceError, any
     * other `std::exception` an InputError with its message.
     *
     * The function must be local: a rank that leaves it by an exception would
     * never arrive at a collective call that the others wait in.
     */
    template <typename F>
    void
    collectively(F &&function) const
    {
      bool        failed = false;
      ExitStatus  status = ExitStatus::error;
      std::string message;
      try
        {
          std::forward<F>(function)();
        }
      catch (const Exception &e)
        {
          failed  = true;
          status  = e.exit_status();
          message = e.what();
        }
      catch (const std::bad_alloc &)
        {
          failed  = true;
          status  = ExitStatus::device;
          message = "out of memory on the host";
        }
      catch (const std::exception &e)
        {
          failed  = true;
          message = e.what();
        }
      agree_on_error(failed, status, message);
    }

    /**
     * End all processes of the program at once, with the given exit status
     * (which a launcher may replace by its own). Not collective; the last
     * resort for a rank that cannot reach the others.
     */
    [[noreturn]] static void
    abort(ExitStatus status) noexcept;
    /** @} */

  private:
    friend struct internal::CommunicatorAccess;

    template <typename T>
    T
    reduced(const T value, const internal::Reduction operation) const
    {
      T result = value;
      all_reduce(&result, 1, internal::data_type<T>(), operation);
      return result;
    }

    template <typename T>
    static std::vector<std::vector<T>>
    nested(const std::vector<T> &flat, const std::vector<std::size_t> &offsets)
    {
      std::vector<std::vector<T>> result(offsets.size() - 1);
      for (std::size_t r = 0; r < result.size(); ++r)
        result[r].assign(flat.begin() + offsets[r],
                         flat.begin() + offsets[r + 1]);
      return result;
    }

    void
    all_reduce(void               *values,
               std::size_t         n,
               internal::DataType  type,
               internal::Reduction operation) const;

    void
    exclusive_scan(void *value, internal::DataType type) const;

    void
    broadcast_bytes(void *data, std::size_t n_bytes, unsigned int root) const;

    void
    all_gather_bytes(const void *in, std::size_t n_bytes, void *out) const;

    void
    gather_bytes(const void  *in,
                 std::size_t  n_bytes,
                 void        *out,
                 unsigned int root) const;

    std::vector<std::size_t>
    offsets_of_ranks(std::size_t n) const;

    void
    all_gather_varying(const void                     *in,
                       std::size_t                     item_size,
                       const std::vector<std::size_t> &offsets,
                       void                           *out) const;

    void
    gather_varying(const void                     *in,
                   std::size_t                     item_size,
                   const std::vector<std::size_t> &offsets,
                   void                           *out,
                   unsigned int                    root) const;

    void
    check_root(unsigned int root) const;

    void
    agree_on_error(bool               failed,
                   ExitStatus         status,
                   const std::string &message) const;

    /** Null for a process alone. */
    std::shared_ptr<internal::CommunicatorState> state;
    unsigned int                                 this_rank  = 0;
    unsigned int                                 group_size = 1;
  };
} // namespace tessera

#endif
