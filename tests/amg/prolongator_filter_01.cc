// SPDX-License-Identifier: LGPL-2.1-or-later
// The filter leaves out what it should, keeps the modes, and changes the rest
// as little as possible, also where coarse nodes cannot tell modes apart.
#include <tessera/amg/prolongator_filter.h>
#include <tessera/base/exceptions.h>

#include <string>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  /** Blocks of different sizes; some rows have none. */
  BlockMatrix<double>
  random_prolongator(std::mt19937    &random,
                     const BlockShape shape,
                     const bool       with_zeros)
  {
    GlobalMatrix P = sparse_test::random_matrix(random, 40, 12, shape);
    for (auto &block : P.blocks)
      {
        const double scale = std::ldexp(1., -int(random() % 8));
        for (double &value : block.second)
          value *= with_zeros && random() % 3 == 0 ? 0. : scale;
      }
    return block_matrix(P);
  }

  /** Triangles as factorizations leave them; where deficient, with rows of
   * zeros, as for aggregates that cannot tell modes apart. */
  NearNullSpace
  random_coarse_modes(std::mt19937      &random,
                      const IndexLayout &layout,
                      const int          q,
                      const int          n_deficient)
  {
    NearNullSpace result = random_modes(random, layout, q, q);
    for (LocalIndex J = 0; J < layout.n_owned(); ++J)
      for (int r = 0; r < q; ++r)
        for (int c = 0; c < q; ++c)
          {
            double &value = result.data()[(std::size_t(J) * q + r) * q + c];
            if (c < r || r >= q - n_deficient)
              value = 0.;
            else if (r == c)
              value = 1. + std::abs(value);
          }
    return result;
  }

  double
  square(const BlockMatrix<double> &P, const std::int64_t k)
  {
    double sum = 0.;
    for (int e = 0; e < P.shape().size(); ++e)
      sum += P.block(k)[e] * P.block(k)[e];
    return sum;
  }

  /** Which blocks of row i should stay for the row's sake. */
  std::vector<bool>
  expected_in_row(const BlockMatrix<double> &P,
                  const LocalIndex           i,
                  const double               tau)
  {
    const std::int64_t begin = P.pattern().row_begin()[i],
                       end   = P.pattern().row_begin()[i + 1];
    double sum = 0., largest = 0.;
    for (std::int64_t k = begin; k < end; ++k)
      {
        sum += square(P, k);
        largest = std::max(largest, square(P, k));
      }
    std::vector<bool> result;
    bool              found = false; // the first of equal ones
    for (std::int64_t k = begin; k < end; ++k)
      {
        const bool is_largest = !found && square(P, k) == largest;
        found                 = found || is_largest;
        result.push_back(std::sqrt(square(P, k)) >= tau * std::sqrt(sum) ||
                         is_largest);
      }
    return result;
  }

  /** Which blocks should stay, [row][block of the row]. */
  std::vector<std::vector<bool>>
  expected_selection(const BlockMatrix<double> &P, const double tau)
  {
    const BlockPattern            &pattern = P.pattern();
    std::vector<std::vector<bool>> result;
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      result.push_back(expected_in_row(P, i, tau));
    for (LocalIndex J = 0; J < pattern.n_columns(); ++J)
      {
        // The first of the largest blocks of the column.
        LocalIndex row     = -1;
        double     largest = -1.;
        bool       is_kept = false;
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          if (const std::int64_t k = pattern.find(i, J); k >= 0)
            {
              is_kept = is_kept || (square(P, k) > 0. &&
                                    result[i][k - pattern.row_begin()[i]]);
              if (square(P, k) > largest)
                {
                  largest = square(P, k);
                  row     = i;
                }
            }
        if (!is_kept && row >= 0)
          result[row][pattern.find(row, J) - pattern.row_begin()[row]] = true;
      }
    return result;
  }

  double
  relative_error(const DenseMatrix &A, const DenseMatrix &B)
  {
    double difference = 0., norm = 0.;
    for (std::size_t v = 0; v < A.n_rows() * A.n_columns(); ++v)
      {
        difference += std::pow(A.data()[v] - B.data()[v], 2);
        norm += B.data()[v] * B.data()[v];
      }
    return std::sqrt(difference / norm);
  }

  /** An orthonormal basis of the range of a matrix, by Gram and Schmidt. */
  std::vector<std::vector<double>>
  basis_of_range(const DenseMatrix &A)
  {
    std::vector<std::vector<double>> basis;
    for (std::size_t c = 0; c < A.n_columns(); ++c)
      {
        std::vector<double> v(A.n_rows());
        for (std::size_t i = 0; i < A.n_rows(); ++i)
          v[i] = A(i, c);
        const auto dot = [&](const std::vector<double> &w) {
          double sum = 0.;
          for (std::size_t i = 0; i < v.size(); ++i)
            sum += v[i] * w[i];
          return sum;
        };
        for (int pass = 0; pass < 3; ++pass)
          for (const std::vector<double> &other : basis)
            {
              const double s = dot(other);
              for (std::size_t i = 0; i < v.size(); ++i)
                v[i] -= s * other[i];
            }
        const double norm = std::sqrt(dot(v));
        if (norm > 1e-10)
          {
            for (double &x : v)
              x /= norm;
            basis.push_back(v);
          }
      }
    return basis;
  }

  /**
   * The correction x of a row of numbers solves min |x| among all x that
   * minimise |x B - e|, if x is in the range of B, and the residual is
   * orthogonal to the range of B^T.
   */
  void
  check_optimality(const std::vector<double> &x,
                   const DenseMatrix         &B,
                   const std::vector<double> &e)
  {
    std::vector<double> rest = x;
    for (const std::vector<double> &q : basis_of_range(B))
      {
        double part = 0.;
        for (std::size_t i = 0; i < x.size(); ++i)
          part += q[i] * x[i];
        for (std::size_t i = 0; i < x.size(); ++i)
          rest[i] -= part * q[i];
      }
    for (const double value : rest)
      CHECK(std::abs(value) < 1e-11);

    std::vector<double> residual = e;
    for (std::size_t c = 0; c < B.n_columns(); ++c)
      for (std::size_t i = 0; i < x.size(); ++i)
        residual[c] -= x[i] * B(i, c);
    for (std::size_t i = 0; i < B.n_rows(); ++i)
      {
        double part = 0.;
        for (std::size_t c = 0; c < B.n_columns(); ++c)
          part += B(i, c) * residual[c];
        CHECK(std::abs(part) < 1e-11);
      }
  }

  /** Returns how many blocks were left out. */
  std::size_t
  check_filter(const BlockMatrix<double> &P,
               const NearNullSpace       &coarse_modes,
               const double               tau,
               const bool                 is_correctable)
  {
    const int                 b = P.shape().rows, q = P.shape().columns;
    const BlockPattern       &pattern = P.pattern();
    const FilteredProlongator result =
      filtered_prolongator(P, coarse_modes, tau, true);
    const FilteredProlongator dropped =
      filtered_prolongator(P, coarse_modes, tau, false);
    CHECK(result.P.pattern() == dropped.P.pattern());
    CHECK_EQUAL(result.n_dropped,
                pattern.n_blocks() - result.P.pattern().n_blocks());
    CHECK_EQUAL(result.n_dropped, dropped.n_dropped);

    const DenseMatrix B      = dense(coarse_modes);
    const DenseMatrix target = dense(P) * B;
    CHECK_NEAR(result.error_of_modes_dropped,
               relative_error(dense(dropped.P) * B, target),
               1e-13);
    CHECK_NEAR(result.error_of_modes_projected,
               relative_error(dense(result.P) * B, target),
               1e-13);
    CHECK_EQUAL(dropped.error_of_modes_projected,
                dropped.error_of_modes_dropped);
    CHECK_EQUAL(dropped.error_of_modes_dropped, result.error_of_modes_dropped);
    if (is_correctable)
      CHECK(result.error_of_modes_projected < 1e-13);

    const std::vector<std::vector<bool>> selection = expected_selection(P, tau);
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      {
        const std::vector<bool> &stays = selection[i];
        const std::int64_t       begin = pattern.row_begin()[i];
        std::vector<LocalIndex>  columns;
        for (std::size_t m = 0; m < stays.size(); ++m)
          if (stays[m])
            columns.push_back(pattern.column_indices()[begin + m]);
        const BlockPattern &filtered = result.P.pattern();
        const std::int64_t  first    = filtered.row_begin()[i];
        CHECK(columns ==
              std::vector<LocalIndex>(filtered.column_indices() + first,
                                      filtered.column_indices() +
                                        filtered.row_begin()[i + 1]));
        if (columns.empty())
          continue;

        DenseMatrix B_row(columns.size() * q, q);
        for (std::size_t m = 0; m < columns.size(); ++m)
          for (int r = 0; r < q; ++r)
            for (int c = 0; c < q; ++c)
              B_row(m * q + r, c) = B(columns[m] * q + r, c);
        for (int r = 0; r < b; ++r)
          {
            std::vector<double> x, e(q);
            for (int c = 0; c < q; ++c)
              e[c] = target(i * b + r, c);
            for (std::size_t m = 0; m < columns.size(); ++m)
              {
                const double *const old = P.block(pattern.find(i, columns[m]));
                const double *const now = result.P.block(first + m);
                const double *const raw = dropped.P.block(first + m);
                for (int d = 0; d < q; ++d)
                  {
                    CHECK_EQUAL(raw[r * q + d], old[r * q + d]);
                    x.push_back(now[r * q + d] - old[r * q + d]);
                    for (int c = 0; c < q; ++c)
                      e[c] -= old[r * q + d] * B_row(m * q + d, c);
                  }
              }
            if (columns.size() == stays.size())
              for (const double value : x)
                CHECK_EQUAL(value, 0.);
            else
              check_optimality(x, B_row, e);
          }
      }
    return result.n_dropped;
  }

  void
  check_random_prolongators()
  {
    for (const auto &shape : {BlockShape{1, 1},
                              BlockShape{2, 3},
                              BlockShape{3, 3},
                              BlockShape{3, 6},
                              BlockShape{6, 6},
                              BlockShape{4, 5}})
      for (const bool with_zeros : {false, true})
        {
          std::mt19937              random(shape.rows * 10 + shape.columns);
          const BlockMatrix<double> P =
            random_prolongator(random, shape, with_zeros);
          const NearNullSpace B         = random_coarse_modes(random,
                                                      P.pattern().columns(),
                                                      shape.columns,
                                                      0);
          std::size_t         n_dropped = 0;
          for (const double tau : {0.01, 0.1, 0.3, 0.99})
            {
              const std::size_t n = check_filter(P, B, tau, true);
              CHECK(n >= n_dropped);
              n_dropped = n;
            }
          CHECK(n_dropped > 40);
          CHECK_EQUAL(check_filter(P, B, 0., true), 0u);
          CHECK(
            largest_difference(dense(filtered_prolongator(P, B, 0., true).P),
                               dense(P)) == 0.);
        }
  }

  void
  check_deficient_modes()
  {
    for (const auto &shape : {BlockShape{2, 3}, BlockShape{3, 6}})
      for (const int n_deficient : {1, 2, shape.columns})
        {
          std::mt19937              random(n_deficient);
          const BlockMatrix<double> P =
            random_prolongator(random, shape, false);
          // All alike: G is singular, and what is lost can be corrected if
          // modes are mapped to the same subspace by all coarse nodes.
          NearNullSpace B = random_coarse_modes(random,
                                                P.pattern().columns(),
                                                shape.columns,
                                                n_deficient);
          if (n_deficient == shape.columns)
            {
              const FilteredProlongator result =
                filtered_prolongator(P, B, 0.2, true);
              CHECK_EQUAL(result.error_of_modes_projected, 0.);
              CHECK(result.n_dropped > 40);
              continue;
            }
          for (const double tau : {0.1, 0.5})
            check_filter(P, B, tau, false);
          // One is weak, but there.
          for (int c = 0; c < shape.columns; ++c)
            B.data()[c] *= 0.01;
          for (LocalIndex J = 1; J < P.pattern().n_columns(); ++J)
            for (int e = 0; e < shape.columns * shape.columns; ++e)
              B.data()[J * shape.columns * shape.columns + e] =
                (1. + 0.1 * J) * B.data()[e];
          check_filter(P, B, 0.3, true);
        }
  }

  void
  check_errors()
  {
    std::mt19937              random(1);
    const BlockMatrix<double> P = random_prolongator(random, {2, 3}, false);
    const NearNullSpace       B =
      random_coarse_modes(random, P.pattern().columns(), 3, 0);
    for (const double tau : {-0.1, 1., double(NAN)})
      {
        const std::string message =
          CHECK_THROWS(InputError, filtered_prolongator(P, B, tau, true));
        CHECK(message.find("[0, 1)") != std::string::npos);
      }
    CHECK_THROWS(
      InputError,
      filtered_prolongator(
        P, random_coarse_modes(random, IndexLayout(11), 3, 0), 0.1, true));
    CHECK_THROWS(InputError,
                 filtered_prolongator(
                   P, random_modes(random, IndexLayout(12), 2, 3), 0.1, true));
  }

  /** Columns that would be left empty keep their largest block: one of which
   * all blocks are small in their rows, and one of zeros. */
  void
  check_columns()
  {
    GlobalMatrix P{4, 3, {1, 1}, {}};
    for (int i = 0; i < 4; ++i)
      {
        P.blocks[{i, 0}] = {1.};
        P.blocks[{i, 1}] = {i == 2 ? 0.02 : 0.01};
      }
    P.blocks[{1, 2}] = {0.};
    P.blocks[{3, 2}] = {0.};
    NearNullSpace coarse_modes(IndexLayout(3), 1, 1);
    std::fill_n(coarse_modes.data(), 3, 1.);
    const FilteredProlongator result =
      filtered_prolongator(block_matrix(P), coarse_modes, 0.5, true);
    const BlockPattern &pattern = result.P.pattern();
    CHECK_EQUAL(pattern.n_blocks(), 6u);
    CHECK(pattern.find(2, 1) >= 0);
    CHECK(pattern.find(1, 2) >= 0);
    for (LocalIndex i = 0; i < 4; ++i)
      {
        double sum = 0.;
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1];
             ++k)
          sum += *result.P.block(k);
        CHECK_NEAR(sum, i == 2 ? 1.02 : 1.01, 1e-15);
      }
  }
} // namespace

int
main()
{
  check_random_prolongators();
  check_deficient_modes();
  check_columns();
  check_errors();
  return check::result();
}
