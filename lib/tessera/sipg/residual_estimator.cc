// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/box_quadrature.h>
#include <tessera/sipg/face_traces.h>
#include <tessera/sipg/residual_estimator.h>

#include <algorithm>
#include <cmath>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** Squares of indicators: [level][cell]. */
      using Squares = std::vector<std::vector<double>>;

      template <int dim>
      void
      add_cell_residuals(const LevelHierarchy<dim> &levels,
                         const PrimalField<double> &u,
                         const ScalarFunction<dim> &source,
                         const BoxQuadrature<dim>  &quadrature,
                         const int                  p,
                         Squares                   &squares)
      {
        const int              B        = levels.block_size();
        const std::size_t      n_values = cellwise::power(p + 1, dim);
        TensorProducts         products;
        std::vector<CellIndex> cells;
        std::vector<double>    laplacian(std::size_t(quadrature.n_cell_points) *
                                      B),
          curvature(laplacian.size());
        for (int l = 0; l < levels.n_levels(); ++l)
          {
            const LevelData<dim> &level = levels.level(l);
            const double          h =
              *std::min_element(level.cell_size.begin(), level.cell_size.end());
            for (CellIndex block = 0; block < n_owned_blocks(level); ++block)
              {
                find_active_cells(level, block, cells, [](CellIndex) {
                  return true;
                });
                if (cells.empty())
                  continue;
                std::fill(laplacian.begin(), laplacian.end(), 0.);
                for (int d = 0; d < dim; ++d)
                  {
                    products.multiply(one_axis<dim>(quadrature.curvatures,
                                                    d,
                                                    quadrature.values),
                                      B,
                                      u.cells(l) + block * n_values * B,
                                      curvature.data());
                    const double scale =
                      1. / (level.cell_size[d] * level.cell_size[d]);
                    for (std::size_t k = 0; k < laplacian.size(); ++k)
                      laplacian[k] += scale * curvature[k];
                  }
                for (const CellIndex c : cells)
                  {
                    const double coefficient = level.cell_coefficient(c);
                    double       sum         = 0.;
                    quadrature.for_cell_points(
                      levels.forest().lower_corner(
                        levels.forest().level(l).keys[c]),
                      level.cell_size,
                      [&](const int q, const Point<dim> &x, const double w) {
                        const double f =
                          source ? finite_value<dim>(source(x), x, "source") :
                                   0.;
                        const double residual =
                          f +
                          coefficient * laplacian[q * std::size_t(B) + c % B];
                        sum += w * residual * residual;
                      });
                    squares[l][c] += h * h / (p * p * coefficient) * sum;
                  }
              }
          }
      }
    } // namespace



    template <int dim>
    std::vector<double>
    residual_indicators(const LevelHierarchy<dim> &levels,
                        const ElementMatrices     &matrices,
                        const ProblemData<dim>    &data,
                        const PrimalField<double> &u,
                        const int                  n_points)
    {
      TESSERA_ASSERT(u.layout().degree == matrices.degree &&
                       u.layout().block_size == levels.block_size(),
                     "a field of this hierarchy");
      const int                p = matrices.degree;
      const BoxQuadrature<dim> quadrature(p, n_points > 0 ? n_points : p + 2);
      Squares                  squares(levels.n_levels());
      for (int l = 0; l < levels.n_levels(); ++l)
        squares[l].resize(levels.level(l).n_cells);

      add_cell_residuals<dim>(levels, u, data.source, quadrature, p, squares);

      const double jump_factor = matrices.penalty.factor * matrices.gamma;
      for_interior_faces(
        levels,
        matrices,
        u,
        [&](const InteriorFace &face,
            const double        jump,
            const double        flux_jump) {
          const double half = 0.5 * (face.h / (p * face.k_mean) * flux_jump +
                                     jump_factor * face.kappa / face.h * jump);
          squares[face.level][face.cell] += half;
          if (face.beyond.kind == NeighbourKind::cell)
            squares[face.level][face.beyond.index] += half;
          else
            squares[face.level - 1]
                   [levels.level(face.level)
                      .slot_parent[face.beyond.index /
                                   LevelData<dim>::n_face_children]] += half;
        });

      for_boundary_points<dim>(
        levels,
        matrices,
        u,
        quadrature,
        NeighbourKind::dirichlet,
        [&](const BoundaryPoint<dim> &point) {
          const double g =
            data.dirichlet ?
              finite_value<dim>(data.dirichlet(point.x, point.face),
                                point.x,
                                "Dirichlet value") :
              0.;
          const double          e     = point.trace - g;
          const LevelData<dim> &level = levels.level(point.level);
          squares[point.level][point.cell] +=
            matrices.penalty.boundary_factor * jump_factor *
            level.cell_coefficient(point.cell) /
            level.cell_size[point.face.axis] * point.weight * e * e;
        });

      for_boundary_points<dim>(
        levels,
        matrices,
        u,
        quadrature,
        NeighbourKind::neumann,
        [&](const BoundaryPoint<dim> &point) {
          const double q =
            data.neumann ? finite_value<dim>(data.neumann(point.x, point.face),
                                             point.x,
                                             "Neumann value") :
                           0.;
          const LevelData<dim> &level = levels.level(point.level);
          const double coefficient    = level.cell_coefficient(point.cell);
          const double e              = q - coefficient * point.trace;
          squares[point.level][point.cell] += level.cell_size[point.face.axis] /
                                              (p * coefficient) * point.weight *
                                              e * e;
        });

      std::vector<double> indicators;
      for (int l = 0; l < levels.n_levels(); ++l)
        for (CellIndex c = 0; c < levels.level(l).n_owned_cells; ++c)
          if (levels.level(l).active[c] == 1)
            indicators.push_back(std::sqrt(squares[l][c]));
      return indicators;
    }



#define TESSERA_INSTANTIATE(dim)                         \
  template std::vector<double> residual_indicators<dim>( \
    const LevelHierarchy<dim> &,                         \
    const ElementMatrices &,                             \
    const ProblemData<dim> &,                            \
    const PrimalField<double> &,                         \
    int)

    TESSERA_INSTANTIATE(2);
    TESSERA_INSTANTIATE(3);
  } // namespace sipg
} // namespace tessera
