// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_device_vector_h
#define tessera_dealii_device_vector_h

#include <tessera/base/device/memory.h>

#include <deal.II/base/index_set.h>
#include <deal.II/base/types.h>

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace tessera::dealii_adapters
{
  namespace internal
  {
    /** What vectors of the same entries share: which, whose, on what stream. */
    class DeviceVectorSpace;
  } // namespace internal



  /**
   * A vector in the memory of a device, on which deal.II's iterative solvers
   * (SolverCG, SolverRichardson, ...) run wholly on the device: no entry
   * crosses to the host.
   *
   * Number is double or float. Each rank has the entries that it owns, in the
   * order of an IndexSet, on its device (see device::choose_device()); there
   * are no ghost entries, and no access to single ones.
   *
   * Operations are given to a stream, which the vector gets at reinit() and
   * which outlives its use, and do not wait, but for those that return a number
   * and the copies from and to the host. Vectors of one operation have the same
   * entries and the same stream; they may be the same object. Each operation is
   * one pass over memory; add_and_dot() too.
   *
   * Numbers that are returned are computed in double, in an order that is fixed
   * (see device::reduction_block), and the results of the ranks added exactly
   * and rounded once. The same vectors on the same number of ranks, distributed
   * in the same way, have the same bits; on other ranks, sums differ by
   * round-off. NaN in a vector is NaN in its norms and products. Functions that
   * return a number are collective, as are the constructors and reinit() with
   * an IndexSet.
   *
   * Memory: the entries, and, for all vectors with the entries of one of them
   * together, 16 bytes for 2048 entries. Reinitializing a vector like one with
   * as many entries on this rank allocates nothing.
   *
   * As all vectors of deal.II's solvers, those that GrowingVectorMemory has
   * lent stay allocated for the next use;
   * `GrowingVectorMemory<DeviceVector<double>>::release_unused_memory()` frees
   * them.
   *
   * @throws DeviceError where there is no device, or not enough memory.
   * @throws InputError, on the rank that finds it, if vectors do not have the
   * same entries or the same stream, or do not have any yet.
   */
  template <typename Number>
  class DeviceVector
  {
  public:
    using value_type = Number;
    using real_type  = Number;
    using size_type  = dealii::types::global_dof_index;

    /** A vector without entries, for reinit(). Needs no device. */
    DeviceVector();

    /** A vector of zeros; see reinit(). */
    DeviceVector(const dealii::IndexSet &locally_owned,
                 const MPI_Comm          communicator,
                 const device::Stream   &stream);

    /** A copy, on the same stream. */
    DeviceVector(const DeviceVector &other);

    DeviceVector(DeviceVector &&other) noexcept;

    ~DeviceVector();

    /** @name Entries @{ */

    /**
     * A vector of zeros with the entries @p locally_owned. Each of the
     * entries 0, ..., locally_owned.size() - 1 is owned by one rank; a rank may
     * own none.
     * @param[in] communicator Lives as long as the vector and those made like
     * it are used.
     * @param[in] stream For all operations; outlives the vector.
     */
    void
    reinit(const dealii::IndexSet &locally_owned,
           const MPI_Comm          communicator,
           const device::Stream   &stream);

    /** Have the entries, the communicator and the stream of @p other, of either
     * precision. Values are zero, or, on demand, arbitrary. */
    template <typename OtherNumber>
    void
    reinit(const DeviceVector<OtherNumber> &other,
           const bool                       omit_zeroing_entries = false);

    void
    swap(DeviceVector &other) noexcept;

    /** Of all ranks. */
    size_type
    size() const;

    /** Of this rank. */
    size_type
    locally_owned_size() const;

    const dealii::IndexSet &
    locally_owned_elements() const;

    MPI_Comm
    get_mpi_communicator() const;

    const device::Stream &
    stream() const;

    /** The locally owned entries, in device memory: for kernels. Whoever
     * writes there does so in the order of stream(). */
    Number *
    begin();

    const Number *
    begin() const;

    /** Bytes of this rank on the device, without what vectors share. */
    std::size_t
    memory_consumption() const;
    /** @} */

    /** @name Copies
     * From and to vectors of the host, dealii::Vector (where all entries are on
     * one rank) and LinearAlgebra::distributed::Vector, of float or double.
     * Both have the same locally owned entries. These wait for the stream; the
     * bytes count in Counters::process(). @{ */

    template <typename HostVector>
    void
    copy_from_host(const HostVector &host_vector);

    /** Ghost values of the vector of the host become invalid. */
    template <typename HostVector>
    void
    copy_to_host(HostVector &host_vector) const;

    /** $x = y$. A vector of other entries is reinitialized first. */
    DeviceVector &
    operator=(const DeviceVector &y);

    /** The same, rounded or extended. */
    template <typename OtherNumber>
    DeviceVector &
    operator=(const DeviceVector<OtherNumber> &y);

    DeviceVector &
    operator=(DeviceVector &&y) noexcept;

    /** $x_i = a$ */
    DeviceVector &
    operator=(const Number a);
    /** @} */

    /** @name Operations on this vector, x @{ */

    /** $x \leftarrow a x$ */
    DeviceVector &
    operator*=(const Number a);

    /** $x \leftarrow (1/a) x$ */
    DeviceVector &
    operator/=(const Number a);

    /** $x \leftarrow x + v$ */
    DeviceVector &
    operator+=(const DeviceVector &v);

    /** $x \leftarrow x - v$ */
    DeviceVector &
    operator-=(const DeviceVector &v);

    /** $x_i \leftarrow x_i + a$ */
    void
    add(const Number a);

    /** $x \leftarrow x + a v$ */
    void
    add(const Number a, const DeviceVector &v);

    /** $x \leftarrow x + a v + b w$ */
    void
    add(const Number        a,
        const DeviceVector &v,
        const Number        b,
        const DeviceVector &w);

    /** $x \leftarrow s x + v$ */
    void
    sadd(const Number s, const DeviceVector &v);

    /** $x \leftarrow s x + a v$ */
    void
    sadd(const Number s, const Number a, const DeviceVector &v);

    /** $x \leftarrow a v$ */
    void
    equ(const Number a, const DeviceVector &v);

    /** $x_i \leftarrow x_i d_i$ */
    void
    scale(const DeviceVector &d);
    /** @} */

    /** @name Numbers @{ */

    /** $\sum_i x_i v_i$ */
    Number
    operator*(const DeviceVector &v) const;

    /** $x \leftarrow x + a v$, and then $\sum_i x_i w_i$, with the new x also
     * where w is x. */
    Number
    add_and_dot(const Number a, const DeviceVector &v, const DeviceVector &w);

    real_type
    norm_sqr() const;

    /** $(\sum_i x_i^2)^{1/2}$; squares are not scaled: sums of more than
     * $10^{308}$ are infinite. */
    real_type
    l2_norm() const;

    real_type
    l1_norm() const;

    real_type
    linfty_norm() const;

    /** $\sum_i x_i / n$ of n entries. */
    Number
    mean_value() const;

    /** Whether all entries are zero, of either sign; those that are NaN are
     * not. */
    bool
    all_zero() const;
    /** @} */

  private:
    template <typename>
    friend class DeviceVector;

    /** @throws InputError if there is none. */
    internal::DeviceVectorSpace &
    own_space() const;

    /** @throws InputError if that of @p v is another one. */
    internal::DeviceVectorSpace &
    common_space(const DeviceVector &v) const;

    template <typename HostVector>
    void
    check_entries_of(const HostVector &host_vector) const;

    double
    sum_of_squares() const;

    std::shared_ptr<internal::DeviceVectorSpace> space;
    device::Memory<Number>                       values;
  };



  template <typename Number>
  void
  swap(DeviceVector<Number> &v, DeviceVector<Number> &w) noexcept
  {
    v.swap(w);
  }
} // namespace tessera::dealii_adapters

#endif
