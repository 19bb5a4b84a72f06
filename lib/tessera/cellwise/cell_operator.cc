// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/cell_operator_kernels.h>

namespace tessera
{
  namespace cellwise
  {
    template <int dim, typename Number>
    CellOperator<dim, Number>::CellOperator(
      const ReferenceCell           &cell,
      const std::array<double, dim> &stiffness_weights)
      : degree(cell.degree)
    {
      const int q = cell.n_nodes;
      for (int i = 0; i < q; ++i)
        for (int j = 0; j < q; ++j)
          inverse_eigenvectors.push_back(
            Number(cell.inverse_eigenvectors(i, j)));
      for (int k = 0; k < power(q, dim); ++k)
        {
          double lambda = 0.;
          for (int d = 0, rest = k; d < dim; ++d, rest /= q)
            lambda += stiffness_weights[d] * cell.eigenvalues[rest % q];
          eigenvalues.push_back(Number(lambda));
        }
    }



    template <int dim, typename Number>
    void
    CellOperator<dim, Number>::vmult(DualField<Number>         &dst,
                                     const PrimalField<Number> &src) const
    {
      TESSERA_ASSERT(dst.n_cells() == src.n_cells() &&
                       dst.n_nodes() == src.n_nodes(),
                     "both fields have the same cells and nodes");
      TESSERA_ASSERT(src.n_nodes() == int(eigenvalues.size()),
                     "a field of this degree and dimension");
      TESSERA_CALL_SIMD(apply_laplacian<dim>(degree,
                                             dst.data(),
                                             src.data(),
                                             inverse_eigenvectors.data(),
                                             eigenvalues.data(),
                                             src.n_blocks()));
    }



    template <int dim, typename Number>
    void
    CellOperator<dim, Number>::residual(DualField<Number>         &r,
                                        const DualField<Number>   &b,
                                        const PrimalField<Number> &u) const
    {
      TESSERA_ASSERT(r.n_cells() == u.n_cells() && b.n_cells() == u.n_cells() &&
                       r.n_nodes() == u.n_nodes() && b.n_nodes() == u.n_nodes(),
                     "all fields have the same cells and nodes");
      TESSERA_ASSERT(u.n_nodes() == int(eigenvalues.size()),
                     "a field of this degree and dimension");
      TESSERA_CALL_SIMD(laplacian_residual<dim>(degree,
                                                r.data(),
                                                b.data(),
                                                u.data(),
                                                inverse_eigenvectors.data(),
                                                eigenvalues.data(),
                                                u.n_blocks()));
    }



    template class CellOperator<2, float>;
    template class CellOperator<2, double>;
    template class CellOperator<3, float>;
    template class CellOperator<3, double>;
  } // namespace cellwise
} // namespace tessera
