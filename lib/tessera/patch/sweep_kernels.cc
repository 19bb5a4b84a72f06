// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/indexed_cell_lanes.h>
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/patch_lanes.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /** Bits of the lanes whose cells are inside of the box. */
        template <int dim, int width>
        TESSERA_ALWAYS_INLINE unsigned int
        present_lanes(const unsigned int mirrored)
        {
          unsigned int lanes = 0;
          for (int lane = 0; lane < width; ++lane)
            {
              bool is_present = true;
              for (int d = 0; d < dim; ++d)
                if (mirrored & (1u << (2 * d + ((lane >> d) & 1))))
                  is_present = false;
              if (is_present)
                lanes |= 1u << lane;
            }
          return lanes;
        }

        template <int dim, int degree, typename T>
        void
        sweep_degree(T                    *u,
                     const T              *b,
                     const PatchList      &patches,
                     const PatchTables<T> &tables)
        {
          using L                = PatchLanes<dim, T>;
          using V                = typename L::V;
          using Update           = PatchUpdate<dim, degree, L>;
          constexpr int n_cells  = Update::n_patch_cells;
          constexpr int n_nodes  = Update::n_nodes;
          constexpr int n_beside = L::width / n_cells; // patches

          V inverse_eigenvalues[Update::n_modes];
          for (int m = 0; m < Update::n_modes; ++m)
            {
              T lanes[L::width];
              for (int l = 0; l < L::width; ++l)
                lanes[l] =
                  tables.inverse_eigenvalues[m * n_cells + l % n_cells];
              inverse_eigenvalues[m] = L::load(lanes);
            }
          const Update update(tables, inverse_eigenvalues);

          for (std::size_t i = 0; i < patches.n_runs; ++i)
            {
              const PatchRun run =
                patches.runs[patches.reversed ? patches.n_runs - 1 - i : i];
              const unsigned int present =
                present_lanes<dim, L::width>(run.mirrored);
              for (std::int32_t patch = run.begin; patch < run.end;
                   patch += n_beside)
                {
                  // Places without a patch repeat the last one, and are not
                  // written.
                  const CellIndex *cells =
                    patches.cells + std::size_t(patch) * n_cells;
                  unsigned int stored = present;
                  CellIndex    repeated[L::width];
                  const int    n_patches =
                    run.end - patch < n_beside ? run.end - patch : n_beside;
                  if (n_patches < n_beside)
                    {
                      for (int l = 0; l < L::width; ++l)
                        repeated[l] =
                          cells[l < n_patches * n_cells ? l : l % n_cells];
                      cells = repeated;
                      stored &= (1u << (n_patches * n_cells)) - 1u;
                    }

                  V values[n_nodes], residual[n_nodes], rhs[n_nodes];
                  cellwise::TESSERA_SIMD_NAMESPACE::load_cells<n_nodes, L>(
                    u, cells, values);
                  for (int k = 0; k < n_nodes; ++k)
                    residual[k] = values[k];
                  update.to_modes(residual);
                  cellwise::TESSERA_SIMD_NAMESPACE::load_cells<n_nodes, L>(
                    b, cells, rhs);
                  for (int k = 0; k < n_nodes; ++k)
                    residual[k] = update.residual(k, rhs[k], residual[k]);
                  if (run.mirrored != 0)
                    update.reflect(run.mirrored, residual);
                  update.solve_and_add(residual, values);
                  cellwise::TESSERA_SIMD_NAMESPACE::store_cells<n_nodes, L>(
                    u, cells, stored, values);
                }
            }
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
