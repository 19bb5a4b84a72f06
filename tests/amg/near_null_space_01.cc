// SPDX-License-Identifier: LGPL-2.1-or-later
// Rigid-body modes need no force, are orthonormal, and have the same bits
// however nodes are distributed; keys do not depend on numbers or rounding.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>

#include <set>
#include <string>

#include "amg/amg_test.h"
#include "brick/brick_matrix.h"
#include "check.h"

namespace
{
  using namespace amg_test;

  /** The part of a rank of [node][dim], and its layout. */
  struct Part
  {
    IndexLayout         layout;
    std::vector<double> coordinates;
  };

  Part
  part_of(const Communicator        &communicator,
          const std::vector<double> &coordinates,
          const int                  dim)
  {
    std::mt19937                     random(3);
    const std::vector<std::uint64_t> counts =
      sparse_test::random_partition(random,
                                    coordinates.size() / dim,
                                    communicator.n_ranks());
    Part       result{sparse_test::layout_of(communicator, counts), {}};
    const auto begin = coordinates.begin() + result.layout.first_owned() * dim;
    result.coordinates.assign(begin, begin + result.layout.n_owned() * dim);
    return result;
  }

  void
  check_orthonormal(const DenseMatrix &B, const double tolerance)
  {
    CHECK(largest_difference(transpose(B) * B, identity_matrix(B.n_columns())) <
          tolerance);
  }

  void
  check_springs(const int dim)
  {
    std::mt19937        random(1);
    const LocalIndex    n      = 30;
    std::vector<double> points = random_points(random, n, dim);
    // Somewhere, of some size.
    for (double &x : points)
      x = 1e3 * x + 2e3;
    const IndexLayout   layout(n);
    const NearNullSpace B = rigid_body_modes(layout, dim, points);
    CHECK_EQUAL(B.n_modes(), dim == 2 ? 3 : 6);
    CHECK_EQUAL(B.block_size(), dim);
    const DenseMatrix modes = dense(B);
    check_orthonormal(modes, 1e-14);
    const DenseMatrix K =
      dense(block_matrix(springs(points, dim, chain_of_pairs(n, 5))));
    CHECK(largest_entry(K * modes) < 1e-13);
    CHECK(largest_entry(K) > 1.);
    // Translations first, then rotations about the axes, up to combinations
    // with those before.
    for (int d = 0; d < dim; ++d)
      for (LocalIndex i = 0; i < n; ++i)
        for (int r = 0; r < dim; ++r)
          CHECK_NEAR(modes(i * dim + r, d),
                     r == d ? 1. / std::sqrt(double(n)) : 0.,
                     1e-15);
  }

  void
  check_beam()
  {
    for (const int degree : {1, 2})
      {
        const brick::Brick        body{{{4, 2, 2}}, 0.5, degree, false};
        const BlockMatrix<double> A =
          brick::brick_matrix(body, 3, brick::elasticity(body));
        const DenseMatrix modes = dense(
          rigid_body_modes(A.pattern().columns(), 3, brick::coordinates(body)));
        check_orthonormal(modes, 1e-14);
        CHECK(largest_entry(dense(A) * modes) < 1e-14);
      }
  }

  void
  check_distribution(const Communicator &communicator)
  {
    for (const int dim : {2, 3})
      {
        std::mt19937              random(2);
        const LocalIndex          n      = 41;
        const std::vector<double> points = random_points(random, n, dim);
        const NearNullSpace all = rigid_body_modes(IndexLayout(n), dim, points);
        const std::vector<std::uint64_t> keys =
          keys_of_coordinates(IndexLayout(n), dim, points);

        const Part          own = part_of(communicator, points, dim);
        const NearNullSpace B =
          rigid_body_modes(own.layout, dim, own.coordinates);
        const std::vector<std::uint64_t> own_keys =
          keys_of_coordinates(own.layout, dim, own.coordinates);
        const std::size_t size  = std::size_t(dim) * B.n_modes();
        const std::size_t first = own.layout.first_owned();
        CHECK(std::equal(B.data(),
                         B.data() + own.layout.n_owned() * size,
                         all.data() + first * size));
        CHECK(
          std::equal(own_keys.begin(), own_keys.end(), keys.begin() + first));
        CHECK_EQUAL(own_keys.size(), std::size_t(own.layout.n_owned()));
      }
  }

  void
  check_keys()
  {
    // A lattice, its mirror image in numbering, and with rounding errors.
    std::vector<double> points;
    const int           n = 7;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        {
          points.push_back(a / 6.);
          points.push_back(-3. + b / 12.);
        }
    const IndexLayout                layout(n * n);
    const std::vector<std::uint64_t> keys =
      keys_of_coordinates(layout, 2, points);
    CHECK_EQUAL(std::set<std::uint64_t>(keys.begin(), keys.end()).size(),
                std::size_t(n * n));

    std::mt19937        random(5);
    std::vector<double> moved;
    for (int i = n * n - 1; i >= 0; --i)
      for (int d = 0; d < 2; ++d)
        moved.push_back(points[2 * i + d] *
                        (1. + 1e-15 * random_value(random)));
    std::vector<std::uint64_t> other = keys_of_coordinates(layout, 2, moved);
    std::reverse(other.begin(), other.end());
    CHECK(other == keys);

    // The unit does not matter; a place does.
    for (double &x : points)
      x *= 1e-3;
    CHECK(keys_of_coordinates(layout, 2, points) == keys);
    points[10] += 1e-3 / 1000.;
    CHECK(keys_of_coordinates(layout, 2, points) != keys);

    CHECK(keys_of_coordinates(IndexLayout(2), 1, {5., 5.}) ==
          std::vector<std::uint64_t>(2, 0));
    const IndexLayout three(3);
    CHECK(keys_of_numbers(three) == (std::vector<std::uint64_t>{0, 1, 2}));
  }

  void
  check_constants()
  {
    const NearNullSpace B = constant_modes(IndexLayout(4), 3);
    for (int i = 0; i < 4; ++i)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          CHECK_EQUAL(B.data()[(i * 3 + r) * 3 + c], r == c ? 1. : 0.);
    CHECK(largest_difference(dense(B), dense(B.copy())) == 0.);
    CHECK_EQUAL(B.memory_consumption(), 36 * sizeof(double));
  }

  void
  check_errors()
  {
    const auto fails =
      [](const int dim, const std::vector<double> &points, const char *text) {
        const IndexLayout layout(points.size() / std::max(1, dim));
        const std::string message =
          CHECK_THROWS(InputError, rigid_body_modes(layout, dim, points));
        CHECK(message.find(text) != std::string::npos);
      };
    fails(1, {0., 1.}, "1 dimensions");
    fails(4, {0., 1., 2., 3.}, "4 dimensions");
    fails(2, {0., 1., 2., NAN}, "Coordinate 1 of node 1");
    fails(2, {3., 3., 3., 3.}, "in one point");
    fails(3, {1., 2., 3.}, "in one point");
    fails(3, {1., 2., 3., 2., 4., 7., 3., 6., 11.}, "on a line");
    fails(3, {}, "0 nodes");
    // Two nodes are enough in 2D, and three in 3D.
    check_orthonormal(dense(rigid_body_modes(IndexLayout(2), 2, {0, 0, 1, 1})),
                      1e-14);
    check_orthonormal(
      dense(rigid_body_modes(IndexLayout(3), 3, {0, 0, 0, 1, 1, 0, 0, 1, 1})),
      1e-14);
    // As thin as a wire.
    std::vector<double> wire;
    for (int i = 0; i < 20; ++i)
      for (const double x : {1. * i, 1e-5 * (i % 2), 1e-5 * (i % 3)})
        wire.push_back(x);
    check_orthonormal(dense(rigid_body_modes(IndexLayout(20), 3, wire)), 1e-6);

    CHECK_THROWS(InputError, rigid_body_modes(IndexLayout(3), 2, {0., 1.}));
    CHECK_THROWS(InputError, keys_of_coordinates(IndexLayout(3), 2, {0., 1.}));
    CHECK_THROWS(InputError,
                 keys_of_coordinates(IndexLayout(1), 1, {INFINITY}));
    CHECK_THROWS(InputError, NearNullSpace(IndexLayout(3), 7, 1));
    CHECK_THROWS(InputError, NearNullSpace(IndexLayout(3), 1, 0));
  }
} // namespace

int
main(int argc, char **argv)
{
  tessera::CommunicationSession session(argc, argv);
  check_springs(2);
  check_springs(3);
  check_beam();
  check_distribution(Communicator::world());
  check_keys();
  check_constants();
  check_errors();
  return check::result();
}
