// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/cell_operator_kernels.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/reductions.h>

namespace tessera
{
  namespace cellwise
  {
    using internal::have_same_shape;



    template <int dim>
    CellOperator<dim>::CellOperator(const ReferenceCell       &cell,
                                    const ElementWeights<dim> &weights)
      : degree(cell.degree)
      , eigenvalues(cell_eigenvalues<dim>(cell, weights))
    {
      const int q = cell.n_nodes;
      inverse_eigenvectors.assign(cell.inverse_eigenvectors.data(),
                                  cell.inverse_eigenvectors.data() + q * q);
    }



    template <int dim>
    void
    CellOperator<dim>::vmult(DualField<double>         &dst,
                             const PrimalField<double> &src) const
    {
      TESSERA_ASSERT(have_same_shape(dst, src),
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



    template <int dim>
    void
    CellOperator<dim>::residual(DualField<double>         &r,
                                const DualField<double>   &b,
                                const PrimalField<double> &u) const
    {
      TESSERA_ASSERT(have_same_shape(r, u) && have_same_shape(b, u),
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



    template <int dim>
    template <typename Number>
    double
    CellOperator<dim>::correct(PrimalField<double>       &u,
                               const double               a,
                               const PrimalField<Number> &z,
                               DualField<double>         &r,
                               const DualField<double>   &b,
                               const CellIndex            n_owned,
                               const Communicator        &communicator) const
    {
      TESSERA_ASSERT(have_same_shape(z, u) && have_same_shape(r, u) &&
                       have_same_shape(b, u),
                     "all fields have the same cells and nodes");
      TESSERA_ASSERT(u.n_nodes() == int(eigenvalues.size()),
                     "fields of this degree and dimension");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= u.n_cells(), "no such cells");
      return max_over_ranks(
        TESSERA_CALL_SIMD(correct_and_residual<dim>(degree,
                                                    u.data(),
                                                    a,
                                                    z.data(),
                                                    r.data(),
                                                    b.data(),
                                                    inverse_eigenvectors.data(),
                                                    eigenvalues.data(),
                                                    u.n_blocks(),
                                                    n_owned)),
        communicator);
    }



    template <int dim>
    template <typename Number>
    double
    CellOperator<dim>::update_direction(PrimalField<double>       &d,
                                        const double               beta,
                                        const double               a,
                                        const PrimalField<Number> &z,
                                        const CellIndex            n_owned,
                                        const Communicator &communicator) const
    {
      TESSERA_ASSERT(have_same_shape(z, d),
                     "both fields have the same cells and nodes");
      TESSERA_ASSERT(d.n_nodes() == int(eigenvalues.size()),
                     "fields of this degree and dimension");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= d.n_cells(), "no such cells");
      return sum_over_cells(
        d.n_cells(),
        n_owned,
        communicator,
        [&](const CellIndex first, const CellIndex n, double *energies) {
          const std::size_t start = std::size_t(first) * d.n_nodes();
          TESSERA_CALL_SIMD(
            scale_and_add_energy<dim>(degree,
                                      energies,
                                      d.data() + start,
                                      beta,
                                      a,
                                      z.data() + start,
                                      inverse_eigenvectors.data(),
                                      eigenvalues.data(),
                                      (n + cells_per_block - 1) /
                                        cells_per_block));
        });
    }



    template <int dim>
    double
    CellOperator<dim>::step(PrimalField<double>       &u,
                            DualField<double>         &r,
                            const double               alpha,
                            const PrimalField<double> &d,
                            const CellIndex            n_owned,
                            const Communicator        &communicator) const
    {
      TESSERA_ASSERT(have_same_shape(r, u) && have_same_shape(d, u),
                     "all fields have the same cells and nodes");
      TESSERA_ASSERT(u.n_nodes() == int(eigenvalues.size()),
                     "fields of this degree and dimension");
      TESSERA_ASSERT(0 <= n_owned && n_owned <= u.n_cells(), "no such cells");
      return max_over_ranks(
        TESSERA_CALL_SIMD(step_along_direction<dim>(degree,
                                                    u.data(),
                                                    r.data(),
                                                    alpha,
                                                    d.data(),
                                                    inverse_eigenvectors.data(),
                                                    eigenvalues.data(),
                                                    u.n_blocks(),
                                                    n_owned)),
        communicator);
    }



#define TESSERA_INSTANTIATE(dim, Number)                                  \
  template double CellOperator<dim>::correct(PrimalField<double> &,       \
                                             double,                      \
                                             const PrimalField<Number> &, \
                                             DualField<double> &,         \
                                             const DualField<double> &,   \
                                             CellIndex,                   \
                                             const Communicator &) const; \
  template double CellOperator<dim>::update_direction(                    \
    PrimalField<double> &,                                                \
    double,                                                               \
    double,                                                               \
    const PrimalField<Number> &,                                          \
    CellIndex,                                                            \
    const Communicator &) const

    template class CellOperator<2>;
    template class CellOperator<3>;
    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace cellwise
} // namespace tessera
