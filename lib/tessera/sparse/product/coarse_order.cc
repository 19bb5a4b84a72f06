// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sparse/product/coarse_order.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      std::vector<std::int32_t>
      reverse_cuthill_mckee(const std::int32_t n, const CompressedRows &C)
      {
        const auto before = [&](const std::int32_t I, const std::int32_t J) {
          return std::make_pair(C.row_begin[I + 1] - C.row_begin[I], I) <
                 std::make_pair(C.row_begin[J + 1] - C.row_begin[J], J);
        };
        std::vector<std::int32_t> starts(n);
        std::iota(starts.begin(), starts.end(), 0);
        std::sort(starts.begin(), starts.end(), before);

        std::vector<std::int32_t> order;
        std::vector<bool>         reached(n, false);
        order.reserve(n);
        for (const std::int32_t start : starts)
          if (!reached[start])
            {
              std::size_t next = order.size();
              reached[start]   = true;
              order.push_back(start);
              for (; next < order.size(); ++next)
                {
                  const std::int32_t I     = order[next];
                  const std::size_t  first = order.size();
                  for (std::int64_t c = C.row_begin[I]; c < C.row_begin[I + 1];
                       ++c)
                    if (!reached[C.columns[c]])
                      {
                        reached[C.columns[c]] = true;
                        order.push_back(C.columns[c]);
                      }
                  std::sort(order.begin() + first, order.end(), before);
                }
            }
        std::reverse(order.begin(), order.end());
        return order;
      }
    } // namespace

    std::vector<std::int32_t>
    coarse_order(const FusedOrder      order,
                 const std::int32_t    n,
                 const CompressedRows &R,
                 const CompressedRows &C)
    {
      if (order == FusedOrder::rcm)
        return reverse_cuthill_mckee(n, C);
      std::vector<std::int32_t> rows(n);
      std::iota(rows.begin(), rows.end(), 0);
      if (order == FusedOrder::minimum_fine_index)
        {
          const auto first = [&](const std::int32_t I) {
            return R.row_begin[I] < R.row_begin[I + 1] ?
                     R.columns[R.row_begin[I]] :
                     std::numeric_limits<std::int32_t>::max();
          };
          std::stable_sort(rows.begin(),
                           rows.end(),
                           [&](const std::int32_t I, const std::int32_t J) {
                             return first(I) < first(J);
                           });
        }
      return rows;
    }
  } // namespace sparse
} // namespace tessera
