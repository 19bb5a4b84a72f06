// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/product_patterns.h>

#include <algorithm>

namespace tessera
{
  namespace sparse
  {
    CompressedRows
    compressed_rows(const BlockPattern &pattern)
    {
      return {pattern.row_begin(), pattern.column_indices()};
    }

    PatternArrays
    product_pattern(const std::int32_t    n_rows,
                    const std::int32_t    n_columns,
                    const CompressedRows &A,
                    const CompressedRows &B)
    {
      PatternArrays             C;
      std::vector<std::int32_t> last_row(n_columns, -1);
      C.row_begin.reserve(std::size_t(n_rows) + 1);
      C.row_begin.push_back(0);
      for (std::int32_t i = 0; i < n_rows; ++i)
        {
          for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1]; ++a)
            for (std::int64_t b = B.row_begin[A.columns[a]];
                 b < B.row_begin[A.columns[a] + 1];
                 ++b)
              if (std::int32_t &last = last_row[B.columns[b]]; last != i)
                {
                  last = i;
                  C.columns.push_back(B.columns[b]);
                }
          std::sort(C.columns.begin() + C.row_begin.back(), C.columns.end());
          C.row_begin.push_back(C.columns.size());
        }
      C.columns.shrink_to_fit();
      return C;
    }

    TransposedPattern
    transpose_pattern(const std::int32_t    n_rows,
                      const std::int32_t    n_columns,
                      const CompressedRows &A)
    {
      TransposedPattern  T;
      const std::int64_t n_blocks = A.row_begin[n_rows];
      T.pattern.columns.resize(n_blocks);
      T.source.resize_without_initialization(n_blocks);
      std::vector<std::int64_t> next(std::size_t(n_columns) + 1, 0);
      for (std::int64_t n = 0; n < n_blocks; ++n)
        ++next[A.columns[n] + 1];
      for (std::int32_t j = 0; j < n_columns; ++j)
        next[j + 1] += next[j];
      T.pattern.row_begin = next;
      for (std::int32_t i = 0; i < n_rows; ++i)
        for (std::int64_t n = A.row_begin[i]; n < A.row_begin[i + 1]; ++n)
          {
            const std::int64_t to = next[A.columns[n]]++;
            T.pattern.columns[to] = i;
            T.source[to]          = n;
          }
      return T;
    }

    template <typename Number>
    void
    transpose_values(const TransposedPattern &transposed,
                     const int                rows,
                     const int                columns,
                     const Number            *values,
                     Number                  *transposed_values)
    {
      Number *to = transposed_values;
      for (const std::int64_t source : transposed.source)
        {
          const Number *const from = values + source * (rows * columns);
          for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c)
              *to++ = from[c * rows + r];
        }
    }

    template void
    transpose_values<float>(const TransposedPattern &,
                            int,
                            int,
                            const float *,
                            float *);
    template void
    transpose_values<double>(const TransposedPattern &,
                             int,
                             int,
                             const double *,
                             double *);
  } // namespace sparse
} // namespace tessera
