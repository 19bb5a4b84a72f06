// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_mpi.h>
#include <tessera/base/device/reductions.h>
#include <tessera/base/device/vector_kernels.h>
#include <tessera/base/exact_sum.h>
#include <tessera/cellwise/reductions.h>
#include <tessera/dealii/device_vector.h>

#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>
#include <deal.II/lac/vector_memory.h>
#include <deal.II/lac/vector_memory.templates.h>

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::dealii_adapters
{
  using namespace dealii;
  namespace vectors = device::vectors;

  namespace internal
  {
    class DeviceVectorSpace
    {
    public:
      DeviceVectorSpace(const IndexSet       &locally_owned,
                        const MPI_Comm        mpi_communicator,
                        const device::Stream &queue)
        : owned(locally_owned)
        , mpi(mpi_communicator)
        , communicator(make_communicator(mpi_communicator))
        , stream(&queue)
        , reductions(locally_owned.n_elements())
      {}

      bool
      is_like(const DeviceVectorSpace &other) const
      {
        return this == &other ||
               (stream == other.stream && has_entries(other.owned));
      }

      bool
      has_entries(const IndexSet &entries) const
      {
        return owned.size() == entries.size() && owned == entries;
      }

      /** Add the numbers of all ranks; the same bits in any order. */
      double
      sum_over_ranks(const double of_this_rank) const
      {
        if (communicator.n_ranks() == 1)
          return of_this_rank;
        ExactSum sum;
        sum.add(of_this_rank);
        sum.sum(communicator);
        return sum.value();
      }

      const IndexSet              owned;
      const MPI_Comm              mpi;
      const Communicator          communicator;
      const device::Stream *const stream;
      device::Reductions          reductions; ///< of one stream
    };

    namespace
    {
      std::string
      description(const IndexSet &entries)
      {
        return std::to_string(entries.size()) + " entries, " +
               std::to_string(entries.n_elements()) + " of them on this rank";
      }
    } // namespace
  }   // namespace internal



  template <typename Number>
  DeviceVector<Number>::DeviceVector() = default;



  template <typename Number>
  DeviceVector<Number>::DeviceVector(const IndexSet       &locally_owned,
                                     const MPI_Comm        communicator,
                                     const device::Stream &stream)
  {
    reinit(locally_owned, communicator, stream);
  }



  template <typename Number>
  DeviceVector<Number>::DeviceVector(const DeviceVector &other)
  {
    *this = other;
  }



  template <typename Number>
  DeviceVector<Number>::DeviceVector(DeviceVector &&other) noexcept
  {
    swap(other);
  }



  template <typename Number>
  DeviceVector<Number>::~DeviceVector() = default;



  template <typename Number>
  void
  DeviceVector<Number>::reinit(const IndexSet       &locally_owned,
                               const MPI_Comm        communicator,
                               const device::Stream &stream)
  {
    // Before the new ones are allocated.
    values = {};
    space  = std::make_shared<internal::DeviceVectorSpace>(locally_owned,
                                                          communicator,
                                                          stream);
    values = device::Memory<Number>(locally_owned.n_elements());
    values.fill_bytes_async(0, stream);
  }



  template <typename Number>
  template <typename OtherNumber>
  void
  DeviceVector<Number>::reinit(const DeviceVector<OtherNumber> &other,
                               const bool omit_zeroing_entries)
  {
    // Memory that another stream may still write to is not used again.
    if (!space || !other.space || space->stream != other.space->stream ||
        values.size() != other.values.size())
      {
        values = {};
        values = device::Memory<Number>(other.values.size());
      }
    space = other.space;
    if (space && !omit_zeroing_entries)
      values.fill_bytes_async(0, stream());
  }



  template <typename Number>
  void
  DeviceVector<Number>::swap(DeviceVector &other) noexcept
  {
    std::swap(space, other.space);
    std::swap(values, other.values);
  }



  template <typename Number>
  internal::DeviceVectorSpace &
  DeviceVector<Number>::own_space() const
  {
    if (!space)
      throw InputError("A DeviceVector is used that has no entries yet: call "
                       "reinit() first.");
    return *space;
  }



  template <typename Number>
  internal::DeviceVectorSpace &
  DeviceVector<Number>::common_space(const DeviceVector &v) const
  {
    const auto &other = v.own_space();
    if (!own_space().is_like(other))
      throw InputError(
        "DeviceVectors of one operation need the same entries and the same "
        "stream; these have " +
        internal::description(space->owned) + ", and " +
        internal::description(other.owned) +
        (space->stream == other.stream ? "." : ", and different streams.") +
        " Make one like the other by reinit().");
    return *space;
  }



  template <typename Number>
  typename DeviceVector<Number>::size_type
  DeviceVector<Number>::size() const
  {
    return space ? space->owned.size() : 0;
  }



  template <typename Number>
  typename DeviceVector<Number>::size_type
  DeviceVector<Number>::locally_owned_size() const
  {
    return values.size();
  }



  template <typename Number>
  const IndexSet &
  DeviceVector<Number>::locally_owned_elements() const
  {
    static const IndexSet no_entries;
    return space ? space->owned : no_entries;
  }



  template <typename Number>
  MPI_Comm
  DeviceVector<Number>::get_mpi_communicator() const
  {
    return own_space().mpi;
  }



  template <typename Number>
  const device::Stream &
  DeviceVector<Number>::stream() const
  {
    return *own_space().stream;
  }



  template <typename Number>
  Number *
  DeviceVector<Number>::begin()
  {
    return values.data();
  }



  template <typename Number>
  const Number *
  DeviceVector<Number>::begin() const
  {
    return values.data();
  }



  template <typename Number>
  std::size_t
  DeviceVector<Number>::memory_consumption() const
  {
    return values.size() * sizeof(Number);
  }



  template <typename Number>
  template <typename HostVector>
  void
  DeviceVector<Number>::check_entries_of(const HostVector &host_vector) const
  {
    const IndexSet entries = host_vector.locally_owned_elements();
    if (!own_space().has_entries(entries))
      throw InputError(
        "A DeviceVector is copied from or to a vector of the host with other "
        "entries: it has " +
        internal::description(space->owned) + ", the other one " +
        internal::description(entries) + ".");
  }



  template <typename Number>
  template <typename HostVector>
  void
  DeviceVector<Number>::copy_from_host(const HostVector &host_vector)
  {
    check_entries_of(host_vector);
    if constexpr (std::is_same<typename HostVector::value_type, Number>::value)
      values.copy_from_host(host_vector.begin(), stream());
    else
      {
        std::vector<Number> converted(values.size());
        for (std::size_t i = 0; i < converted.size(); ++i)
          converted[i] = Number(host_vector.begin()[i]);
        values.copy_from_host(converted.data(), stream());
      }
  }



  template <typename Number>
  template <typename HostVector>
  void
  DeviceVector<Number>::copy_to_host(HostVector &host_vector) const
  {
    using HostNumber = typename HostVector::value_type;
    check_entries_of(host_vector);
    if constexpr (!std::is_same<HostVector, Vector<HostNumber>>::value)
      host_vector.zero_out_ghost_values();
    if constexpr (std::is_same<HostNumber, Number>::value)
      values.copy_to_host(host_vector.begin(), stream());
    else
      {
        std::vector<Number> copied(values.size());
        values.copy_to_host(copied.data(), stream());
        for (std::size_t i = 0; i < copied.size(); ++i)
          host_vector.begin()[i] = HostNumber(copied[i]);
      }
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator=(const DeviceVector &y)
  {
    if (this == &y)
      return *this;
    if (!space || !y.space || !space->is_like(*y.space))
      reinit(y, true);
    if (space)
      values.copy_from_device_async(y.values, stream());
    return *this;
  }



  template <typename Number>
  template <typename OtherNumber>
  DeviceVector<Number> &
  DeviceVector<Number>::operator=(const DeviceVector<OtherNumber> &y)
  {
    if (!space || !y.space || !space->is_like(*y.space))
      reinit(y, true);
    if (space)
      vectors::convert(begin(), y.begin(), values.size(), stream());
    return *this;
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator=(DeviceVector &&y) noexcept
  {
    swap(y);
    return *this;
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator=(const Number a)
  {
    vectors::set(begin(), a, values.size(), stream());
    return *this;
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator*=(const Number a)
  {
    vectors::scale(begin(), a, values.size(), stream());
    return *this;
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator/=(const Number a)
  {
    return *this *= Number(1) / a;
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator+=(const DeviceVector &v)
  {
    add(1, v);
    return *this;
  }



  template <typename Number>
  DeviceVector<Number> &
  DeviceVector<Number>::operator-=(const DeviceVector &v)
  {
    add(-1, v);
    return *this;
  }



  template <typename Number>
  void
  DeviceVector<Number>::add(const Number a)
  {
    vectors::shift(begin(), a, values.size(), stream());
  }



  template <typename Number>
  void
  DeviceVector<Number>::add(const Number a, const DeviceVector &v)
  {
    sadd(1, a, v);
  }



  template <typename Number>
  void
  DeviceVector<Number>::add(const Number        a,
                            const DeviceVector &v,
                            const Number        b,
                            const DeviceVector &w)
  {
    common_space(v);
    common_space(w);
    vectors::add_two(
      begin(), a, v.begin(), b, w.begin(), values.size(), stream());
  }



  template <typename Number>
  void
  DeviceVector<Number>::sadd(const Number s, const DeviceVector &v)
  {
    sadd(s, 1, v);
  }



  template <typename Number>
  void
  DeviceVector<Number>::sadd(const Number        s,
                             const Number        a,
                             const DeviceVector &v)
  {
    common_space(v);
    vectors::scale_and_add(begin(), s, a, v.begin(), values.size(), stream());
  }



  template <typename Number>
  void
  DeviceVector<Number>::equ(const Number a, const DeviceVector &v)
  {
    common_space(v);
    vectors::set_to_multiple(begin(), a, v.begin(), values.size(), stream());
  }



  template <typename Number>
  void
  DeviceVector<Number>::scale(const DeviceVector &d)
  {
    common_space(d);
    vectors::scale(begin(), d.begin(), values.size(), stream());
  }



  template <typename Number>
  Number
  DeviceVector<Number>::operator*(const DeviceVector &v) const
  {
    auto &common = common_space(v);
    return Number(common.sum_over_ranks(
      common.reductions.dot(begin(), v.begin(), values.size(), stream())));
  }



  template <typename Number>
  Number
  DeviceVector<Number>::add_and_dot(const Number        a,
                                    const DeviceVector &v,
                                    const DeviceVector &w)
  {
    common_space(v);
    auto &common = common_space(w);
    return Number(common.sum_over_ranks(common.reductions.add_and_dot(
      begin(), a, v.begin(), w.begin(), values.size(), stream())));
  }



  template <typename Number>
  double
  DeviceVector<Number>::sum_of_squares() const
  {
    auto &all = own_space();
    return all.sum_over_ranks(
      all.reductions.dot(begin(), begin(), values.size(), stream()));
  }



  template <typename Number>
  typename DeviceVector<Number>::real_type
  DeviceVector<Number>::norm_sqr() const
  {
    return Number(sum_of_squares());
  }



  template <typename Number>
  typename DeviceVector<Number>::real_type
  DeviceVector<Number>::l2_norm() const
  {
    return Number(std::sqrt(sum_of_squares()));
  }



  template <typename Number>
  typename DeviceVector<Number>::real_type
  DeviceVector<Number>::l1_norm() const
  {
    auto &all = own_space();
    return Number(all.sum_over_ranks(
      all.reductions.sum_abs(begin(), values.size(), stream())));
  }



  template <typename Number>
  typename DeviceVector<Number>::real_type
  DeviceVector<Number>::linfty_norm() const
  {
    auto &all = own_space();
    return Number(cellwise::max_over_ranks(
      all.reductions.max_abs(begin(), values.size(), stream()),
      all.communicator));
  }



  template <typename Number>
  Number
  DeviceVector<Number>::mean_value() const
  {
    auto &all = own_space();
    return Number(
      all.sum_over_ranks(all.reductions.sum(begin(), values.size(), stream())) /
      double(size()));
  }



  template <typename Number>
  bool
  DeviceVector<Number>::all_zero() const
  {
    return linfty_norm() == 0;
  }



#define TESSERA_INSTANTIATE_COPIES(Number, HostVector)                    \
  template void DeviceVector<Number>::copy_from_host(const HostVector &); \
  template void DeviceVector<Number>::copy_to_host(HostVector &) const;
#define TESSERA_INSTANTIATE(Number, Other)                                 \
  template class DeviceVector<Number>;                                     \
  template void DeviceVector<Number>::reinit(const DeviceVector<Number> &, \
                                             const bool);                  \
  template void DeviceVector<Number>::reinit(const DeviceVector<Other> &,  \
                                             const bool);                  \
  template DeviceVector<Number> &DeviceVector<Number>::operator=(          \
    const DeviceVector<Other> &);                                          \
  TESSERA_INSTANTIATE_COPIES(Number, Vector<float>)                        \
  TESSERA_INSTANTIATE_COPIES(Number, Vector<double>)                       \
  TESSERA_INSTANTIATE_COPIES(Number,                                       \
                             LinearAlgebra::distributed::Vector<float>)    \
  TESSERA_INSTANTIATE_COPIES(Number, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(float, double)
  TESSERA_INSTANTIATE(double, float)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_COPIES
} // namespace tessera::dealii_adapters



DEAL_II_NAMESPACE_OPEN
template class VectorMemory<tessera::dealii_adapters::DeviceVector<float>>;
template class VectorMemory<tessera::dealii_adapters::DeviceVector<double>>;
template class GrowingVectorMemory<
  tessera::dealii_adapters::DeviceVector<float>>;
template class GrowingVectorMemory<
  tessera::dealii_adapters::DeviceVector<double>>;
DEAL_II_NAMESPACE_CLOSE
