// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/box_quadrature.h>
#include <tessera/sipg/error_norms.h>
#include <tessera/sipg/face_traces.h>

#include <array>
#include <cmath>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      struct CellSums
      {
        double value    = 0.; ///< $\sum_K \|e\|_K^2$
        double gradient = 0.; ///< $\sum_K \|\nabla e\|_K^2$
        double weighted = 0.; ///< $\sum_K k \|\nabla e\|_K^2$
      };

      template <int dim>
      CellSums
      sum_over_cells(const LevelHierarchy<dim>   &levels,
                     const PrimalField<double>   &u,
                     const BoxQuadrature<dim>    &quadrature,
                     const ScalarFunction<dim>   &exact_solution,
                     const GradientFunction<dim> &exact_gradient)
      {
        const int         B        = levels.block_size();
        const std::size_t N        = quadrature.values.n_columns();
        const std::size_t n_values = cellwise::power(int(N), dim);
        const std::size_t n_points = quadrature.n_cell_points;
        TensorProducts    products;

        std::vector<CellIndex>               cells;
        std::vector<double>                  values(n_points * B);
        std::array<std::vector<double>, dim> derivatives;
        derivatives.fill(values);
        CellSums sums;
        for (int l = 0; l < levels.n_levels(); ++l)
          {
            const LevelData<dim> &level = levels.level(l);
            for (CellIndex block = 0; block < n_owned_blocks(level); ++block)
              {
                find_active_cells(level, block, cells, [](CellIndex) {
                  return true;
                });
                if (cells.empty())
                  continue;
                const double *coefficients = u.cells(l) + block * n_values * B;
                products.multiply(all_axes<dim>(quadrature.values),
                                  B,
                                  coefficients,
                                  values.data());
                for (int d = 0; d < dim; ++d)
                  products.multiply(one_axis<dim>(quadrature.derivatives,
                                                  d,
                                                  quadrature.values),
                                    B,
                                    coefficients,
                                    derivatives[d].data());
                for (const CellIndex c : cells)
                  {
                    double value = 0., gradient = 0.;
                    quadrature.for_cell_points(
                      levels.forest().lower_corner(
                        levels.forest().level(l).keys[c]),
                      level.cell_size,
                      [&](const int q, const Point<dim> &x, const double w) {
                        const std::size_t k = q * std::size_t(B) + c % B;
                        const double e = finite_value<dim>(exact_solution(x),
                                                           x,
                                                           "exact solution") -
                                         values[k];
                        value += w * e * e;
                        const Point<dim> exact = exact_gradient(x);
                        for (int d = 0; d < dim; ++d)
                          {
                            const double slope =
                              finite_value<dim>(exact[d],
                                                x,
                                                "gradient of the exact "
                                                "solution") -
                              derivatives[d][k] / level.cell_size[d];
                            gradient += w * slope * slope;
                          }
                      });
                    sums.value += value;
                    sums.gradient += gradient;
                    sums.weighted += level.cell_coefficient(c) * gradient;
                  }
              }
          }
        return sums;
      }
    } // namespace



    template <int dim>
    ErrorNorms
    compute_errors(const LevelHierarchy<dim>   &levels,
                   const ElementMatrices       &matrices,
                   const PrimalField<double>   &u,
                   const ScalarFunction<dim>   &exact_solution,
                   const GradientFunction<dim> &exact_gradient,
                   const int                    n_points)
    {
      TESSERA_ASSERT(u.layout().degree == matrices.degree &&
                       u.layout().block_size == levels.block_size(),
                     "a field of this hierarchy");
      const BoxQuadrature<dim> quadrature(matrices.degree,
                                          n_points > 0 ? n_points :
                                                         matrices.degree + 3);
      const CellSums           cells = sum_over_cells<dim>(
        levels, u, quadrature, exact_solution, exact_gradient);

      // The exact solution has no jumps.
      double faces = 0.;
      for_interior_faces(levels,
                         matrices,
                         u,
                         [&](const InteriorFace &face,
                             const double        jump,
                             double) { faces += face.kappa / face.h * jump; });
      double boundary = 0.;
      for_boundary_points<dim>(levels,
                               matrices,
                               u,
                               quadrature,
                               NeighbourKind::dirichlet,
                               [&](const BoundaryPoint<dim> &point) {
                                 const double e =
                                   finite_value<dim>(exact_solution(point.x),
                                                     point.x,
                                                     "exact solution") -
                                   point.trace;
                                 const LevelData<dim> &level =
                                   levels.level(point.level);
                                 boundary +=
                                   level.cell_coefficient(point.cell) /
                                   level.cell_size[point.face.axis] *
                                   point.weight * e * e;
                               });
      return {std::sqrt(cells.value),
              std::sqrt(cells.gradient),
              std::sqrt(
                cells.weighted +
                matrices.gamma *
                  (faces + matrices.penalty.boundary_factor * boundary))};
    }



#define TESSERA_INSTANTIATE(dim)                                         \
  template ErrorNorms compute_errors<dim>(const LevelHierarchy<dim> &,   \
                                          const ElementMatrices &,       \
                                          const PrimalField<double> &,   \
                                          const ScalarFunction<dim> &,   \
                                          const GradientFunction<dim> &, \
                                          int)

    TESSERA_INSTANTIATE(2);
    TESSERA_INSTANTIATE(3);
  } // namespace sipg
} // namespace tessera
