// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_kernels_h
#define tessera_patch_level_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/patch/patch_schedule.h>
#include <tessera/patch/patch_update.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /** Runs of patches that one call of the kernel works off, one after the
     * other. */
    struct PatchList
    {
      const CellIndex *cells; ///< see PatchSchedule::cells()
      const PatchRun  *runs;
      std::size_t      n_runs;
      bool             reversed; ///< last run first
    };

    /** Matrices of the transfer between levels, q x q, row-major. */
    template <typename T>
    struct TransferTables
    {
      const T *inverse_eigenvectors; ///< $S^{-1}$
      const T *cell_eigenvalues;     ///< $\Lambda_K$ of the fine level, q^dim
      const T *modal_embedding[2];   ///< $\hat P_c$
      const T *embedding[2];         ///< $P_c$
    };

    // Blocked fields on the host, T float or double, degree 1 to 7. All are
    // instantiated for dim = 2, 3. Local, deterministic; the same bits from
    // every instruction set.
    TESSERA_DECLARE_SIMD(
      /**
       * One sweep of patch updates, $u_K \leftarrow u_K + (R_K^T A_v^{-1} R
       * (b - A u))_K$ for the cells K of each patch v, in the order of the
       * list.
       *
       * @param[in] b In the eigenbasis of the cells.
       *
       * Cost for degree 3, dim 3: see PatchUpdate; 3 (degree+1)^dim sizeof(T)
       * + 4 bytes between memory and registers a cell and patch.
       */
      template <int dim, typename T> void sweep(int                   degree,
                                                T                    *u,
                                                const T              *b,
                                                const PatchList      &patches,
                                                const PatchTables<T> &tables);

      /**
       * The residual of a level, restricted to its parents:
       * $\hat b_{parent} = \sum_c (\hat P_c^T)^{\otimes} (\hat b_c -
       * \Lambda_K (S^{-1})^{\otimes} u_c)$ over its 2^dim children c.
       *
       * No weights: the residual is not assembled. The order of the sum is
       * ((c0+c1)+(c2+c3))+((c4+c5)+(c6+c7)), with x toggling fastest.
       *
       * @param[in] parents Cells of the coarse field, n_parents of them.
       * @param[in] children Of each parent, [parent][2^dim], cells of the fine
       * fields.
       */
      template <int dim, typename T>
      void restrict_residual(int                      degree,
                             T                       *coarse_b,
                             const T                 *u,
                             const T                 *b,
                             const CellIndex         *parents,
                             const CellIndex         *children,
                             std::size_t              n_parents,
                             const TransferTables<T> &tables);

      /** $u_c \leftarrow u_c + (P_c)^{\otimes} u_{parent}$ for all children.
       * What is continuous stays so, bit for bit. */
      template <int dim, typename T>
      void prolongate_and_add(int                      degree,
                              T                       *u,
                              const T                 *coarse_u,
                              const CellIndex         *parents,
                              const CellIndex         *children,
                              std::size_t              n_parents,
                              const TransferTables<T> &tables);)
  } // namespace patch
} // namespace tessera

#endif
