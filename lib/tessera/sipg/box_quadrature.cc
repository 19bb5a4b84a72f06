// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/sipg/box_quadrature.h>
#include <tessera/sipg/hermite_like_basis.h>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      template <int dim>
      void
      tensor_formula(const cellwise::Quadrature &quadrature,
                     std::vector<Point<dim>>    &points,
                     std::vector<double>        &weights)
      {
        const int n = int(quadrature.points.size());
        points.resize(cellwise::power(n, dim));
        weights.resize(points.size(), 1.);
        for (std::size_t k = 0; k < points.size(); ++k)
          for (int d = 0, rest = int(k); d < dim; ++d, rest /= n)
            {
              points[k][d] = quadrature.points[rest % n];
              weights[k] *= quadrature.weights[rest % n];
            }
      }
    } // namespace



    template <int dim>
    BoxQuadrature<dim>::BoxQuadrature(const int degree, const int n_points)
      : n_cell_points(cellwise::power(n_points, dim))
      , n_face_points(cellwise::power(n_points, dim - 1))
    {
      const HermiteLikeBasis     basis(degree);
      const cellwise::Quadrature quadrature =
        cellwise::gauss_quadrature(n_points);
      values      = basis.values(quadrature.points);
      derivatives = basis.derivatives(1, quadrature.points);
      curvatures  = basis.derivatives(2, quadrature.points);
      tensor_formula<dim>(quadrature, cell_points, cell_weights);
      tensor_formula<dim - 1>(quadrature, face_points, face_weights);
    }



    template class BoxQuadrature<2>;
    template class BoxQuadrature<3>;
  } // namespace sipg
} // namespace tessera
