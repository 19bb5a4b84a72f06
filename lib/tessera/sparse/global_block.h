// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_global_block_h
#define tessera_sparse_global_block_h

#include <tessera/base/exchange_plan.h>
#include <tessera/base/sparse_exchange.h>
#include <tessera/sparse/index_layout.h>

#include <numeric>
#include <utility>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    /** A block by its place in the whole matrix. */
    struct GlobalBlock
    {
      GlobalIndex row;
      GlobalIndex column;

      bool
      operator==(const GlobalBlock &other) const
      {
        return row == other.row && column == other.column;
      }
    };

    /** The lists of an ExchangePlan in which items have the order in which
     * messages have named them. */
    template <typename T>
    std::vector<ExchangePlan::Link>
    consecutive_items(const std::vector<Message<T>> &messages)
    {
      std::vector<ExchangePlan::Link> result;
      unsigned int                    next = 0;
      for (const Message<T> &message : messages)
        {
          std::vector<unsigned int> items(message.data.size());
          std::iota(items.begin(), items.end(), next);
          next += static_cast<unsigned int>(items.size());
          result.push_back({message.rank, std::move(items)});
        }
      return result;
    }
  } // namespace sparse
} // namespace tessera

#endif
