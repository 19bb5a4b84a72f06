// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_colour_step_h
#define tessera_tests_benchmarks_gpu_patch_colour_step_h

// The patches of one colour that have all cells of a box, eight each: the
// families of cells.

#include <tessera/base/device/memory.h>
#include <tessera/patch/device/sweep.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace benchmark
{
  using tessera::cellwise::CellIndex;

  /** Cells a direction of a box of about n cells: even numbers, the same in x
   * and y, and half as many in z or as many as well; 2^20 is 128 x 128 x 64,
   * 2^21 is 128^3. */
  inline std::array<int, 3>
  box_of(const std::size_t n)
  {
    std::array<int, 3> cells = {{2, 2, 2}};
    for (int d = 0; std::size_t(cells[0]) * cells[1] * cells[2] * 2 <= n;
         d     = (d + 1) % 3)
      cells[d] *= 2;
    return cells;
  }

  inline std::size_t
  n_cells_of(const std::array<int, 3> &box)
  {
    return std::size_t(box[0]) * box[1] * box[2];
  }

  /** [patch][8], cells numbered x fastest; patches as well, or in random
   * order. */
  inline std::vector<CellIndex>
  families_of(const std::array<int, 3> &box, const bool in_random_order)
  {
    std::vector<CellIndex> cells;
    cells.reserve(n_cells_of(box));
    for (int z = 0; z < box[2]; z += 2)
      for (int y = 0; y < box[1]; y += 2)
        for (int x = 0; x < box[0]; x += 2)
          for (int c = 0; c < 8; ++c)
            cells.push_back((x + c % 2) +
                            box[0] * ((y + c / 2 % 2) + box[1] * (z + c / 4)));
    std::uint64_t state = 1;
    if (in_random_order)
      for (std::size_t i = cells.size() / 8; i > 1; --i)
        {
          state = state * 6364136223846793005u + 1442695040888963407u;
          const std::size_t j = (state >> 33) % i;
          for (int c = 0; c < 8; ++c)
            std::swap(cells[8 * (i - 1) + c], cells[8 * j + c]);
        }
    return cells;
  }

  /** The families on the device. */
  struct ColourStep
  {
    ColourStep(const std::array<int, 3>      &box,
               const bool                     in_random_order,
               const tessera::device::Stream &stream)
      : host_cells(families_of(box, in_random_order))
      , cells(host_cells.data(), host_cells.size(), stream)
    {}

    std::size_t
    n_cells() const
    {
      return host_cells.size();
    }

    tessera::patch::DevicePatches
    patches() const
    {
      return {cells.data(), nullptr, std::int32_t(n_cells() / 8)};
    }

    std::vector<CellIndex>             host_cells;
    tessera::device::Memory<CellIndex> cells;
  };
} // namespace benchmark

#endif
