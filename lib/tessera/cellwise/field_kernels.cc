// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lane_sum.h>
#include <tessera/base/lanes.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/field_kernels.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      using namespace tessera::TESSERA_SIMD_NAMESPACE;

      namespace
      {
        constexpr int B = cells_per_block;

        /** The cells of a block, one a lane. */
        using Block = Lanes<double, B>;

        template <typename Number>
        using Native = Lanes<Number, native_width<Number>()>;

        /** Where the first value of a cell is: the same in both layouts, if
         * the cell is the first of a block. */
        constexpr std::size_t
        position(const CellIndex cell, const int n_nodes)
        {
          return std::size_t(cell) * n_nodes;
        }

        /** How many of the cells from this one on are in its block. */
        TESSERA_ALWAYS_INLINE int
        n_cells_in_block(const CellIndex cell, const CellIndex n_cells)
        {
          return n_cells - cell < B ? n_cells - cell : B;
        }

        /**
         * The sum of a field of products, given by the sums of each lane of a
         * block: block_sums(cell) for the block that starts with this cell.
         */
        template <typename F>
        TESSERA_ALWAYS_INLINE double
        sum_of_blocks(const CellIndex n_cells, const F &block_sums)
        {
          Block::V sum = Block::zero();
          for (CellIndex cell = 0; cell < n_cells; cell += B)
            {
              const Block::V s = block_sums(cell);
              sum += Block::blend(Block::first_lanes(
                                    n_cells_in_block(cell, n_cells)),
                                  s,
                                  Block::zero());
            }
          return Block::first(sum_lanes<Block>(sum));
        }
      } // namespace



      template <typename To, typename From>
      void
      blocked_to_contiguous(To             *dst,
                            const From     *src,
                            const CellIndex n_cells,
                            const int       n_nodes)
      {
        using L      = Native<To>;
        using Source = Lanes<From, L::width>;
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          for (int lane = 0; lane < n_cells_in_block(cell, n_cells);
               lane += L::width)
            {
              const From *block = src + position(cell, n_nodes) + lane;
              store_each_node<L>(dst + position(cell + lane, n_nodes),
                                 n_cells - cell - lane,
                                 n_nodes,
                                 [&](const int k) {
                                   return Source::template convert<To>(
                                     Source::load(block + k * B));
                                 });
            }
      }



      template <typename To, typename From>
      void
      contiguous_to_blocked(To             *dst,
                            const From     *src,
                            const CellIndex n_cells,
                            const int       n_nodes)
      {
        using L      = Native<From>;
        using Target = Lanes<To, L::width>;
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          for (int lane = 0; lane < B; lane += L::width)
            {
              To *block = dst + position(cell, n_nodes) + lane;
              for_each_node<L>(src + position(cell + lane, n_nodes),
                               n_cells - cell - lane,
                               n_nodes,
                               [&](const int k, const typename L::V v) {
                                 Target::store(block + k * B,
                                               L::template convert<To>(v));
                               });
            }
      }



      template <typename Number>
      void
      add_contiguous(double         *u,
                     const double    s,
                     const double    a,
                     const Number   *z,
                     const CellIndex n_cells,
                     const int       n_nodes)
      {
        using L = Native<Number>;
        using D = Lanes<double, L::width>;
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          for (int lane = 0; lane < B; lane += L::width)
            {
              double *block = u + position(cell, n_nodes) + lane;
              for_each_node<L>(z + position(cell + lane, n_nodes),
                               n_cells - cell - lane,
                               n_nodes,
                               [&](const int k, const typename L::V v) {
                                 D::store(block + k * B,
                                          D::fma(D::set(a),
                                                 L::template convert<double>(v),
                                                 D::set(s) *
                                                   D::load(block + k * B)));
                               });
            }
      }



      double
      dot_blocked(const double   *r,
                  const double   *z,
                  const CellIndex n_cells,
                  const int       n_nodes)
      {
        return sum_of_blocks(n_cells, [&](const CellIndex cell) {
          const std::size_t start = position(cell, n_nodes);
          Block::V          s     = Block::zero();
          for (int k = 0; k < n_nodes; ++k)
            s = Block::fma(Block::load(r + start + k * B),
                           Block::load(z + start + k * B),
                           s);
          return s;
        });
      }



      template <typename Number>
      double
      dot_contiguous(const double   *r,
                     const Number   *z,
                     const CellIndex n_cells,
                     const int       n_nodes)
      {
        using L = Native<Number>;
        using D = Lanes<double, L::width>;
        return sum_of_blocks(n_cells, [&](const CellIndex cell) {
          double sums[B];
          for (int lane = 0; lane < B; lane += L::width)
            {
              const double *block = r + position(cell, n_nodes) + lane;
              typename D::V s     = D::zero();
              for_each_node<L>(z + position(cell + lane, n_nodes),
                               n_cells - cell - lane,
                               n_nodes,
                               [&](const int k, const typename L::V v) {
                                 prefetch<D>(block + (k + n_nodes) * B);
                                 s = D::fma(D::load(block + k * B),
                                            L::template convert<double>(v),
                                            s);
                               });
              D::store(sums + lane, s);
            }
          return Block::load(sums);
        });
      }



      double
      max_abs(const double *r, const CellIndex n_cells, const int n_nodes)
      {
        using V          = Block::V;
        V        largest = Block::zero();
        Block::M is_nan  = Block::first_lanes(0);
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          {
            V        m            = Block::zero();
            Block::M nan_in_block = Block::first_lanes(0);
            for (int k = 0; k < n_nodes; ++k)
              {
                const V v = Block::load(r + position(cell, n_nodes) + k * B);
                const V magnitude =
                  Block::blend(Block::less(v, Block::zero()), -v, v);
                m = Block::blend(Block::less(m, magnitude), magnitude, m);
                nan_in_block =
                  Block::mask_or(nan_in_block,
                                 Block::mask_not(Block::equal(v, v)));
              }
            const Block::M valid =
              Block::first_lanes(n_cells_in_block(cell, n_cells));
            m       = Block::blend(valid, m, Block::zero());
            largest = Block::blend(Block::less(largest, m), m, largest);
            is_nan =
              Block::mask_or(is_nan, Block::mask_and(valid, nan_in_block));
          }
        if (Block::any(is_nan))
          return __builtin_nan("");
        double lanes[B], result = 0.;
        Block::store(lanes, largest);
        for (const double lane : lanes)
          result = result < lane ? lane : result;
        return result;
      }



      template void
      blocked_to_contiguous(float *, const float *, CellIndex, int);
      template void
      blocked_to_contiguous(float *, const double *, CellIndex, int);
      template void
      blocked_to_contiguous(double *, const float *, CellIndex, int);
      template void
      blocked_to_contiguous(double *, const double *, CellIndex, int);

      template void
      contiguous_to_blocked(float *, const float *, CellIndex, int);
      template void
      contiguous_to_blocked(float *, const double *, CellIndex, int);
      template void
      contiguous_to_blocked(double *, const float *, CellIndex, int);
      template void
      contiguous_to_blocked(double *, const double *, CellIndex, int);

      template void
      add_contiguous(double *, double, double, const float *, CellIndex, int);
      template void
      add_contiguous(double *, double, double, const double *, CellIndex, int);

      template double
      dot_contiguous(const double *, const float *, CellIndex, int);
      template double
      dot_contiguous(const double *, const double *, CellIndex, int);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera
