// SPDX-License-Identifier: LGPL-2.1-or-later
#include "blocked_cells_kernels.h"

#include <tessera/cellwise/blocked_cells.h>

namespace test
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    using namespace tessera::TESSERA_SIMD_NAMESPACE;

    namespace
    {
      /** Call action(BlockedCells), if all cells can be set. */
      template <typename T, typename Action>
      TESSERA_ALWAYS_INLINE int
      with_cells(const int          width,
                 const CellIndex   *cells,
                 const int          n,
                 const unsigned int stored,
                 const Action      &action)
      {
        const auto call = [&](auto lanes) {
          using L = decltype(lanes);
          CellIndex of_lanes[L::width];
          for (int l = 0; l < L::width; ++l)
            of_lanes[l] = l < n ? cells[l] : tessera::cellwise::no_cell;
          tessera::cellwise::TESSERA_SIMD_NAMESPACE::BlockedCells<n_values, L>
                    blocked;
          const int n_set = blocked.set(of_lanes, n, stored);
          if (n_set == n)
            action(blocked, lanes);
          return n_set;
        };
        return width == native_width<T>() ?
                 call(Lanes<T, native_width<T>()>()) :
                 call(Lanes<T, 2>());
      }

      // Some values together, the last one alone.
      constexpr int n_together = n_values - 1;

      template <typename L>
      TESSERA_ALWAYS_INLINE void
      load_lanes(const typename L::T *values, typename L::V (&lanes)[n_values])
      {
        for (int k = 0; k < n_values; ++k)
          lanes[k] = L::load(values + k * L::width);
      }
    } // namespace

    template <typename T>
    int
    register_width()
    {
      return native_width<T>();
    }

    template <typename T>
    int
    load_cells(const int        width,
               const T         *field,
               const CellIndex *cells,
               const int        n,
               T               *values)
    {
      return with_cells<T>(
        width, cells, n, 0, [&](const auto &blocked, auto lanes) {
          using L = decltype(lanes);
          typename L::V loaded[n_values];
          blocked.template prefetch<n_values>(field, 0);
          blocked.template load<n_together>(field, 0, loaded);
          loaded[n_together] = blocked.load(field, n_together);
          for (int k = 0; k < n_values; ++k)
            L::store(values + k * L::width, loaded[k]);
        });
    }

    template <typename T>
    void
    store_cells(const int          width,
                T                 *field,
                const CellIndex   *cells,
                const int          n,
                const unsigned int stored,
                const T           *values)
    {
      with_cells<T>(
        width, cells, n, stored, [&](const auto &blocked, auto lanes) {
          using L = decltype(lanes);
          typename L::V v[n_values];
          load_lanes<L>(values, v);
          blocked.template store<n_together>(field, 0, v);
          blocked.template store<1>(field, n_together, v + n_together);
        });
    }

    template <typename T>
    void
    add_cells(const int          width,
              T                 *field,
              const CellIndex   *cells,
              const int          n,
              const unsigned int stored,
              const T           *values)
    {
      with_cells<T>(
        width, cells, n, stored, [&](const auto &blocked, auto lanes) {
          using L = decltype(lanes);
          typename L::V v[n_values];
          load_lanes<L>(values, v);
          blocked.template add<n_together>(field, 0, v);
          blocked.template add<1>(field, n_together, v + n_together);
        });
    }

#define INSTANTIATE(T)                                                      \
  template int  register_width<T>();                                        \
  template int  load_cells<T>(int, const T *, const CellIndex *, int, T *); \
  template void store_cells<T>(                                             \
    int, T *, const CellIndex *, int, unsigned int, const T *);             \
  template void add_cells<T>(                                               \
    int, T *, const CellIndex *, int, unsigned int, const T *);
    INSTANTIATE(float)
    INSTANTIATE(double)
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace test
