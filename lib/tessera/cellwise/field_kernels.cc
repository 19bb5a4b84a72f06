// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/field_kernels.h>
#include <tessera/cellwise/max_abs_lanes.h>

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
      add(double         *u,
          const double    a,
          const Number   *z,
          const CellIndex n_cells,
          const int       n_nodes)
      {
        using Source = Lanes<Number, B>;
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          for (int k = 0; k < n_nodes; ++k)
            {
              const std::size_t i = position(cell, n_nodes) + k * B;
              Block::store(u + i,
                           Block::fma(Block::set(a),
                                      Source::template convert<double>(
                                        Source::load(z + i)),
                                      Block::load(u + i)));
            }
      }



      template <typename Number>
      void
      dot(double         *sums,
          const double   *r,
          const Number   *z,
          const CellIndex n_cells,
          const int       n_nodes)
      {
        using Source = Lanes<Number, B>;
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          {
            Block::V s = Block::zero();
            for (int k = 0; k < n_nodes; ++k)
              {
                const std::size_t i = position(cell, n_nodes) + k * B;
                s                   = Block::fma(Block::load(r + i),
                               Source::template convert<double>(
                                 Source::load(z + i)),
                               s);
              }
            Block::store(sums + cell, s);
          }
      }



      double
      max_abs(const double *r, const CellIndex n_cells, const int n_nodes)
      {
        MaxAbsLanes<Block> result;
        for (CellIndex cell = 0; cell < n_cells; cell += B)
          {
            MaxAbsLanes<Block> of_block;
            for (int k = 0; k < n_nodes; ++k)
              of_block.add(Block::load(r + position(cell, n_nodes) + k * B));
            result.add(of_block, Block::first_lanes(n_cells - cell));
          }
        return result.result();
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
      add(double *, double, const float *, CellIndex, int);
      template void
      add(double *, double, const double *, CellIndex, int);

      template void
      dot(double *, const double *, const float *, CellIndex, int);
      template void
      dot(double *, const double *, const double *, CellIndex, int);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera
