// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_lane_cells_h
#define tessera_sipg_lane_cells_h

#include <tessera/base/lanes.h>
#include <tessera/sipg/level_view.h>

#include <cstddef>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** Where an array by cell has the values of cell c: the first one; the
       * following ones at distances of block_size. */
      template <typename T>
      TESSERA_ALWAYS_INLINE T *
      cell_values(T              *field,
                  const CellIndex c,
                  const int       n_values,
                  const CellIndex block_size)
      {
        return field + std::size_t(c / block_size) * n_values * block_size +
               c % block_size;
      }

      template <int n_values, typename L>
      __attribute__((noinline)) void
      load_single_cells(const typename L::T *field,
                        const CellIndex      block_size,
                        const CellIndex      n_padded_cells,
                        const CellIndex      c,
                        typename L::V       *values)
      {
        const std::size_t B = block_size;
        for (int k = 0; k < n_values; ++k)
          {
            typename L::T lanes[L::width] = {};
            for (int l = 0; l < L::width && c + l < n_padded_cells; ++l)
              lanes[l] = cell_values(field, c + l, n_values, block_size)[k * B];
            values[k] = L::load(lanes);
          }
      }

      template <int n_values, typename L>
      __attribute__((noinline)) void
      store_single_cells(typename L::T       *field,
                         const CellIndex      block_size,
                         const CellIndex      n_padded_cells,
                         const CellIndex      c,
                         const typename L::V *values)
      {
        const std::size_t B = block_size;
        for (int k = 0; k < n_values; ++k)
          {
            typename L::T lanes[L::width];
            L::store(lanes, values[k]);
            for (int l = 0; l < L::width && c + l < n_padded_cells; ++l)
              cell_values(field, c + l, n_values, block_size)[k * B] = lanes[l];
          }
      }

      /** The values of entries c, ..., c + W - 1 of an array in blocks; zero
       * beyond the padding. Slow where these are of several blocks. */
      template <int n_values, typename L>
      TESSERA_ALWAYS_INLINE void
      load_blocked(const typename L::T *field,
                   const CellIndex      block_size,
                   const CellIndex      n_padded,
                   const CellIndex      c,
                   typename L::V       *values)
      {
        using T             = typename L::T;
        const std::size_t B = block_size;
        if (block_size >= L::width)
          {
            const T *in = cell_values(field, c, n_values, block_size);
            for (int k = 0; k < n_values; ++k)
              values[k] = L::load(in + k * B);
          }
        else
          load_single_cells<n_values, L>(
            field, block_size, n_padded, c, values);
      }

      /** The way back. */
      template <int n_values, typename L>
      TESSERA_ALWAYS_INLINE void
      store_blocked(typename L::T       *field,
                    const CellIndex      block_size,
                    const CellIndex      n_padded,
                    const CellIndex      c,
                    const typename L::V *values)
      {
        using T             = typename L::T;
        const std::size_t B = block_size;
        if (block_size >= L::width)
          {
            T *out = cell_values(field, c, n_values, block_size);
            for (int k = 0; k < n_values; ++k)
              L::store(out + k * B, values[k]);
          }
        else
          store_single_cells<n_values, L>(
            field, block_size, n_padded, c, values);
      }

      /** The values of cells c, ..., c + W - 1 of a level. */
      template <int n_values, typename L>
      TESSERA_ALWAYS_INLINE void
      load_cells(const typename L::T *field,
                 const LevelView     &level,
                 const CellIndex      c,
                 typename L::V       *values)
      {
        load_blocked<n_values, L>(
          field, level.block_size, level.n_padded_cells, c, values);
      }

      /** The way back. */
      template <int n_values, typename L>
      TESSERA_ALWAYS_INLINE void
      store_cells(typename L::T       *field,
                  const LevelView     &level,
                  const CellIndex      c,
                  const typename L::V *values)
      {
        store_blocked<n_values, L>(
          field, level.block_size, level.n_padded_cells, c, values);
      }

      /**
       * Ask for the values of the cells that come after c, ..., c + W - 1: they
       * are at distances of a block, which processors do not foresee. For
       * reading, or for writing.
       */
      template <int n_values, typename L, bool writes = false>
      TESSERA_ALWAYS_INLINE void
      prefetch_next_cells(const typename L::T *field,
                          const LevelView     &level,
                          const CellIndex      c)
      {
        const CellIndex next = c + L::width;
        if (next >= level.n_padded_cells)
          return;
        const std::size_t B = level.block_size;
        const auto *const in =
          cell_values(field, next, n_values, level.block_size);
        for (int k = 0; k < n_values; ++k)
          __builtin_prefetch(in + k * B, writes ? 1 : 0);
      }

      /** Whether none, some or all of cells c, ..., c + W - 1 are active: 0, 1,
       * 2. S is the number of siblings of a group. */
      template <int W, int S>
      TESSERA_ALWAYS_INLINE int
      activity(const LevelView &level, const CellIndex c)
      {
        const int size = level.group_size == 1 ? 1 : S;
        int       sum  = 0;
        for (CellIndex g = c / size; g < (c + W) / size; ++g)
          sum += level.group_activity[g];
        return sum == 0 ? 0 : sum == 2 * (W / size) ? 2 : 1;
      }

      /** Values of cells among c, ..., c + W - 1 that are not active become
       * zero, whatever they are. */
      template <int n_values, typename L>
      TESSERA_ALWAYS_INLINE void
      zero_inactive_cells(const LevelView &level,
                          const CellIndex  c,
                          typename L::V   *values)
      {
        using T               = typename L::T;
        T is_active[L::width] = {};
        for (int l = 0; l < L::width && c + l < level.n_padded_cells; ++l)
          is_active[l] = T(level.active[c + l]);
        const auto off = L::equal(L::load(is_active), L::zero());
        for (int k = 0; k < n_values; ++k)
          values[k] = L::blend(off, L::zero(), values[k]);
      }

      /** A factor, times the coefficient of each of the cells. */
      template <typename L>
      TESSERA_ALWAYS_INLINE typename L::V
      with_coefficient(const LevelView    &level,
                       const CellIndex     c,
                       const typename L::T factor)
      {
        if (level.coefficient == nullptr)
          return L::set(factor);
        typename L::T lanes[L::width] = {};
        for (int l = 0; l < L::width && c + l < level.n_padded_cells; ++l)
          lanes[l] = factor * typename L::T(level.coefficient[c + l]);
        return L::load(lanes);
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera

#endif
