// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_brick_slots_h
#define tessera_patch_device_brick_slots_h

#include <tessera/cellwise/degree.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /**
     * The shared memory of a brick: u of the cells in slots 0, 1, ..., b of
     * these cells, and the inverse eigenvalues of the lanes of a patch.
     *
     * Where a cell is a multiple of 16 bytes, lanes access pieces of 16 bytes
     * of their own cells, 8 lanes at a time. Slots are an odd number of such
     * pieces apart, and those of a patch differ modulo 2^dim (BrickSchedule),
     * so that in three dimensions there are no bank conflicts. Other cells, of
     * degree 2, have an odd number of values, which are accessed one by one.
     */
    template <int dim, int degree, typename T>
    struct BrickSlots
    {
      static constexpr int n_nodes   = cellwise::power(degree + 1, dim);
      static constexpr int n_modes   = cellwise::power(degree, dim);
      static constexpr int n_lanes   = 1 << dim; ///< of a patch
      static constexpr int in_vector = 16 / int(sizeof(T));

      static constexpr bool in_vectors = n_nodes % in_vector == 0;

      /** Values accessed as one. */
      static constexpr int piece_values = in_vectors ? in_vector : 1;

      /** Of a cell. */
      static constexpr int n_pieces = n_nodes / piece_values;

      static_assert(in_vectors || n_nodes % 2 == 1,
                    "the stride of single values is odd");

      /** Values from slot to slot. */
      static constexpr int stride = (n_pieces | 1) * piece_values;

      /** Values from lane to lane. */
      static constexpr int eigenvalue_stride = n_modes | 1;

      /** Cells that a warp moves at the same time: 8 pieces a lane, of u and
       * b. */
      static constexpr unsigned int moves_of_warp = 128 / n_pieces;

      static constexpr std::size_t
      shared_bytes(const std::size_t n_slots)
      {
        return (2 * n_slots * stride + n_lanes * eigenvalue_stride) * sizeof(T);
      }

      static constexpr std::size_t
      max_slots(const std::size_t bytes)
      {
        return bytes < shared_bytes(0) ?
                 0 :
                 (bytes - shared_bytes(0)) / (2 * stride * sizeof(T));
      }
    };
  } // namespace patch
} // namespace tessera

#endif
