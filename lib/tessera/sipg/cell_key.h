// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_cell_key_h
#define tessera_sipg_cell_key_h

#include <cstdint>
#include <tuple>

namespace tessera
{
  namespace sipg
  {
    /**
     * The name of a cell of a forest, the same on all ranks: the coarse cell it
     * descends from, its level, and its Morton number, the numbers of the
     * children on the way down from the coarse cell, dim bits a level, the last
     * one lowest.
     *
     * Child c of a cell is above the middle along axis a if bit a of c is set.
     * Cells of a level are ordered by coarse cell and Morton number; the 2^dim
     * children of a cell follow one another.
     */
    struct CellKey
    {
      std::uint32_t coarse_cell = 0;
      std::uint32_t level       = 0;
      std::uint64_t morton      = 0;

      friend bool
      operator==(const CellKey &a, const CellKey &b)
      {
        return a.coarse_cell == b.coarse_cell && a.level == b.level &&
               a.morton == b.morton;
      }

      /** By level first. */
      friend bool
      operator<(const CellKey &a, const CellKey &b)
      {
        return std::tie(a.level, a.coarse_cell, a.morton) <
               std::tie(b.level, b.coarse_cell, b.morton);
      }
    };

    /** The last level whose Morton numbers fit into 64 bits and whose
     * coordinates fit into 31. */
    inline constexpr std::uint32_t max_level = 20;

    /** Places of coarse cells a direction. */
    inline constexpr int max_coarse_cells = 1024;

    template <int dim>
    CellKey
    parent(const CellKey &key)
    {
      return {key.coarse_cell, key.level - 1, key.morton >> dim};
    }

    template <int dim>
    CellKey
    child(const CellKey &key, const int c)
    {
      return {key.coarse_cell,
              key.level + 1,
              (key.morton << dim) | std::uint64_t(c)};
    }

    /** The number of a cell among its siblings. */
    template <int dim>
    int
    child_number(const CellKey &key)
    {
      return int(key.morton & ((1u << dim) - 1));
    }
  } // namespace sipg
} // namespace tessera

#endif
