// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/basis_kernels.h>
#include <tessera/sipg/tensor_contractions.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      template <int dim>
      void
      change_basis_of_block(const int           degree,
                            const double *const A,
                            const int           block_size,
                            const double *const in,
                            double *const       out)
      {
        using L = tessera::TESSERA_SIMD_NAMESPACE::Lanes<
          double,
          tessera::TESSERA_SIMD_NAMESPACE::native_width<double>()>;
        constexpr int W = L::width;
        cellwise::dispatch_degree(degree, [&](const auto p) {
          constexpr int             n        = p + 1;
          constexpr int             n_values = cellwise::power(n, dim);
          const UniformMatrix<L, n> matrix{A};
          const UniformMatrix<L, n> matrices[3] = {matrix, matrix, matrix};
          typename L::V             u[n_values];
          for (int c = 0; c < block_size; c += W)
            {
              const int rest = block_size - c < W ? block_size - c : W;
              for (int k = 0; k < n_values; ++k)
                u[k] = rest == W ? L::load(in + k * block_size + c) :
                                   L::load_partial(in + k * block_size, rest);
              contract<dim, n, L>(matrices, u);
              for (int k = 0; k < n_values; ++k)
                if (rest == W)
                  L::store(out + k * block_size + c, u[k]);
                else
                  L::store_partial(out + k * block_size, u[k], rest);
            }
        });
      }



      template void
      change_basis_of_block<2>(int,
                               const double *,
                               int,
                               const double *,
                               double *);
      template void
      change_basis_of_block<3>(int,
                               const double *,
                               int,
                               const double *,
                               double *);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera
