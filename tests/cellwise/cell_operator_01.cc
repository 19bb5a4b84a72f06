// SPDX-License-Identifier: LGPL-2.1-or-later
// The operator of a cell is its dense element matrix, for every degree, on
// cubes and on boxes, and every instruction set gives the same bits. Steps of
// iterations are the same as their parts.
#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/cell_operator_kernels.h>
#include <tessera/cellwise/field_operations.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::cellwise;

namespace
{
  using Primal = PrimalField<double>;
  using Dual   = DualField<double>;

  /** sum_d s_d (K in direction d, M in the others), and m (M in all). */
  template <int dim>
  class ElementMatrix
  {
  public:
    ElementMatrix(const ReferenceCell &cell, const ElementWeights<dim> &weights)
      : N(power(cell.n_nodes, dim))
      , entries(std::size_t(N) * N)
    {
      const int q = cell.n_nodes;
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
          {
            double sum = 0.;
            for (int d = 0; d < dim; ++d)
              {
                double product = weights.stiffness[d];
                for (int e = 0, a = i, b = j; e < dim; ++e, a /= q, b /= q)
                  product *= e == d ? cell.stiffness(a % q, b % q) :
                                      cell.mass(a % q, b % q);
                sum += product;
              }
            double mass = weights.mass;
            for (int d = 0, a = i, b = j; d < dim; ++d, a /= q, b /= q)
              mass *= cell.mass(a % q, b % q);
            sum += mass;
            entries[std::size_t(i) * N + j] = sum;
          }
    }

    std::vector<double>
    apply(const std::vector<double> &u) const
    {
      std::vector<double> y(N);
      for (int i = 0; i < N; ++i)
        {
          long double sum = 0.;
          for (int j = 0; j < N; ++j)
            sum += (long double)(entries[std::size_t(i) * N + j]) * u[j];
          y[i] = double(sum);
        }
      return y;
    }

    /** Largest sum of the magnitudes in a row. */
    double
    norm() const
    {
      double largest = 0.;
      for (int i = 0; i < N; ++i)
        {
          double sum = 0.;
          for (int j = 0; j < N; ++j)
            sum += std::abs(entries[std::size_t(i) * N + j]);
          largest = std::fmax(largest, sum);
        }
      return largest;
    }

  private:
    int                 N;
    std::vector<double> entries;
  };

  template <typename F>
  std::vector<double>
  cell_values(const F &u, const CellIndex c)
  {
    std::vector<double> values(u.n_nodes());
    for (int k = 0; k < u.n_nodes(); ++k)
      values[k] = u(c, k);
    return values;
  }

  template <int dim>
  void
  check_operator(const ReferenceCell       &cell,
                 const ElementWeights<dim> &weights,
                 const ElementMatrix<dim>  &matrix)
  {
    const CellIndex n_cells = 19;
    const int       q = cell.n_nodes, N = power(q, dim);
    const double    epsilon = std::numeric_limits<double>::epsilon();
    const double    scale   = matrix.norm();

    const CellOperator<dim> A(cell, weights);

    // Cells after the first one mirror it; the last ones are x and a constant.
    Primal u = test::random_field<Primal>(n_cells, N);
    for (int d = 0; d < dim; ++d)
      for (int k = 0; k < N; ++k)
        {
          const int stride = power(q, d), i = k / stride % q;
          u(1 + d, k) = u(0, k + (q - 1 - 2 * i) * stride);
        }
    const CellIndex constant = n_cells - 1, linear = n_cells - 2;
    for (int k = 0; k < N; ++k)
      {
        u(constant, k) = 1.;
        u(linear, k)   = cell.nodes[k % q];
      }

    Dual Au = test::poisoned_field<Dual>(n_cells, N);
    A.vmult(Au, u);

    // Against the dense matrix; a difference that is NaN is found.
    double error = 0.;
    for (CellIndex c = 0; c < n_cells; c += (N > 200 ? 9 : 1))
      {
        const std::vector<double> y = matrix.apply(cell_values(u, c));
        for (int k = 0; k < N; ++k)
          {
            const double e = std::abs(y[k] - Au(c, k));
            error          = e <= error ? error : e;
          }
      }
    CHECK(error <= 5 * epsilon * scale);

    // What must vanish does so to a few roundings of numbers of size 1, not of
    // the size of the matrix: constants, and inside of the cell the functional
    // of a harmonic function.
    double largest_weight = 0.;
    for (const double weight : weights.stiffness)
      largest_weight = std::fmax(largest_weight, weight);
    for (int k = 0; k < N && weights.mass == 0.; ++k)
      {
        CHECK(std::abs(Au(constant, k)) <= 4 * epsilon * largest_weight);
        if (k % q != 0 && k % q != q - 1)
          CHECK(std::abs(Au(linear, k)) <= 4 * epsilon * largest_weight);
      }

    // Reflections commute with the operator, bit for bit.
    for (int d = 0; d < dim; ++d)
      for (int k = 0; k < N; ++k)
        {
          const int stride = power(q, d), i = k / stride % q;
          CHECK_EQUAL(Au(1 + d, k), Au(0, k + (q - 1 - 2 * i) * stride));
        }

    // Symmetry, between the first cells.
    double uAv = 0., vAu = 0.;
    for (int k = 0; k < N; ++k)
      {
        uAv += u(0, k) * Au(4, k);
        vAu += u(4, k) * Au(0, k);
      }
    CHECK(std::abs(uAv - vAu) <= 5 * epsilon * scale * N);

    // The residual rounds once more, in place, too.
    const Dual b = test::random_field<Dual>(n_cells, N);
    Dual       r = test::poisoned_field<Dual>(n_cells, N), s = test::copy(b);
    A.residual(r, b, u);
    A.residual(s, s, u);
    bool equal = true;
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < N; ++k)
        equal = equal && r(c, k) == b(c, k) - Au(c, k) && s(c, k) == r(c, k);
    CHECK(equal);
  }
  /** In all cells; the padding may differ. */
  template <typename F>
  bool
  same_values(const F &a, const F &b)
  {
    for (CellIndex c = 0; c < a.n_cells(); ++c)
      for (int k = 0; k < a.n_nodes(); ++k)
        if (!(a(c, k) == b(c, k)))
          return false;
    return true;
  }

  /** Largest magnitude in the first n cells. */
  double
  max_abs_of(const Dual &r, const CellIndex n)
  {
    double largest = 0.;
    for (CellIndex c = 0; c < n; ++c)
      for (int k = 0; k < r.n_nodes(); ++k)
        largest = std::fmax(largest, std::abs(r(c, k)));
    return largest;
  }

  /** The passes that do more than the operator give the bits of their parts;
   * energies of cells are accurate. */
  template <int dim, typename Number>
  void
  check_steps(const ReferenceCell       &cell,
              const ElementWeights<dim> &weights,
              const ElementMatrix<dim>  &matrix)
  {
    const CellIndex         n_cells = 37, n_owned = 20;
    const int               N = power(cell.n_nodes, dim);
    const double            a = 0.7, beta = -0.3;
    const CellOperator<dim> A(cell, weights);
    const Communicator      alone;

    const Primal u0 = test::random_field<Primal>(n_cells, N);
    const Dual   b  = test::random_field<Dual>(n_cells, N);
    const auto   z  = test::random_field<PrimalField<Number>>(n_cells, N);

    // u + a z and its residual.
    Primal       u = test::copy(u0), u_expected = test::copy(u0);
    Dual         r          = test::poisoned_field<Dual>(n_cells, N);
    Dual         r_expected = test::poisoned_field<Dual>(n_cells, N);
    const double max        = A.correct(u, a, z, r, b, n_owned, alone);
    add(u_expected, a, z);
    A.residual(r_expected, b, u_expected);
    CHECK(same_values(u, u_expected));
    CHECK(same_values(r, r_expected));
    CHECK_EQUAL(max, max_abs_of(r, n_owned));

    // The next direction.
    Primal       d      = test::copy(u0);
    const double energy = A.update_direction(d, beta, a, z, n_owned, alone);
    bool         equal  = true;
    long double  sum    = 0.;
    for (CellIndex c = 0; c < n_cells; ++c)
      {
        for (int k = 0; k < N; ++k)
          {
            const double scaled = beta * u0(c, k);
            equal = equal && d(c, k) == std::fma(a, double(z(c, k)), scaled);
          }
        if (c < n_owned && N <= 200)
          {
            const std::vector<double> y = matrix.apply(cell_values(d, c));
            for (int k = 0; k < N; ++k)
              sum += (long double)(d(c, k)) * y[k];
          }
      }
    CHECK(equal);
    if (N <= 200)
      CHECK(std::abs(energy - sum) <= 2e-15L * sum);

    // The step along it.
    Dual Ad = test::poisoned_field<Dual>(n_cells, N), r0 = test::copy(r);
    A.vmult(Ad, d);
    u                    = test::copy(u0);
    const double max_new = A.step(u, r, a, d, n_owned, alone);
    equal                = true;
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < N; ++k)
        equal = equal && u(c, k) == std::fma(a, d(c, k), u0(c, k)) &&
                r(c, k) == std::fma(-a, Ad(c, k), r0(c, k));
    CHECK(equal);
    CHECK_EQUAL(max_new, max_abs_of(r, n_owned));

    // NaN is seen in owned cells only.
    for (const CellIndex c : {n_owned - 1, n_owned})
      {
        Primal with_nan    = test::copy(u0);
        with_nan(c, N - 1) = test::poison;
        Dual b_with_nan    = test::copy(b);
        b_with_nan(c, 0)   = test::poison;
        Primal v           = test::copy(u0);
        CHECK_EQUAL(std::isnan(A.correct(with_nan, a, z, r, b, n_owned, alone)),
                    c < n_owned);
        CHECK_EQUAL(std::isnan(
                      A.correct(v, a, z, r, b_with_nan, n_owned, alone)),
                    c < n_owned);
        with_nan           = test::copy(u0);
        with_nan(c, N - 1) = test::poison;
        CHECK_EQUAL(std::isnan(A.step(v, b_with_nan, a, u0, n_owned, alone)),
                    c < n_owned);
        CHECK_EQUAL(std::isnan(
                      A.update_direction(with_nan, 1., a, z, n_owned, alone)),
                    c < n_owned);
      }
  }
} // namespace

// Kernels of one instruction set.
namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      template <int dim, typename Number>
      void
      check_instruction_sets(const int degree)
      {
        const int       N       = power(degree + 1, dim);
        const CellIndex n_cells = 21, n_owned = 18;
        // Any numbers: the sets must agree on them.
        std::vector<double> matrix(power(degree + 1, 2)), diagonal(N);
        for (double &x : matrix)
          x = test::random_number();
        for (double &x : diagonal)
          x = test::random_number();
        Primal u = test::random_field<Primal>(n_cells, N);
        Primal d = test::random_field<Primal>(n_cells, N);
        Dual   b = test::random_field<Dual>(n_cells, N);
        auto   z = test::random_field<PrimalField<Number>>(n_cells, N);
        test::fill_padding(u, 3.);
        test::fill_padding(z, -2.);
        test::fill_padding(d, 5.);
        test::fill_padding(b, 4.);

        struct Results
        {
          Dual                product, residual, corrected_residual, r;
          Primal              corrected, direction, u;
          double              max_corrected, max;
          std::vector<double> energies;
        };
        std::vector<Results> results;
        for (const InstructionSet set : available_instruction_sets())
          {
            results.emplace_back();
            Results &result           = results.back();
            result.product            = test::poisoned_field<Dual>(n_cells, N);
            result.residual           = test::poisoned_field<Dual>(n_cells, N);
            result.corrected_residual = test::poisoned_field<Dual>(n_cells, N);
            result.r                  = test::copy(b);
            result.corrected          = test::copy(u);
            result.direction          = test::copy(d);
            result.u                  = test::copy(u);
            result.energies.assign(32, test::poison);
            TESSERA_CALL_SIMD_FOR(set,
                                  apply_laplacian<dim>(degree,
                                                       result.product.data(),
                                                       u.data(),
                                                       matrix.data(),
                                                       diagonal.data(),
                                                       u.n_blocks()));
            TESSERA_CALL_SIMD_FOR(
              set,
              laplacian_residual<dim>(degree,
                                      result.residual.data(),
                                      b.data(),
                                      u.data(),
                                      matrix.data(),
                                      diagonal.data(),
                                      u.n_blocks()));
            result.max_corrected = TESSERA_CALL_SIMD_FOR(
              set,
              correct_and_residual<dim>(degree,
                                        result.corrected.data(),
                                        0.3,
                                        z.data(),
                                        result.corrected_residual.data(),
                                        b.data(),
                                        matrix.data(),
                                        diagonal.data(),
                                        u.n_blocks(),
                                        n_owned));
            TESSERA_CALL_SIMD_FOR(
              set,
              scale_and_add_energy<dim>(degree,
                                        result.energies.data(),
                                        result.direction.data(),
                                        0.9,
                                        0.3,
                                        z.data(),
                                        matrix.data(),
                                        diagonal.data(),
                                        u.n_blocks()));
            result.max =
              TESSERA_CALL_SIMD_FOR(set,
                                    step_along_direction<dim>(degree,
                                                              result.u.data(),
                                                              result.r.data(),
                                                              0.3,
                                                              d.data(),
                                                              matrix.data(),
                                                              diagonal.data(),
                                                              u.n_blocks(),
                                                              n_owned));

            const Results &first = results.front();
            CHECK(test::is_finite(result.product));
            CHECK(test::is_finite(result.corrected_residual));
            CHECK(test::is_finite(result.direction));
            CHECK(test::is_finite(result.r));
            CHECK(test::same_bits(result.product, first.product));
            CHECK(test::same_bits(result.residual, first.residual));
            CHECK(test::same_bits(result.corrected_residual,
                                  first.corrected_residual));
            CHECK(test::same_bits(result.r, first.r));
            CHECK(test::same_bits(result.corrected, first.corrected));
            CHECK(test::same_bits(result.direction, first.direction));
            CHECK(test::same_bits(result.u, first.u));
            CHECK_EQUAL(result.max_corrected, first.max_corrected);
            CHECK_EQUAL(result.max, first.max);
            CHECK(std::equal(result.energies.begin(),
                             result.energies.begin() + n_cells,
                             first.energies.begin()));
          }
      }
    } // namespace
  }   // namespace cellwise
} // namespace tessera

namespace
{
  template <int dim>
  void
  check_dimension(const std::array<double, dim> &anisotropic)
  {
    std::array<double, dim> isotropic;
    isotropic.fill(0.25);
    for (int degree = min_degree; degree <= max_degree; ++degree)
      {
        const ReferenceCell cell(degree);
        for (const ElementWeights<dim> &weights :
             {ElementWeights<dim>(isotropic),
              ElementWeights<dim>(anisotropic),
              ElementWeights<dim>(anisotropic, 3.)})
          {
            const ElementMatrix<dim> matrix(cell, weights);
            check_operator<dim>(cell, weights, matrix);
            check_steps<dim, float>(cell, weights, matrix);
            check_steps<dim, double>(cell, weights, matrix);
          }
        check_instruction_sets<dim, float>(degree);
        check_instruction_sets<dim, double>(degree);
      }
  }
} // namespace

int
main()
{
  check_dimension<2>({0.5, 2.});
  check_dimension<3>({0.3, 1., 4.});
  return check::result();
}
