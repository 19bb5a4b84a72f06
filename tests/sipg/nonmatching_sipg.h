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
#include <tessera/sipg/error_norms.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/hermite_like_basis.h>
#include <tessera/sipg/problem_data.h>

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
          cell.key      = keys[i];
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
        add_volume(i, x, y);
      for_faces(
        [&](const std::size_t i,
            const std::size_t j,
            const int         axis,
            const Point<dim> &lower,
            const Point<dim> &extent) {
          add_interior(i, j, axis, lower, extent, x, y);
        },
        [&](const std::size_t       i,
            const BoundaryCondition condition,
            const BoundaryFace     &face,
            const Point<dim>       &lower,
            const Point<dim>       &extent) {
          if (condition == BoundaryCondition::dirichlet)
            add_dirichlet(i, face.axis, face.side, lower, extent, x, y);
        });
      return y;
    }

    /** Norms of u - x; exact for polynomials u of the elements. */
    ErrorNorms
    errors(const ActiveVector          &x,
           const ScalarFunction<dim>   &u,
           const GradientFunction<dim> &gradient) const
    {
      double value = 0., slope = 0., energy = 0.;
      for (std::size_t i = 0; i < cells.size(); ++i)
        for_points(cells[i].lower,
                   cells[i].h,
                   [&](const Point<dim> &q, const double w) {
                     const double e = u(q) - sum(i, functions(i, q, -1), x);
                     value += w * e * e;
                     for (int d = 0; d < dim; ++d)
                       {
                         const double s =
                           gradient(q)[d] - sum(i, functions(i, q, d), x);
                         slope += w * s * s;
                         energy += w * cells[i].k * s * s;
                       }
                   });
      for_faces(
        [&](const std::size_t i,
            const std::size_t j,
            const int         axis,
            const Point<dim> &lower,
            const Point<dim> &extent) {
          for_points(lower, extent, [&](const Point<dim> &q, const double w) {
            const double jump =
              sum(i, functions(i, q, -1), x) - sum(j, functions(j, q, -1), x);
            energy +=
              w * gamma * kappa(i, j) / h_face(i, j, axis) * jump * jump;
          });
        },
        [&](const std::size_t       i,
            const BoundaryCondition condition,
            const BoundaryFace     &face,
            const Point<dim>       &lower,
            const Point<dim>       &extent) {
          if (condition == BoundaryCondition::dirichlet)
            for_points(lower, extent, [&](const Point<dim> &q, const double w) {
              const double e = u(q) - sum(i, functions(i, q, -1), x);
              energy +=
                w * beta * gamma * cells[i].k / cells[i].h[face.axis] * e * e;
            });
        });
      return {std::sqrt(value), std::sqrt(slope), std::sqrt(energy)};
    }

    /** The indicators of residual_indicators(); exact for polynomials of the
     * elements as data. */
    std::vector<double>
    indicators(const ActiveVector &x, const ProblemData<dim> &data) const
    {
      const double        C = gamma / (p * (p + 1));
      std::vector<double> squares(cells.size());
      for (std::size_t i = 0; i < cells.size(); ++i)
        for_points(cells[i].lower,
                   cells[i].h,
                   [&](const Point<dim> &q, const double w) {
                     double r = data.source(q), h = cells[i].h[0];
                     for (int d = 0; d < dim; ++d)
                       {
                         r += cells[i].k * sum(i, functions(i, q, d, 2), x);
                         h = std::fmin(h, cells[i].h[d]);
                       }
                     squares[i] += w * std::pow(h / p, 2) / cells[i].k * r * r;
                   });
      for_faces(
        [&](const std::size_t i,
            const std::size_t j,
            const int         axis,
            const Point<dim> &lower,
            const Point<dim> &extent) {
          const double h = h_face(i, j, axis), k = kappa(i, j);
          const double k_mean = (cells[i].k + cells[j].k) / 2.;
          for_points(lower, extent, [&](const Point<dim> &q, const double w) {
            const double jump =
              sum(i, functions(i, q, -1), x) - sum(j, functions(j, q, -1), x);
            const double flux = cells[i].k * sum(i, functions(i, q, axis), x) -
                                cells[j].k * sum(j, functions(j, q, axis), x);
            const double half = w / 2. *
                                (h / (p * k_mean) * flux * flux +
                                 C * gamma * k / h * jump * jump);
            squares[i] += half;
            squares[j] += half;
          });
        },
        [&](const std::size_t       i,
            const BoundaryCondition condition,
            const BoundaryFace     &face,
            const Point<dim>       &lower,
            const Point<dim>       &extent) {
          const double h = cells[i].h[face.axis], k = cells[i].k;
          for_points(lower, extent, [&](const Point<dim> &q, const double w) {
            if (condition == BoundaryCondition::dirichlet)
              {
                const double e =
                  sum(i, functions(i, q, -1), x) - data.dirichlet(q, face);
                squares[i] += w * beta * C * gamma * k / h * e * e;
              }
            else
              {
                const double e = data.neumann(q, face) -
                                 (2. * face.side - 1.) * k *
                                   sum(i, functions(i, q, face.axis), x);
                squares[i] += w * h / (p * k) * e * e;
              }
          });
        });
      for (double &square : squares)
        square = std::sqrt(square);
      return squares;
    }

  private:
    struct Cell
    {
      CellKey                                  key;
      Point<dim>                               lower, h;
      double                                   k;
      typename CoarseMesh<dim>::FaceConditions boundary;
    };

    int                           p, n, N;
    double                        gamma, beta;
    HermiteLikeBasis              basis;
    tessera::cellwise::Quadrature quadrature;
    std::vector<Cell>             cells;

    /** Call interior(i, j, axis, lower corner, size) for all parts of faces
     * that cell i has in common with cell j above it, and boundary(i,
     * condition, face, lower corner, size) for faces at the boundary. */
    template <typename Interior, typename Boundary>
    void
    for_faces(const Interior &interior, const Boundary &boundary) const
    {
      for (std::size_t i = 0; i < cells.size(); ++i)
        for (int face = 0; face < 2 * dim; ++face)
          {
            const int axis = face / 2, side = face % 2;
            double    covered = 0.;
            for (std::size_t j = 0; j < cells.size(); ++j)
              {
                Point<dim>   lower, extent;
                const double area =
                  common_part(i, j, axis, side, lower, extent);
                covered += area;
                if (area > 0. && side == 1)
                  interior(i, j, axis, lower, extent);
              }
            double     area  = 1.;
            Point<dim> lower = cells[i].lower, extent = cells[i].h;
            lower[axis] += side * extent[axis];
            extent[axis] = 0.;
            for (int d = 0; d < dim; ++d)
              if (d != axis)
                area *= extent[d];
            if (covered < 0.5 * area)
              boundary(i,
                       cells[i].boundary[face],
                       {cells[i].key, axis, side},
                       lower,
                       extent);
          }
    }

    double
    kappa(const std::size_t i, const std::size_t j) const
    {
      return 2. / (1. / cells[i].k + 1. / cells[j].k);
    }

    double
    h_face(const std::size_t i, const std::size_t j, const int axis) const
    {
      return std::fmin(cells[i].h[axis], cells[j].h[axis]);
    }

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
    functions(const std::size_t i,
              const Point<dim> &x,
              const int         axis,
              const int         order = 1) const
    {
      std::vector<double> result(N, 1.);
      for (int d = 0; d < dim; ++d)
        {
          const double t = (x[d] - cells[i].lower[d]) / cells[i].h[d];
          const tessera::DenseMatrix one_dimensional =
            basis.derivatives(d == axis ? order : 0, std::vector<double>{t});
          const double scale = d == axis ? std::pow(cells[i].h[d], -order) : 1.;
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
      const double k     = kappa(i, j);
      const double sigma = gamma * k / h_face(i, j, axis);
      for_points(lower, size, [&](const Point<dim> &q, const double w) {
        const std::vector<double> vi   = functions(i, q, -1);
        const std::vector<double> vj   = functions(j, q, -1);
        const std::vector<double> gi   = functions(i, q, axis);
        const std::vector<double> gj   = functions(j, q, axis);
        const double              jump = sum(i, vi, x) - sum(j, vj, x);
        const double              mean = (sum(i, gi, x) + sum(j, gj, x)) / 2.;
        add(i, w * (sigma * jump - k * mean), vi, y);
        add(j, -w * (sigma * jump - k * mean), vj, y);
        add(i, -w * k * jump / 2., gi, y);
        add(j, -w * k * jump / 2., gj, y);
      });
    }

    void
    add_dirichlet(const std::size_t   i,
                  const int           axis,
                  const int           side,
                  const Point<dim>   &lower,
                  const Point<dim>   &size,
                  const ActiveVector &x,
                  ActiveVector       &y) const
    {
      const double sign  = side == 1 ? 1. : -1.;
      const double k     = cells[i].k;
      const double sigma = beta * gamma * k / cells[i].h[axis];
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
