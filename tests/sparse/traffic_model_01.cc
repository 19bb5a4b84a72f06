// SPDX-License-Identifier: LGPL-2.1-or-later
// The traffic model gives the published predictions for the published sizes
// (arXiv:2607.28891, Tables 2, 3, and 6, section 3.4), and what it counts are
// the numbers of loops that are written down.
#include <tessera/sparse/product/galerkin_product.h>
#include <tessera/sparse/product/traffic_model.h>

#include <functional>

#include "check.h"
#include "product_problem.h"

using namespace tessera::sparse;

/** A printed number, and half a unit of its last digit. */
struct Printed
{
  double value;
  double half_unit;
};

/** Sizes of a product: Table 2. */
struct Row
{
  int     fine, coarse;
  Printed n_fine_rows, n_A, n_P, per_row, n_W, n_coarse_rows, n_C;
};

constexpr Row table_2[] = {{3,
                            6,
                            {348480, 0},
                            {21.23e6, .005e6},
                            {1.66e6, .005e6},
                            {4.76, .005},
                            {7.27e6, .005e6},
                            {7243, 0},
                            {627e3, .5e3}},
                           {6,
                            6,
                            {7243, 0},
                            {627e3, .5e3},
                            {51.6e3, .05e3},
                            {7.12, .005},
                            {376e3, .5e3},
                            {1125, 0},
                            {127e3, .5e3}},
                           {6,
                            6,
                            {1125, 0},
                            {127e3, .5e3},
                            {8970, 5},
                            {7.97, .005},
                            {29.4e3, .05e3},
                            {98, 0},
                            {3770, 5}}};

/** side = -1, 0, 1: the smallest sizes that are printed like this, the printed
 * ones, the largest. */
ProductSizes
sizes_of(const Row &row, const double side)
{
  const auto at = [&](const Printed &p) {
    return p.value + side * p.half_unit;
  };
  return estimate_sizes(row.fine,
                        row.coarse,
                        8,
                        at(row.n_fine_rows),
                        at(row.n_coarse_rows),
                        at(row.n_A),
                        at(row.n_P),
                        at(row.n_W),
                        at(row.n_C),
                        at(row.per_row));
}

double
floor_of(const ProductSizes &s, const ProductAlgorithm algorithm)
{
  return traffic(s, algorithm).floor_bytes * 1e-9;
}

/** The line of a table: f of the printed sizes agrees with the printed number
 * to its last digit, but for what the sizes are rounded by. */
void
check_line(const char                                        *name,
           const std::function<double(const ProductSizes &)> &f,
           const Printed (&printed)[3])
{
  for (int level = 0; level < 3; ++level)
    {
      const double low      = f(sizes_of(table_2[level], -1));
      const double here     = f(sizes_of(table_2[level], 0));
      const double high     = f(sizes_of(table_2[level], 1));
      const auto  &p        = printed[level];
      const double roundoff = 1e-12 * p.value;
      check::record(low <= p.value + p.half_unit + roundoff &&
                      high >= p.value - p.half_unit - roundoff,
                    name,
                    __FILE__,
                    __LINE__);
      // The interval must not be so wide that the check is worth nothing. (Two
      // numbers round to a neighbour: 76.54 for 76.6, 0.13497 for 0.14.)
      const bool close = std::abs(here - p.value) <= 1.2 * p.half_unit;
      check::record(close, name, __FILE__, __LINE__);
      if (!close)
        std::cerr << name << ' ' << level << ": " << here << ", printed "
                  << p.value << std::endl;
    }
}

void
test_table_3()
{
  using A               = ProductAlgorithm;
  const auto floor_line = [](const A algorithm) {
    return [=](const ProductSizes &s) { return floor_of(s, algorithm); };
  };
  check_line("V0 floor",
             floor_line(A::two_pass),
             {{4.28, .005}, {.46, .005}, {.060, .0005}});
  check_line("V1 floor",
             floor_line(A::fused),
             {{2.19, .005}, {.25, .005}, {.043, .0005}});
  check_line("V2c floor",
             [](const ProductSizes &s) { return tile_fusion_floor(s) * 1e-9; },
             {{2.63, .005}, {.30, .005}, {.053, .0005}});
  check_line("V4 floor",
             floor_line(A::outer_product),
             {{4.28, .005}, {.46, .005}, {.060, .0005}});
  check_line("V1 reads",
             [](const ProductSizes &s) {
               return traffic(s, A::fused).read_requests * 1e-9;
             },
             {{76.6, .05}, {10.4, .05}, {2.6, .05}});
  check_line("V4 updates",
             [](const ProductSizes &s) {
               return traffic(s, A::outer_product).update_requests * 1e-9;
             },
             {{19.9, .05}, {1.54, .005}, {.14, .005}});
  check_line("W footprint",
             [](const ProductSizes &s) {
               return traffic(s, A::outer_product).footprint_bytes * 1e-9;
             },
             {{1.05, .005}, {.108, .0005}, {.008, .0005}});
  check_line("schedule",
             [](const ProductSizes &s) { return schedule_bytes(s, 8) * 1e-9; },
             {{1.09, .005}, {.057, .0005}, {.010, .0005}});
  check_line("V0 flops",
             [](const ProductSizes &s) {
               return traffic(s, A::two_pass).flops * 1e-9;
             },
             {{18.4, .05}, {3.1, .05}, {.5, .05}});
}

void
test_fused_flops()
{
  // Published as n_P times the operations of two passes, where n_P is that of
  // Table 2 and not the ratio of rounded numbers of blocks.
  const double printed[3] = {87.5, 22.0, 4.3};
  for (int level = 0; level < 3; ++level)
    {
      const auto   s     = sizes_of(table_2[level], 0);
      const double flops = table_2[level].per_row.value *
                           traffic(s, ProductAlgorithm::two_pass).flops * 1e-9;
      CHECK(std::abs(flops - printed[level]) < .05);
      CHECK_NEAR(estimated_fused_flops(s) * 1e-9, flops, 2e-3);
    }
}

void
test_crossover()
{
  const auto   s         = sizes_of(table_2[0], 0);
  const double bandwidth = 1555e9, peak = 9.7e12;
  const auto   rounded = [](const double x) { return std::round(10 * x) / 10; };
  CHECK_EQUAL(rounded(fused_crossover(s, 4.38, bandwidth, peak)), 2.5);
  CHECK_EQUAL(rounded(fused_crossover(s, 2, bandwidth, peak)), 2.4);
  CHECK_EQUAL(rounded(fused_crossover_at(s, bandwidth, peak)), 1.5);
  // More operations a byte favour recomputation.
  CHECK(fused_crossover(s, 4.38, bandwidth, 2 * peak) >
        fused_crossover(s, 4.38, bandwidth, peak));
  // It solves the equation: n F(n) / peak = T(n) / bandwidth.
  const double n = fused_crossover(s, 4.38, bandwidth, peak);
  const double m = s.n_fine_rows;
  const double F = 2 * (54 * n * s.n_blocks_A + 108 * n * 4.38 * n * m);
  const double T =
    72 * s.n_blocks_A + 288 * n * m + 288 * 4.38 * n * m + 288 * s.n_blocks_C;
  CHECK_NEAR(n * F / peak / (T / bandwidth), 1., 1e-9);
}

void
test_table_6()
{
  const int         shapes[4][2] = {{1, 1}, {3, 3}, {3, 6}, {6, 6}};
  const std::size_t bytes[3]     = {48000, 64000, 164000};
  // The table has 227 for 6 x 6 at 64 KB: 65536 bytes, where all other entries
  // are of decimal kilobytes.
  const std::size_t capacity[4][3] = {{6000, 8000, 20500},
                                      {666, 888, 2277},
                                      {333, 444, 1138},
                                      {166, 222, 569}};
  for (int s = 0; s < 4; ++s)
    for (int b = 0; b < 3; ++b)
      CHECK_EQUAL(tile_capacity(bytes[b], shapes[s][0], shapes[s][1]),
                  capacity[s][b]);
  CHECK_EQUAL(tile_capacity(65536, 6, 6), std::size_t(227));
}

void
test_counted()
{
  using namespace product_problem;
  std::mt19937        random(7);
  BlockMatrix<double> A(make_pattern(random_rows(30, 30, 0.2, random), 30),
                        {3, 3});
  BlockMatrix<double> P(make_pattern(random_rows(30, 9, 0.3, random), 9),
                        {3, 6});
  const GalerkinProduct<double> product(A.pattern(), P.pattern(), 3, 6);
  const auto                   &s = product.sizes();
  const auto                    W = multiply(A, P);
  const auto                    R = transpose(P);

  // Count in the loops of the algorithms.
  const auto row = [](const BlockMatrix<double> &M, const LocalIndex i) {
    return std::vector<LocalIndex>(M.pattern().column_indices() +
                                     M.pattern().row_begin()[i],
                                   M.pattern().column_indices() +
                                     M.pattern().row_begin()[i + 1]);
  };
  double n_W = 0, n_C = 0, reads_A = 0, reads_P = 0;
  for (LocalIndex i = 0; i < 30; ++i)
    for (const LocalIndex k : row(A, i))
      n_W += row(P, k).size();
  for (LocalIndex I = 0; I < 9; ++I)
    for (const LocalIndex i : row(R, I))
      {
        n_C += row(W, i).size();
        for (const LocalIndex k : row(A, i))
          {
            reads_A += 1;
            reads_P += row(P, k).size();
          }
      }
  CHECK_EQUAL(s.n_products_W, n_W);
  CHECK_EQUAL(s.n_products_C, n_C);
  CHECK_EQUAL(s.n_fused_reads_A, reads_A);
  CHECK_EQUAL(s.n_fused_reads_P, reads_P);
  CHECK_EQUAL(s.n_blocks_A, double(A.pattern().n_blocks()));
  CHECK_EQUAL(s.n_blocks_P, double(P.pattern().n_blocks()));
  CHECK_EQUAL(s.n_blocks_W, double(W.pattern().n_blocks()));
  CHECK_EQUAL(s.n_blocks_C, double(product.pattern().n_blocks()));
  CHECK_EQUAL(s.n_coarse_rows, 9.);
  CHECK_EQUAL(s.number_bytes, 8);

  // Multiplications and additions of the two forms.
  CHECK_EQUAL(traffic(s, ProductAlgorithm::two_pass).flops,
              2 * (3 * 3 * 6 * n_W + 6 * 3 * 6 * n_C));
  CHECK_EQUAL(traffic(s, ProductAlgorithm::fused).flops,
              2 * (6 * 3 * 3 * reads_A + 6 * 3 * 6 * reads_P));
  // Float has half the bytes.
  const GalerkinProduct<float> single(A.pattern(), P.pattern(), 3, 6);
  CHECK_EQUAL(2 *
                traffic(single.sizes(), ProductAlgorithm::two_pass).floor_bytes,
              traffic(s, ProductAlgorithm::two_pass).floor_bytes);
}

void
test_choices()
{
  const auto   s     = sizes_of(table_2[0], 0);
  const double W     = 144 * s.n_blocks_W;
  const double lists = 24 * (s.n_products_W + s.n_products_C);
  using A            = ProductAlgorithm;
  CHECK(choose_device_algorithm(s, 40e9).algorithm == A::tiled);
  CHECK(choose_device_algorithm(s, W + lists + 1).algorithm == A::tiled);
  CHECK(choose_device_algorithm(s, W + lists - 1).algorithm == A::two_pass);
  CHECK(choose_device_algorithm(s, W).algorithm == A::two_pass);
  CHECK(choose_device_algorithm(s, W - 1).algorithm == A::fused);
  CHECK(!choose_device_algorithm(s, W - 1).reason.empty());
  CHECK(choose_portable_algorithm(true).algorithm == A::outer_product);
  CHECK(choose_portable_algorithm(false).algorithm == A::two_pass);
  const double positions = traffic(s, A::cached_positions).peak_bytes;
  CHECK(choose_algorithm(s, positions).algorithm == A::cached_positions);
  CHECK(choose_algorithm(s, positions - 1).algorithm == A::fused);
}

int
main()
{
  test_table_3();
  test_fused_flops();
  test_crossover();
  test_table_6();
  test_counted();
  test_choices();
  return check::result();
}
