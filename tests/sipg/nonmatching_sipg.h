// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_sipg_nonmatching_sipg_h
#define tessera_tests_sipg_nonmatching_sipg_h

// The interior penalty method on the active cells of a non-matching mesh, from
// nothing but boxes: neighbours are found by comparing coordinates, functions
// and derivatives are evaluated at quadrature points of the common part of two
// faces. Independent of trees, levels, shadows, and one-dimensional matrices.

#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/hermite_like_basis.h>

#include <cmath>
#include <vector>

#include "meshes.h"

namespace sipg_tests
{
  /** Coefficients of all active cells, n^dim each, cells in the order of
   * Forest::active_cells(). */
  using ActiveVector = std::vector<double>;

  inline ActiveVector
  random_vector(const std::size_t n, const unsigned int seed)
  {
    Random       random(seed);
    ActiveVector x(n);
    for (double &value : x)
      value = random();
    return x;
  }

  template <int dim, typename F>
  void
  for_active_values(const LevelHierarchy<dim> &levels,
                    const int                  n_values,
                    const F                   &f)
  {
    std::size_t i = 0;
    for (int l = 0; l < levels.n_levels(); ++l)
      for (CellIndex c = 0; c < levels.level(l).n_cells; ++c)
        if (levels.level(l).active[c])
          for (int k = 0; k < n_values; ++k)
            f(l, c, k, i++);
  }

  /** To the active cells of a field; nothing else changes. */
  template <int dim, typename Number, Space space>
  void
  set_active(const LevelHierarchy<dim> &levels,
             const ActiveVector        &x,
             Field<Number, space>      &field)
  {
    for_active_values(
      levels,
      field.layout().n_cell_values,
      [&](const int l, const CellIndex c, const int k, const std::size_t i) {
        field(l, c, k) = Number(x[i]);
      });
  }

  /** The way back. */
  template <int dim, typename Number, Space space>
  ActiveVector
  get_active(const LevelHierarchy<dim>  &levels,
             const Field<Number, space> &field)
  {
    ActiveVector x(levels.n_active_cells() * field.layout().n_cell_values);
    for_active_values(levels,
                      field.layout().n_cell_values,
                      [&](const int         l,
                          const CellIndex   c,
                          const int         k,
                          const std::size_t i) { x[i] = field(l, c, k); });
    return x;
  }

  template <int dim>
  class NonmatchingSIPG
  {
  public:
    /** @param[in] coefficient of the active cells; empty for one. */
    NonmatchingSIPG(const Forest<dim>         &forest,
                    const int                  degree,
                    const Penalty             &penalty     = Penalty(),
                    const std::vector<double> &coefficient = {})
      : p(degree)
      , n(degree + 1)
      , N(tessera::cellwise::power(n, dim))
      , gamma(penalty.factor * p * (p + 1))
      , beta(penalty.boundary_factor)
      , basis(degree)
      , quadrature(tessera::cellwise::gauss_quadrature(n))
    {
      const std::vector<CellKey> keys = forest.active_cells();
      for (std::size_t i = 0; i < keys.size(); ++i)
        {
          Cell cell;
          cell.lower    = forest.lower_corner(keys[i]);
          cell.h        = forest.cell_size(keys[i].level);
          cell.k        = coefficient.empty() ? 1. : coefficient[i];
          cell.boundary = forest.coarse_mesh().boundary[keys[i].coarse_cell];
          cells.push_back(cell);
        }
    }

    std::size_t
    size() const
    {
      return cells.size() * N;
    }

    /** A x. */
    ActiveVector
    apply(const ActiveVector &x) const
    {
      ActiveVector y(size());
      for (std::size_t i = 0; i < cells.size(); ++i)
        {
          add_volume(i, x, y);
          for (int face = 0; face < 2 * dim; ++face)
            {
              double covered = 0.;
              for (std::size_t j = 0; j < cells.size(); ++j)
                {
                  Point<dim>   lower, size;
                  const double area =
                    common_part(i, j, face / 2, face % 2, lower, size);
                  covered += area;
                  if (area > 0. && face % 2 == 1)
                    add_interior(i, j, face / 2, lower, size, x, y);
                }
              double area = 1.;
              for (int d = 0; d < dim; ++d)
                if (d != face / 2)
                  area *= cells[i].h[d];
              if (covered < 0.5 * area &&
                  cells[i].boundary[face] == BoundaryCondition::dirichlet)
                add_dirichlet(i, face / 2, face % 2, x, y);
            }
        }
      return y;
    }

  private:
    struct Cell
    {
      Point<dim>                               lower, h;
      double                                   k;
      typename CoarseMesh<dim>::FaceConditions boundary;
    };

    int                           p, n, N;
    double                        gamma, beta;
    HermiteLikeBasis              basis;
    tessera::cellwise::Quadrature quadrature;
    std::vector<Cell>             cells;

    /** Of cell i, at one end, with cell j, at its opposite end. */
    double
    common_part(const std::size_t i,
                const std::size_t j,
                const int         axis,
                const int         side,
                Point<dim>       &lower,
                Point<dim>       &size) const
    {
      const Cell  &a = cells[i], &b = cells[j];
      const double end_a     = a.lower[axis] + side * a.h[axis];
      const double end_b     = b.lower[axis] + (1 - side) * b.h[axis];
      const double tolerance = 1e-10 * a.h[axis];
      if (std::abs(end_a - end_b) > tolerance)
        return 0.;
      double area = 1.;
      for (int d = 0; d < dim; ++d)
        {
          lower[d] = end_a;
          size[d]  = 0.;
          if (d == axis)
            continue;
          lower[d] = std::fmax(a.lower[d], b.lower[d]);
          size[d] =
            std::fmin(a.lower[d] + a.h[d], b.lower[d] + b.h[d]) - lower[d];
          if (size[d] < 1e-10 * a.h[d])
            return 0.;
          area *= size[d];
        }
      return area;
    }

    /** Values of all functions of cell i at a point (axis < 0) or their
     * derivatives along an axis. */
    std::vector<double>
    functions(const std::size_t i, const Point<dim> &x, const int axis) const
    {
      std::vector<double> result(N, 1.);
      for (int d = 0; d < dim; ++d)
        {
          const double t = (x[d] - cells[i].lower[d]) / cells[i].h[d];
          const tessera::DenseMatrix one_dimensional =
            basis.derivatives(d == axis ? 1 : 0, std::vector<double>{t});
          const double scale = d == axis ? 1. / cells[i].h[d] : 1.;
          for (int k = 0; k < N; ++k)
            result[k] *=
              scale *
              one_dimensional(0, k / tessera::cellwise::power(n, d) % n);
        }
      return result;
    }

    double
    sum(const std::size_t          i,
        const std::vector<double> &f,
        const ActiveVector        &x) const
    {
      double result = 0.;
      for (int k = 0; k < N; ++k)
        result += f[k] * x[i * N + k];
      return result;
    }

    void
    add(const std::size_t          i,
        const double               factor,
        const std::vector<double> &f,
        ActiveVector              &y) const
    {
      for (int k = 0; k < N; ++k)
        y[i * N + k] += factor * f[k];
    }

    /** Call f(x, w) for the points of a box, of which directions of no size
     * have one point. */
    template <typename F>
    void
    for_points(const Point<dim> &lower,
               const Point<dim> &size,
               const F          &f) const
    {
      const int n_points = tessera::cellwise::power(n, dim);
      for (int q = 0; q < n_points; ++q)
        {
          Point<dim> x;
          double     w    = 1.;
          bool       skip = false;
          for (int d = 0, rest = q; d < dim; ++d, rest /= n)
            {
              const int k = rest % n;
              x[d]        = lower[d] + quadrature.points[k] * size[d];
              if (size[d] == 0.)
                skip = skip || k > 0;
              else
                w *= quadrature.weights[k] * size[d];
            }
          if (!skip)
            f(x, w);
        }
    }

    void
    add_volume(const std::size_t   i,
               const ActiveVector &x,
               ActiveVector       &y) const
    {
      for_points(cells[i].lower,
                 cells[i].h,
                 [&](const Point<dim> &q, const double w) {
                   for (int d = 0; d < dim; ++d)
                     {
                       const std::vector<double> slope = functions(i, q, d);
                       add(i, w * cells[i].k * sum(i, slope, x), slope, y);
                     }
                 });
    }

    /** Cell i is below the face, cell j above. */
    void
    add_interior(const std::size_t   i,
                 const std::size_t   j,
                 const int           axis,
                 const Point<dim>   &lower,
                 const Point<dim>   &size,
                 const ActiveVector &x,
                 ActiveVector       &y) const
    {
      const double ki = cells[i].k, kj = cells[j].k;
      const double kappa = 2. / (1. / ki + 1. / kj);
      const double sigma =
        gamma * kappa / std::fmin(cells[i].h[axis], cells[j].h[axis]);
      for_points(lower, size, [&](const Point<dim> &q, const double w) {
        const std::vector<double> vi   = functions(i, q, -1);
        const std::vector<double> vj   = functions(j, q, -1);
        const std::vector<double> gi   = functions(i, q, axis);
        const std::vector<double> gj   = functions(j, q, axis);
        const double              jump = sum(i, vi, x) - sum(j, vj, x);
        const double              mean = (sum(i, gi, x) + sum(j, gj, x)) / 2.;
        add(i, w * (sigma * jump - kappa * mean), vi, y);
        add(j, -w * (sigma * jump - kappa * mean), vj, y);
        add(i, -w * kappa * jump / 2., gi, y);
        add(j, -w * kappa * jump / 2., gj, y);
      });
    }

    void
    add_dirichlet(const std::size_t   i,
                  const int           axis,
                  const int           side,
                  const ActiveVector &x,
                  ActiveVector       &y) const
    {
      const double sign  = side == 1 ? 1. : -1.;
      const double k     = cells[i].k;
      const double sigma = beta * gamma * k / cells[i].h[axis];
      Point<dim>   lower = cells[i].lower, size = cells[i].h;
      lower[axis] += side * size[axis];
      size[axis] = 0.;
      for_points(lower, size, [&](const Point<dim> &q, const double w) {
        const std::vector<double> v     = functions(i, q, -1);
        const std::vector<double> g     = functions(i, q, axis);
        const double              u     = sum(i, v, x);
        const double              slope = sign * sum(i, g, x);
        add(i, w * (sigma * u - k * slope), v, y);
        add(i, -w * k * u * sign, g, y);
      });
    }
  };
} // namespace sipg_tests

#endif
