// SPDX-License-Identifier: LGPL-2.1-or-later
// Pairings, sums and conversions of fields agree with plain loops, for every
// degree, layout and precision, and every instruction set gives the same bits.
// Fields of different spaces cannot be mixed.
#include <tessera/base/exact_sum.h>
#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/field_kernels.h>
#include <tessera/cellwise/field_operations.h>

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::cellwise;
using test::poison;

// What compiles, and what does not.
namespace
{
  template <typename U, typename V, typename = void>
  struct can_add : std::false_type
  {};
  template <typename U, typename V>
  struct can_add<U,
                 V,
                 std::void_t<decltype(add(std::declval<U &>(),
                                          std::declval<double>(),
                                          std::declval<const V &>()))>>
    : std::true_type
  {};

  template <typename U, typename V, typename = void>
  struct can_pair : std::false_type
  {};
  template <typename U, typename V>
  struct can_pair<U,
                  V,
                  std::void_t<decltype(dot(std::declval<const U &>(),
                                           std::declval<const V &>(),
                                           CellIndex()))>> : std::true_type
  {};

  template <typename U, typename V, typename = void>
  struct can_convert : std::false_type
  {};
  template <typename U, typename V>
  struct can_convert<U,
                     V,
                     std::void_t<decltype(convert(std::declval<U &>(),
                                                  std::declval<const V &>()))>>
    : std::true_type
  {};

  using Primal      = PrimalField<double>;
  using Dual        = DualField<double>;
  using Modal       = DualModalField<double>;
  using LevelPrimal = PrimalField<float>;
  using LevelDual   = DualField<float>;
  using LevelModal  = DualModalField<float>;

  static_assert(can_add<Primal, LevelPrimal>::value, "");
  static_assert(!can_add<Primal, LevelDual>::value, "");
  static_assert(!can_add<Primal, LevelModal>::value, "");
  static_assert(!can_add<Dual, LevelPrimal>::value, "");

  static_assert(can_pair<Dual, Primal>::value, "");
  static_assert(can_pair<Dual, LevelPrimal>::value, "");
  static_assert(!can_pair<Primal, Primal>::value, "");
  static_assert(!can_pair<Dual, Dual>::value, "");
  static_assert(!can_pair<Modal, Primal>::value, "");
  static_assert(!can_pair<Dual, LevelDual>::value, "");

  static_assert(can_convert<Primal, LevelPrimal>::value, "");
  static_assert(can_convert<LevelModal, Modal>::value, "");
  static_assert(!can_convert<LevelModal, Dual>::value, "");
  static_assert(!can_convert<Primal, Dual>::value, "");
} // namespace

// Kernels of one instruction set, by the names of what they are called from.
namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      /** The sums of the first n cells. */
      template <typename Number>
      std::vector<double>
      dot_on(const InstructionSet       set,
             const DualField<double>   &r,
             const PrimalField<Number> &z,
             const CellIndex            n)
      {
        std::vector<double> sums(r.n_blocks() * cells_per_block, poison);
        TESSERA_CALL_SIMD_FOR(
          set, dot(sums.data(), r.data(), z.data(), n, r.n_nodes()));
        sums.resize(n);
        return sums;
      }

      double
      max_abs_on(const InstructionSet     set,
                 const DualField<double> &r,
                 const CellIndex          n)
      {
        return TESSERA_CALL_SIMD_FOR(set, max_abs(r.data(), n, r.n_nodes()));
      }

      template <typename To, typename From>
      void
      convert_on(const InstructionSet                 set,
                 PrimalField<To, Layout::contiguous> &dst,
                 const PrimalField<From>             &src)
      {
        TESSERA_CALL_SIMD_FOR(set,
                              blocked_to_contiguous(dst.data(),
                                                    src.data(),
                                                    src.n_cells(),
                                                    src.n_nodes()));
      }

      template <typename To, typename From>
      void
      convert_on(const InstructionSet                         set,
                 PrimalField<To>                             &dst,
                 const PrimalField<From, Layout::contiguous> &src)
      {
        TESSERA_CALL_SIMD_FOR(set,
                              contiguous_to_blocked(dst.data(),
                                                    src.data(),
                                                    src.n_cells(),
                                                    src.n_nodes()));
      }

      template <int dim, typename Number>
      void
      to_modal_on(const InstructionSet     set,
                  DualModalField<Number>  &b,
                  const double             a,
                  const DualField<double> &r,
                  const ReferenceCell     &cell)
      {
        const DenseMatrix St = transpose(cell.eigenvectors);
        TESSERA_CALL_SIMD_FOR(
          set,
          transform_and_scale<dim>(
            cell.degree, b.data(), a, St.data(), r.data(), r.n_cells()));
      }

      template <typename Number>
      void
      add_on(const InstructionSet       set,
             PrimalField<double>       &u,
             const double               a,
             const PrimalField<Number> &z)
      {
        TESSERA_CALL_SIMD_FOR(
          set, add(u.data(), a, z.data(), u.n_cells(), u.n_nodes()));
      }
    } // namespace
  }   // namespace cellwise
} // namespace tessera

namespace
{
  /** The sums of cells that dot() documents. */
  template <typename Z>
  std::vector<double>
  sums_of_cells(const DualField<double> &r, const Z &z, const CellIndex n)
  {
    std::vector<double> sums(n);
    for (CellIndex c = 0; c < n; ++c)
      for (int k = 0; k < r.n_nodes(); ++k)
        sums[c] = std::fma(r(c, k), double(z(c, k)), sums[c]);
    return sums;
  }

  template <typename Z>
  void
  check_dot(const CellIndex n_cells, const int n_nodes)
  {
    const auto r = test::random_field<DualField<double>>(n_cells, n_nodes);
    auto       z = test::random_field<Z>(n_cells, n_nodes);
    for (CellIndex n : {CellIndex(0), n_cells / 2, n_cells - 1, n_cells})
      {
        // What is not to be summed is poison.
        auto r_owned = test::copy(r);
        for (CellIndex c = n; c < n_cells; ++c)
          for (int k = 0; k < n_nodes; ++k)
            {
              r_owned(c, k) = poison;
              z(c, k)       = poison;
            }
        long double sum = 0., size = 0.;
        for (CellIndex c = 0; c < n; ++c)
          for (int k = 0; k < n_nodes; ++k)
            {
              sum += (long double)(r(c, k)) * z(c, k);
              size += std::abs((long double)(r(c, k)) * z(c, k));
            }
        const double result = dot(r_owned, z, n);
        CHECK(std::abs(result - sum) <= 1e-14L * size);
        const std::vector<double> sums = sums_of_cells(r_owned, z, n);
        ExactSum                  expected;
        for (const double s : sums)
          expected.add(s);
        CHECK_EQUAL(result, expected.value());
        for (const InstructionSet set : available_instruction_sets())
          CHECK(dot_on(set, r_owned, z, n) == sums);
        test::fill_random(z);
      }
  }

  void
  check_max_abs(const CellIndex n_cells, const int n_nodes)
  {
    const double    infinity = std::numeric_limits<double>::infinity();
    auto            r = test::random_field<DualField<double>>(n_cells, n_nodes);
    const CellIndex n = n_cells - 1;
    double          expected = 0.;
    for (CellIndex c = 0; c < n; ++c)
      for (int k = 0; k < n_nodes; ++k)
        expected = std::fmax(expected, std::abs(r(c, k)));
    for (int k = 0; k < n_nodes; ++k)
      r(n, k) = k % 2 ? poison : -7.;
    CHECK_EQUAL(max_abs(r, n), expected);
    CHECK_EQUAL(max_abs(r, 0), 0.);
    for (const InstructionSet set : available_instruction_sets())
      {
        CHECK_EQUAL(max_abs_on(set, r, n), expected);
        CHECK(std::isnan(max_abs_on(set, r, n_cells)));
      }
    if (n > 0)
      {
        r(n / 2, n_nodes - 1) = -1e300;
        CHECK_EQUAL(max_abs(r, n), 1e300);
        r(0, 0) = poison; // before larger numbers
        CHECK(std::isnan(max_abs(r, n)));
        r(0, 0) = -infinity;
        CHECK(std::isnan(max_abs(r, n)));
      }
  }

  template <typename Dst, typename Src>
  void
  check_conversion(const CellIndex n_cells, const int n_nodes)
  {
    using To       = typename Dst::value_type;
    const auto src = test::random_field<Src>(n_cells, n_nodes);
    auto       dst = test::poisoned_field<Dst>(n_cells, n_nodes);
    convert(dst, src);
    bool equal = true;
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        equal = equal && dst(c, k) == To(src(c, k));
    CHECK(equal);
    if constexpr (Dst::field_layout != Src::field_layout)
      {
        CHECK(test::is_finite(dst));
        for (const InstructionSet set : available_instruction_sets())
          {
            auto other = test::poisoned_field<Dst>(n_cells, n_nodes);
            convert_on(set, other, src);
            CHECK(test::same_bits(other, dst));
          }
      }
    else
      {
        // With the padding.
        const Src finite(n_cells, n_nodes);
        convert(dst, finite);
        CHECK(test::is_finite(dst));
      }
  }

  template <typename To, typename From>
  void
  check_conversions(const CellIndex n_cells, const int n_nodes)
  {
    constexpr Layout b = Layout::blocked, c = Layout::contiguous;
    check_conversion<PrimalField<To, b>, PrimalField<From, b>>(n_cells,
                                                               n_nodes);
    check_conversion<PrimalField<To, b>, PrimalField<From, c>>(n_cells,
                                                               n_nodes);
    check_conversion<PrimalField<To, c>, PrimalField<From, b>>(n_cells,
                                                               n_nodes);
    check_conversion<PrimalField<To, c>, PrimalField<From, c>>(n_cells,
                                                               n_nodes);
  }

  /** Ties and their neighbours. */
  void
  check_rounding()
  {
    const double        half = std::ldexp(1., -24), bit = std::ldexp(1., -50);
    const double        values[4]  = {1. + half,
                                      1. + half + bit,
                                      1. + 3 * half,
                                      1. + 3 * half - bit};
    const float         rounded[4] = {1.f,
                                      1.f + std::ldexp(1.f, -23),
                                      1.f + std::ldexp(1.f, -22),
                                      1.f + std::ldexp(1.f, -23)};
    PrimalField<double> u(19, 4);
    for (CellIndex c = 0; c < 19; ++c)
      for (int k = 0; k < 4; ++k)
        u(c, k) = values[(c + k) % 4];
    PrimalField<float, Layout::contiguous> contiguous(19, 4);
    PrimalField<float>                     blocked(19, 4);
    convert(contiguous, u);
    convert(blocked, u);
    for (CellIndex c = 0; c < 19; ++c)
      for (int k = 0; k < 4; ++k)
        {
          CHECK_EQUAL(contiguous(c, k), rounded[(c + k) % 4]);
          CHECK_EQUAL(blocked(c, k), rounded[(c + k) % 4]);
        }
  }

  template <typename Number>
  void
  check_add(const CellIndex n_cells, const int n_nodes)
  {
    using Z        = PrimalField<Number>;
    const auto   u = test::random_field<PrimalField<double>>(n_cells, n_nodes);
    const auto   z = test::random_field<Z>(n_cells, n_nodes);
    const double a = -1.7;
    auto         x = test::copy(u);
    add(x, a, z);
    bool equal = true;
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        equal = equal && x(c, k) == std::fma(a, double(z(c, k)), u(c, k));
    CHECK(equal);
    for (const InstructionSet set : available_instruction_sets())
      {
        auto y = test::copy(u);
        add_on(set, y, a, z);
        bool same = true;
        for (CellIndex c = 0; c < n_cells; ++c)
          for (int k = 0; k < n_nodes; ++k)
            same = same && y(c, k) == x(c, k);
        CHECK(same);
      }
  }

  /** (A x ... x A) v, axis by axis, in extended precision. */
  template <int dim>
  std::vector<long double>
  tensor_product(const DenseMatrix &A, std::vector<long double> v)
  {
    const int q = int(A.n_rows());
    for (int d = 0; d < dim; ++d)
      {
        const int                stride = power(q, d);
        std::vector<long double> w(v.size(), 0.L);
        for (int k = 0; k < int(v.size()); ++k)
          {
            const int i = k / stride % q;
            for (int j = 0; j < q; ++j)
              w[k] += A(i, j) * v[k + (j - i) * stride];
          }
        v = w;
      }
    return v;
  }

  template <int dim>
  void
  check_to_modal(const int degree, const CellIndex n_cells)
  {
    const ReferenceCell cell(degree);
    const DenseMatrix   St = transpose(cell.eigenvectors);
    const int           N  = power(degree + 1, dim);
    const double        a  = 0.37;
    auto                r  = test::random_field<DualField<double>>(n_cells, N);
    test::fill_padding(r, -2.);
    auto b       = test::poisoned_field<DualModalField<double>>(n_cells, N);
    auto b_float = test::poisoned_field<DualModalField<float>>(n_cells, N);
    to_modal<dim>(b, a, r, cell);
    to_modal<dim>(b_float, a, r, cell);
    double error = 0., size = 0.;
    bool   float_is_rounded_double = true;
    for (CellIndex c = 0; c < n_cells; ++c)
      {
        std::vector<long double> v(N);
        for (int k = 0; k < N; ++k)
          v[k] = r(c, k);
        v = tensor_product<dim>(St, v);
        for (int k = 0; k < N; ++k)
          {
            const double difference = double(std::abs(a * v[k] - b(c, k)));
            error                   = difference <= error ? error : difference;
            size                    = std::fmax(size, double(std::abs(v[k])));
            float_is_rounded_double =
              float_is_rounded_double && b_float(c, k) == float(b(c, k));
          }
      }
    CHECK(error <= 1e-15 * size);
    CHECK(float_is_rounded_double);
    CHECK(test::is_finite(b));
    CHECK(test::is_finite(b_float));
    for (const InstructionSet set : available_instruction_sets())
      {
        auto other = test::poisoned_field<DualModalField<double>>(n_cells, N);
        auto other_float =
          test::poisoned_field<DualModalField<float>>(n_cells, N);
        to_modal_on<dim>(set, other, a, r, cell);
        to_modal_on<dim>(set, other_float, a, r, cell);
        CHECK(test::same_bits(other, b));
        CHECK(test::same_bits(other_float, b_float));
      }
  }

  void
  check_shape(const CellIndex n_cells, const int n_nodes)
  {
    check_dot<PrimalField<double>>(n_cells, n_nodes);
    check_dot<PrimalField<float>>(n_cells, n_nodes);
    check_max_abs(n_cells, n_nodes);
    check_conversions<float, float>(n_cells, n_nodes);
    check_conversions<float, double>(n_cells, n_nodes);
    check_conversions<double, float>(n_cells, n_nodes);
    check_conversions<double, double>(n_cells, n_nodes);
    check_add<float>(n_cells, n_nodes);
    check_add<double>(n_cells, n_nodes);
  }
} // namespace

int
main()
{
  for (int degree = min_degree; degree <= max_degree; ++degree)
    for (const CellIndex n_cells : {1, 16, 37})
      {
        check_shape(n_cells, power(degree + 1, 2));
        check_shape(n_cells, power(degree + 1, 3));
        check_to_modal<2>(degree, n_cells);
        check_to_modal<3>(degree, n_cells);
      }
  check_rounding();
  return check::result();
}
