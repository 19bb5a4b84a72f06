// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication.h>
#include <tessera/base/communication_backend.h>

#include <limits>

namespace tessera
{
  std::size_t &
  internal::maximum_message_count() noexcept
  {
    static std::size_t count = std::numeric_limits<int>::max();
    return count;
  }

  Communicator
  Communicator::world()
  {
    return internal::process::world();
  }

  void
  Communicator::abort(const ExitStatus status) noexcept
  {
    internal::process::abort(static_cast<int>(status));
  }

  void
  Communicator::check_root(const unsigned int root) const
  {
    if (root >= n_ranks())
      throw InputError("The root of a collective operation is rank " +
                       std::to_string(root) +
                       "; the group has the ranks 0 to " +
                       std::to_string(n_ranks() - 1) + ".");
  }

  void
  Communicator::barrier() const
  {
    if (n_ranks() > 1)
      internal::backend::barrier(*state);
  }

  void
  Communicator::all_reduce(void                     *values,
                           const std::size_t         n,
                           const internal::DataType  type,
                           const internal::Reduction operation) const
  {
    if (n_ranks() > 1)
      internal::backend::all_reduce(*state, values, n, type, operation);
  }

  void
  Communicator::exclusive_scan(void *value, const internal::DataType type) const
  {
    if (n_ranks() > 1)
      internal::backend::exclusive_scan(*state, value, type);
    // MPI leaves the result on the first rank undefined.
    if (rank() == 0)
      {
        using internal::DataType;
        const bool is_short = type == DataType::float32 ||
                              type == DataType::int32 ||
                              type == DataType::uint32;
        std::memset(value, 0, is_short ? 4 : 8);
      }
  }

  std::vector<MinMaxAverage>
  Communicator::min_max_average(const std::vector<double> &values) const
  {
    std::vector<MinMaxAverage> result(values.size());
    std::vector<double>        sums = values;
    for (std::size_t i = 0; i < values.size(); ++i)
      result[i].min = result[i].max = values[i];
    if (n_ranks() > 1)
      {
        internal::backend::min_max_with_rank(*state, rank(), values, result);
        sum(sums.data(), sums.size());
      }
    for (std::size_t i = 0; i < values.size(); ++i)
      result[i].average = sums[i] / n_ranks();
    return result;
  }

  void
  Communicator::broadcast_bytes(void              *data,
                                const std::size_t  n_bytes,
                                const unsigned int root) const
  {
    check_root(root);
    if (n_ranks() > 1)
      internal::backend::broadcast(*state, data, n_bytes, root);
  }

  std::string
  Communicator::broadcast(std::string text, const unsigned int root) const
  {
    text.resize(broadcast(static_cast<std::uint64_t>(text.size()), root));
    broadcast_bytes(text.data(), text.size(), root);
    return text;
  }

  void
  Communicator::all_gather_bytes(const void       *in,
                                 const std::size_t n_bytes,
                                 void             *out) const
  {
    if (n_ranks() > 1)
      internal::backend::all_gather(*state, in, n_bytes, out);
    else
      std::memcpy(out, in, n_bytes);
  }

  void
  Communicator::gather_bytes(const void        *in,
                             const std::size_t  n_bytes,
                             void              *out,
                             const unsigned int root) const
  {
    check_root(root);
    if (n_ranks() > 1)
      internal::backend::gather(*state, in, n_bytes, out, root);
    else
      std::memcpy(out, in, n_bytes);
  }

  std::vector<std::size_t>
  Communicator::offsets_of_ranks(const std::size_t n) const
  {
    const std::vector<std::size_t> counts = all_gather(n);
    std::vector<std::size_t>       offsets(n_ranks() + 1, 0);
    for (unsigned int r = 0; r < n_ranks(); ++r)
      offsets[r + 1] = offsets[r] + counts[r];
    return offsets;
  }

  namespace
  {
    std::vector<std::size_t>
    in_bytes(std::vector<std::size_t> offsets, const std::size_t item_size)
    {
      for (std::size_t &offset : offsets)
        offset *= item_size;
      return offsets;
    }
  } // namespace

  void
  Communicator::all_gather_varying(const void                     *in,
                                   const std::size_t               item_size,
                                   const std::vector<std::size_t> &offsets,
                                   void                           *out) const
  {
    if (n_ranks() > 1)
      internal::backend::all_gather_varying(
        *state, rank(), in, in_bytes(offsets, item_size), out);
    else if (offsets.back() > 0)
      std::memcpy(out, in, offsets.back() * item_size);
  }

  void
  Communicator::gather_varying(const void                     *in,
                               const std::size_t               item_size,
                               const std::vector<std::size_t> &offsets,
                               void                           *out,
                               const unsigned int              root) const
  {
    check_root(root);
    if (n_ranks() > 1)
      internal::backend::gather_varying(
        *state, rank(), in, in_bytes(offsets, item_size), out, root);
    else if (offsets.back() > 0)
      std::memcpy(out, in, offsets.back() * item_size);
  }

  namespace
  {
    std::vector<std::string>
    as_strings(const std::vector<std::vector<char>> &arrays)
    {
      std::vector<std::string> strings;
      strings.reserve(arrays.size());
      for (const std::vector<char> &array : arrays)
        strings.emplace_back(array.begin(), array.end());
      return strings;
    }
  } // namespace

  std::vector<std::string>
  Communicator::all_gather(const std::string &text) const
  {
    return as_strings(all_gather(std::vector<char>(text.begin(), text.end())));
  }

  std::vector<std::string>
  Communicator::gather(const std::string &text, const unsigned int root) const
  {
    return as_strings(
      gather(std::vector<char>(text.begin(), text.end()), root));
  }

  Communicator
  Communicator::split(const unsigned int colour, const int key) const
  {
    if (n_ranks() > 1)
      return internal::backend::split(*state, colour, key);
    return Communicator();
  }

  Communicator
  Communicator::split(const unsigned int colour) const
  {
    // Equal keys keep the order.
    return split(colour, 0);
  }

  Communicator
  Communicator::duplicate() const
  {
    if (n_ranks() > 1)
      return internal::backend::duplicate(*state);
    return *this;
  }

  void
  Communicator::agree_on_error(const bool         failed,
                               const ExitStatus   status,
                               const std::string &message) const
  {
    const unsigned int first_failing = min(failed ? rank() : n_ranks());
    if (first_failing == n_ranks())
      return;

    const std::string agreed_message = broadcast(message, first_failing);
    switch (broadcast(status, first_failing))
      {
        case ExitStatus::not_converged:
          throw SolverBreakdown(agreed_message);
        case ExitStatus::device:
          throw DeviceError(agreed_message);
        case ExitStatus::success:
        case ExitStatus::error:
          break;
      }
    throw InputError(agreed_message);
  }
} // namespace tessera
