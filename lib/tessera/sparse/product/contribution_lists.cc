// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/contribution_lists.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    std::size_t
    count_contributions(const std::int32_t    n_rows,
                        const CompressedRows &A,
                        const CompressedRows &B)
    {
      std::size_t count = 0;
      for (std::int64_t n = A.row_begin[0]; n < A.row_begin[n_rows]; ++n)
        count += B.row_begin[A.columns[n] + 1] - B.row_begin[A.columns[n]];
      return count;
    }

    ContributionLists
    make_contribution_lists(const std::int32_t    n_rows,
                            const std::int32_t    n_columns,
                            const CompressedRows &A,
                            const CompressedRows &B,
                            const CompressedRows &C)
    {
      // The blocks of row i of C are those that row i of A contributes to, so
      // that sorting goes row by row.
      ContributionLists lists;
      const std::size_t n_blocks = C.row_begin[n_rows];
      lists.begin.resize_without_initialization(n_blocks + 1);
      lists.contributions.resize_without_initialization(
        count_contributions(n_rows, A, B));
      std::vector<std::int64_t> next; // free place of each block of the row
      std::vector<std::int32_t> block(n_columns);
      std::int64_t              end = 0;
      for (std::int32_t i = 0; i < n_rows; ++i)
        {
          const std::int64_t first  = C.row_begin[i];
          const std::int64_t length = C.row_begin[i + 1] - first;
          for (std::int64_t n = 0; n < length; ++n)
            block[C.columns[first + n]] = n;
          next.assign(length, 0);
          for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1]; ++a)
            for (std::int64_t b = B.row_begin[A.columns[a]];
                 b < B.row_begin[A.columns[a] + 1];
                 ++b)
              ++next[block[B.columns[b]]];
          for (std::int64_t n = 0; n < length; ++n)
            {
              lists.begin[first + n] = end;
              end += std::exchange(next[n], end);
            }
          for (std::int64_t a = A.row_begin[i]; a < A.row_begin[i + 1]; ++a)
            for (std::int64_t b = B.row_begin[A.columns[a]];
                 b < B.row_begin[A.columns[a] + 1];
                 ++b)
              {
                constexpr std::int64_t largest =
                  std::numeric_limits<std::uint32_t>::max();
                if (a > largest || b > largest)
                  throw InputError(
                    "A list of contributions to a matrix product refers to "
                    "blocks by 32 bits, but row " +
                    std::to_string(i) + " needs block " +
                    std::to_string(std::max(a, b)) +
                    ". Use the product algorithm 'cached positions' or "
                    "'two-pass', or more processes.");
                lists.contributions[next[block[B.columns[b]]]++] = {
                  std::uint32_t(a), std::uint32_t(b)};
              }
        }
      lists.begin[n_blocks] = end;
      return lists;
    }

    namespace
    {
      /** The tiles without their place among the offsets. */
      ContributionTile
      make_tile(const ContributionLists &lists,
                const std::int64_t       first_block,
                const std::int64_t       n_blocks)
      {
        ContributionTile   tile{first_block, n_blocks, 0, 0, 1, 0};
        const std::int64_t begin = lists.begin[first_block];
        const std::int64_t end   = lists.begin[first_block + n_blocks];
        if (begin == end)
          return tile;
        Contribution first = lists.contributions[begin];
        Contribution last  = first;
        for (std::int64_t n = begin + 1; n < end; ++n)
          {
            const Contribution c = lists.contributions[n];
            first = {std::min(first.a, c.a), std::min(first.b, c.b)};
            last  = {std::max(last.a, c.a), std::max(last.b, c.b)};
          }
        constexpr std::uint32_t largest =
          std::numeric_limits<std::uint16_t>::max();
        tile.first_a  = first.a;
        tile.first_b  = first.b;
        tile.is_short = last.a - first.a <= largest && //
                        last.b - first.b <= largest;
        return tile;
      }
    } // namespace

    ContributionSchedule
    make_contribution_schedule(const ContributionLists &lists,
                               const std::size_t        tile_capacity)
    {
      TESSERA_ASSERT(tile_capacity > 0, "a tile has blocks");
      ContributionSchedule schedule;
      const std::size_t    n_blocks = lists.begin.size() - 1;
      schedule.n_contributions.resize_without_initialization(n_blocks);
      for (std::size_t n = 0; n < n_blocks; ++n)
        schedule.n_contributions[n] = lists.begin[n + 1] - lists.begin[n];

      const std::size_t n_tiles =
        (n_blocks + tile_capacity - 1) / tile_capacity;
      schedule.tiles.resize_without_initialization(n_tiles);
      std::int64_t n_words = 0;
      for (std::size_t t = 0; t < n_tiles; ++t)
        {
          const std::size_t first = t * tile_capacity;
          ContributionTile  tile =
            make_tile(lists, first, std::min(tile_capacity, n_blocks - first));
          tile.begin = n_words;
          n_words += (tile.is_short ? 2 : 4) *
                     (lists.begin[tile.first_block + tile.n_blocks] -
                      lists.begin[tile.first_block]);
          schedule.tiles[t] = tile;
        }

      schedule.offsets.resize_without_initialization(n_words);
      for (const ContributionTile &tile : schedule.tiles)
        {
          std::uint16_t     *to = schedule.offsets.data() + tile.begin;
          const std::int64_t end =
            lists.begin[tile.first_block + tile.n_blocks];
          for (std::int64_t n = lists.begin[tile.first_block]; n < end; ++n)
            {
              const Contribution  c          = lists.contributions[n];
              const std::uint32_t offsets[2] = {c.a - tile.first_a,
                                                c.b - tile.first_b};
              if (tile.is_short)
                {
                  to[0] = std::uint16_t(offsets[0]);
                  to[1] = std::uint16_t(offsets[1]);
                  to += 2;
                }
              else
                {
                  std::memcpy(to, offsets, sizeof(offsets));
                  to += 4;
                }
            }
        }
      return schedule;
    }
  } // namespace sparse
} // namespace tessera
