// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/field_kernels.h>
#include <tessera/cellwise/tensor_transforms.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      using namespace tessera::TESSERA_SIMD_NAMESPACE;

      namespace
      {
        template <int dim, int q, typename Number>
        void
        apply_to_blocks(Number         *b,
                        const double    a,
                        const double   *A,
                        const double   *r,
                        const CellIndex n_cells)
        {
          constexpr int N = power(q, dim), B = cells_per_block;
          using D      = Lanes<double, native_width<double>()>;
          using Target = Lanes<Number, D::width>;
          for (CellIndex cell = 0; cell < n_cells; cell += B)
            for (int lane = 0; lane < B; lane += D::width)
              {
                const std::size_t start = std::size_t(cell) * N + lane;
                typename D::V     v[N];
                load_slabs_to_modes<dim, q, D>(
                  A,
                  [&](const int k) {
                    prefetch<D>(r + start + (k + N) * B);
                    prefetch<Target>(b + start + (k + N) * B);
                    return D::load(r + start + k * B);
                  },
                  v);
                transform_last_axis<TransformDirection::to_modes, dim, q, D>(A,
                                                                             v);
                for (int k = 0; k < N; ++k)
                  Target::store(b + start + k * B,
                                D::template convert<Number>(D::set(a) * v[k]));
              }
        }
      } // namespace



      template <int dim, typename Number>
      void
      transform_and_scale(const int       degree,
                          Number         *b,
                          const double    a,
                          const double   *A,
                          const double   *r,
                          const CellIndex n_cells)
      {
        dispatch_degree(degree, [&](const auto p) {
          apply_to_blocks<dim, decltype(p)::value + 1>(b, a, A, r, n_cells);
        });
      }



      template void
      transform_and_scale<2>(int,
                             float *,
                             double,
                             const double *,
                             const double *,
                             CellIndex);
      template void
      transform_and_scale<2>(int,
                             double *,
                             double,
                             const double *,
                             const double *,
                             CellIndex);
      template void
      transform_and_scale<3>(int,
                             float *,
                             double,
                             const double *,
                             const double *,
                             CellIndex);
      template void
      transform_and_scale<3>(int,
                             double *,
                             double,
                             const double *,
                             const double *,
                             CellIndex);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera
