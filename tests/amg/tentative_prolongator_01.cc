// SPDX-License-Identifier: LGPL-2.1-or-later
// Tentative prolongators reproduce the modes and have orthonormal columns, also
// where aggregates cannot tell modes apart.
#include <tessera/amg/tentative_prolongator.h>
#include <tessera/base/exceptions.h>

#include <string>

#include "amg/amg_test.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  /** Each node in one of n_aggregates, or in none. */
  Aggregates
  random_aggregates(std::mt19937    &random,
                    const LocalIndex n,
                    const LocalIndex n_aggregates)
  {
    Aggregates result;
    for (LocalIndex i = 0; i < n; ++i)
      result.aggregate_of_node.push_back(
        i < n_aggregates ? i : LocalIndex(random() % (n_aggregates + 1)) - 1);
    for (LocalIndex a = 0; a < n_aggregates; ++a)
      result.roots.push_back(a);
    return result;
  }

  /** What holds for all; returns for each aggregate how many coarse components
   * take part. */
  std::vector<int>
  check_properties(const Aggregates &aggregates, const NearNullSpace &B)
  {
    const IndexLayout         &layout = B.layout();
    const int                  b = B.block_size(), q = B.n_modes();
    const TentativeProlongator result =
      tentative_prolongator(layout, aggregates, B);
    const LocalIndex n_aggregates = aggregates.n_aggregates();
    CHECK(result.P.shape() == (BlockShape{b, q}));
    CHECK_EQUAL(result.P.pattern().n_columns(), n_aggregates);
    CHECK_EQUAL(result.coarse_modes.block_size(), q);
    CHECK_EQUAL(result.coarse_modes.n_modes(), q);
    CHECK_EQUAL(result.coarse_modes.layout().n_owned(), n_aggregates);

    for (LocalIndex i = 0; i < layout.n_owned(); ++i)
      {
        const std::int64_t *begin = result.P.pattern().row_begin();
        const LocalIndex    a     = aggregates.aggregate_of_node[i];
        CHECK_EQUAL(begin[i + 1] - begin[i], a < 0 ? 0 : 1);
        CHECK(a < 0 || result.P.pattern().column_indices()[begin[i]] == a);
      }

    DenseMatrix       expected = dense(B);
    const double      size     = largest_entry(expected);
    const DenseMatrix P = dense(result.P), B_c = dense(result.coarse_modes);
    for (LocalIndex i = 0; i < layout.n_owned(); ++i)
      if (aggregates.aggregate_of_node[i] < 0)
        for (int r = 0; r < b; ++r)
          for (int c = 0; c < q; ++c)
            expected(i * b + r, c) = 0.;
    CHECK(largest_difference(P * B_c, expected) <= 1e-13 * size);

    std::vector<int> n_active(n_aggregates, 0);
    DenseMatrix      identity(n_aggregates * q, n_aggregates * q);
    for (LocalIndex a = 0; a < n_aggregates; ++a)
      for (int c = 0; c < q; ++c)
        {
          const int  row       = a * q + c;
          const bool is_active = !result.inactive.is_inactive(a, c);
          n_active[a] += is_active;
          identity(row, row) = is_active;
          for (int d = 0; d < q; ++d)
            {
              if (d < c)
                CHECK_EQUAL(B_c(row, d), 0.);
              if (!is_active)
                CHECK_EQUAL(B_c(row, d), 0.);
            }
          CHECK(!is_active || B_c(row, c) > 0.);
          for (std::size_t i = 0; i < P.n_rows() && !is_active; ++i)
            CHECK_EQUAL(P(i, row), 0.);
        }
    CHECK(largest_difference(transpose(P) * P, identity) < 1e-14);
    return n_active;
  }

  void
  check_random_modes()
  {
    std::mt19937 random(1);
    for (const int b : {1, 2, 3, 4, 6})
      for (const int q : {1, 2, 3, 5, 6})
        {
          const LocalIndex n = 60, n_aggregates = 5;
          const Aggregates aggregates =
            random_aggregates(random, n, n_aggregates);
          const std::vector<int> n_active =
            check_properties(aggregates,
                             random_modes(random, IndexLayout(n), b, q));
          CHECK(n_active == std::vector<int>(n_aggregates, q));
        }
  }

  /** Aggregates of given nodes among n_nodes. */
  Aggregates
  aggregates_of(const LocalIndex                            n_nodes,
                const std::vector<std::vector<LocalIndex>> &sets)
  {
    Aggregates result;
    result.aggregate_of_node.resize(n_nodes, -1);
    for (const std::vector<LocalIndex> &set : sets)
      {
        for (const LocalIndex i : set)
          result.aggregate_of_node[i] = result.n_aggregates();
        result.roots.push_back(set[0]);
      }
    return result;
  }

  /** One node, two, three on a line, three in a triangle, and a tetrahedron. */
  void
  check_rigid_modes()
  {
    std::mt19937        random(2);
    const LocalIndex    n      = 13;
    std::vector<double> points = random_points(random, n, 3);
    for (int d = 0; d < 3; ++d)
      points[5 * 3 + d] = 0.25 * points[3 * 3 + d] + 0.75 * points[4 * 3 + d];
    const Aggregates aggregates =
      aggregates_of(n, {{0}, {1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11, 12}});
    CHECK(check_properties(aggregates,
                           rigid_body_modes(IndexLayout(n), 3, points)) ==
          (std::vector<int>{3, 5, 5, 6, 6}));

    std::vector<double> plane;
    for (LocalIndex i = 0; i < n; ++i)
      for (int d = 0; d < 2; ++d)
        plane.push_back(points[i * 3 + d]);
    CHECK(check_properties(aggregates,
                           rigid_body_modes(IndexLayout(n), 2, plane)) ==
          (std::vector<int>{2, 3, 3, 3, 3}));

    // A node that a mode leaves where it is: in the centre.
    std::vector<double> centred = {
      1, 1, 0, -1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, -1};
    CHECK(check_properties(aggregates_of(5, {{2}, {0, 1, 3, 4}}),
                           rigid_body_modes(IndexLayout(5), 3, centred)) ==
          (std::vector<int>{3, 6}));
  }

  /** A column that depends on those before must not spoil those behind. */
  void
  check_dependent_columns()
  {
    std::mt19937      random(3);
    const LocalIndex  n = 20;
    const IndexLayout layout(n);
    const Aggregates  aggregates = random_aggregates(random, n, 3);
    for (const int dependent : {0, 1, 2, 3})
      {
        NearNullSpace B = random_modes(random, layout, 3, 4);
        for (int i = 0; i < n * 3; ++i)
          {
            double *const row = B.data() + i * 4;
            row[dependent]    = dependent == 0 ? 0. : 0.5 * row[0];
            if (dependent > 1)
              row[dependent] -= 2. * row[dependent - 1];
          }
        CHECK(check_properties(aggregates, B) == std::vector<int>(3, 3));
      }
    // Two of them; nothing but zeros.
    NearNullSpace B = random_modes(random, layout, 2, 5);
    for (int i = 0; i < n * 2; ++i)
      {
        B.data()[i * 5 + 1] = B.data()[i * 5];
        B.data()[i * 5 + 3] = B.data()[i * 5 + 2] - B.data()[i * 5 + 1];
      }
    CHECK(check_properties(aggregates, B) == std::vector<int>(3, 3));
    CHECK(check_properties(aggregates, NearNullSpace(layout, 2, 3)) ==
          std::vector<int>(3, 0));
  }

  /** Rows of constrained components are zero in P, too. */
  void
  check_inactive_rows()
  {
    std::mt19937       random(4);
    const LocalIndex   n = 12;
    InactiveComponents inactive(n);
    for (LocalIndex i = 0; i < n; ++i)
      inactive.set(i, 2);
    NearNullSpace B =
      rigid_body_modes(IndexLayout(n), 3, random_points(random, n, 3));
    remove_inactive(inactive, B);
    // Three motions in the plane, and two rotations out of it that move nodes
    // in it by their distance from it.
    const Aggregates aggregates = random_aggregates(random, n, 2);
    CHECK(check_properties(aggregates, B) == (std::vector<int>{5, 5}));
    const DenseMatrix P =
      dense(tentative_prolongator(B.layout(), aggregates, B).P);
    for (LocalIndex i = 0; i < n; ++i)
      for (std::size_t c = 0; c < P.n_columns(); ++c)
        CHECK(std::abs(P(i * 3 + 2, c)) < 1e-15);
  }

  void
  check_scales()
  {
    // Modes of any size, all alike.
    std::mt19937     random(5);
    const LocalIndex n          = 20;
    const Aggregates aggregates = random_aggregates(random, n, 3);
    for (const double scale : {1e-150, 1e-20, 1e20, 1e150})
      {
        NearNullSpace B = random_modes(random, IndexLayout(n), 2, 3);
        for (int v = 0; v < n * 6; ++v)
          B.data()[v] *= scale;
        CHECK(check_properties(aggregates, B) == std::vector<int>(3, 3));
      }
  }

  void
  check_errors()
  {
    std::mt19937     random(6);
    const Aggregates aggregates = random_aggregates(random, 10, 2);
    CHECK_THROWS(
      InputError,
      tentative_prolongator(IndexLayout(10),
                            aggregates,
                            random_modes(random, IndexLayout(11), 2, 3)));
    const std::string message = CHECK_THROWS(
      InputError,
      tentative_prolongator(IndexLayout(11),
                            aggregates,
                            random_modes(random, IndexLayout(11), 2, 3)));
    CHECK(message.find("aggregates of 10") != std::string::npos);
  }
} // namespace

int
main()
{
  check_random_modes();
  check_rigid_modes();
  check_dependent_columns();
  check_inactive_rows();
  check_scales();
  check_errors();
  return check::result();
}
