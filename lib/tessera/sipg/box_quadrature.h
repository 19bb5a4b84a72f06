// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_box_quadrature_h
#define tessera_sipg_box_quadrature_h

#include <tessera/base/dense_matrix.h>
#include <tessera/sipg/types.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * Gauss formulas on boxes and their faces, with the matrices that take
     * coefficients along an axis to values at the points of this axis.
     *
     * Points of a box are numbered with those of x fastest, those of a face
     * likewise with the axes that it has.
     */
    template <int dim>
    class BoxQuadrature
    {
    public:
      /** @param[in] n_points a direction, at least one. */
      BoxQuadrature(int degree, int n_points);

      int n_cell_points;
      int n_face_points;

      /** @name Matrices of one row a point, one column a function
       * @{ */
      DenseMatrix values;      ///< $\phi_i$
      DenseMatrix derivatives; ///< $\phi_i'$, on [0, 1]
      DenseMatrix curvatures;  ///< $\phi_i''$, on [0, 1]
      /** @} */

      /** Call f(k, x, w) for all points of a box: number, place, weight. */
      template <typename F>
      void
      for_cell_points(const Point<dim> &lower_corner,
                      const Point<dim> &size,
                      const F          &f) const
      {
        double volume = 1.;
        for (int d = 0; d < dim; ++d)
          volume *= size[d];
        for (int k = 0; k < n_cell_points; ++k)
          {
            Point<dim> x;
            for (int d = 0; d < dim; ++d)
              x[d] = lower_corner[d] + size[d] * cell_points[k][d];
            f(k, x, volume * cell_weights[k]);
          }
      }

      /** The same for the face of a box at one end of an axis. */
      template <typename F>
      void
      for_face_points(const Point<dim> &lower_corner,
                      const Point<dim> &size,
                      const int         axis,
                      const int         side,
                      const F          &f) const
      {
        double area = 1.;
        for (int d = 0; d < dim; ++d)
          if (d != axis)
            area *= size[d];
        for (int k = 0; k < n_face_points; ++k)
          {
            Point<dim> x;
            for (int d = 0, tangential = 0; d < dim; ++d)
              x[d] = lower_corner[d] +
                     size[d] * (d == axis ? double(side) :
                                            face_points[k][tangential++]);
            f(k, x, area * face_weights[k]);
          }
      }

    private:
      std::vector<Point<dim>>     cell_points; ///< of [0, 1]^dim
      std::vector<double>         cell_weights;
      std::vector<Point<dim - 1>> face_points;
      std::vector<double>         face_weights;
    };
  } // namespace sipg
} // namespace tessera

#endif
