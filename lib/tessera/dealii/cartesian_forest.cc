// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_mpi.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/cartesian_forest.h>
#include <tessera/dealii/compatibility.h>

#include <deal.II/base/geometry_info.h>
#include <deal.II/base/point.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    template <int dim>
    using CellIterator = typename Triangulation<dim>::cell_iterator;

    template <int dim>
    std::string
    text(const CellIterator<dim> &cell)
    {
      std::ostringstream out;
      out << "the cell " << cell->id() << " with the centre (" << cell->center()
          << ')';
      return out.str();
    }

    template <int dim>
    void
    check_kind_of_mesh(const Triangulation<dim> &triangulation)
    {
      const unsigned int n_ranks =
        make_communicator(
          dealii_compatibility::get_mpi_communicator(triangulation))
          .n_ranks();
      if (n_ranks > 1)
        throw InputError("The mesh is distributed over " +
                         std::to_string(n_ranks) +
                         " processes. The interior penalty method with local "
                         "multigrid runs on one process so far: start one, or "
                         "make the mesh with MPI_COMM_SELF.");
      if (triangulation.n_active_cells() == 0)
        throw InputError("The mesh has no cells: make it before it is used.");
      if (!triangulation.all_reference_cells_are_hyper_cube())
        throw InputError(
          "Some cells of the mesh are simplices or other shapes. This method "
          "needs axis-aligned boxes; use a method for general meshes.");
      const auto &periodic_faces = triangulation.get_periodic_face_map();
      if (!periodic_faces.empty())
        {
          const auto &face = periodic_faces.begin()->first;
          throw InputError("Face " + std::to_string(face.second) + " of " +
                           text<dim>(face.first) +
                           " is periodic. Periodic faces are not supported; "
                           "use Dirichlet or Neumann conditions.");
        }
    }



    /** The place of a vertex relative to vertex 0. */
    template <int dim>
    Tensor<1, dim>
    edge(const CellIterator<dim> &cell, const unsigned int vertex)
    {
      return cell->vertex(vertex) - cell->vertex(0);
    }

    /** Whether the axes of a box are the coordinate axes, but in another order
     * or direction. */
    template <int dim>
    bool
    is_rotated(const CellIterator<dim> &cell)
    {
      bool is_rotated = false;
      for (unsigned int d = 0; d < dim; ++d)
        {
          const Tensor<1, dim> e         = edge<dim>(cell, 1U << d);
          unsigned int         direction = 0;
          for (unsigned int b = 1; b < dim; ++b)
            if (std::abs(e[b]) > std::abs(e[direction]))
              direction = b;
          for (unsigned int b = 0; b < dim; ++b)
            if (b != direction && std::abs(e[b]) > 1e-8 * e.norm())
              return false;
          is_rotated = is_rotated || direction != d || e[d] < 0.;
        }
      return is_rotated;
    }

    template <int dim>
    std::vector<sipg::CellVertices<dim>>
    vertices_of_coarse_cells(const Triangulation<dim> &triangulation)
    {
      std::vector<sipg::CellVertices<dim>> vertices;
      for (const auto &cell : triangulation.cell_iterators_on_level(0))
        {
          if (is_rotated<dim>(cell))
            throw InputError(
              "The axes of " + text<dim>(cell) +
              " are the coordinate axes in another order or direction: it is "
              "rotated. All coarse cells must have one orientation, with "
              "vertices numbered along x first, then y, then z; number those "
              "of the coarse mesh in this way.");
          vertices.emplace_back();
          for (const unsigned int v : cell->vertex_indices())
            for (unsigned int d = 0; d < dim; ++d)
              vertices.back()[v][d] = cell->vertex(v)[d];
        }
      return vertices;
    }



    /** What a pass over all cells finds. */
    template <int dim>
    struct Cells
    {
      std::vector<std::pair<sipg::CellKey, unsigned int>>         active;
      std::vector<std::array<types::boundary_id, 2 * dim>>        ids;
      std::vector<typename sipg::CoarseMesh<dim>::FaceConditions> conditions;
    };

    /** Note the conditions of the boundary faces of an active cell. */
    template <int dim>
    void
    add_boundary_faces(Cells<dim>               &cells,
                       const CellIterator<dim>  &cell,
                       const std::uint32_t       coarse_cell,
                       const BoundaryConditions &conditions)
    {
      for (const unsigned int face : cell->face_indices())
        {
          if (!cell->at_boundary(face))
            continue;
          const types::boundary_id id        = cell->face(face)->boundary_id();
          const auto               entry     = conditions.find(id);
          const auto               condition = entry == conditions.end() ?
                                                 sipg::BoundaryCondition::dirichlet :
                                                 entry->second;
          types::boundary_id      &known_id  = cells.ids[coarse_cell][face];
          auto &known_condition = cells.conditions[coarse_cell][face];
          if (known_id == numbers::internal_face_boundary_id)
            {
              known_id        = id;
              known_condition = condition;
            }
          else if (condition != known_condition)
            throw InputError(
              "Face " + std::to_string(face) + " of " + text<dim>(cell) +
              " has the boundary id " + std::to_string(id) +
              ", another part of the same face of its coarse cell has " +
              std::to_string(known_id) +
              ", and their boundary conditions differ. A face of a coarse "
              "cell has one condition: use more coarse cells, or the same "
              "condition.");
        }
    }

    template <int dim>
    Cells<dim>
    collect_cells(const Triangulation<dim> &triangulation,
                  const BoundaryConditions &conditions)
    {
      Cells<dim> cells;
      cells.active.reserve(triangulation.n_active_cells());
      cells.conditions.resize(triangulation.n_cells(0));
      cells.ids.resize(triangulation.n_cells(0));
      for (auto &ids : cells.ids)
        ids.fill(numbers::internal_face_boundary_id);

      std::vector<std::pair<CellIterator<dim>, sipg::CellKey>> stack;
      for (const auto &coarse_cell : triangulation.cell_iterators_on_level(0))
        {
          sipg::CellKey root;
          root.coarse_cell = std::uint32_t(coarse_cell->index());
          stack.emplace_back(coarse_cell, root);
          while (!stack.empty())
            {
              const auto [cell, key] = stack.back();
              stack.pop_back();
              if (cell->is_active())
                {
                  cells.active.emplace_back(key, cell->active_cell_index());
                  add_boundary_faces<dim>(cells,
                                          cell,
                                          root.coarse_cell,
                                          conditions);
                  continue;
                }
              if (cell->refinement_case() !=
                  RefinementCase<dim>(
                    RefinementPossibilities<dim>::isotropic_refinement))
                throw InputError(
                  "The refinement of " + text<dim>(cell) +
                  " is anisotropic. Cells must be refined in all directions: "
                  "use set_refine_flag() without a direction.");
              for (unsigned int c = 0; c < cell->n_children(); ++c)
                stack.emplace_back(cell->child(c),
                                   sipg::child<dim>(key, int(c)));
            }
        }
      std::sort(cells.active.begin(),
                cells.active.end(),
                [](const auto &a, const auto &b) { return a.first < b.first; });
      return cells;
    }



    template <int dim>
    void
    check_ids(const Triangulation<dim> &triangulation,
              const BoundaryConditions &conditions)
    {
      const std::vector<types::boundary_id> present =
        triangulation.get_boundary_ids();
      for (const auto &condition : conditions)
        if (std::find(present.begin(), present.end(), condition.first) ==
            present.end())
          throw InputError(
            "There is a boundary condition for the boundary id " +
            std::to_string(condition.first) +
            ", which no face of the mesh has. Give the ids of faces only.");
    }



    /** Faces of the mesh and of the lattice at the boundary are the same.
     * @param[in] forest The coarse cells. */
    template <int dim>
    void
    check_slits(const Triangulation<dim> &triangulation,
                const sipg::Forest<dim>  &forest)
    {
      for (const auto &cell : triangulation.cell_iterators_on_level(0))
        for (const unsigned int face : cell->face_indices())
          {
            sipg::CellKey key, beyond;
            key.coarse_cell = std::uint32_t(cell->index());
            if (cell->at_boundary(face) &&
                forest.neighbour_key(key, int(face / 2), int(face % 2), beyond))
              throw InputError(
                "Face " + std::to_string(face) + " of " + text<dim>(cell) +
                " is at the boundary, though there is a cell beyond it: the "
                "mesh has a slit. Slits are not supported; join the cells, "
                "for instance with GridTools::delete_duplicated_vertices() "
                "before the mesh is made, or use another method.");
          }
    }



    /** Active cells are boxes of the size of their level. */
    template <int dim>
    void
    check_active_cells(const Triangulation<dim> &triangulation,
                       const sipg::Forest<dim>  &forest)
    {
      // Coarse cells may differ by 1e-8.
      constexpr double tolerance = 4e-8;
      constexpr double epsilon   = std::numeric_limits<double>::epsilon();
      for (const auto &cell : triangulation.active_cell_iterators())
        {
          const sipg::Point<dim> h = forest.cell_size(cell->level());
          for (const unsigned int v : cell->vertex_indices())
            for (unsigned int d = 0; d < dim; ++d)
              {
                const double found    = edge<dim>(cell, v)[d];
                const double expected = ((v >> d) & 1U) * h[d];
                const double rounding =
                  64. * epsilon * std::abs(cell->vertex(v)[d]);
                if (!(std::abs(found - expected) <=
                      tolerance * h[d] + rounding))
                  {
                    std::ostringstream message;
                    message.precision(10);
                    message << "Vertex " << v << " of " << text<dim>(cell)
                            << " is at (" << cell->vertex(v)
                            << "), which is not where it is in a mesh of "
                               "axis-aligned boxes that are halved. Vertices "
                               "must not be moved by manifolds or afterwards; "
                               "use a method for general meshes otherwise.";
                    throw InputError(message.str());
                  }
              }
        }
    }
  } // namespace



  template <int dim>
  CartesianForest<dim>::CartesianForest(const Triangulation<dim> &triangulation,
                                        const BoundaryConditions &conditions)
  {
    check_kind_of_mesh(triangulation);
    check_ids(triangulation, conditions);
    const auto vertices = vertices_of_coarse_cells(triangulation);
    Cells<dim> found    = collect_cells(triangulation, conditions);

    std::vector<sipg::CellKey> keys;
    keys.reserve(found.active.size());
    indices.reserve(found.active.size());
    for (const auto &[key, index] : found.active)
      {
        keys.push_back(key);
        indices.push_back(index);
      }
    const sipg::CoarseMesh<dim> coarse_mesh =
      sipg::coarse_mesh_from_vertices<dim>(vertices, found.conditions);
    // Before a cell beyond a slit is taken for an unbalanced neighbour.
    check_slits(triangulation, sipg::Forest<dim>(coarse_mesh));
    cells               = sipg::Forest<dim>(coarse_mesh, std::move(keys));
    ids_of_coarse_cells = std::move(found.ids);

    check_active_cells(triangulation, cells);
  }



  template <int dim>
  const sipg::Forest<dim> &
  CartesianForest<dim>::forest() const
  {
    return cells;
  }



  template <int dim>
  sipg::CellKey
  CartesianForest<dim>::key(const CellIterator<dim> &cell) const
  {
    sipg::CellKey     key;
    CellIterator<dim> ancestor = cell;
    for (int bit = 0; ancestor->level() > 0; bit += dim)
      {
        const CellIterator<dim> parent = ancestor->parent();
        std::uint64_t           c      = 0;
        while (parent->child(c) != ancestor)
          ++c;
        key.morton |= c << bit;
        ancestor = parent;
      }
    key.level       = std::uint32_t(cell->level());
    key.coarse_cell = std::uint32_t(ancestor->index());
    return key;
  }



  template <int dim>
  const std::vector<unsigned int> &
  CartesianForest<dim>::active_cell_indices() const
  {
    return indices;
  }



  template <int dim>
  types::boundary_id
  CartesianForest<dim>::boundary_id(const std::uint32_t coarse_cell,
                                    const int           face) const
  {
    TESSERA_ASSERT(coarse_cell < ids_of_coarse_cells.size() && 0 <= face &&
                     face < 2 * dim,
                   "no such face");
    return ids_of_coarse_cells[coarse_cell][face];
  }



  template class CartesianForest<2>;
  template class CartesianForest<3>;
} // namespace tessera::dealii_adapters
