// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_brick_brick_h
#define tessera_tests_brick_brick_h

// Nodes of elements on bricks of equal cubes, numbered by their place, without
// a mesh.

#include <tessera/sparse/index_layout.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace brick
{
  using tessera::sparse::LocalIndex;

  /**
   * The body [0, n_x h] x [-n_y h/2, n_y h/2] x [-n_z h/2, n_z h/2] of cubes
   * with the nodes of elements of degree 1 or 2: that many a cube and
   * direction. Nodes are numbered with x slowest and z fastest; where the body
   * is clamped, those of the plane x = 0 are eliminated.
   */
  struct Brick
  {
    std::array<int, 3> n_cells;
    double             h;
    int                degree  = 2;
    bool               clamped = true;

    /** First and last place of a node in a direction. @{ */
    int
    first(const int direction) const
    {
      return direction == 0 && clamped ? 1 : 0;
    }

    int
    last(const int direction) const
    {
      return degree * n_cells[direction];
    }
    /** @} */

    int
    n_nodes(const int direction) const
    {
      return last(direction) - first(direction) + 1;
    }

    LocalIndex
    n_nodes() const
    {
      return LocalIndex(n_nodes(0)) * n_nodes(1) * n_nodes(2);
    }

    /** Of a node at a place that is not eliminated. */
    LocalIndex
    number(const std::array<int, 3> &place) const
    {
      return (LocalIndex(place[0] - first(0)) * n_nodes(1) + place[1]) *
               n_nodes(2) +
             place[2];
    }

    std::array<int, 3>
    place(const LocalIndex node) const
    {
      const int n = n_nodes(2), m = n_nodes(1);
      return {{node / (n * m) + first(0), node / n % m, node % n}};
    }

    /** First and last place that has a cube in common with one. */
    std::pair<int, int>
    neighbours(const int direction, const int place) const
    {
      const int reach = place % degree == 0 ? degree : place % degree;
      return {std::max(place - reach, first(direction)),
              std::min(place + reach, last(direction))};
    }

    std::array<double, 3>
    point(const std::array<int, 3> &place) const
    {
      return {{h / degree * place[0],
               h / degree * (place[1] - 0.5 * last(1)),
               h / degree * (place[2] - 0.5 * last(2))}};
    }
  };

  /** The beam [0,10] x [-1/2,1/2]^2 of 10 k x k x k cubes, clamped at x = 0. */
  inline Brick
  beam(const int k, const int degree = 2)
  {
    return {{{10 * k, k, k}}, 1. / k, degree, true};
  }

  /** [node][3] */
  inline std::vector<double>
  coordinates(const Brick &brick)
  {
    std::vector<double> result;
    for (LocalIndex i = 0; i < brick.n_nodes(); ++i)
      for (const double x : brick.point(brick.place(i)))
        result.push_back(x);
    return result;
  }

  /** Values of functions that an operator maps to zero, away from x = 0:
   * [node][n][q]. */
  using Modes = std::vector<double>;

  /** Three displacements and three rotations about the centre: n = 3, q = 6. */
  inline Modes
  rigid_modes(const Brick &brick)
  {
    Modes modes(std::size_t(brick.n_nodes()) * 18, 0.);
    for (LocalIndex i = 0; i < brick.n_nodes(); ++i)
      {
        std::array<double, 3> x = brick.point(brick.place(i));
        x[0] -= 0.5 * brick.h * brick.n_cells[0];
        double *m = &modes[std::size_t(i) * 18]; // [component][mode]
        for (int d = 0; d < 3; ++d)
          {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            m[d * 6 + d]     = 1.;
            m[e * 6 + 3 + d] = -x[f]; // rotation about direction d
            m[f * 6 + 3 + d] = x[e];
          }
      }
    return modes;
  }
} // namespace brick

#endif
