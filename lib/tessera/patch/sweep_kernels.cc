// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/sweep_rows.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        template <int dim, int degree, typename T>
        void
        sweep_degree(T                    *u,
                     const T              *b,
                     const PatchList      &patches,
                     const PatchTables<T> &tables)
        {
          constexpr int native =
            tessera::TESSERA_SIMD_NAMESPACE::native_width<T>();
          using L =
            tessera::TESSERA_SIMD_NAMESPACE::Lanes<T, native >= 2 ? native : 2>;
          using Update = PatchRowUpdate<dim, degree, L>;
          typename L::V inverse_eigenvalues[Update::n_modes];
          load_row_eigenvalues<dim, degree, L>(tables.inverse_eigenvalues,
                                               inverse_eigenvalues);
          sweep_rows<dim, degree, L>(u,
                                     b,
                                     patches,
                                     Update(tables, inverse_eigenvalues));
        }
      } // namespace



      template <int dim, typename T>
      void
      sweep(const int             degree,
            T                    *u,
            const T              *b,
            const PatchList      &patches,
            const PatchTables<T> &tables)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          sweep_degree<dim, decltype(p)::value>(u, b, patches, tables);
        });
      }



      template void
      sweep<2>(int,
               float *,
               const float *,
               const PatchList &,
               const PatchTables<float> &);
      template void
      sweep<2>(int,
               double *,
               const double *,
               const PatchList &,
               const PatchTables<double> &);
      template void
      sweep<3>(int,
               float *,
               const float *,
               const PatchList &,
               const PatchTables<float> &);
      template void
      sweep<3>(int,
               double *,
               const double *,
               const PatchList &,
               const PatchTables<double> &);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera
