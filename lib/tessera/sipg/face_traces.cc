// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/face_traces.h>

#include <cmath>

namespace tessera
{
  namespace sipg
  {
    template <int dim>
    BlockTraces<dim>::BlockTraces(const ElementMatrices &matrices, const int B)
      : n(matrices.n)
      , block_size(B)
      , value(std::size_t(cellwise::power(n, dim - 1)) * B)
      , derivative(value.size())
    {
      for (int side = 0; side < 2; ++side)
        {
          end_values[side]      = DenseMatrix(1, n);
          end_derivatives[side] = DenseMatrix(1, n);
          for (int i = 0; i < n; ++i)
            {
              end_values[side](0, i)      = matrices.end_value[side][i];
              end_derivatives[side](0, i) = matrices.end_derivative[side][i];
            }
        }
    }



    template <int dim>
    const double *
    BlockTraces<dim>::multiply(const DenseMatrix   &row,
                               const double        *cells,
                               const int            axis,
                               std::vector<double> &trace) const
    {
      multiply_index(row,
                     cellwise::power(n, dim - 1 - axis),
                     std::size_t(cellwise::power(n, axis)) * block_size,
                     cells,
                     trace.data());
      return trace.data();
    }



    namespace
    {
      /** The two layers of coefficients at a face of what is beyond it. */
      template <int dim>
      class LayersBeyond
      {
      public:
        LayersBeyond(const int p, const int B, const int axis, const int side)
          : n(p + 1)
          , block_size(B)
          , plane(cellwise::power(n, dim - 1))
          , stride(cellwise::power(n, axis))
          , first(first_shadow_layer(side, p))
        {}

        /** Call f(t, value in the lower layer, value in the upper one) for all
         * tangential nodes t. */
        template <typename F>
        void
        read(const PrimalField<double> &u,
             const int                  level,
             const Neighbour           &beyond,
             const F                   &f) const
        {
          const bool    shadow = beyond.kind == NeighbourKind::shadow;
          const double *values = shadow ? u.shadows(level) : u.cells(level);
          values += blocked_position(beyond.index,
                                     0,
                                     shadow ? 2 * plane : plane * n,
                                     block_size);
          for (int t = 0; t < plane; ++t)
            {
              const int lower =
                shadow ? t : (t / stride * n + first) * stride + t % stride;
              const int upper = lower + (shadow ? plane : stride);
              f(t,
                values[std::size_t(lower) * block_size],
                values[std::size_t(upper) * block_size]);
            }
        }

      private:
        int n, block_size, plane, stride, first;
      };



      template <int dim>
      double
      coefficient_of(const LevelData<dim> &level, const Neighbour &beyond)
      {
        if (!level.has_coefficient)
          return 1.;
        return beyond.kind == NeighbourKind::shadow ?
                 level.slot_coefficient[beyond.index /
                                        LevelData<dim>::n_face_children] :
                 level.coefficient[beyond.index];
      }
    } // namespace



    template <int dim>
    void
    for_interior_faces(const LevelHierarchy<dim> &levels,
                       const ElementMatrices     &matrices,
                       const PrimalField<double> &u,
                       const FaceVisitor         &visit)
    {
      const int              p = matrices.degree, B = levels.block_size();
      const std::size_t      N     = cellwise::power(p + 1, dim);
      const int              plane = cellwise::power(p + 1, dim - 1);
      BlockTraces<dim>       traces(matrices, B);
      TensorProducts         products;
      std::vector<CellIndex> cells;
      // Of all cells of a block; zero where there is no face.
      std::vector<double> jump(std::size_t(plane) * B), mass_jump(jump.size());
      std::vector<double> flux(jump.size()), mass_flux(jump.size());
      for (int l = 0; l < levels.n_levels(); ++l)
        {
          const LevelData<dim> &level = levels.level(l);
          for (CellIndex block = 0; block < n_owned_blocks(level); ++block)
            for (int axis = 0; axis < dim; ++axis)
              for (int side = 0; side < 2; ++side)
                {
                  find_active_cells(
                    level, block, cells, [&](const CellIndex c) {
                      const Neighbour beyond =
                        level.neighbour_of(c, axis, side);
                      return beyond.kind == NeighbourKind::shadow ||
                             (beyond.kind == NeighbourKind::cell && side == 1 &&
                              level.active[beyond.index] == 1);
                    });
                  if (cells.empty())
                    continue;
                  const double *block_values = u.cells(l) + block * N * B;
                  const double *value = traces.values(block_values, axis, side);
                  const double *derivative =
                    traces.derivatives(block_values, axis, side);
                  const LayersBeyond<dim> layers(p, B, axis, side);
                  const int               first = first_shadow_layer(side, p);
                  const double *e = &matrices.end_value[1 - side][first];
                  const double *d = &matrices.end_derivative[1 - side][first];
                  const double  h = level.cell_size[axis];
                  std::fill(jump.begin(), jump.end(), 0.);
                  std::fill(flux.begin(), flux.end(), 0.);
                  for (const CellIndex c : cells)
                    {
                      const Neighbour beyond =
                        level.neighbour_of(c, axis, side);
                      const double own   = level.cell_coefficient(c) / h;
                      const double other = coefficient_of(level, beyond) / h;
                      const int    lane  = c % B;
                      layers.read(u,
                                  l,
                                  beyond,
                                  [&](const int    t,
                                      const double lower,
                                      const double upper) {
                                    const int k = t * B + lane;
                                    jump[k] =
                                      value[k] - e[0] * lower - e[1] * upper;
                                    flux[k] =
                                      own * derivative[k] -
                                      other * (d[0] * lower + d[1] * upper);
                                  });
                    }
                  products.multiply(all_axes<dim - 1>(matrices.mass),
                                    B,
                                    jump.data(),
                                    mass_jump.data());
                  products.multiply(all_axes<dim - 1>(matrices.mass),
                                    B,
                                    flux.data(),
                                    mass_flux.data());
                  double area = 1.;
                  for (int a = 0; a < dim; ++a)
                    if (a != axis)
                      area *= level.cell_size[a];
                  for (const CellIndex c : cells)
                    {
                      double jump_square = 0., flux_square = 0.;
                      for (int t = 0; t < plane; ++t)
                        {
                          const int k = t * B + c % B;
                          jump_square += jump[k] * mass_jump[k];
                          flux_square += flux[k] * mass_flux[k];
                        }
                      const Neighbour beyond =
                        level.neighbour_of(c, axis, side);
                      visit({l,
                             c,
                             beyond,
                             h,
                             level.face_weight(c, axis, side),
                             0.5 * level.cell_coefficient(c) +
                               0.5 * coefficient_of(level, beyond)},
                            std::abs(area * jump_square),
                            std::abs(area * flux_square));
                    }
                }
        }
    }



    template <int dim>
    void
    for_boundary_points(const LevelHierarchy<dim>  &levels,
                        const ElementMatrices      &matrices,
                        const PrimalField<double>  &u,
                        const BoxQuadrature<dim>   &quadrature,
                        const NeighbourKind         kind,
                        const BoundaryVisitor<dim> &visit)
    {
      const int              B = levels.block_size();
      const std::size_t      N = cellwise::power(matrices.n, dim);
      BlockTraces<dim>       traces(matrices, B);
      TensorProducts         products;
      std::vector<CellIndex> cells;
      std::vector<double> point_values(std::size_t(quadrature.n_face_points) *
                                       B);
      for (int l = 0; l < levels.n_levels(); ++l)
        {
          const LevelData<dim> &level = levels.level(l);
          for (CellIndex block = 0; block < n_owned_blocks(level); ++block)
            for (int axis = 0; axis < dim; ++axis)
              for (int side = 0; side < 2; ++side)
                {
                  find_active_cells(
                    level, block, cells, [&](const CellIndex c) {
                      return level.neighbour_of(c, axis, side).kind == kind;
                    });
                  if (cells.empty())
                    continue;
                  const double *block_values = u.cells(l) + block * N * B;
                  const bool    slope        = kind == NeighbourKind::neumann;
                  products.multiply(
                    all_axes<dim - 1>(quadrature.values),
                    B,
                    slope ? traces.derivatives(block_values, axis, side) :
                            traces.values(block_values, axis, side),
                    point_values.data());
                  const double scale =
                    slope ? (side == 1 ? 1. : -1.) / level.cell_size[axis] : 1.;
                  for (const CellIndex c : cells)
                    {
                      BoundaryPoint<dim> point;
                      point.level = l;
                      point.cell  = c;
                      point.face  = {levels.forest().level(l).keys[c],
                                     axis,
                                     side};
                      quadrature.for_face_points(
                        levels.forest().lower_corner(point.face.cell),
                        level.cell_size,
                        axis,
                        side,
                        [&](const int k, const Point<dim> &x, const double w) {
                          point.x      = x;
                          point.weight = w;
                          point.trace  = scale * point_values[k * B + c % B];
                          visit(point);
                        });
                    }
                }
        }
    }



#define TESSERA_INSTANTIATE(dim)                                      \
  template class BlockTraces<dim>;                                    \
  template void for_interior_faces(const LevelHierarchy<dim> &,       \
                                   const ElementMatrices &,           \
                                   const PrimalField<double> &,       \
                                   const FaceVisitor &);              \
  template void for_boundary_points<dim>(const LevelHierarchy<dim> &, \
                                         const ElementMatrices &,     \
                                         const PrimalField<double> &, \
                                         const BoxQuadrature<dim> &,  \
                                         NeighbourKind,               \
                                         const BoundaryVisitor<dim> &)

    TESSERA_INSTANTIATE(2);
    TESSERA_INSTANTIATE(3);
  } // namespace sipg
} // namespace tessera
