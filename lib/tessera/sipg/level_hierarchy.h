// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_level_hierarchy_h
#define tessera_sipg_level_hierarchy_h

#include <tessera/sipg/forest.h>
#include <tessera/sipg/level_data.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * The tables of all levels of a forest; independent of the degree.
     *
     * Memory: about 7 bytes a cell in 3D and 9 in 2D, 8 more with a
     * coefficient, 8 a slot; and the forest.
     */
    template <int dim>
    class LevelHierarchy
    {
    public:
      static constexpr int default_block_size = 32;

      /**
       * @param[in] forest copied, which is cheap
       * @param[in] block_size B, a power of two up to 1024
       * @param[in] coefficient k of the active cells, in the order of
       *   Forest::active_cells(); empty for k = 1.
       * @throws InputError if the coefficient has another size than there are
       *   active cells, or a value that is not a positive number; or if B is
       *   not such a power.
       */
      explicit LevelHierarchy(const Forest<dim> &forest,
                              int block_size = default_block_size,
                              const std::vector<double> &coefficient = {});

      const Forest<dim> &
      forest() const
      {
        return mesh;
      }

      int
      block_size() const
      {
        return cells_per_block;
      }

      int
      n_levels() const
      {
        return int(levels.size());
      }

      const LevelData<dim> &
      level(const int l) const
      {
        return levels[l];
      }

      /** Of all levels. */
      std::size_t
      n_active_cells() const;

      std::size_t
      n_slots() const;

      std::size_t
      memory_consumption() const;

    private:
      Forest<dim>                 mesh;
      int                         cells_per_block;
      std::vector<LevelData<dim>> levels;
    };
  } // namespace sipg
} // namespace tessera

#endif
