// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_mpi.h>
#include <tessera/dealii/box_mesh.h>
#include <tessera/dealii/compatibility.h>

#include <deal.II/base/geometry_info.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    [[noreturn]] void
    refuse(const std::string &found)
    {
      throw InputError(
        "The mesh is not a uniform grid of a box: " + found +
        ". Make it by GridGenerator::subdivided_hyper_rectangle() and "
        "refine_global(), or choose a solver for general meshes.");
    }

    template <int dim>
    std::string
    text(const Point<dim> &point)
    {
      std::ostringstream out;
      out << '(' << point << ')';
      return out.str();
    }

    /** A box grid of equal cells, before it is known whether the mesh is one.
     */
    template <int dim>
    struct Frame
    {
      Point<dim>              lower;
      std::array<int, dim>    n_cells;
      std::array<double, dim> cell_size;

      /** What coordinates may be off by. */
      std::array<double, dim> tolerance;
    };

    /**
     * The grid that spans the bounding box of all cells with as many cells as
     * the width of one fits in. Collective.
     */
    template <int dim>
    Frame<dim>
    find_frame(const Triangulation<dim> &triangulation,
               const Communicator       &communicator)
    {
      // Minima: of the coordinates, of their negatives, of the widths of cells,
      // of the negatives of these.
      std::array<double, 4 * dim> extremes;
      extremes.fill(std::numeric_limits<double>::max());
      for (const auto &cell : triangulation.active_cell_iterators())
        if (cell->is_locally_owned())
          for (unsigned int d = 0; d < dim; ++d)
            {
              double lower = cell->vertex(0)[d], upper = lower;
              for (const unsigned int v : cell->vertex_indices())
                {
                  lower = std::min(lower, cell->vertex(v)[d]);
                  upper = std::max(upper, cell->vertex(v)[d]);
                }
              const double values[] = {lower,
                                       -upper,
                                       upper - lower,
                                       lower - upper};
              for (unsigned int i = 0; i < 4; ++i)
                extremes[4 * d + i] = std::min(extremes[4 * d + i], values[i]);
            }
      communicator.min(extremes.data(), extremes.size());

      Frame<dim>              frame;
      std::array<double, dim> n;
      double                  n_cells = 1.;
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double lower = extremes[4 * d], upper = -extremes[4 * d + 1];
          const double narrowest = extremes[4 * d + 2];
          const double widest    = -extremes[4 * d + 3];
          n[d]                   = std::round((upper - lower) / widest);

          // Every bisection rounds a coordinate once.
          constexpr double epsilon = std::numeric_limits<double>::epsilon();
          frame.tolerance[d] =
            64. * epsilon * std::max(std::abs(lower), std::abs(upper)) +
            1e-12 * widest;
          if (!(widest - narrowest <= 2. * frame.tolerance[d]))
            {
              std::ostringstream found;
              found.precision(17);
              found << "in direction " << d << " cells are between "
                    << narrowest << " and " << widest << " wide";
              refuse(found.str());
            }
          n_cells *= n[d];
          frame.lower[d]     = lower;
          frame.cell_size[d] = (upper - lower) / n[d];
        }
      if (n_cells != double(triangulation.n_global_active_cells()))
        {
          std::ostringstream found;
          found.precision(17);
          found << triangulation.n_global_active_cells()
                << " cells do not fill a box that has room for " << n_cells;
          refuse(found.str());
        }
      for (unsigned int d = 0; d < dim; ++d)
        frame.n_cells[d] = int(n[d]);
      return frame;
    }

    /**
     * Find the place of a cell in the frame.
     * @return whether all its vertices are where they should be.
     */
    template <int dim>
    bool
    find_place(const CellAccessor<dim> &cell,
               const Frame<dim>        &frame,
               std::array<int, dim>    &coordinates,
               CellOrientation<dim>    &orientation)
    {
      const Point<dim> center = cell.center();
      for (unsigned int d = 0; d < dim; ++d)
        coordinates[d] =
          int(std::floor((center[d] - frame.lower[d]) / frame.cell_size[d]));

      std::array<bool, dim> is_taken{};
      for (unsigned int d = 0; d < dim; ++d)
        {
          const Tensor<1, dim> edge = cell.vertex(1U << d) - cell.vertex(0);
          unsigned int         axis = 0;
          for (unsigned int e = 1; e < dim; ++e)
            if (std::abs(edge[e]) > std::abs(edge[axis]))
              axis = e;
          if (is_taken[axis])
            return false;
          is_taken[axis]          = true;
          orientation.axis[d]     = static_cast<unsigned char>(axis);
          orientation.reversed[d] = edge[axis] < 0.;
        }

      for (const unsigned int v : cell.vertex_indices())
        for (unsigned int d = 0; d < dim; ++d)
          {
            const unsigned int axis = orientation.axis[d];
            const bool   is_upper = ((v >> d) & 1U) != orientation.reversed[d];
            const double expected =
              frame.lower[axis] +
              (coordinates[axis] + (is_upper ? 1 : 0)) * frame.cell_size[axis];
            if (!(std::abs(cell.vertex(v)[axis] - expected) <=
                  frame.tolerance[axis]))
              return false;
          }
      return true;
    }

    /** Faces at the boundary of the mesh: bit 0 where some are Dirichlet, bit 1
     * where some are Neumann faces. */
    template <int dim>
    using SidesOfBox = std::array<std::array<unsigned int, 2>, dim>;

    /** Add the conditions of the boundary faces of a cell; refuse what is
     * boundary of the mesh but not of the box, and the other way around. */
    template <int dim>
    void
    add_boundary_faces(SidesOfBox<dim>                    &sides,
                       const CellAccessor<dim>            &cell,
                       const Frame<dim>                   &frame,
                       const std::array<int, dim>         &coordinates,
                       const CellOrientation<dim>         &orientation,
                       const std::set<types::boundary_id> &dirichlet_ids)
    {
      for (const unsigned int face : cell.face_indices())
        {
          const unsigned int axis = orientation.axis[face / 2];
          const bool         is_upper =
            (face % 2 != 0) != orientation.reversed[face / 2];
          const bool is_side =
            coordinates[axis] == (is_upper ? frame.n_cells[axis] - 1 : 0);
          if (cell.at_boundary(face) != is_side)
            refuse("there is a slit in it, or an opening, at " +
                   text(cell.face(face)->center()));
          if (is_side)
            sides[axis][is_upper] |=
              dirichlet_ids.count(cell.face(face)->boundary_id()) > 0 ? 1U : 2U;
        }
    }
  } // namespace



  template <int dim>
  BoxMesh<dim>::BoxMesh(const Triangulation<dim>           &triangulation,
                        const std::set<types::boundary_id> &dirichlet_ids)
  {
    const Communicator communicator = make_communicator(
      dealii_compatibility::get_mpi_communicator(triangulation));
    if (triangulation.n_global_active_cells() == 0)
      refuse("it has no cells");
    if (communicator.logical_or(
          !triangulation.all_reference_cells_are_hyper_cube()))
      refuse("some of its cells are simplices");
    if (communicator.logical_or(triangulation.has_hanging_nodes()))
      refuse("it has hanging nodes");
    if (communicator.logical_or(!triangulation.get_periodic_face_map().empty()))
      refuse("some of its faces are periodic");

    const Frame<dim> frame = find_frame(triangulation, communicator);
    box.n_cells            = frame.n_cells;
    box.cell_size          = frame.cell_size;
    lower                  = frame.lower;

    SidesOfBox<dim> sides{};
    places.resize(triangulation.n_active_cells());
    communicator.collectively([&] {
      for (const auto &cell : triangulation.active_cell_iterators())
        if (!cell->is_artificial())
          {
            Place &place = places[cell->active_cell_index()];
            if (!find_place<dim>(
                  *cell, frame, place.coordinates, place.orientation))
              refuse("the cell with the centre " + text(cell->center()) +
                     " is not a box of the size of the others, or not aligned "
                     "with the axes");
            std::uint64_t key = 0;
            for (int d = dim - 1; d >= 0; --d)
              key = key * std::uint64_t(frame.n_cells[d]) +
                    std::uint64_t(place.coordinates[d]);
            (cell->is_locally_owned() ? owned_keys : ghost_keys).push_back(key);
            if (cell->is_locally_owned())
              add_boundary_faces<dim>(sides,
                                      *cell,
                                      frame,
                                      place.coordinates,
                                      place.orientation,
                                      dirichlet_ids);
          }
      for (auto *const keys : {&owned_keys, &ghost_keys})
        std::sort(keys->begin(), keys->end());
    });

    for (unsigned int d = 0; d < dim; ++d)
      for (unsigned int end = 0; end < 2; ++end)
        {
          const bool has_dirichlet =
            communicator.logical_or((sides[d][end] & 1U) != 0);
          const bool has_neumann =
            communicator.logical_or((sides[d][end] & 2U) != 0);
          if (has_dirichlet && has_neumann)
            throw InputError(
              "The " + std::string(end == 0 ? "lower" : "upper") +
              " end of the box in direction " + std::to_string(d) +
              " has Dirichlet conditions on a part of it and Neumann "
              "conditions on another; give all its faces the same.");
          box.boundary[d][end] = has_dirichlet ?
                                   cellwise::BoundaryCondition::dirichlet :
                                   cellwise::BoundaryCondition::neumann;
        }
  }



  template <int dim>
  const cellwise::GridDescription<dim> &
  BoxMesh<dim>::description() const
  {
    return box;
  }



  template <int dim>
  cellwise::CellGrid<dim>
  BoxMesh<dim>::grid() const
  {
    return cellwise::CellGrid<dim>(box, owned_keys, ghost_keys);
  }



  template <int dim>
  cellwise::DistributedGrid<dim>
  BoxMesh<dim>::distributed_grid(const Communicator &communicator) const
  {
    return cellwise::DistributedGrid<dim>(communicator, box, owned_keys);
  }



  template <int dim>
  const std::array<int, dim> &
  BoxMesh<dim>::coordinates(const CellAccessor<dim> &cell) const
  {
    TESSERA_ASSERT(!cell.is_artificial(), "its place is not known here");
    return places[cell.active_cell_index()].coordinates;
  }



  template <int dim>
  const CellOrientation<dim> &
  BoxMesh<dim>::orientation(const CellAccessor<dim> &cell) const
  {
    TESSERA_ASSERT(!cell.is_artificial(), "its place is not known here");
    return places[cell.active_cell_index()].orientation;
  }



  template <int dim>
  Point<dim>
  BoxMesh<dim>::point(const CellAccessor<dim> &cell,
                      const Point<dim>        &unit_point) const
  {
    const std::array<int, dim> &c      = coordinates(cell);
    const CellOrientation<dim> &lies   = orientation(cell);
    Point<dim>                  result = lower;
    for (unsigned int d = 0; d < dim; ++d)
      {
        const unsigned int axis = lies.axis[d];
        const double x = lies.reversed[d] ? 1. - unit_point[d] : unit_point[d];
        result[axis] += (c[axis] + x) * box.cell_size[axis];
      }
    return result;
  }



  template class BoxMesh<2>;
  template class BoxMesh<3>;
} // namespace tessera::dealii_adapters
