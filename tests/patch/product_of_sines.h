// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_product_of_sines_h
#define tessera_tests_patch_product_of_sines_h

// The problem with published results: $-\Delta u = f$ on the unit cube with
// $u = \prod_d \sin(\pi x_d)$, $f = 3 \pi^2 u$, on a grid of 2^L cells a
// direction. All integrals are products of one-dimensional ones, in O(2^L)
// memory besides the fields.

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/solver_options.h>

#include <array>
#include <cmath>
#include <vector>

namespace product_of_sines
{
  using tessera::DenseMatrix;
  using tessera::cellwise::CellGrid;
  using tessera::cellwise::CellIndex;
  using tessera::cellwise::DualField;
  using tessera::cellwise::GridDescription;
  using tessera::cellwise::PrimalField;
  using tessera::cellwise::Quadrature;
  using tessera::cellwise::ReferenceCell;

  inline GridDescription<3>
  unit_cube(const int n_refinements)
  {
    const int          n = 1 << n_refinements;
    GridDescription<3> box;
    box.n_cells.fill(n);
    box.cell_size.fill(1. / n);
    return box;
  }

  /** Distinct degrees of freedom, those of the boundary included. */
  inline double
  n_dofs(const GridDescription<3> &box, const int degree)
  {
    return std::pow(double(box.n_cells[0]) * degree + 1., 3);
  }

  /** $\sin(\pi x)$ at the quadrature points of all cells of a direction:
   * [cell][point]. */
  inline std::vector<double>
  sine_at_points(const Quadrature &quadrature, const int n_cells)
  {
    const double        pi = std::acos(-1.);
    std::vector<double> values;
    for (int c = 0; c < n_cells; ++c)
      for (const double x : quadrature.points)
        values.push_back(std::sin(pi * (c + x) / n_cells));
    return values;
  }

  /** One-dimensional loads $\int_c \sin(\pi x) \phi_i$, [cell][node], by the
   * Gauss formula of degree + 2 points. */
  inline std::vector<double>
  loads(const int n_cells, const ReferenceCell &cell)
  {
    const int         q          = cell.n_nodes;
    const Quadrature  quadrature = tessera::cellwise::gauss_quadrature(q + 1);
    const DenseMatrix phi =
      tessera::cellwise::lagrange_values(cell.nodes, quadrature.points);
    const std::vector<double> sine = sine_at_points(quadrature, n_cells);

    const std::size_t   n_points = quadrature.points.size();
    std::vector<double> load(std::size_t(n_cells) * q, 0.);
    for (int c = 0; c < n_cells; ++c)
      for (int i = 0; i < q; ++i)
        for (std::size_t k = 0; k < n_points; ++k)
          load[c * q + i] += quadrature.weights[k] / n_cells *
                             sine[c * n_points + k] * phi(k, i);
    return load;
  }

  /** $b_{K,i} = \int_K f \phi_i$, a product of loads(). */
  inline DualField<double>
  right_hand_side(const CellGrid<3> &grid, const ReferenceCell &cell)
  {
    const int                 q    = cell.n_nodes;
    const std::vector<double> load = loads(grid.description().n_cells[0], cell);

    const double      pi = std::acos(-1.);
    DualField<double> b(grid.n_local(), q * q * q);
    for (CellIndex cell_index = 0; cell_index < grid.n_local(); ++cell_index)
      {
        const std::array<int, 3> c = grid.coordinates(cell_index);
        for (int k = 0; k < q; ++k)
          for (int j = 0; j < q; ++j)
            {
              const double in_zy =
                3. * pi * pi * load[c[2] * q + k] * load[c[1] * q + j];
              for (int i = 0; i < q; ++i)
                b(cell_index, (k * q + j) * q + i) = in_zy * load[c[0] * q + i];
            }
      }
    return b;
  }

  /**
   * $\|u - u_h\|_{L^2}$ over the owned cells, by the Gauss formula of n_points
   * a direction. The
   * published numbers are those of degree + 1 points, at which the error
   * happens to be smaller: the true error is larger by a quarter.
   */
  inline double
  L2_error(const CellGrid<3>         &grid,
           const ReferenceCell       &cell,
           const PrimalField<double> &u,
           const int                  n_points)
  {
    const int        n          = grid.description().n_cells[0];
    const int        q          = cell.n_nodes;
    const Quadrature quadrature = tessera::cellwise::gauss_quadrature(n_points);
    const DenseMatrix phi =
      tessera::cellwise::lagrange_values(cell.nodes, quadrature.points);
    const std::vector<double> sine = sine_at_points(quadrature, n);

    // Values at points instead of nodes: the first direction becomes the last,
    // three times.
    const auto interpolate = [&](const std::vector<double> &values) {
      const std::size_t   n_others = values.size() / q;
      std::vector<double> at_points(n_others * n_points, 0.);
      for (int point = 0; point < n_points; ++point)
        for (std::size_t other = 0; other < n_others; ++other)
          {
            double sum = 0.;
            for (int i = 0; i < q; ++i)
              sum += phi(point, i) * values[other * q + i];
            at_points[point * n_others + other] = sum;
          }
      return at_points;
    };

    double              square = 0.;
    std::vector<double> values(std::size_t(q) * q * q);
    for (CellIndex cell_index = 0; cell_index < grid.n_owned(); ++cell_index)
      {
        for (std::size_t k = 0; k < values.size(); ++k)
          values[k] = u(cell_index, int(k));
        const std::vector<double> at_points =
          interpolate(interpolate(interpolate(values)));

        const std::array<int, 3> c   = grid.coordinates(cell_index);
        double                   sum = 0.;
        std::size_t              m   = 0;
        for (int k = 0; k < n_points; ++k)
          for (int j = 0; j < n_points; ++j)
            for (int i = 0; i < n_points; ++i, ++m)
              {
                const double error = sine[c[2] * n_points + k] *
                                       sine[c[1] * n_points + j] *
                                       sine[c[0] * n_points + i] -
                                     at_points[m];
                sum += quadrature.weights[k] * quadrature.weights[j] *
                       quadrature.weights[i] * error * error;
              }
        square += sum;
      }
    return std::sqrt(square / std::pow(n, 3));
  }

  /** The mean reduction an iteration, and the number of iterations that meet
   * the tolerance at this rate. */
  struct Convergence
  {
    double contraction;           ///< $\rho = (\eta_n / \eta_0)^{1/n}$
    double fractional_iterations; ///< $\log\tau / \log\rho$
  };

  /** With the measured $\eta_n$ of conjugate gradients, and the extrapolated
   * one of the stationary iteration. */
  inline Convergence
  convergence(const tessera::patch::SolverStatistics &statistics,
              const double                            tolerance)
  {
    const double last =
      statistics.extrapolated_eta.value_or(statistics.eta.back());
    const double log_contraction =
      std::log(last / statistics.eta.front()) / statistics.n_iterations;
    return {std::exp(log_contraction), std::log(tolerance) / log_contraction};
  }
} // namespace product_of_sines

#endif
