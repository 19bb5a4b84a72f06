// SPDX-License-Identifier: LGPL-2.1-or-later
// The operator of a cell is its dense element matrix, for every degree, on
// cubes and on boxes, and every instruction set gives the same bits.
#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/cell_operator_kernels.h>

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
  /** sum_d s_d (K in direction d, M in the others). */
  template <int dim>
  class ElementMatrix
  {
  public:
    ElementMatrix(const ReferenceCell &cell, const std::array<double, dim> &s)
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
                double product = s[d];
                for (int e = 0, a = i, b = j; e < dim; ++e, a /= q, b /= q)
                  product *= e == d ? cell.stiffness(a % q, b % q) :
                                      cell.mass(a % q, b % q);
                sum += product;
              }
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

  template <int dim, typename Number>
  void
  check_operator(const ReferenceCell           &cell,
                 const std::array<double, dim> &weights,
                 const ElementMatrix<dim>      &matrix)
  {
    const CellIndex n_cells = 19;
    const int       q = cell.n_nodes, N = power(q, dim);
    const double    epsilon = std::numeric_limits<Number>::epsilon();
    const double    scale   = matrix.norm();
    using Primal            = PrimalField<Number>;
    using Dual              = DualField<Number>;

    const CellOperator<dim, Number> A(cell, weights);

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
        u(constant, k) = Number(1);
        u(linear, k)   = Number(cell.nodes[k % q]);
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
    for (const double weight : weights)
      largest_weight = std::fmax(largest_weight, weight);
    for (int k = 0; k < N; ++k)
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
        uAv += double(u(0, k)) * Au(4, k);
        vAu += double(u(4, k)) * Au(0, k);
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
        const CellIndex n_cells = 21;
        using Primal            = PrimalField<Number>;
        using Dual              = DualField<Number>;
        // Any numbers: the sets must agree on them.
        std::vector<Number> matrix(power(degree + 1, 2)), diagonal(N);
        for (Number &x : matrix)
          x = Number(test::random_number());
        for (Number &x : diagonal)
          x = Number(test::random_number());
        Primal u = test::random_field<Primal>(n_cells, N);
        Dual   b = test::random_field<Dual>(n_cells, N);
        test::fill_padding(u, 3.);
        test::fill_padding(b, 4.);

        std::vector<Dual> products, residuals;
        for (const InstructionSet set : available_instruction_sets())
          {
            products.push_back(test::poisoned_field<Dual>(n_cells, N));
            residuals.push_back(test::poisoned_field<Dual>(n_cells, N));
            TESSERA_CALL_SIMD_FOR(set,
                                  apply_laplacian<dim>(degree,
                                                       products.back().data(),
                                                       u.data(),
                                                       matrix.data(),
                                                       diagonal.data(),
                                                       u.n_blocks()));
            TESSERA_CALL_SIMD_FOR(
              set,
              laplacian_residual<dim>(degree,
                                      residuals.back().data(),
                                      b.data(),
                                      u.data(),
                                      matrix.data(),
                                      diagonal.data(),
                                      u.n_blocks()));
            CHECK(test::is_finite(products.back()));
            CHECK(test::same_bits(products.back(), products.front()));
            CHECK(test::same_bits(residuals.back(), residuals.front()));
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
        for (const auto &weights : {isotropic, anisotropic})
          {
            const ElementMatrix<dim> matrix(cell, weights);
            check_operator<dim, double>(cell, weights, matrix);
            check_operator<dim, float>(cell, weights, matrix);
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
