// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/cholesky_kernels.h>
#include <tessera/base/lanes.h>

#include <cmath>

namespace tessera
{
  namespace amg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        using L8 =
          tessera::TESSERA_SIMD_NAMESPACE::Lanes<double, cholesky_panel_rows>;
        using V = L8::V;

        constexpr int tile_rows = cholesky_panel_rows;
        constexpr int tile_size = tile_rows * tile_rows;

        /** Panels of columns that are factorized together: 64 columns. */
        constexpr std::int32_t block_panels = 8;

        /** Columns in a pass over earlier ones: two panels of rows stay in the
         * first level cache, those of a block in the second. */
        constexpr std::int32_t pass_columns = 256;

        // As many sums as registers hold.
        constexpr bool wide =
          tessera::TESSERA_SIMD_NAMESPACE::native_width<double>() >= tile_rows;
        constexpr int columns_at_once = wide ? tile_rows : tile_rows / 2;
        constexpr int panels_at_once  = wide ? 2 : 1;

        /** $C_{IJ} \leftarrow C_{IJ} - \sum_{k = begin}^{end - 1} L_{Ik}
         * L_{Jk}^T$ for n panels I, whose tiles are in C. */
        template <int n, int n_columns>
        TESSERA_ALWAYS_INLINE void
        subtract_products(const double *const (&rows)[n],
                          const double      *columns,
                          const std::int32_t begin,
                          const std::int32_t end,
                          double *const (&C)[n])
        {
          V sums[n][n_columns];
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            {
              TESSERA_UNROLL
              for (int c = 0; c < n_columns; ++c)
                sums[i][c] = L8::load_aligned(C[i] + tile_rows * c);
            }
          for (std::int32_t k = begin; k < end; ++k)
            {
              V row[n];
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                row[i] = L8::load_aligned(
                  rows[i] + static_cast<std::ptrdiff_t>(k) * tile_rows);
              TESSERA_UNROLL
              for (int c = 0; c < n_columns; ++c)
                {
                  const V column = L8::set(
                    columns[static_cast<std::ptrdiff_t>(k) * tile_rows + c]);
                  TESSERA_UNROLL
                  for (int i = 0; i < n; ++i)
                    sums[i][c] = L8::fnma(row[i], column, sums[i][c]);
                }
            }
          TESSERA_UNROLL
          for (int i = 0; i < n; ++i)
            {
              TESSERA_UNROLL
              for (int c = 0; c < n_columns; ++c)
                L8::store_aligned(C[i] + tile_rows * c, sums[i][c]);
            }
        }

        /** The same for the whole tile of column panel J. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        update_tiles(double *const (&panels)[n],
                     const double      *panel_J,
                     const std::int32_t J,
                     const std::int32_t begin,
                     const std::int32_t end)
        {
          for (int c = 0; c < tile_rows; c += columns_at_once)
            {
              const double *rows[n];
              double       *C[n];
              TESSERA_UNROLL
              for (int i = 0; i < n; ++i)
                {
                  rows[i] = panels[i];
                  C[i]    = panels[i] +
                         static_cast<std::ptrdiff_t>(J) * tile_size +
                         c * tile_rows;
                }
              subtract_products<n, columns_at_once>(
                rows, panel_J + c, begin, end, C);
            }
        }

        /** $X \leftarrow X L^{-T}$ for tiles X, L, the latter lower triangular.
         */
        TESSERA_ALWAYS_INLINE void
        solve_tile(const double *L, double *X)
        {
          V x[tile_rows];
          TESSERA_UNROLL
          for (int j = 0; j < tile_rows; ++j)
            {
              V sum = L8::load_aligned(X + j * tile_rows);
              TESSERA_UNROLL
              for (int k = 0; k < j; ++k)
                sum = L8::fnma(x[k], L8::set(L[k * tile_rows + j]), sum);
              x[j] = sum / L8::set(L[j * tile_rows + j]);
              L8::store_aligned(X + j * tile_rows, x[j]);
            }
        }

        /** The Cholesky factor of a tile in place: the first row without
         * pivot. */
        TESSERA_ALWAYS_INLINE int
        factorize_tile(const double *smallest_pivots, double *T, double *pivot)
        {
          using L1 = tessera::TESSERA_SIMD_NAMESPACE::Lanes<double, 1>;
          for (int j = 0; j < tile_rows; ++j)
            {
              double *const column = T + j * tile_rows;
              for (int k = 0; k < j; ++k)
                for (int r = j; r < tile_rows; ++r)
                  column[r] = L1::fnma(T[k * tile_rows + r],
                                       T[k * tile_rows + j],
                                       column[r]);
              *pivot = column[j];
              if (!(*pivot > smallest_pivots[j]))
                return j;
              const double root = std::sqrt(*pivot);
              for (int r = 0; r < j; ++r)
                column[r] = 0;
              column[j] = root;
              for (int r = j + 1; r < tile_rows; ++r)
                column[r] /= root;
            }
          return tile_rows;
        }

        /** Panels I, ..., I + n - 1 of rows below the diagonal block of column
         * panels [begin, end), which earlier columns have been subtracted
         * from. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        finish_rows(const std::int32_t I,
                    const std::int32_t begin,
                    const std::int32_t end,
                    double            *L)
        {
          double *panels[n];
          for (int i = 0; i < n; ++i)
            panels[i] = L + lower_panel_begin(I + i);
          for (std::int32_t J = begin; J < end; ++J)
            {
              const double *const panel_J = L + lower_panel_begin(J);
              update_tiles<n>(
                panels, panel_J, J, tile_rows * begin, tile_rows * J);
              for (int i = 0; i < n; ++i)
                solve_tile(panel_J + static_cast<std::ptrdiff_t>(J) * tile_size,
                           panels[i] +
                             static_cast<std::ptrdiff_t>(J) * tile_size);
            }
        }

        /** Subtract what columns before the block contribute to panels I, ...,
         * I + n - 1 in it. */
        template <int n>
        TESSERA_ALWAYS_INLINE void
        subtract_earlier(const std::int32_t I,
                         const std::int32_t begin_panel,
                         const std::int32_t end_panel,
                         const std::int32_t begin_column,
                         const std::int32_t end_column,
                         double            *L)
        {
          double *panels[n];
          for (int i = 0; i < n; ++i)
            panels[i] = L + lower_panel_begin(I + i);
          for (std::int32_t J = begin_panel; J < end_panel; ++J)
            update_tiles<n>(
              panels, L + lower_panel_begin(J), J, begin_column, end_column);
        }

        constexpr std::int32_t
        smaller(const std::int32_t a, const std::int32_t b)
        {
          return a < b ? a : b;
        }

        /** $y - T x$ for the columns [0, n) of a panel T: four chains, over
         * every fourth column. n is a multiple of 8. */
        TESSERA_ALWAYS_INLINE V
        subtract_columns(const double *T, const double *x, std::int32_t n, V y)
        {
          V sums[4] = {y, L8::zero(), L8::zero(), L8::zero()};
          for (std::int32_t k = 0; k < n; k += 4)
            {
              TESSERA_UNROLL
              for (int q = 0; q < 4; ++q)
                sums[q] = L8::fnma(L8::load_aligned(
                                     T + static_cast<std::ptrdiff_t>(k + q) *
                                           tile_rows),
                                   L8::set(x[k + q]),
                                   sums[q]);
            }
          return (sums[0] + sums[1]) + (sums[2] + sums[3]);
        }
      } // namespace



      std::int32_t
      factorize_cholesky(const std::int32_t n_panels,
                         const double      *smallest_pivots,
                         double            *L,
                         double            *pivot)
      {
        for (std::int32_t begin = 0; begin < n_panels; begin += block_panels)
          {
            const std::int32_t end = smaller(begin + block_panels, n_panels);

            for (std::int32_t k = 0; k < tile_rows * begin; k += pass_columns)
              {
                const std::int32_t k_end =
                  smaller(k + pass_columns, tile_rows * begin);
                for (std::int32_t I = begin; I < end; ++I)
                  subtract_earlier<1>(I, begin, I + 1, k, k_end, L);
                std::int32_t I = end;
                for (; I + panels_at_once <= n_panels; I += panels_at_once)
                  subtract_earlier<panels_at_once>(I, begin, end, k, k_end, L);
                for (; I < n_panels; ++I)
                  subtract_earlier<1>(I, begin, end, k, k_end, L);
              }

            for (std::int32_t I = begin; I < end; ++I)
              {
                finish_rows<1>(I, begin, I, L);
                double *const panel[1] = {L + lower_panel_begin(I)};
                update_tiles<1>(
                  panel, panel[0], I, tile_rows * begin, tile_rows * I);
                const int row = factorize_tile(
                  smallest_pivots + static_cast<std::ptrdiff_t>(I) * tile_rows,
                  panel[0] + static_cast<std::ptrdiff_t>(I) * tile_size,
                  pivot);
                if (row < tile_rows)
                  return tile_rows * I + row;
              }
            std::int32_t I = end;
            for (; I + panels_at_once <= n_panels; I += panels_at_once)
              finish_rows<panels_at_once>(I, begin, end, L);
            for (; I < n_panels; ++I)
              finish_rows<1>(I, begin, end, L);
          }
        return tile_rows * n_panels;
      }



      void
      transpose_cholesky(const std::int32_t n_panels,
                         const double      *L,
                         double            *U)
      {
        for (std::int32_t I = 0; I < n_panels; ++I)
          for (std::int32_t J = 0; J <= I; ++J)
            {
              const double *const from =
                L + lower_panel_begin(I) +
                static_cast<std::ptrdiff_t>(J) * tile_size;
              double *const to = U + upper_panel_begin(n_panels, J) +
                                 static_cast<std::ptrdiff_t>(I - J) * tile_size;
              for (int r = 0; r < tile_rows; ++r)
                for (int c = 0; c < tile_rows; ++c)
                  to[r * tile_rows + c] = from[c * tile_rows + r];
            }
      }



      void
      solve_cholesky(const std::int32_t n_panels,
                     const double      *L,
                     const double      *U,
                     double            *x)
      {
        double rest[tile_rows];
        for (std::int32_t I = 0; I < n_panels; ++I)
          {
            const double *const panel = L + lower_panel_begin(I);
            double *const x_I = x + static_cast<std::ptrdiff_t>(I) * tile_rows;
            V y = subtract_columns(panel, x, tile_rows * I, L8::load(x_I));
            const double *const tile =
              panel + static_cast<std::ptrdiff_t>(I) * tile_size;
            for (int j = 0; j < tile_rows; ++j)
              {
                L8::store(rest, y);
                x_I[j] = rest[j] / tile[j * tile_rows + j];
                y      = L8::fnma(L8::load_aligned(tile + j * tile_rows),
                             L8::set(x_I[j]),
                             y);
              }
          }
        for (std::int32_t I = n_panels - 1; I >= 0; --I)
          {
            const double *const tile = U + upper_panel_begin(n_panels, I);
            double *const x_I = x + static_cast<std::ptrdiff_t>(I) * tile_rows;
            V             y   = subtract_columns(tile + tile_size,
                                   x_I + tile_rows,
                                   tile_rows * (n_panels - 1 - I),
                                   L8::load(x_I));
            for (int j = tile_rows - 1; j >= 0; --j)
              {
                L8::store(rest, y);
                x_I[j] = rest[j] / tile[j * tile_rows + j];
                y      = L8::fnma(L8::load_aligned(tile + j * tile_rows),
                             L8::set(x_I[j]),
                             y);
              }
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace amg
} // namespace tessera
