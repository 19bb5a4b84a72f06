// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_cholesky_kernels_h
#define tessera_amg_cholesky_kernels_h

#include <tessera/base/instruction_set.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace amg
  {
    /**
     * The storage of triangular matrices: panels of that many rows, the entries
     * of a column of a panel side by side.
     *
     * A lower triangular matrix L has in panel I the columns up to its diagonal
     * tile, panel[8 (I+1)][8]; its transpose U those from there on, panel[N - 8
     * I][8]. Entries beyond the diagonal are zero.
     */
    constexpr int cholesky_panel_rows = 8;

    /** Where panel I of L begins; of all n panels: the number of values. */
    constexpr std::size_t
    lower_panel_begin(const std::size_t panel)
    {
      return 32 * panel * (panel + 1);
    }

    /** Where panel I of U begins. */
    constexpr std::size_t
    upper_panel_begin(const std::size_t n_panels, const std::size_t panel)
    {
      return 32 * panel * (2 * n_panels + 1 - panel);
    }

    TESSERA_DECLARE_SIMD(
      /**
       * $A = L L^T$ in place, A having its lower triangle in L. Each entry is
       * a chain of fused multiply-adds over ascending columns, so that
       * blocking and instruction sets do not change bits.
       * @param[in] smallest_pivots [8 n_panels]
       * @return the first row whose pivot is not above the one given for it, or
       * 8 n_panels. Then `pivot` is that pivot, and L is of no use.
       */
      std::int32_t factorize_cholesky(std::int32_t  n_panels,
                                      const double *smallest_pivots,
                                      double       *L,
                                      double       *pivot);

      /** $U = L^T$. */
      void transpose_cholesky(std::int32_t  n_panels,
                              const double *L,
                              double       *U);

      /** $x \leftarrow U^{-1} L^{-1} x$. */
      void solve_cholesky(std::int32_t  n_panels,
                          const double *L,
                          const double *U,
                          double       *x);)
  } // namespace amg
} // namespace tessera

#endif
