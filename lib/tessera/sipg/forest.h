// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_forest_h
#define tessera_sipg_forest_h

#include <tessera/sipg/cell_key.h>
#include <tessera/sipg/coarse_mesh.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    /** Which neighbours may differ by one level at most. */
    enum class Balance
    {
      faces,  ///< all that the method needs
      corners ///< across edges and corners, too, as p4est does it
    };

    /**
     * A forest of 2^dim-trees on a coarse mesh, 2:1 balanced across faces: the
     * cells of all levels, active ones and those that are refined.
     *
     * Cells of a level are numbered in ascending order of their keys. Cells of
     * levels above 0 come as complete groups of siblings.
     *
     * Immutable; copies share the cells. Memory: 17 bytes a cell.
     * Look-ups by key or place take O(log n).
     */
    template <int dim>
    class Forest
    {
    public:
      using Coordinates = std::array<int, dim>;

      /** The cells of one level. */
      struct Level
      {
        std::vector<CellKey> keys; ///< ascending
        std::vector<char>    refined;
      };

      Forest() = default;

      /** The coarse cells.
       * @throws InputError as the following one does. */
      explicit Forest(const CoarseMesh<dim> &mesh);

      /**
       * The forest with these active cells, given in any order.
       *
       * @throws InputError if they do not cover each coarse cell exactly once;
       * if they are not balanced across faces (the message names a pair); if
       * the coarse mesh has no cells, two of them at one place, sizes that are
       * not positive, or a periodic face.
       */
      Forest(const CoarseMesh<dim> &mesh, std::vector<CellKey> active_cells);

      /** Each active cell of each level is replaced by its children n times. */
      static Forest
      uniform(const CoarseMesh<dim> &mesh, int n_refinements);

      /**
       * A forest in which the active cells for which @p marked is true, and
       * those that the balance asks for, are refined once.
       *
       * @p marked is called once for each active cell, in their order.
       * Balance across corners is kept, not established: a forest that is
       * balanced across faces only may stay so.
       */
      Forest
      refine(const std::function<bool(const CellKey &)> &marked,
             Balance balance = Balance::corners) const;

      const CoarseMesh<dim> &
      coarse_mesh() const
      {
        return *mesh;
      }

      int
      n_levels() const
      {
        return int(levels->size());
      }

      const Level &
      level(const int l) const
      {
        return (*levels)[l];
      }

      std::size_t
      n_active_cells() const;

      /** Level by level, ascending: the order of data given for each. */
      std::vector<CellKey>
      active_cells() const;

      /** Sides of the cells of a level. */
      Point<dim>
      cell_size(int level) const;

      /** The place of a cell on the lattice of its level. */
      Coordinates
      coordinates(const CellKey &key) const;

      /** Its lower corner, of which a coordinate is origin + i h. */
      Point<dim>
      lower_corner(const CellKey &key) const;

      /** The number of a cell on its level, or no_cell. */
      CellIndex
      find(const CellKey &key) const;

      /** The key of the place next to a cell across a face, on its level,
       * whether or not the forest has a cell there. False at the boundary. */
      bool
      neighbour_key(const CellKey &key, int axis, int side, CellKey &out) const;

      /** Of a face of a cell that is at the boundary. */
      BoundaryCondition
      boundary_condition(const CellKey &key, int axis, int side) const;

      /** The key of a place of the lattice of a level; false outside. */
      bool
      key_at(int level, const Coordinates &place, CellKey &out) const;

    private:
      std::shared_ptr<const CoarseMesh<dim>>    mesh;
      std::shared_ptr<const std::vector<Level>> levels;

      /** From places of coarse cells to their numbers. */
      std::shared_ptr<const std::map<Coordinates, std::uint32_t>> coarse_places;

      void
      check_coarse_mesh();

      void
      check_balance() const;
    };
  } // namespace sipg
} // namespace tessera

#endif
