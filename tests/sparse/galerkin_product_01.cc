// SPDX-License-Identifier: LGPL-2.1-or-later
// P^T A P by all algorithms, for all sizes of blocks: the same pattern, the
// bits of scalar loops in the same order, and a dense product to round-off; in
// double and float; with rows that are empty, of one block, full.
#include <tessera/sparse/product/galerkin_product.h>

#include "check.h"
#include "product_problem.h"

using namespace product_problem;

template <typename Number>
struct Problem
{
  BlockMatrix<Number> A, P;

  Problem(const LocalIndex n_fine,
          const LocalIndex n_coarse,
          const int        fine,
          const int        coarse,
          std::mt19937    &random)
    : A(make_pattern(random_rows(n_fine, n_fine, 0.2, random), n_fine),
        {fine, fine})
    , P(make_pattern(random_rows(n_fine, n_coarse, 0.25, random), n_coarse),
        {fine, coarse})
  {
    set_random(A, random);
    set_random(P, random);
  }
};

template <typename Number>
BlockMatrix<Number>
galerkin(const BlockMatrix<Number> &A,
         const BlockMatrix<Number> &P,
         const ProductAlgorithm     algorithm,
         const FusedOrder           order      = FusedOrder::natural,
         const std::size_t          tile_bytes = 48000)
{
  ProductOptions options;
  options.algorithm   = algorithm;
  options.fused_order = order;
  options.tile_bytes  = tile_bytes;
  GalerkinProduct<Number> product(
    A.pattern(), P.pattern(), P.shape().rows, P.shape().columns, options);
  CHECK(algorithm == ProductAlgorithm::automatic ||
        product.algorithm() == algorithm);
  BlockMatrix<Number> C(product.pattern(), product.shape());
  poison(C);
  product.multiply(A, P, C);
  return C;
}

template <typename Number>
void
check_all(const Problem<Number> &problem, const double tolerance)
{
  const auto &A    = problem.A;
  const auto &P    = problem.P;
  const int   fine = P.shape().rows, coarse = P.shape().columns;

  const auto R         = transpose(P);
  const auto reference = multiply(R, multiply(A, P));
  const auto fused     = multiply_fused(R, A, P, reference.pattern());
  // W' = A^T P and C = W'^T P, by rows of the transposed matrices.
  const auto W_transposed = transpose(multiply(transpose(A), P));
  const auto outer        = multiply(W_transposed, P);

  const std::size_t n     = std::size_t(A.pattern().n_rows()) * fine;
  const std::size_t m     = std::size_t(P.pattern().n_columns()) * coarse;
  const auto        exact = dense_galerkin(dense(A), dense(P), n, m);
  CHECK(dense_difference(dense(reference), exact) < tolerance);

  for (const auto algorithm : {ProductAlgorithm::automatic,
                               ProductAlgorithm::two_pass,
                               ProductAlgorithm::tiled,
                               ProductAlgorithm::schedule,
                               ProductAlgorithm::cached_positions})
    {
      const auto C = galerkin(A, P, algorithm);
      CHECK(C.pattern() == reference.pattern());
      CHECK(same_bits(C, reference));
    }
  // Tiles of few blocks; one tile that holds all.
  for (const std::size_t bytes :
       {std::size_t(1), std::size_t(5000), n * m * 800})
    CHECK(same_bits(
      galerkin(A, P, ProductAlgorithm::schedule, FusedOrder::natural, bytes),
      reference));

  CHECK(same_bits(galerkin(A, P, ProductAlgorithm::fused), fused));
  for (const auto order :
       {FusedOrder::natural, FusedOrder::minimum_fine_index, FusedOrder::rcm})
    CHECK(
      same_bits(galerkin(A, P, ProductAlgorithm::fused_ordered, order), fused));
  CHECK(relative_difference(fused, reference) < tolerance);

  const auto C = galerkin(A, P, ProductAlgorithm::outer_product);
  CHECK(C.pattern() == reference.pattern());
  CHECK(outer.pattern() == reference.pattern());
  CHECK(same_bits(C, outer));
  CHECK(relative_difference(C, reference) < tolerance);
}

int
main()
{
  std::mt19937 random(1);
  for (int fine = 1; fine <= 6; ++fine)
    for (int coarse = 1; coarse <= 6; ++coarse)
      {
        // Round-off of sums of some hundred terms.
        check_all(Problem<double>(24, 7, fine, coarse, random), 1e-14);
        check_all(Problem<float>(24, 7, fine, coarse, random), 1e-5);
      }

  // Degenerate sizes: no coarse rows, no rows at all, one of each.
  check_all(Problem<double>(8, 0, 3, 6, random), 1e-14);
  check_all(Problem<double>(0, 0, 3, 6, random), 1e-14);
  check_all(Problem<double>(1, 1, 3, 6, random), 1e-14);

  // Rows of A_c of more than 2^8 blocks, and of W as well: positions of two
  // bytes; of A_c only: one and two.
  check_all(Problem<double>(20, 300, 1, 1, random), 1e-14);
  {
    std::vector<std::vector<LocalIndex>> A(400), P(400);
    for (LocalIndex i = 0; i < 400; ++i)
      {
        A[i] = {i};
        P[i] = {0, i + 1};
      }
    Problem<double> problem(1, 1, 1, 1, random);
    problem.A = BlockMatrix<double>(make_pattern(A, 400), {1, 1});
    problem.P = BlockMatrix<double>(make_pattern(P, 401), {1, 2});
    set_random(problem.A, random);
    set_random(problem.P, random);
    check_all(problem, 1e-14);
    const GalerkinProduct<double> product(problem.A.pattern(),
                                          problem.P.pattern(),
                                          1,
                                          2);
    CHECK_EQUAL(product.sizes().position_bytes_W, 1);
    CHECK_EQUAL(product.sizes().position_bytes_C, 2);
  }

  // A row of W of more than 2^16 blocks: positions of four bytes. The row of P
  // that is as wide belongs to an empty row of A, or A_c would be full.
  {
    const LocalIndex                     n = 70000;
    std::vector<std::vector<LocalIndex>> A{{1}, {}, {0, 1, 2}}, P(3);
    for (LocalIndex j = 0; j < n; ++j)
      P[1].push_back(j);
    P[2] = {3, n - 1};
    BlockMatrix<double> a(make_pattern(A, 3), {1, 1});
    BlockMatrix<double> p(make_pattern(P, n), {1, 1});
    set_random(a, random);
    set_random(p, random);
    const GalerkinProduct<double> product(a.pattern(), p.pattern(), 1, 1);
    CHECK_EQUAL(product.sizes().position_bytes_W, 4);
    CHECK(same_bits(galerkin(a, p, ProductAlgorithm::cached_positions),
                    galerkin(a, p, ProductAlgorithm::two_pass)));
  }

  // Windows of more than 2^16 blocks in a tile: offsets of 32 bits.
  {
    const LocalIndex                     n = 70000;
    std::vector<std::vector<LocalIndex>> A(n), P(n);
    for (LocalIndex i = 0; i < n; ++i)
      {
        A[i] = {i};
        P[i] = {i % 3};
      }
    BlockMatrix<float> a(make_pattern(A, n), {1, 1});
    BlockMatrix<float> p(make_pattern(P, 3), {1, 1});
    set_random(a, random);
    set_random(p, random);
    const auto C = galerkin(a, p, ProductAlgorithm::two_pass);
    CHECK(same_bits(C, galerkin(a, p, ProductAlgorithm::schedule)));
    CHECK(same_bits(C, galerkin(a, p, ProductAlgorithm::tiled)));
  }

  // Float and double of the same numbers.
  {
    Problem<double>    problem(40, 9, 3, 6, random);
    BlockMatrix<float> A(problem.A.pattern(), {3, 3});
    BlockMatrix<float> P(problem.P.pattern(), {3, 6});
    std::copy_n(problem.A.values(), A.n_values(), A.values_to_write());
    std::copy_n(problem.P.values(), P.n_values(), P.values_to_write());
    const auto   algorithm = ProductAlgorithm::cached_positions;
    const double difference =
      relative_difference(galerkin(A, P, algorithm),
                          galerkin(problem.A, problem.P, algorithm));
    CHECK(difference < 1e-6);
    CHECK(difference > 1e-9); // it was computed in float
  }
  return check::result();
}
