// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/field_kernels.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/reductions.h>

#include <algorithm>

namespace tessera
{
  namespace cellwise
  {
    template <typename Number>
    double
    dot(const DualField<double>   &r,
        const PrimalField<Number> &z,
        const CellIndex            n_cells,
        const Communicator        &communicator)
    {
      TESSERA_ASSERT(internal::have_same_shape(r, z),
                     "fields of a pairing have the same cells and nodes");
      TESSERA_ASSERT(0 <= n_cells && n_cells <= r.n_cells(), "no such cells");
      return sum_over_cells(
        n_cells,
        n_cells,
        communicator,
        [&](const CellIndex first, const CellIndex n, double *sums) {
          const std::size_t start = std::size_t(first) * r.n_nodes();
          TESSERA_CALL_SIMD(
            dot(sums, r.data() + start, z.data() + start, n, r.n_nodes()));
        });
    }



    double
    max_abs(const DualField<double> &r,
            const CellIndex          n_cells,
            const Communicator      &communicator)
    {
      TESSERA_ASSERT(0 <= n_cells && n_cells <= r.n_cells(), "no such cells");
      return max_over_ranks(TESSERA_CALL_SIMD(
                              max_abs(r.data(), n_cells, r.n_nodes())),
                            communicator);
    }



    template <typename To, typename From>
    void
    internal::convert(To             *dst,
                      const Layout    to_layout,
                      const From     *src,
                      const Layout    from_layout,
                      const CellIndex n_cells,
                      const int       n_nodes)
    {
      if (to_layout != from_layout && to_layout == Layout::blocked)
        TESSERA_CALL_SIMD(contiguous_to_blocked(dst, src, n_cells, n_nodes));
      else if (to_layout != from_layout)
        TESSERA_CALL_SIMD(blocked_to_contiguous(dst, src, n_cells, n_nodes));
      else
        {
          const std::size_t B = cells_per_block;
          const std::size_t n_stored =
            to_layout == Layout::blocked ? (n_cells + B - 1) / B * B : n_cells;
          std::transform(src, src + n_stored * n_nodes, dst, [](const From x) {
            return To(x);
          });
        }
    }



    template <int dim, typename Number>
    void
    to_modal(DualModalField<Number>  &b,
             const double             a,
             const DualField<double> &r,
             const ReferenceCell     &cell)
    {
      TESSERA_ASSERT(internal::have_same_shape(b, r),
                     "both fields have the same cells and nodes");
      TESSERA_ASSERT(r.n_nodes() == power(cell.n_nodes, dim),
                     "a field of this degree and dimension");
      const DenseMatrix St = transpose(cell.eigenvectors);
      TESSERA_CALL_SIMD(transform_and_scale<dim>(
        cell.degree, b.data(), a, St.data(), r.data(), r.n_cells()));
    }



    template <typename Number>
    void
    add(PrimalField<double> &u, const double a, const PrimalField<Number> &z)
    {
      TESSERA_ASSERT(internal::have_same_shape(u, z),
                     "fields of a sum have the same cells and nodes");
      TESSERA_CALL_SIMD(add(u.data(), a, z.data(), u.n_cells(), u.n_nodes()));
    }



#define TESSERA_INSTANTIATE(Number)                             \
  template double dot(const DualField<double> &,                \
                      const PrimalField<Number> &,              \
                      CellIndex,                                \
                      const Communicator &);                    \
  template void   internal::convert(                            \
    float *, Layout, const Number *, Layout, CellIndex, int); \
  template void internal::convert(                              \
    double *, Layout, const Number *, Layout, CellIndex, int);  \
  template void to_modal<2>(DualModalField<Number> &,           \
                            double,                             \
                            const DualField<double> &,          \
                            const ReferenceCell &);             \
  template void to_modal<3>(DualModalField<Number> &,           \
                            double,                             \
                            const DualField<double> &,          \
                            const ReferenceCell &);             \
  template void add(PrimalField<double> &, double, const PrimalField<Number> &)

    TESSERA_INSTANTIATE(float);
    TESSERA_INSTANTIATE(double);
  } // namespace cellwise
} // namespace tessera
