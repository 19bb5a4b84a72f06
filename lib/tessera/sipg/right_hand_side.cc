// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/box_quadrature.h>
#include <tessera/sipg/face_traces.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/tensor_products.h>

#include <algorithm>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** Right-hand sides of the cells of a block, [values of a cell][block
       * size] as in FieldLayout. */
      template <int dim>
      class BlockIntegrals
      {
      public:
        BlockIntegrals(const LevelHierarchy<dim> &hierarchy,
                       const ElementMatrices     &matrices,
                       const BoxQuadrature<dim>  &formula)
          : levels(hierarchy)
          , quadrature(formula)
          , tests(transpose(quadrature.values))
          , n(matrices.n)
          , B(levels.block_size())
          , cell_points(std::size_t(quadrature.n_cell_points) * B)
          , face_points(std::size_t(quadrature.n_face_points) * B)
          , face_integrals(std::size_t(cellwise::power(n, dim - 1)) * B)
        {}

        /** b = $\int_K f \phi_i$ in the given cells, zero in others. */
        void
        set_cells(const int                     l,
                  const std::vector<CellIndex> &cells,
                  const ScalarFunction<dim>    &f,
                  double                       *b)
        {
          std::fill(cell_points.begin(), cell_points.end(), 0.);
          for (const CellIndex c : cells)
            quadrature.for_cell_points(
              lower_corner(l, c),
              levels.level(l).cell_size,
              [&](const int k, const Point<dim> &x, const double w) {
                cell_points[std::size_t(k) * B + c % B] =
                  w * finite_value<dim>(f(x), x, "source");
              });
          products.multiply(all_axes<dim>(tests), B, cell_points.data(), b);
        }

        /** Add $k_c \int_F f\, \phi_i\, t_j$ over the faces at one end of an
         * axis, where j is the index along the axis; $k_c$ = factor(c). */
        template <typename Factor>
        void
        add_faces(const int                     l,
                  const std::vector<CellIndex> &cells,
                  const int                     axis,
                  const int                     side,
                  const BoundaryFunction<dim>  &f,
                  const char                   *name,
                  const Factor                 &factor,
                  const std::vector<double>    &t,
                  double                       *b)
        {
          std::fill(face_points.begin(), face_points.end(), 0.);
          for (const CellIndex c : cells)
            {
              const BoundaryFace face = {levels.forest().level(l).keys[c],
                                         axis,
                                         side};
              quadrature.for_face_points(
                lower_corner(l, c),
                levels.level(l).cell_size,
                axis,
                side,
                [&](const int k, const Point<dim> &x, const double w) {
                  face_points[std::size_t(k) * B + c % B] =
                    w * factor(c) * finite_value<dim>(f(x, face), x, name);
                });
            }
          products.multiply(all_axes<dim - 1>(tests),
                            B,
                            face_points.data(),
                            face_integrals.data());
          const std::size_t n_fast = std::size_t(cellwise::power(n, axis)) * B;
          for (int slow = 0; slow < cellwise::power(n, dim - 1 - axis); ++slow)
            for (int j = 0; j < n; ++j)
              for (std::size_t s = 0; s < n_fast; ++s)
                b[(slow * n + j) * n_fast + s] +=
                  t[j] * face_integrals[slow * n_fast + s];
        }

      private:
        const LevelHierarchy<dim> &levels;
        const BoxQuadrature<dim>  &quadrature;
        DenseMatrix                tests; ///< functions x points
        int                        n, B;
        TensorProducts             products;
        std::vector<double>        cell_points;
        std::vector<double>        face_points;
        std::vector<double>        face_integrals;

        Point<dim>
        lower_corner(const int l, const CellIndex c) const
        {
          return levels.forest().lower_corner(levels.forest().level(l).keys[c]);
        }
      };
    } // namespace



    template <int dim>
    void
    assemble_right_hand_side(const LevelHierarchy<dim> &levels,
                             const ElementMatrices     &matrices,
                             const ProblemData<dim>    &data,
                             DualField<double>         &b,
                             const int                  n_points)
    {
      const BoxQuadrature<dim> quadrature(matrices.degree,
                                          n_points > 0 ? n_points :
                                                         matrices.degree + 3);
      BlockIntegrals<dim>      integrals(levels, matrices, quadrature);
      const std::size_t        block_values =
        std::size_t(b.layout().n_cell_values) * levels.block_size();
      std::vector<CellIndex> cells;
      b.set_zero();
      for (int l = 0; l < levels.n_levels(); ++l)
        {
          const LevelData<dim> &level = levels.level(l);
          for (CellIndex block = 0; block < n_owned_blocks(level); ++block)
            {
              double *values = b.cells(l) + block * block_values;
              if (data.source)
                {
                  find_active_cells(level, block, cells, [](CellIndex) {
                    return true;
                  });
                  if (!cells.empty())
                    integrals.set_cells(l, cells, data.source, values);
                }
              for (int face = 0; face < 2 * dim; ++face)
                {
                  const int  axis = face / 2, side = face % 2;
                  const auto find_faces = [&](const NeighbourKind kind) {
                    find_active_cells(
                      level, block, cells, [&](const CellIndex c) {
                        return level.neighbour_of(c, axis, side).kind == kind;
                      });
                    return !cells.empty();
                  };
                  if (data.dirichlet && find_faces(NeighbourKind::dirichlet))
                    {
                      const double        outward = side == 1 ? 1. : -1.;
                      std::vector<double> normal(matrices.n);
                      for (int i = 0; i < matrices.n; ++i)
                        normal[i] = matrices.penalty.boundary_factor *
                                      matrices.gamma *
                                      matrices.end_value[side][i] -
                                    outward * matrices.end_derivative[side][i];
                      integrals.add_faces(
                        l,
                        cells,
                        axis,
                        side,
                        data.dirichlet,
                        "Dirichlet value",
                        [&](const CellIndex c) {
                          return level.cell_coefficient(c) /
                                 level.cell_size[axis];
                        },
                        normal,
                        values);
                    }
                  if (data.neumann && find_faces(NeighbourKind::neumann))
                    integrals.add_faces(
                      l,
                      cells,
                      axis,
                      side,
                      data.neumann,
                      "Neumann value",
                      [](CellIndex) { return 1.; },
                      matrices.end_value[side],
                      values);
                }
            }
        }
    }



    template void
    assemble_right_hand_side(const LevelHierarchy<2> &,
                             const ElementMatrices &,
                             const ProblemData<2> &,
                             DualField<double> &,
                             int);
    template void
    assemble_right_hand_side(const LevelHierarchy<3> &,
                             const ElementMatrices &,
                             const ProblemData<3> &,
                             DualField<double> &,
                             int);
  } // namespace sipg
} // namespace tessera
