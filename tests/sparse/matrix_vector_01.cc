// SPDX-License-Identifier: LGPL-2.1-or-later
// Products with vectors, residuals and Chebyshev steps, of all shapes and in
// both precisions: the bits that the order of sums gives, and the numbers of
// the whole matrix.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>

#include <cmath>
#include <limits>
#include <utility>

#include "check.h"
#include "random_matrices.h"
#include "reference_products.h"

namespace
{
  using namespace sparse_test;

  template <typename Number>
  constexpr double tolerance = 40 *
                               double(std::numeric_limits<Number>::epsilon());

  template <typename Number>
  std::vector<Number>
  local_values(const std::vector<double> &values,
               const IndexLayout         &layout,
               const int                  block_size)
  {
    std::vector<Number> result;
    for (LocalIndex l = 0; l < layout.n_local(); ++l)
      for (int e = 0; e < block_size; ++e)
        result.push_back(
          static_cast<Number>(values[layout.global(l) * block_size + e]));
    return result;
  }

  template <typename Number>
  bool
  same_bits(const BlockVector<Number> &x, const std::vector<Number> &reference)
  {
    for (std::size_t v = 0; v < x.n_owned_values(); ++v)
      if (!(x.data()[v] == reference[v]))
        {
          std::cerr << "  value " << v << ": found " << x.data()[v]
                    << ", expected " << reference[v] << std::endl;
          return false;
        }
    return true;
  }

  template <typename Number>
  void
  test_shape(const Communicator &communicator, const BlockShape shape)
  {
    std::mt19937        random(17 * shape.rows + shape.columns);
    const std::uint64_t n = 22, m = shape.rows == shape.columns ? n : 27;
    const GlobalMatrix  matrix =
      random_matrix(random, n, m, shape, shape.rows == shape.columns);
    const auto rows = random_partition(random, n, communicator.n_ranks());
    const auto columns =
      m == n ? rows : random_partition(random, m, communicator.n_ranks());
    const BlockMatrix<Number> A =
      distribute<Number>(communicator, matrix, rows, columns);
    const BlockPattern       &pattern = A.pattern();
    const int                 R = shape.rows, C = shape.columns;
    const std::vector<double> global_x = random_values(random, m * C);
    const std::vector<double> global_b = random_values(random, n * R);
    const std::vector<Number> local_x =
      local_values<Number>(global_x, pattern.columns(), C);

    std::vector<Number> s, t;
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      {
        const auto owned = row_sum(A,
                                   pattern.row_begin()[i],
                                   pattern.ghost_begin()[i],
                                   local_x.data());
        const auto ghost = row_sum(A,
                                   pattern.ghost_begin()[i],
                                   pattern.row_begin()[i + 1],
                                   local_x.data());
        s.insert(s.end(), owned.begin(), owned.end());
        t.insert(t.end(), ghost.begin(), ghost.end());
      }

    MatrixVector<Number> products(A);
    BlockVector<Number>  x = distribute<Number>(global_x, pattern.columns(), C);
    const BlockVector<Number> b =
      distribute<Number>(global_b, pattern.rows(), R);

    // y = A x
    BlockVector<Number> y = poisoned<Number>(pattern.rows(), R);
    products.multiply(A, x, y);
    std::vector<Number> reference(s.size());
    for (std::size_t v = 0; v < s.size(); ++v)
      reference[v] = s[v] + t[v];
    CHECK(same_bits(y, reference));
    for (std::size_t v = 0; v < s.size(); ++v)
      {
        const std::uint64_t i   = pattern.rows().first_owned() * R + v;
        double              sum = 0.;
        for (std::uint64_t j = 0; j < m * C; ++j)
          sum += matrix(i, j) * global_x[j];
        CHECK_NEAR(y.data()[v], sum, tolerance<Number>);
      }

    // r = b - A x, also where r is b
    BlockVector<Number> r = poisoned<Number>(pattern.rows(), R);
    x                     = distribute<Number>(global_x, pattern.columns(), C);
    products.residual(A, b, x, r);
    for (std::size_t v = 0; v < s.size(); ++v)
      reference[v] = (b.data()[v] - s[v]) - t[v];
    CHECK(same_bits(r, reference));
    BlockVector<Number> b_and_r = b.copy();
    products.residual(A, b_and_r, x, b_and_r);
    CHECK(same_bits(b_and_r, reference));

    // y = A^T b
    BlockVector<Number> z = poisoned<Number>(pattern.columns(), C);
    products.multiply_transposed(A, b, z);
    for (std::size_t v = 0; v < z.n_owned_values(); ++v)
      {
        const std::uint64_t j   = pattern.columns().first_owned() * C + v;
        double              sum = 0.;
        Number              chain(0);
        for (std::uint64_t i = 0; i < n * R; ++i)
          {
            sum += matrix(i, j) * global_b[i];
            chain = std::fma(static_cast<Number>(matrix(i, j)),
                             static_cast<Number>(global_b[i]),
                             chain);
          }
        CHECK_NEAR(z.data()[v], sum, tolerance<Number>);
        if (communicator.n_ranks() == 1)
          CHECK(z.data()[v] == chain);
      }
    BlockVector<Number> z2 = poisoned<Number>(pattern.columns(), C);
    products.multiply_transposed(A, b, z2);
    for (std::size_t v = 0; v < z.n_owned_values(); ++v)
      CHECK(z.data()[v] == z2.data()[v]);
  }

  std::vector<double>
  transposed_block(const std::vector<double> &block, const int size)
  {
    std::vector<double> result(block);
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; ++c)
        result[c * size + r] = block[r * size + c];
    return result;
  }

  template <typename Number>
  void
  test_chebyshev(const Communicator &communicator, const int size)
  {
    std::mt19937        random(size);
    const std::uint64_t n = 25;
    GlobalMatrix matrix   = random_matrix(random, n, n, {size, size}, true);
    // Symmetric, and definite because of the diagonal.
    for (std::uint64_t i = 0; i < n; ++i)
      for (std::uint64_t j = 0; j < i; ++j)
        if (matrix.blocks.count({i, j}) == 0)
          matrix.blocks.erase({j, i});
        else
          matrix.blocks[{j, i}] = transposed_block(matrix.blocks[{i, j}], size);
    for (std::uint64_t i = 0; i < n; ++i)
      {
        std::vector<double>      &block = matrix.blocks[{i, i}];
        const std::vector<double> t     = transposed_block(block, size);
        for (int e = 0; e < size * size; ++e)
          block[e] =
            (block[e] + t[e]) / 2 + (e % (size + 1) == 0 ? 25 * size : 0);
      }
    const auto rows = random_partition(random, n, communicator.n_ranks());
    const BlockMatrix<Number> A =
      distribute<Number>(communicator, matrix, rows, rows);
    const BlockPattern         &pattern  = A.pattern();
    const BlockDiagonal<Number> M        = inverse_diagonal_blocks(A);
    const std::vector<double>   global_x = random_values(random, n * size);
    const std::vector<double>   global_b = random_values(random, n * size);
    const std::vector<double>   global_d = random_values(random, n * size);
    const std::vector<Number>   local_x =
      local_values<Number>(global_x, pattern.columns(), size);
    BlockVector<Number> x =
      distribute<Number>(global_x, pattern.columns(), size);
    const BlockVector<Number> b =
      distribute<Number>(global_b, pattern.rows(), size);
    MatrixVector<Number> products(A);

    for (const Number f_d : {Number(0), Number(0.3)})
      {
        const Number        f_r = Number(0.7);
        BlockVector<Number> d =
          f_d == 0 ? poisoned<Number>(pattern.rows(), size) :
                     distribute<Number>(global_d, pattern.rows(), size);
        BlockVector<Number> new_x = poisoned<Number>(pattern.columns(), size);
        std::vector<Number> new_d_reference, new_x_reference;
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            const auto          s = row_sum(A,
                                   pattern.row_begin()[i],
                                   pattern.ghost_begin()[i],
                                   local_x.data());
            const auto          t = row_sum(A,
                                   pattern.ghost_begin()[i],
                                   pattern.row_begin()[i + 1],
                                   local_x.data());
            std::vector<Number> r(size);
            for (int e = 0; e < size; ++e)
              r[e] = (b.data()[i * size + e] - s[e]) - t[e];
            const auto z = block_product(M.data() + i * size * size, r);
            for (int e = 0; e < size; ++e)
              {
                const Number fz = f_r * z[e];
                new_d_reference.push_back(
                  f_d == 0 ? fz : std::fma(f_d, d.data()[i * size + e], fz));
                new_x_reference.push_back(x.data()[i * size + e] +
                                          new_d_reference.back());
              }
          }
        products.chebyshev_step(A, M, b, x, f_d, f_r, d, new_x);
        CHECK(same_bits(d, new_d_reference));
        CHECK(same_bits(new_x, new_x_reference));
        CHECK(same_bits(x, local_x));
      }

    // From zero: a step that sees a vector of zeros.
    const Number        f_r = Number(0.7);
    BlockVector<Number> d0  = poisoned<Number>(pattern.rows(), size);
    BlockVector<Number> x0  = poisoned<Number>(pattern.columns(), size);
    chebyshev_start(M, b, f_r, d0, x0);
    BlockVector<Number> zero(pattern.columns(), size);
    BlockVector<Number> d     = poisoned<Number>(pattern.rows(), size);
    BlockVector<Number> new_x = poisoned<Number>(pattern.columns(), size);
    products.chebyshev_step(A, M, b, zero, Number(0), f_r, d, new_x);
    for (std::size_t v = 0; v < d.n_owned_values(); ++v)
      {
        CHECK(d0.data()[v] == d.data()[v]);
        CHECK(x0.data()[v] == new_x.data()[v]);
      }

    // Sixty steps solve a system.
    const double lower = 0.05, upper = 2.;
    const double theta = (upper + lower) / 2, delta = (upper - lower) / 2;
    double       rho = delta / theta;
    x                = zero.copy();
    chebyshev_start(M, b, Number(1 / theta), d, x);
    for (int step = 0; step < 60; ++step)
      {
        const double new_rho = 1. / (2 * theta / delta - rho);
        products.chebyshev_step(A,
                                M,
                                b,
                                x,
                                Number(new_rho * rho),
                                Number(2 * new_rho / delta),
                                d,
                                new_x);
        std::swap(x, new_x);
        rho = new_rho;
      }
    BlockVector<Number> r = poisoned<Number>(pattern.rows(), size);
    products.residual(A, b, x, r);
    double norm = 0.;
    for (std::size_t v = 0; v < r.n_owned_values(); ++v)
      norm = std::fmax(norm, std::abs(r.data()[v]));
    CHECK(norm < 1e-4);
  }

  void
  test_errors(const Communicator &communicator)
  {
    std::mt19937 random(1);
    const auto   rows = random_partition(random, 9, communicator.n_ranks());
    const GlobalMatrix matrix = random_matrix(random, 9, 9, {3, 3}, true);
    const BlockMatrix<double> A =
      distribute<double>(communicator, matrix, rows, rows);
    const GlobalMatrix other_matrix = random_matrix(random, 9, 9, {3, 2});
    const BlockMatrix<double> other =
      distribute<double>(communicator, other_matrix, rows, rows);
    MatrixVector<double>  products(A);
    const BlockPattern   &pattern = A.pattern();
    BlockVector<double>   x(pattern.columns(), 3), y(pattern.columns(), 3);
    BlockVector<double>   d(pattern.columns(), 3), b(pattern.columns(), 3);
    BlockVector<double>   narrow(pattern.columns(), 2);
    BlockVector<double>   longer(IndexLayout(communicator, 12, {}), 3);
    BlockDiagonal<double> M(pattern.rows(), 3), narrow_M(pattern.rows(), 2);

    CHECK_THROWS(InputError, products.multiply(A, x, x));
    CHECK_THROWS(InputError, products.residual(A, y, x, x));
    CHECK_THROWS(InputError, products.multiply_transposed(A, x, x));
    CHECK_THROWS(InputError, products.multiply(other, narrow, y));
    CHECK_THROWS(InputError, products.multiply(A, narrow, y));
    CHECK_THROWS(InputError, products.multiply(A, x, narrow));
    CHECK_THROWS(InputError, products.multiply(A, x, longer));
    CHECK_THROWS(InputError, products.multiply(A, longer, y));
    CHECK_THROWS(InputError, products.residual(A, longer, x, y));
    CHECK_THROWS(InputError, products.multiply_transposed(A, narrow, y));
    CHECK_THROWS(InputError, products.multiply_transposed(A, x, longer));
    const auto step = [&](const BlockDiagonal<double> &diagonal,
                          BlockVector<double>         &step_b,
                          BlockVector<double>         &step_x,
                          BlockVector<double>         &step_d,
                          BlockVector<double>         &new_x) {
      products.chebyshev_step(
        A, diagonal, step_b, step_x, .5, .5, step_d, new_x);
    };
    CHECK_THROWS(InputError, step(narrow_M, b, x, d, y));
    CHECK_THROWS(InputError, step(M, x, x, d, y));
    CHECK_THROWS(InputError, step(M, b, x, x, y));
    CHECK_THROWS(InputError, step(M, b, x, d, x));
    CHECK_THROWS(InputError, step(M, b, x, b, y));
    CHECK_THROWS(InputError, step(M, b, x, d, b));
    CHECK_THROWS(InputError, step(M, b, x, d, d));
    CHECK_THROWS(InputError, step(M, b, x, narrow, y));
    CHECK_THROWS(InputError, chebyshev_start(M, b, 1., d, d));
    CHECK_THROWS(InputError, chebyshev_start(M, narrow, 1., d, x));
    const std::string message =
      CHECK_THROWS(InputError, products.multiply(A, narrow, y));
    CHECK(message.find("vector x") != std::string::npos);
    CHECK(message.find("of 2 entries where") != std::string::npos);

    // Nothing was sent in vain: the object still works.
    products.multiply(A, x, y);

    // A layout without the ghosts of the matrix will not do.
    if (pattern.columns().n_ghosts() > 0)
      {
        BlockVector<double> no_ghosts(pattern.rows(), 3);
        const std::string   text =
          CHECK_THROWS(InputError, products.multiply(A, no_ghosts, y));
        CHECK(text.find("0 ghosts where") != std::string::npos);
      }
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (int rows = 1; rows <= max_block_size; ++rows)
    for (int columns = 1; columns <= max_block_size; ++columns)
      {
        test_shape<double>(world, {rows, columns});
        test_shape<float>(world, {rows, columns});
      }
  for (int size = 1; size <= max_block_size; ++size)
    {
      test_chebyshev<double>(world, size);
      test_chebyshev<float>(world, size);
    }
  test_errors(world);
  return check::result();
}
