// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/coarse_mesh.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** Of a cell's size: what positions of vertices may be off. */
      constexpr double tolerance = 1e-8;

      template <std::size_t size>
      std::string
      text(const std::array<double, size> &values)
      {
        std::ostringstream out;
        out << '(';
        for (std::size_t d = 0; d < size; ++d)
          out << (d > 0 ? ", " : "") << values[d];
        out << ')';
        return out.str();
      }
    } // namespace



    template <int dim>
    CoarseMesh<dim>
    box_mesh(const std::array<int, dim>                     &n_cells,
             const Point<dim>                               &lower,
             const Point<dim>                               &upper,
             const typename CoarseMesh<dim>::FaceConditions &boundary)
    {
      CoarseMesh<dim> mesh;
      mesh.origin   = lower;
      std::size_t n = 1;
      for (int d = 0; d < dim; ++d)
        {
          if (n_cells[d] < 1)
            throw InputError("A mesh of a box with " +
                             std::to_string(n_cells[d]) +
                             " cells in a direction: at least 1 is needed.");
          mesh.cell_size[d] = (upper[d] - lower[d]) / n_cells[d];
          n *= n_cells[d];
        }
      for (std::size_t c = 0; c < n; ++c)
        {
          std::size_t                        rest = c;
          typename CoarseMesh<dim>::Position position;
          for (int d = 0; d < dim; ++d)
            {
              position[d] = int(rest % n_cells[d]);
              rest /= n_cells[d];
            }
          mesh.positions.push_back(position);
        }
      mesh.boundary.assign(n, boundary);
      return mesh;
    }



    template <int dim>
    CoarseMesh<dim>
    coarse_mesh_from_vertices(
      const std::vector<CellVertices<dim>>                        &cells,
      const std::vector<typename CoarseMesh<dim>::FaceConditions> &boundary)
    {
      constexpr int last = (1 << dim) - 1;
      if (cells.empty() || cells.size() != boundary.size())
        throw InputError("A coarse mesh of " + std::to_string(cells.size()) +
                         " cells with boundary conditions for " +
                         std::to_string(boundary.size()) +
                         ": there must be at least one cell, and conditions "
                         "for each.");

      CoarseMesh<dim> mesh;
      mesh.boundary = boundary;
      Point<dim> size, lower = cells[0][0], upper = cells[0][last];
      for (int d = 0; d < dim; ++d)
        size[d] = upper[d] - lower[d];
      for (std::size_t c = 0; c < cells.size(); ++c)
        {
          const Point<dim> &first = cells[c][0];
          const std::string cell =
            "Coarse cell " + std::to_string(c) + " at " + text(first);
          for (int d = 0; d < dim; ++d)
            if (!(cells[c][last][d] > first[d]))
              throw InputError(
                cell + ": its vertices are not in the order of the "
                       "coordinates. All cells must be axis-aligned boxes of "
                       "one orientation; rotate or renumber them.");
          for (int v = 0; v <= last; ++v)
            for (int d = 0; d < dim; ++d)
              {
                const double expected =
                  ((v >> d) & 1) ? cells[c][last][d] : first[d];
                if (!(std::abs(cells[c][v][d] - expected) <=
                      tolerance * size[d]))
                  throw InputError(
                    cell + " is not an axis-aligned box: vertex " +
                    std::to_string(v) + " is at " + text(cells[c][v]) +
                    ". This method needs Cartesian cells; use a method for "
                    "general meshes.");
              }
          Point<dim> found;
          for (int d = 0; d < dim; ++d)
            found[d] = cells[c][last][d] - first[d];
          for (int d = 0; d < dim; ++d)
            {
              if (!(std::abs(found[d] - size[d]) <= tolerance * size[d]))
                throw InputError(cell + " has the sides " + text(found) +
                                 ", the first one " + text(size) +
                                 ". All coarse cells must be of one size; "
                                 "subdivide the larger ones.");
              lower[d] = std::min(lower[d], first[d]);
              upper[d] = std::max(upper[d], cells[c][last][d]);
            }
        }

      mesh.origin = lower;
      for (int d = 0; d < dim; ++d)
        mesh.cell_size[d] =
          (upper[d] - lower[d]) /
          std::max(1., std::round((upper[d] - lower[d]) / size[d]));
      for (std::size_t c = 0; c < cells.size(); ++c)
        {
          typename CoarseMesh<dim>::Position position;
          for (int d = 0; d < dim; ++d)
            {
              const double i = (cells[c][0][d] - lower[d]) / mesh.cell_size[d];
              position[d]    = int(std::lround(i));
              if (!(std::abs(i - position[d]) <=
                    tolerance * (1. + std::abs(i))))
                throw InputError(
                  "Coarse cell " + std::to_string(c) + " at " +
                  text(cells[c][0]) +
                  " is not at a place of the lattice of the others: faces of "
                  "neighbours must match. Shift it by a multiple of " +
                  text(mesh.cell_size) + ".");
            }
          mesh.positions.push_back(position);
        }
      return mesh;
    }



#define TESSERA_INSTANTIATE(dim)                           \
  template CoarseMesh<dim> box_mesh<dim>(                  \
    const std::array<int, dim> &,                          \
    const Point<dim> &,                                    \
    const Point<dim> &,                                    \
    const CoarseMesh<dim>::FaceConditions &);              \
  template CoarseMesh<dim> coarse_mesh_from_vertices<dim>( \
    const std::vector<CellVertices<dim>> &,                \
    const std::vector<typename CoarseMesh<dim>::FaceConditions> &)

    TESSERA_INSTANTIATE(2);
    TESSERA_INSTANTIATE(3);
  } // namespace sipg
} // namespace tessera
