// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/reference_cell.h>
#include <tessera/sipg/cell_storage.h>
#include <tessera/sipg/hermite_like_basis.h>
#include <tessera/sipg/right_hand_side.h>
#include <tessera/sipg/scalar_tensors.h>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** Integrals over boxes of a function times products of given functions
       * of one variable. */
      template <int dim>
      class Integrals
      {
      public:
        Integrals(const HermiteLikeBasis &basis, const int n_points)
          : quadrature(cellwise::gauss_quadrature(n_points))
          , weighted(basis.values(quadrature.points))
        {
          for (std::size_t k = 0; k < weighted.n_rows(); ++k)
            for (std::size_t i = 0; i < weighted.n_columns(); ++i)
              weighted(k, i) *= quadrature.weights[k];
        }

        /** $\int_K f \phi_i$ for all i. */
        ScalarTensor
        cell(const ScalarFunction<dim> &f,
             const Point<dim>          &corner,
             const Point<dim>          &h) const
        {
          const int    n_points = int(quadrature.points.size());
          ScalarTensor values(std::vector<int>(dim, n_points));
          for_points(values, [&](Point<dim> x) {
            for (int d = 0; d < dim; ++d)
              x[d] = corner[d] + h[d] * x[d];
            return finite_value<dim>(f(x), x, "source");
          });
          for (int d = 0; d < dim; ++d)
            {
              for (double &value : values.values)
                value *= h[d];
              values = multiply_axis(weighted, values, d, Transposed::yes);
            }
          return values;
        }

        /** $\int_F f \phi_i$ over the face at the end s of the axis, where the
         * factor along the axis is @p normal. */
        ScalarTensor
        face(const BoundaryFunction<dim> &f,
             const char                  *name,
             const BoundaryFace          &face,
             const Point<dim>            &corner,
             const Point<dim>            &h,
             const DenseMatrix           &normal) const
        {
          const int        axis = face.axis;
          std::vector<int> extents(dim, int(quadrature.points.size()));
          extents[axis] = 1;
          ScalarTensor values(extents);
          for_points(values, [&](Point<dim> x) {
            x[axis] = face.side;
            for (int d = 0; d < dim; ++d)
              x[d] = corner[d] + h[d] * x[d];
            return finite_value<dim>(f(x, face), x, name);
          });
          for (int d = 0; d < dim; ++d)
            if (d == axis)
              values = multiply_axis(normal, values, d);
            else
              {
                for (double &value : values.values)
                  value *= h[d];
                values = multiply_axis(weighted, values, d, Transposed::yes);
              }
          return values;
        }

      private:
        cellwise::Quadrature quadrature;
        DenseMatrix          weighted; ///< points times functions

        template <typename F>
        void
        for_points(ScalarTensor &values, const F &f) const
        {
          for (std::size_t k = 0; k < values.values.size(); ++k)
            {
              Point<dim>  x;
              std::size_t rest = k;
              for (int d = 0; d < dim; ++d)
                {
                  x[d] = quadrature.points[rest % values.extents[d]];
                  rest /= values.extents[d];
                }
              values.values[k] = f(x);
            }
        }
      };

      void
      add(const ScalarTensor &x, ScalarTensor &y)
      {
        for (std::size_t i = 0; i < y.values.size(); ++i)
          y.values[i] += x.values[i];
      }
    } // namespace



    template <int dim>
    void
    assemble_right_hand_side(const LevelHierarchy<dim> &levels,
                             const ElementMatrices     &matrices,
                             const ProblemData<dim>    &data,
                             DualField<double>         &b,
                             const int                  n_points)
    {
      const int              n = matrices.n;
      const HermiteLikeBasis basis(matrices.degree);
      const Integrals<dim>   integrals(basis,
                                     n_points > 0 ? n_points :
                                                      matrices.degree + 3);
      const CellStorage<dim> storage(matrices.degree, levels.block_size());
      b.set_zero();
      for (int l = 0; l < levels.n_levels(); ++l)
        {
          const LevelData<dim> &level = levels.level(l);
          for (CellIndex c = 0; c < level.n_owned_cells; ++c)
            {
              if (level.active[c] == 0)
                continue;
              const CellKey    &key    = levels.forest().level(l).keys[c];
              const Point<dim>  corner = levels.forest().lower_corner(key);
              const Point<dim> &h      = level.cell_size;
              const double      k      = level.cell_coefficient(c);
              ScalarTensor      sum(std::vector<int>(dim, n));
              if (data.source)
                add(integrals.cell(data.source, corner, h), sum);
              for (int face = 0; face < 2 * dim; ++face)
                {
                  const int           axis = face / 2, side = face % 2;
                  const NeighbourKind kind =
                    level.neighbour_of(c, axis, side).kind;
                  DenseMatrix normal(n, 1);
                  if (kind == NeighbourKind::dirichlet && data.dirichlet)
                    {
                      const double outward = side == 1 ? 1. : -1.;
                      for (int i = 0; i < n; ++i)
                        normal(i, 0) =
                          k / h[axis] *
                          (matrices.penalty.boundary_factor * matrices.gamma *
                             matrices.end_value[side][i] -
                           outward * matrices.end_derivative[side][i]);
                      add(integrals.face(data.dirichlet,
                                         "Dirichlet value",
                                         {key, axis, side},
                                         corner,
                                         h,
                                         normal),
                          sum);
                    }
                  else if (kind == NeighbourKind::neumann && data.neumann)
                    {
                      for (int i = 0; i < n; ++i)
                        normal(i, 0) = matrices.end_value[side][i];
                      add(integrals.face(data.neumann,
                                         "Neumann value",
                                         {key, axis, side},
                                         corner,
                                         h,
                                         normal),
                          sum);
                    }
                }
              storage.set_cell(b.cells(l), c, sum);
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
