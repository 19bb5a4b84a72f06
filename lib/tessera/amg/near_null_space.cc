// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/near_null_space.h>
#include <tessera/base/exact_sum.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      using Point = std::array<double, 3>;

      /** Rotation a of a node about the centroid: the axis in 3D, the only one
       * there is in 2D, where n_axes() is 1. */
      Point
      rotation(const int dim, const int axis, const Point &x)
      {
        if (dim == 2)
          return {{-x[1], x[0], 0.}};
        const int e = (axis + 1) % 3, f = (axis + 2) % 3;
        Point     result{};
        result[e] = -x[f];
        result[f] = x[e];
        return result;
      }

      int
      n_rotations(const int dim)
      {
        return dim == 2 ? 1 : 3;
      }

      void
      check_coordinates(const sparse::IndexLayout &layout,
                        const int                  dim,
                        const int                  min_dim,
                        const std::vector<double> &coordinates)
      {
        layout.communicator().collectively([&] {
          if (dim < min_dim || dim > 3)
            throw InputError("Coordinates of " + std::to_string(dim) +
                             " dimensions were given; there may be " +
                             std::to_string(min_dim) + " to 3.");
          if (coordinates.size() !=
              static_cast<std::size_t>(layout.n_owned()) * dim)
            throw InputError(std::to_string(coordinates.size()) +
                             " coordinates were given for " +
                             std::to_string(layout.n_owned()) + " nodes in " +
                             std::to_string(dim) +
                             " dimensions; each needs as many as there are "
                             "dimensions.");
          for (std::size_t v = 0; v < coordinates.size(); ++v)
            if (!std::isfinite(coordinates[v]))
              throw InputError("Coordinate " + std::to_string(v % dim) +
                               " of node " +
                               std::to_string(layout.global(
                                 static_cast<LocalIndex>(v / dim))) +
                               " is " + std::to_string(coordinates[v]) +
                               "; coordinates must be finite.");
        });
      }

      /** Sums over all nodes of f(i, sums), exact. */
      template <std::size_t n, typename F>
      std::array<double, n>
      sums_over_nodes(const sparse::IndexLayout &layout, const F &f)
      {
        std::array<ExactSum, n> sums;
        for (LocalIndex i = 0; i < layout.n_owned(); ++i)
          f(i, sums);
        std::array<double, n> result;
        for (std::size_t s = 0; s < n; ++s)
          {
            sums[s].sum(layout.communicator());
            result[s] = sums[s].value();
          }
        return result;
      }

      /** Coordinates relative to the centroid, divided by the largest one. */
      std::vector<Point>
      centred_points(const sparse::IndexLayout &layout,
                     const int                  dim,
                     const std::vector<double> &coordinates)
      {
        Point centroid = sums_over_nodes<3>(
          layout, [&](const LocalIndex i, std::array<ExactSum, 3> &sums) {
            for (int d = 0; d < dim; ++d)
              sums[d].add(coordinates[std::size_t(i) * dim + d]);
          });
        for (double &x : centroid)
          x /= static_cast<double>(layout.n_global());

        std::vector<Point> points(layout.n_owned(), Point{});
        double             size = 0.;
        for (LocalIndex i = 0; i < layout.n_owned(); ++i)
          for (int d = 0; d < dim; ++d)
            {
              points[i][d] =
                coordinates[std::size_t(i) * dim + d] - centroid[d];
              size = std::max(size, std::abs(points[i][d]));
            }
        size = layout.communicator().max(size);
        if (!(size > 0.))
          throw InputError(
            "Rigid-body modes were asked for of " +
            std::to_string(layout.n_global()) +
            " nodes that are all in one point; there are no rotations. Give "
            "the modes yourself.");
        for (Point &x : points)
          for (double &component : x)
            component /= size;
        return points;
      }

      /** The lower triangle of the Cholesky factor of the Gram matrix of the
       * rotations, which are orthogonal to the translations. */
      std::array<std::array<double, 3>, 3>
      factor_of_rotations(const sparse::IndexLayout &layout,
                          const int                  dim,
                          const std::vector<Point>  &points)
      {
        const std::array<double, 6> sums = sums_over_nodes<6>(
          layout, [&](const LocalIndex i, std::array<ExactSum, 6> &entries) {
            for (int a = 0, s = 0; a < n_rotations(dim); ++a)
              for (int b = 0; b <= a; ++b, ++s)
                {
                  const Point u = rotation(dim, a, points[i]),
                              v = rotation(dim, b, points[i]);
                  for (int d = 0; d < dim; ++d)
                    if (u[d] != 0. && v[d] != 0.)
                      entries[s].add(u[d] * v[d]);
                }
          });
        std::array<std::array<double, 3>, 3> L{};
        double                               trace = 0.;
        for (int a = 0, s = 0; a < n_rotations(dim); ++a)
          {
            for (int b = 0; b <= a; ++b, ++s)
              L[a][b] = sums[s];
            trace += L[a][a];
          }
        for (int a = 0; a < n_rotations(dim); ++a)
          for (int b = 0; b <= a; ++b)
            {
              double value = L[a][b];
              for (int c = 0; c < b; ++c)
                value -= L[a][c] * L[b][c];
              if (a == b && !(value > 1e-14 * trace))
                throw InputError(
                  "Rigid-body modes were asked for of " +
                  std::to_string(layout.n_global()) +
                  " nodes that are all on a line; a rotation about it is no "
                  "motion. Give the modes yourself.");
              L[a][b] = a == b ? std::sqrt(value) : value / L[b][b];
            }
        return L;
      }
    } // namespace



    NearNullSpace::NearNullSpace(const sparse::IndexLayout &layout,
                                 const int                  block_size,
                                 const int                  n_modes)
      : index_layout(layout)
      , size_of_block(sparse::checked_block_size(block_size))
      , number_of_modes(sparse::checked_block_size(n_modes))
      , values(static_cast<std::size_t>(layout.n_owned()) * block_size *
               n_modes)
    {}



    const sparse::IndexLayout &
    NearNullSpace::layout() const
    {
      return index_layout;
    }



    int
    NearNullSpace::block_size() const
    {
      return size_of_block;
    }



    int
    NearNullSpace::n_modes() const
    {
      return number_of_modes;
    }



    double *
    NearNullSpace::data()
    {
      return values.data();
    }



    const double *
    NearNullSpace::data() const
    {
      return values.data();
    }



    NearNullSpace
    NearNullSpace::copy() const
    {
      NearNullSpace result;
      result.index_layout    = index_layout;
      result.size_of_block   = size_of_block;
      result.number_of_modes = number_of_modes;
      result.values          = values.copy();
      return result;
    }



    std::size_t
    NearNullSpace::memory_consumption() const
    {
      return values.size_in_bytes();
    }



    NearNullSpace
    constant_modes(const sparse::IndexLayout &layout, const int block_size)
    {
      NearNullSpace result(layout, block_size, block_size);
      for (LocalIndex i = 0; i < layout.n_owned(); ++i)
        for (int r = 0; r < block_size; ++r)
          result.data()[(std::size_t(i) * block_size + r) * block_size + r] =
            1.;
      return result;
    }



    NearNullSpace
    rigid_body_modes(const sparse::IndexLayout &layout,
                     const int                  dim,
                     const std::vector<double> &coordinates)
    {
      check_coordinates(layout, dim, 2, coordinates);
      const std::vector<Point> points =
        centred_points(layout, dim, coordinates);
      const auto L = factor_of_rotations(layout, dim, points);

      const int     q = dim + n_rotations(dim);
      NearNullSpace result(layout, dim, q);
      const double  translation =
        1. / std::sqrt(static_cast<double>(layout.n_global()));
      for (LocalIndex i = 0; i < layout.n_owned(); ++i)
        {
          double *const modes = result.data() + std::size_t(i) * dim * q;
          // Orthonormal rotations are those of unit speed times L^{-T}.
          std::array<Point, 3> rotations{};
          for (int a = 0; a < n_rotations(dim); ++a)
            {
              rotations[a] = rotation(dim, a, points[i]);
              for (int d = 0; d < dim; ++d)
                {
                  for (int b = 0; b < a; ++b)
                    rotations[a][d] -= L[a][b] * rotations[b][d];
                  rotations[a][d] /= L[a][a];
                  modes[d * q + dim + a] = rotations[a][d];
                }
            }
          for (int d = 0; d < dim; ++d)
            modes[d * q + d] = translation;
        }
      return result;
    }



    std::vector<std::uint64_t>
    keys_of_coordinates(const sparse::IndexLayout &layout,
                        const int                  dim,
                        const std::vector<double> &coordinates)
    {
      check_coordinates(layout, dim, 1, coordinates);
      Point low, high;
      low.fill(std::numeric_limits<double>::infinity());
      high.fill(-std::numeric_limits<double>::infinity());
      for (std::size_t v = 0; v < coordinates.size(); ++v)
        {
          low[v % dim]  = std::min(low[v % dim], coordinates[v]);
          high[v % dim] = std::max(high[v % dim], coordinates[v]);
        }
      layout.communicator().min(low.data(), low.size());
      layout.communicator().max(high.data(), high.size());
      double size = 0.;
      for (int d = 0; d < dim; ++d)
        size = std::max(size, high[d] - low[d]);
      const double scale = size > 0. ? std::ldexp(1., 20) / size : 0.;

      std::vector<std::uint64_t> keys(layout.n_owned(), 0);
      for (std::size_t v = 0; v < coordinates.size(); ++v)
        {
          // Nodes are often at simple fractions of the size: halves are not the
          // place to round at.
          constexpr double shift = 0.381966;
          const double     place =
            std::floor((coordinates[v] - low[v % dim]) * scale + shift);
          keys[v / dim] =
            keys[v / dim] << 21 | static_cast<std::uint64_t>(place);
        }
      return keys;
    }



    std::vector<std::uint64_t>
    keys_of_numbers(const sparse::IndexLayout &layout)
    {
      std::vector<std::uint64_t> keys(layout.n_owned());
      for (LocalIndex i = 0; i < layout.n_owned(); ++i)
        keys[i] = layout.global(i);
      return keys;
    }
  } // namespace amg
} // namespace tessera
