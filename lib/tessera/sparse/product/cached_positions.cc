// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/cached_positions.h>
#include <tessera/sparse/product/contribution_lists.h>

#include <algorithm>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    int
    bytes_of_position(const std::size_t max_length)
    {
      return max_length <= 1u << 8 ? 1 : max_length <= 1u << 16 ? 2 : 4;
    }

    std::size_t
    longest_row(const std::int32_t n_rows, const CompressedRows &pattern)
    {
      std::int64_t longest = 0;
      for (std::int32_t i = 0; i < n_rows; ++i)
        longest =
          std::max(longest, pattern.row_begin[i + 1] - pattern.row_begin[i]);
      return longest;
    }

    CachedPositions::CachedPositions(const std::size_t n,
                                     const int         bytes_of_position)
      : bytes(bytes_of_position)
      , data(n * bytes_of_position)
    {
      TESSERA_ASSERT(bytes == 1 || bytes == 2 || bytes == 4,
                     "there are integers of this size");
    }

    namespace
    {
      /** Where each column of a row is in the row. */
      void
      enter_row(const CompressedRows      &pattern,
                const std::int32_t         row,
                std::vector<std::int32_t> &place)
      {
        const std::int64_t begin = pattern.row_begin[row];
        for (std::int64_t n = begin; n < pattern.row_begin[row + 1]; ++n)
          place[pattern.columns[n]] = n - begin;
      }
    } // namespace

    CachedPositions
    make_positions(const std::int32_t    n_rows,
                   const std::int32_t    n_columns,
                   const CompressedRows &A,
                   const CompressedRows &B,
                   const CompressedRows &C,
                   const int             bytes)
    {
      CachedPositions positions(count_contributions(n_rows, A, B), bytes);
      std::vector<std::int32_t> place(n_columns);
      std::size_t               n = 0;
      for (std::int32_t i = 0; i < n_rows; ++i)
        {
          enter_row(C, i, place);
          for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1]; ++a)
            for (std::int64_t b = B.row_begin[A.columns[a]];
                 b < B.row_begin[A.columns[a] + 1];
                 ++b)
              positions.set(n++, place[B.columns[b]]);
        }
      return positions;
    }

    CachedPositions
    make_coarse_positions(const std::int32_t       n_rows,
                          const std::int32_t       n_coarse_rows,
                          const CompressedRows    &P,
                          const TransposedPattern &R,
                          const CompressedRows    &W,
                          const CompressedRows    &C,
                          const std::size_t        n_products,
                          const int                bytes)
    {
      std::vector<std::size_t> first_of_row(n_rows);
      std::size_t              n_before = 0;
      for (std::int32_t i = 0; i < n_rows; ++i)
        {
          first_of_row[i] = n_before;
          n_before += (P.row_begin[i + 1] - P.row_begin[i]) *
                      (W.row_begin[i + 1] - W.row_begin[i]);
        }
      TESSERA_ASSERT(n_before == n_products, "all products are counted");

      // Coarse row by coarse row, so that no position has to be searched.
      CachedPositions           positions(n_products, bytes);
      std::vector<std::int32_t> place(n_coarse_rows);
      const CompressedRows      rows = R.pattern.compressed_rows();
      for (std::int32_t I = 0; I < n_coarse_rows; ++I)
        {
          enter_row(C, I, place);
          for (std::int64_t r = rows.row_begin[I]; r < rows.row_begin[I + 1];
               ++r)
            {
              const std::int32_t i      = rows.columns[r];
              const std::int64_t length = W.row_begin[i + 1] - W.row_begin[i];
              const std::size_t  first =
                first_of_row[i] + (R.source[r] - P.row_begin[i]) * length;
              for (std::int64_t n = 0; n < length; ++n)
                positions.set(first + n, place[W.columns[W.row_begin[i] + n]]);
            }
        }
      return positions;
    }
  } // namespace sparse
} // namespace tessera
