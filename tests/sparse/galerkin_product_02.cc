// SPDX-License-Identifier: LGPL-2.1-or-later
// Products are repeated with other values, and on parts of a matrix with
// ghosts; what they were not made for is refused.
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/coarse_order.h>
#include <tessera/sparse/product/galerkin_product.h>

#include <numeric>

#include "check.h"
#include "product_problem.h"

using namespace product_problem;
using tessera::InputError;

const std::vector<ProductAlgorithm> algorithms = {
  ProductAlgorithm::two_pass,
  ProductAlgorithm::fused,
  ProductAlgorithm::fused_ordered,
  ProductAlgorithm::tiled,
  ProductAlgorithm::schedule,
  ProductAlgorithm::outer_product,
  ProductAlgorithm::cached_positions};

bool
contains(const std::string &text, const std::string &part)
{
  const bool found = text.find(part) != std::string::npos;
  if (!found)
    std::cerr << "no '" << part << "' in: " << text << std::endl;
  return found;
}

BlockMatrix<double>
random_matrix(const LocalIndex n_rows,
              const LocalIndex n_columns,
              const BlockShape shape,
              std::mt19937    &random)
{
  BlockMatrix<double> A(
    make_pattern(random_rows(n_rows, n_columns, 0.2, random), n_columns),
    shape);
  set_random(A, random);
  return A;
}

BlockMatrix<double>
galerkin(GalerkinProduct<double>   &product,
         const BlockMatrix<double> &A,
         const BlockMatrix<double> &P)
{
  BlockMatrix<double> C(product.pattern(), product.shape());
  poison(C);
  product.multiply(A, P, C);
  return C;
}

ProductOptions
options_for(const ProductAlgorithm algorithm)
{
  ProductOptions options;
  options.algorithm   = algorithm;
  options.fused_order = FusedOrder::rcm;
  return options;
}

void
test_refreshed_values()
{
  std::mt19937 random(2);
  auto         A = random_matrix(30, 30, {3, 3}, random);
  auto         P = random_matrix(30, 8, {3, 6}, random);
  auto         Q = P.copy(); // other values in the same pattern
  set_random(Q, random);
  for (const auto algorithm : algorithms)
    {
      const auto fresh = [&](const BlockMatrix<double> &prolongator) {
        GalerkinProduct<double> product(
          A.pattern(), P.pattern(), 3, 6, options_for(algorithm));
        return galerkin(product, A, prolongator);
      };
      GalerkinProduct<double> product(
        A.pattern(), P.pattern(), 3, 6, options_for(algorithm));
      const auto first = galerkin(product, A, P);
      CHECK(same_bits(galerkin(product, A, P), first));

      set_random(A, random);
      const auto second = galerkin(product, A, P);
      CHECK(!same_bits(second, first));
      CHECK(same_bits(second, fresh(P)));

      set_random(P, random);
      const auto third = galerkin(product, A, P);
      CHECK(!same_bits(third, second));
      CHECK(same_bits(third, fresh(P)));

      // Another matrix of the same pattern, and back.
      CHECK(same_bits(galerkin(product, A, Q), fresh(Q)));
      CHECK(same_bits(galerkin(product, A, P), third));
    }
}

/** Rows of a matrix are dealt out to three ranks; each numbers its columns with
 * its own ones first. What they contribute adds up to the whole product. */
void
test_ghost_columns()
{
  std::mt19937     random(3);
  const LocalIndex n = 27, m = 7;
  const auto       A     = random_matrix(n, n, {3, 3}, random);
  const auto       P     = random_matrix(n, m, {3, 6}, random);
  const auto       whole = dense(multiply(transpose(P), multiply(A, P)));

  for (const auto algorithm : algorithms)
    {
      std::vector<long double> sum(whole.size(), 0.L);
      for (LocalIndex rank = 0; rank < 3; ++rank)
        {
          const LocalIndex        first = 9 * rank, end = 9 * (rank + 1);
          std::vector<LocalIndex> global(9);
          std::iota(global.begin(), global.end(), first);
          for (LocalIndex j = 0; j < n; ++j)
            {
              bool used = false;
              for (LocalIndex i = first; i < end; ++i)
                used = used || A.pattern().find(i, j) >= 0;
              if (used && (j < first || j >= end))
                global.push_back(j);
            }
          std::vector<LocalIndex> local(n, -1);
          for (std::size_t l = 0; l < global.size(); ++l)
            local[global[l]] = l;

          std::vector<std::vector<LocalIndex>> rows_A(9), rows_P;
          for (LocalIndex i = 0; i < 9; ++i)
            {
              for (LocalIndex j = 0; j < n; ++j)
                if (A.pattern().find(first + i, j) >= 0)
                  rows_A[i].push_back(local[j]);
              std::sort(rows_A[i].begin(), rows_A[i].end());
            }
          for (const LocalIndex g : global)
            rows_P.emplace_back(P.pattern().column_indices() +
                                  P.pattern().row_begin()[g],
                                P.pattern().column_indices() +
                                  P.pattern().row_begin()[g + 1]);

          BlockMatrix<double> local_A(make_pattern(rows_A, global.size()),
                                      {3, 3});
          BlockMatrix<double> local_P(make_pattern(rows_P, m), {3, 6});
          double             *a = local_A.values_to_write();
          for (LocalIndex i = 0; i < 9; ++i)
            for (const LocalIndex l : rows_A[i])
              a = std::copy_n(A.block(A.pattern().find(first + i, global[l])),
                              9,
                              a);
          double *p = local_P.values_to_write();
          for (std::size_t l = 0; l < global.size(); ++l)
            for (const LocalIndex j : rows_P[l])
              p = std::copy_n(P.block(P.pattern().find(global[l], j)), 18, p);

          GalerkinProduct<double> product(
            local_A.pattern(), local_P.pattern(), 3, 6, options_for(algorithm));
          CHECK_EQUAL(product.pattern().n_rows(), m);
          const auto part = dense(galerkin(product, local_A, local_P));
          for (std::size_t e = 0; e < sum.size(); ++e)
            sum[e] += part[e];

          // A P of the owned rows.
          MatrixProduct<double> rows_of_W(local_A.pattern(),
                                          {3, 3},
                                          local_P.pattern(),
                                          {3, 6});
          BlockMatrix<double>   W(rows_of_W.pattern(), rows_of_W.shape());
          rows_of_W.multiply(local_A, local_P, W);
          const auto all_rows = multiply(A, P);
          const auto offset   = all_rows.pattern().row_begin()[first];
          CHECK_EQUAL(W.pattern().n_blocks(),
                      std::size_t(all_rows.pattern().row_begin()[end] -
                                  offset));
          // Sums are in another order: that of the local columns.
          double difference = 0;
          for (std::size_t e = 0; e < W.n_values(); ++e)
            difference =
              std::max(difference,
                       std::abs(W.values()[e] - all_rows.block(offset)[e]));
          CHECK(difference < 1e-14);
        }
      CHECK(dense_difference(sum, whole) < 1e-14);
    }
}

void
test_refused()
{
  std::mt19937 random(4);
  const auto   A     = random_matrix(12, 12, {3, 3}, random);
  const auto   P     = random_matrix(12, 5, {3, 6}, random);
  const auto   other = random_matrix(11, 5, {3, 6}, random);
  using Product      = GalerkinProduct<double>;

  auto message =
    CHECK_THROWS(InputError, Product(A.pattern(), other.pattern(), 3, 6));
  CHECK(contains(message, "12 block columns"));
  CHECK(contains(message, "P 11 block rows"));
  message =
    CHECK_THROWS(InputError,
                 Product(random_matrix(13, 12, {3, 3}, random).pattern(),
                         P.pattern(),
                         3,
                         6));
  CHECK(contains(message, "13 block rows"));
  message = CHECK_THROWS(InputError, Product(A.pattern(), P.pattern(), 3, 7));
  CHECK(contains(message, "P has blocks of 3 x 7"));
  message = CHECK_THROWS(InputError, Product(A.pattern(), P.pattern(), 0, 6));
  CHECK(contains(message, "A has blocks of 0 x 0"));

  for (const auto algorithm : algorithms)
    {
      Product product(A.pattern(), P.pattern(), 3, 6, options_for(algorithm));
      BlockMatrix<double>       C(product.pattern(), product.shape());
      const BlockMatrix<double> square(P.pattern(), {3, 3});
      message = CHECK_THROWS(InputError, product.multiply(A, square, C));
      CHECK(contains(message, "P has blocks of 3 x 3"));
      CHECK(contains(message, "made for 3 x 6"));
      message = CHECK_THROWS(InputError, product.multiply(A, other, C));
      CHECK(contains(message, "P has 11 block rows"));
      const auto other_A = random_matrix(12, 12, {3, 3}, random);
      message = CHECK_THROWS(InputError, product.multiply(other_A, P, C));
      CHECK(contains(message, "A has 12 block rows"));
      CHECK(contains(message, "another pattern"));
      BlockMatrix<double> wrong(A.pattern(), {6, 6});
      message = CHECK_THROWS(InputError, product.multiply(A, P, wrong));
      CHECK(contains(message, "A_c has 12 block rows"));
      // An equal pattern that is another object is right.
      BlockMatrix<double>       equal(make_pattern({}, 0), {3, 3});
      std::vector<std::int64_t> begin(A.pattern().row_begin(),
                                      A.pattern().row_begin() + 13);
      std::vector<LocalIndex>   columns(A.pattern().column_indices(),
                                      A.pattern().column_indices() +
                                        A.pattern().n_blocks());
      const IndexLayout         twelve(12);
      equal = BlockMatrix<double>(BlockPattern(twelve, twelve, begin, columns),
                                  {3, 3});
      std::copy_n(A.values(), A.n_values(), equal.values_to_write());
      product.multiply(A, P, C);
      CHECK(same_bits(galerkin(product, equal, P), C));
    }

  using Matrix = MatrixProduct<double>;
  message =
    CHECK_THROWS(InputError, Matrix(A.pattern(), {3, 3}, P.pattern(), {2, 6}));
  CHECK(contains(message, "blocks of A have 3 x 3"));
  message = CHECK_THROWS(InputError,
                         Matrix(A.pattern(), {3, 3}, other.pattern(), {3, 6}));
  CHECK(contains(message, "B 11 block rows"));
  for (const auto algorithm : {ProductAlgorithm::fused,
                               ProductAlgorithm::fused_ordered,
                               ProductAlgorithm::outer_product})
    {
      message = CHECK_THROWS(InputError,
                             Matrix(A.pattern(),
                                    {3, 3},
                                    P.pattern(),
                                    {3, 6},
                                    options_for(algorithm)));
      CHECK(contains(message, "'" + to_string(algorithm) + "'"));
    }
}

void
test_names()
{
  for (const auto algorithm : algorithms)
    CHECK(product_algorithm_from_string(to_string(algorithm)) == algorithm);
  CHECK(product_algorithm_from_string("auto") == ProductAlgorithm::automatic);
  const auto message =
    CHECK_THROWS(InputError, product_algorithm_from_string("two pass"));
  CHECK(contains(message, "'two pass'"));
  CHECK(contains(message, "'two-pass'"));
  CHECK(contains(message, "'cached positions'"));
  CHECK(fused_order_from_string("minimum fine index") ==
        FusedOrder::minimum_fine_index);
  CHECK(contains(CHECK_THROWS(InputError, fused_order_from_string("RCM")),
                 "'rcm'"));
}

void
test_choice()
{
  std::mt19937            random(5);
  const auto              A = random_matrix(40, 40, {3, 3}, random);
  const auto              P = random_matrix(40, 9, {3, 6}, random);
  GalerkinProduct<double> product(A.pattern(), P.pattern(), 3, 6);
  CHECK(product.algorithm() == ProductAlgorithm::cached_positions);
  CHECK(contains(product.description(), "cached positions ("));

  ProductOptions options;
  options.memory_limit = 100;
  GalerkinProduct<double> limited(A.pattern(), P.pattern(), 3, 6, options);
  CHECK(limited.algorithm() == ProductAlgorithm::fused);
  CHECK(contains(limited.description(), "not enough memory"));

  // What is kept: beside scratch and row lengths, a byte a product.
  const auto  &sizes = product.sizes();
  const double counted =
    product.memory_consumption() - product.traffic().footprint_bytes;
  CHECK(counted > 0);
  CHECK(counted < 8 * 40 + 8 * 3 * 8 * 9 + 1000);
  CHECK_EQUAL(product.traffic().footprint_bytes,
              sizes.n_products_W + sizes.n_products_C);
  GalerkinProduct<double> two_pass(
    A.pattern(), P.pattern(), 3, 6, options_for(ProductAlgorithm::two_pass));
  CHECK(two_pass.memory_consumption() >= two_pass.traffic().footprint_bytes);
  CHECK(two_pass.memory_consumption() >
        144 * (sizes.n_blocks_W + sizes.n_blocks_P));
}

void
test_coarse_order()
{
  // A chain whose links are numbered at random: RCM finds its order, from one
  // end to the other.
  const LocalIndex        n = 50;
  std::vector<LocalIndex> number(n), place(n);
  std::iota(number.begin(), number.end(), 0);
  std::mt19937 random(6);
  std::shuffle(number.begin(), number.end(), random);
  std::vector<std::vector<LocalIndex>> C(n), R(n);
  for (LocalIndex i = 0; i < n; ++i)
    {
      for (LocalIndex j = std::max(i - 1, 0); j <= std::min(i + 1, n - 1); ++j)
        C[number[i]].push_back(number[j]);
      std::sort(C[number[i]].begin(), C[number[i]].end());
      if (i > 0) // no fine rows at the beginning of the chain
        R[number[i]] = {2 * i, 2 * i + 5};
    }
  const auto graph = make_pattern(C, n);
  const auto rows  = make_pattern(R, 2 * n + 5);
  for (const auto order :
       {FusedOrder::natural, FusedOrder::minimum_fine_index, FusedOrder::rcm})
    {
      const auto result =
        coarse_order(order, n, compressed_rows(rows), compressed_rows(graph));
      CHECK_EQUAL(result.size(), std::size_t(n));
      std::fill(place.begin(), place.end(), -1);
      for (LocalIndex k = 0; k < n; ++k)
        place[result[k]] = k;
      CHECK(std::count(place.begin(), place.end(), -1) == 0);
      if (order == FusedOrder::natural)
        CHECK(std::is_sorted(result.begin(), result.end()));
      for (LocalIndex i = 0; i + 1 < n; ++i)
        {
          if (order == FusedOrder::rcm)
            CHECK_EQUAL(std::abs(place[number[i + 1]] - place[number[i]]), 1);
          if (order == FusedOrder::minimum_fine_index)
            CHECK_EQUAL(place[number[i]], i == 0 ? n - 1 : i - 1);
        }
    }
}

int
main()
{
  test_refreshed_values();
  test_ghost_columns();
  test_refused();
  test_names();
  test_choice();
  test_coarse_order();
  return check::result();
}
