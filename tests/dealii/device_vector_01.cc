// SPDX-License-Identifier: LGPL-2.1-or-later
// Vectors on a device compute what those of deal.II compute, and deal.II's
// solvers run on them without a copy between host and device.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/counters.h>
#include <tessera/base/device/reductions.h>
#include <tessera/base/exact_sum.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/device_vector.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_bicgstab.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_minres.h>
#include <deal.II/lac/solver_richardson.h>
#include <deal.II/lac/vector.h>
#include <deal.II/lac/vector_memory.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using dealii::IndexSet;
  using dealii_adapters::DeviceVector;

  template <typename Number>
  using HostVector = dealii::LinearAlgebra::distributed::Vector<Number>;

  constexpr double nan = std::numeric_limits<double>::quiet_NaN();



  // What deal.II asks of vectors, since 9.5 as a concept.
  template <typename V, typename Number = typename V::value_type>
  constexpr bool
  has_types_of_numbers(V *u = nullptr)
  {
    static_cast<void>(u);
    return std::is_same<typename V::real_type, Number>::value &&
           std::is_same<typename V::size_type,
                        dealii::types::global_dof_index>::value &&
           std::is_same<decltype(*u = *u), V &>::value &&
           std::is_same<decltype(*u = Number()), V &>::value &&
           std::is_same<decltype(*u *= Number()), V &>::value &&
           std::is_same<decltype(*u /= Number()), V &>::value &&
           std::is_same<decltype(*u += *u), V &>::value &&
           std::is_same<decltype(*u -= *u), V &>::value &&
           std::is_same<decltype(*u * *u), Number>::value &&
           std::is_same<decltype(u->add_and_dot(Number(), *u, *u)),
                        Number>::value &&
           std::is_same<decltype(u->mean_value()), Number>::value &&
           std::is_same<decltype(u->l1_norm()), Number>::value &&
           std::is_same<decltype(u->l2_norm()), Number>::value &&
           std::is_same<decltype(u->linfty_norm()), Number>::value &&
           std::is_same<decltype(u->size()), typename V::size_type>::value &&
           std::is_same<decltype(u->all_zero()), bool>::value &&
           std::is_same<decltype(u->get_mpi_communicator()), MPI_Comm>::value;
  }
  static_assert(has_types_of_numbers<DeviceVector<double>>(), "double");
  static_assert(has_types_of_numbers<DeviceVector<float>>(), "float");
  static_assert(std::is_nothrow_move_constructible<DeviceVector<double>>::value,
                "vectors move");



  /** The entries of this rank: about equal ranges, but rank 0 has none if
   * there are others and has_empty_rank. */
  IndexSet
  entries_of_this_rank(const dealii::types::global_dof_index n,
                       const bool                            has_empty_rank)
  {
    const unsigned int rank =
      dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    IndexSet entries(n);
    if (!has_empty_rank || n_ranks == 1)
      entries.add_range(n * rank / n_ranks, n * (rank + 1) / n_ranks);
    else if (rank > 0)
      entries.add_range(n * (rank - 1) / (n_ranks - 1),
                        n * rank / (n_ranks - 1));
    return entries;
  }



  template <typename Number>
  double
  epsilon()
  {
    return std::numeric_limits<Number>::epsilon();
  }



  /** Vectors of the same entries on the device and on the host, where all is
   * in double. */
  template <typename Number>
  class Vectors
  {
  public:
    Vectors(const IndexSet &of_this_rank, const device::Stream &queue)
      : entries(of_this_rank)
      , stream(queue)
    {}

    /** Numbers between -1 and 1 that a Number can hold. */
    HostVector<double>
    random(const unsigned int seed) const
    {
      HostVector<double> v(entries, MPI_COMM_WORLD);
      for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
        {
          std::mt19937 generator(
            seed + 1000003U * (unsigned int)(entries.nth_index_in_set(i)));
          v.local_element(i) =
            Number(std::uniform_real_distribution<double>(-1, 1)(generator));
        }
      return v;
    }

    DeviceVector<Number>
    on_device(const HostVector<double> &v) const
    {
      DeviceVector<Number> copy(entries, MPI_COMM_WORLD, stream);
      copy.copy_from_host(v);
      return copy;
    }

    const IndexSet       &entries;
    const device::Stream &stream;
  };



  /** The largest difference on this rank; NaN where there is one, and where
   * one vector has more entries. */
  template <typename Number>
  double
  distance(const DeviceVector<Number> &v, const HostVector<double> &w)
  {
    if (v.size() != w.size() ||
        v.locally_owned_elements() != w.locally_owned_elements())
      return nan;
    HostVector<Number> copy(w.locally_owned_elements(), MPI_COMM_WORLD);
    copy = Number(nan);
    v.copy_to_host(copy);
    double max = 0.;
    for (unsigned int i = 0; i < w.locally_owned_size(); ++i)
      {
        const double difference =
          std::abs(double(copy.local_element(i)) - w.local_element(i));
        if (!(difference <= max))
          max = difference;
      }
    return max;
  }



  template <typename Number>
  void
  check_operations(const Vectors<Number> &vectors)
  {
    const HostVector<double> x = vectors.random(1), v = vectors.random(2),
                             w = vectors.random(3);
    const auto   V = vectors.on_device(v), W = vectors.on_device(w);
    const double a = Number(0.7), b = Number(-1.9), s = Number(0.3);
    const double round_off = 4. * epsilon<Number>();
    // One operation on numbers that are exact.
    const double once =
      std::is_same<Number, double>::value ? 0. : 2. * epsilon<float>();

    const auto check = [&](const double tolerance,
                           const auto  &operation,
                           const auto  &expected_operation) {
      auto X        = vectors.on_device(x);
      auto expected = x;
      operation(X);
      expected_operation(expected);
      CHECK(distance(X, expected) <= tolerance);
    };
    check(
      0., [&](auto &X) { X = Number(a); }, [&](auto &y) { y = a; });
    check(
      0., [&](auto &X) { X = V; }, [&](auto &y) { y = v; });
    check(
      once, [&](auto &X) { X *= a; }, [&](auto &y) { y *= a; });
    check(
      round_off, [&](auto &X) { X /= a; }, [&](auto &y) { y /= a; });
    check(
      once, [&](auto &X) { X += V; }, [&](auto &y) { y += v; });
    check(
      once, [&](auto &X) { X -= V; }, [&](auto &y) { y -= v; });
    check(
      once, [&](auto &X) { X.add(a); }, [&](auto &y) { y.add(a); });
    check(
      round_off, [&](auto &X) { X.add(a, V); }, [&](auto &y) { y.add(a, v); });
    check(
      round_off,
      [&](auto &X) { X.add(a, V, b, W); },
      [&](auto &y) { y.add(a, v, b, w); });
    check(
      round_off,
      [&](auto &X) { X.sadd(s, V); },
      [&](auto &y) { y.sadd(s, 1., v); });
    check(
      round_off,
      [&](auto &X) { X.sadd(s, a, V); },
      [&](auto &y) { y.sadd(s, a, v); });
    check(
      once, [&](auto &X) { X.equ(a, V); }, [&](auto &y) { y.equ(a, v); });
    check(
      once, [&](auto &X) { X.scale(V); }, [&](auto &y) { y.scale(v); });

    // The same vector on both sides.
    check(
      0., [&](auto &X) { X = *&X; }, [](auto &) {});
    check(
      round_off, [&](auto &X) { X.add(a, X); }, [&](auto &y) { y *= 1. + a; });
    check(
      round_off,
      [&](auto &X) { X.sadd(s, a, X); },
      [&](auto &y) { y *= s + a; });
    check(
      round_off,
      [&](auto &X) { X.add(a, X, b, X); },
      [&](auto &y) { y *= 1. + a + b; });
    check(
      once, [&](auto &X) { X.equ(a, X); }, [&](auto &y) { y *= a; });
    check(
      once,
      [&](auto &X) { X.scale(X); },
      [&](auto &y) {
        const auto copy = y;
        y.scale(copy);
      });
    check(
      0., [&](auto &X) { X -= X; }, [&](auto &y) { y = 0.; });
  }



  template <typename Number>
  void
  check_numbers(const Vectors<Number> &vectors)
  {
    const HostVector<double> x = vectors.random(4), v = vectors.random(5),
                             w = vectors.random(6);
    const auto   V = vectors.on_device(v), W = vectors.on_device(w);
    auto         X = vectors.on_device(x);
    const double n = double(x.size());
    // Rounded results of sums in double.
    const double tolerance = 2. * epsilon<Number>() + 1e-15 * n;

    CHECK_EQUAL(X.size(), x.size());
    CHECK_EQUAL(X.locally_owned_size(), x.locally_owned_size());
    CHECK_NEAR(X * V, x * v, tolerance);
    CHECK_EQUAL(X * V, V * X);
    CHECK_NEAR(X * X, x * x, tolerance);
    CHECK_EQUAL(X.norm_sqr(), X * X);
    CHECK_NEAR(X.l2_norm(), x.l2_norm(), tolerance);
    CHECK_NEAR(X.l1_norm(), x.l1_norm(), tolerance);
    CHECK_EQUAL(X.linfty_norm(), x.linfty_norm());
    if (x.size() > 0)
      CHECK_NEAR(X.mean_value(), x.mean_value(), tolerance);
    CHECK_EQUAL(X.all_zero(), x.size() == 0);

    // All variants of what conjugate gradients do.
    const double a = Number(-0.6);
    auto         y = x;
    y.add(a, v);
    CHECK_NEAR(X.add_and_dot(a, V, W), y * w, 8. * tolerance);
    CHECK(distance(X, y) <= 4. * epsilon<Number>());
    X = vectors.on_device(x);
    CHECK_NEAR(X.add_and_dot(a, V, X), y * y, 8. * tolerance);
    CHECK(distance(X, y) <= 4. * epsilon<Number>());
    X = vectors.on_device(x);
    CHECK_NEAR(X.add_and_dot(a, V, V), y * v, 8. * tolerance);
    X = vectors.on_device(x);
    CHECK_NEAR(X.add_and_dot(a, X, X),
               (1. + a) * (1. + a) * (x * x),
               8. * tolerance);

    // The documented order: that of the twins on the host, and the exact sum of
    // the ranks. Numbers of a double have all their bits.
    if constexpr (std::is_same<Number, double>::value)
      {
        ExactSum sum;
        sum.add(device::host_dot(x.begin(), v.begin(), x.locally_owned_size()));
        sum.sum(make_communicator(MPI_COMM_WORLD));
        CHECK_EQUAL(vectors.on_device(x) * V, sum.value());
      }
  }



  template <typename Number>
  void
  check_special_values(const Vectors<Number> &vectors)
  {
    const HostVector<double> zero(vectors.entries, MPI_COMM_WORLD);
    const auto               last      = zero.size() - 1;
    const auto               one       = vectors.random(1);
    const auto               V         = vectors.on_device(one);
    const auto               with_last = [&](const double value) {
      HostVector<double> x = zero;
      if (vectors.entries.is_element(last))
        x(last) = value;
      return vectors.on_device(x);
    };

    CHECK(with_last(0.).all_zero());
    CHECK(with_last(-0.).all_zero());
    const double smallest = std::numeric_limits<Number>::denorm_min();
    CHECK(!with_last(smallest).all_zero());
    CHECK_EQUAL(with_last(-smallest).linfty_norm(), smallest);

    auto X = with_last(nan);
    CHECK(!X.all_zero());
    CHECK(std::isnan(X * V));
    CHECK(std::isnan(X.l1_norm()));
    CHECK(std::isnan(X.l2_norm()));
    CHECK(std::isnan(X.norm_sqr()));
    CHECK(std::isnan(X.linfty_norm()));
    CHECK(std::isnan(X.mean_value()));
    CHECK(std::isnan(X.add_and_dot(1, V, V)));
    X.sadd(0, 1, V);
    CHECK(std::isnan(X.linfty_norm()));
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_EQUAL(with_last(-infinity).linfty_norm(), infinity);
    CHECK_EQUAL(with_last(-infinity).l2_norm(), infinity);

    // Squares of float are summed in double.
    if constexpr (std::is_same<Number, float>::value)
      CHECK_NEAR(with_last(1e30).l2_norm() / 1e30, 1., 1e-6);
  }



  template <typename Number>
  void
  check_life_cycle(const Vectors<Number> &vectors)
  {
    const HostVector<double> x = vectors.random(7),
                             zero(x.locally_owned_elements(), MPI_COMM_WORLD);
    auto X = vectors.on_device(x);

    // Copies are deep, moves are not.
    DeviceVector<Number> Y(X);
    Y *= 2;
    CHECK(distance(X, x) == 0.);
    const Number        *memory = X.begin();
    DeviceVector<Number> Z(std::move(X));
    CHECK(Z.begin() == memory && distance(Z, x) == 0.);
    CHECK_EQUAL(X.size(), 0U);
    X = std::move(Z);
    CHECK(X.begin() == memory && distance(X, x) == 0.);
    swap(X, Y);
    CHECK(Y.begin() == memory && distance(Y, x) == 0.);
    swap(X, Y);
    CHECK_EQUAL(X.memory_consumption(),
                x.locally_owned_size() * sizeof(Number));

    // No new memory where there is enough.
    const Number *const memory_of_y = Y.begin();
    Y.reinit(X, true);
    CHECK(Y.begin() == memory_of_y);
    Y.reinit(X);
    CHECK(Y.begin() == memory_of_y && distance(Y, zero) == 0.);
    Y = X;
    CHECK(Y.begin() == memory_of_y && distance(Y, x) == 0.);
    CHECK(&Y.stream() == &vectors.stream &&
          Y.get_mpi_communicator() == MPI_COMM_WORLD);

    // To the other precision and back; vectors of another size, and of none.
    using Other =
      std::conditional_t<std::is_same<Number, float>::value, double, float>;
    DeviceVector<Other> other;
    other = X;
    HostVector<double> rounded(x);
    for (auto &value : rounded)
      value = Other(value);
    CHECK(distance(other, rounded) == 0.);
    Y = other;
    CHECK(distance(Y, rounded) == 0.);
    other.reinit(X);
    CHECK(distance(other, zero) == 0.);
    Y.reinit(entries_of_this_rank(17, false), MPI_COMM_WORLD, vectors.stream);
    CHECK(Y.size() == 17 && Y.all_zero());
    Y = X;
    CHECK(distance(Y, x) == 0.);
    Y = DeviceVector<Number>();
    CHECK(Y.size() == 0 && Y.locally_owned_size() == 0 &&
          Y.locally_owned_elements().size() == 0);
    const DeviceVector<Number> copy_of_nothing(Y);
    CHECK_EQUAL(copy_of_nothing.size(), 0U);

    // Ghost values of the host are not those of the device. (There are none of
    // no entries, which deal.II would divide by.)
    if (x.size() > 0)
      {
        IndexSet first(x.size());
        first.add_index(0);
        HostVector<Other> with_ghosts(x.locally_owned_elements(),
                                      first,
                                      MPI_COMM_WORLD);
        with_ghosts.update_ghost_values();
        X.copy_to_host(with_ghosts);
        CHECK(!with_ghosts.has_ghost_elements());
        for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
          CHECK_EQUAL(with_ghosts.local_element(i), Other(x.local_element(i)));
      }
    if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
      {
        dealii::Vector<double> serial(x.size());
        X.copy_to_host(serial);
        Y.reinit(X);
        Y.copy_from_host(serial);
        CHECK(distance(Y, x) == 0.);
      }
  }



  /** Only numbers come to the host, one at a time; copies are counted. */
  void
  check_counters(const IndexSet &entries, const device::Stream &stream)
  {
    const Vectors<double>    vectors(entries, stream);
    const HostVector<double> x = vectors.random(8);
    const auto               V = vectors.on_device(x);
    Counters::process().reset();
    auto X = vectors.on_device(x);
    CHECK_EQUAL(
      Counters::process().snapshot().value("host_to_device_bytes").total,
      8 * entries.n_elements());

    Counters::process().reset();
    X.add(2., V);
    X.sadd(2., 3., V);
    X.equ(2., V);
    X.scale(V);
    X += V;
    X = V;
    X = 2.;
    X.reinit(V);
    X.swap(X);
    CHECK(Counters::process().snapshot().values().empty());
    X.add_and_dot(2., V, X);
    X.l2_norm();
    const auto counted = Counters::process().snapshot();
    CHECK_EQUAL(counted.value("device_to_host_bytes").total, 16U);
    CHECK_EQUAL(counted.value("device_to_host_bytes").largest, 8U);
    CHECK_EQUAL(counted.value("host_to_device_bytes").total, 0U);
  }



  void
  check_errors(const device::Stream &stream)
  {
    const IndexSet             entries = entries_of_this_rank(20, false);
    DeviceVector<double>       x(entries, MPI_COMM_WORLD, stream), none;
    const DeviceVector<double> longer(entries_of_this_rank(300, false),
                                      MPI_COMM_WORLD,
                                      stream);
    const device::Stream       other_stream;
    const DeviceVector<double> elsewhere(entries, MPI_COMM_WORLD, other_stream);
    const auto says = [](const std::string &message, const char *words) {
      return message.find(words) != std::string::npos;
    };
    CHECK(says(CHECK_THROWS(InputError, x.add(1., longer)), "300 entries"));
    CHECK(says(CHECK_THROWS(InputError, x.equ(1., elsewhere)),
               "different streams"));
    CHECK(says(CHECK_THROWS(InputError, none.l2_norm()), "reinit()"));
    CHECK_THROWS(InputError, x.add(1., none));
    CHECK_THROWS(InputError, x.add(1., x, 1., longer));
    CHECK_THROWS(InputError, x.scale(longer));
    CHECK_THROWS(InputError, x * longer);
    CHECK_THROWS(InputError, x.add_and_dot(1., longer, x));
    CHECK_THROWS(InputError, x.add_and_dot(1., x, longer));
    CHECK_THROWS(InputError, none = 1.);
    CHECK_THROWS(InputError, none *= 1.);
    CHECK_THROWS(InputError, none.get_mpi_communicator());
    HostVector<double> host(longer.locally_owned_elements(), MPI_COMM_WORLD);
    CHECK(
      says(CHECK_THROWS(InputError, x.copy_from_host(host)), "300 entries"));
    CHECK_THROWS(InputError, x.copy_to_host(host));
    CHECK(x.all_zero());

    // As many entries, others of them.
    IndexSet           reversed(20);
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    if (n_ranks == 2)
      {
        const bool is_first =
          dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0;
        reversed.add_range(is_first ? 10 : 0, is_first ? 20 : 10);
        const DeviceVector<double> y(reversed, MPI_COMM_WORLD, stream);
        CHECK_THROWS(InputError, x += y);
      }

    // An equal set is as good as the same one.
    const DeviceVector<double> equal(entries_of_this_rank(20, false),
                                     MPI_COMM_WORLD,
                                     stream);
    x += equal;
    CHECK(x.all_zero());
  }



  /** A diagonal matrix on vectors of any kind. */
  template <typename VectorType>
  class Diagonal
  {
  public:
    explicit Diagonal(const VectorType &diagonal)
      : d(diagonal)
    {}

    void
    vmult(VectorType &dst, const VectorType &src) const
    {
      dst.equ(1., src);
      dst.scale(d);
    }

    void
    Tvmult(VectorType &dst, const VectorType &src) const
    {
      vmult(dst, src);
    }

  private:
    const VectorType &d;
  };



  /** @return the number of iterations. */
  template <typename Solver, typename VectorType, typename Preconditioner>
  unsigned int
  solve(const VectorType     &d,
        const VectorType     &b,
        VectorType           &x,
        const Preconditioner &preconditioner)
  {
    x.reinit(b);
    dealii::SolverControl control(200, 1e-10 * b.l2_norm());
    Solver                solver(control);
    solver.solve(Diagonal<VectorType>(d), x, b, preconditioner);
    return control.last_step();
  }

  template <template <typename> class Solver>
  void
  check_solver(const IndexSet &entries, const device::Stream &stream)
  {
    using OnDevice = DeviceVector<double>;
    using OnHost   = HostVector<double>;
    const Vectors<double> vectors(entries, stream);
    OnHost d = vectors.random(9), half = d, x, b = vectors.random(10);
    d.add(1.5);
    // Between 0.6 and 1.4 of the inverse.
    for (unsigned int i = 0; i < d.locally_owned_size(); ++i)
      half.local_element(i) =
        (1. + 0.4 * half.local_element(i)) / d.local_element(i);
    const OnDevice D = vectors.on_device(d), H = vectors.on_device(half),
                   B = vectors.on_device(b);
    OnDevice X;

    const unsigned int expected =
      solve<Solver<OnHost>>(d, b, x, Diagonal<OnHost>(half));
    Counters::process().reset();
    CHECK_EQUAL((solve<Solver<OnDevice>>(D, B, X, Diagonal<OnDevice>(H))),
                expected);
    const auto counted = Counters::process().snapshot();
    CHECK(counted.value("device_to_host_bytes").largest <= 8);
    CHECK_EQUAL(counted.value("host_to_device_bytes").total, 0U);
    CHECK(distance(X, x) <= 1e-13);
    CHECK(x.l2_norm() > 0.1);
  }

  template <typename VectorType>
  using ConjugateGradients = dealii::SolverCG<VectorType>;
  template <typename VectorType>
  using FlexibleConjugateGradients = dealii::SolverFlexibleCG<VectorType>;
  template <typename VectorType>
  using Richardson = dealii::SolverRichardson<VectorType>;
  template <typename VectorType>
  using Bicgstab = dealii::SolverBicgstab<VectorType>;
  template <typename VectorType>
  using MinRes = dealii::SolverMinRes<VectorType>;



  void
  check_solvers(const device::Stream &stream)
  {
    const IndexSet entries = entries_of_this_rank(5000, true);
    check_solver<ConjugateGradients>(entries, stream);
    check_solver<FlexibleConjugateGradients>(entries, stream);
    check_solver<Richardson>(entries, stream);
    check_solver<Bicgstab>(entries, stream);
    check_solver<MinRes>(entries, stream);

    // Of float; and what deal.II keeps in its pool is freed on demand.
    const Vectors<float> vectors(entries, stream);
    HostVector<double>   d = vectors.random(11);
    d.add(1.5);
    const DeviceVector<float> D = vectors.on_device(d),
                              B = vectors.on_device(vectors.random(12));
    DeviceVector<float>                   X(B), residual(B);
    dealii::SolverControl                 control(200, 1e-5 * B.l2_norm());
    dealii::SolverCG<DeviceVector<float>> solver(control);
    X = 0;
    solver.solve(Diagonal<DeviceVector<float>>(D),
                 X,
                 B,
                 dealii::PreconditionIdentity());
    Diagonal<DeviceVector<float>>(D).vmult(residual, X);
    residual -= B;
    CHECK(residual.l2_norm() <= 2e-5 * B.l2_norm());
    dealii::GrowingVectorMemory<DeviceVector<float>>::release_unused_memory();
  }



  template <typename Number>
  void
  check_all(const device::Stream &stream)
  {
    for (const unsigned int n : {0, 1, 2, 255, 1023, 2048, 4099, 3 * 2048 + 5})
      for (const bool has_empty_rank : {false, true})
        {
          const IndexSet entries = entries_of_this_rank(n, has_empty_rank);
          const Vectors<Number> vectors(entries, stream);
          check_operations(vectors);
          check_numbers(vectors);
          check_life_cycle(vectors);
          if (n > 0)
            check_special_values(vectors);
        }
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  return device_test::run([] {
    device::choose_device(make_communicator(MPI_COMM_WORLD));
    const device::Stream stream;
    check_all<double>(stream);
    check_all<float>(stream);
    check_counters(entries_of_this_rank(3000, false), stream);
    check_errors(stream);
    check_solvers(stream);
  });
}
