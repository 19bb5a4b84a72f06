// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_dealii_shuffled_box_h
#define tessera_tests_dealii_shuffled_box_h

// Meshes of boxes as other programs number them.

#include <deal.II/base/point.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace mesh_generator
{
  template <int dim>
  struct Box
  {
    dealii::Point<dim>      lower;
    std::array<int, dim>    n_cells;
    std::array<double, dim> cell_size;
  };



  /**
   * A box of a mesh with cells in random order, with vertices in random
   * order and, on demand, every cell rotated or reflected in its own way, as
   * far as deal.II allows (it wants cells of positive volume).
   */
  template <int dim>
  void
  make_shuffled_box(dealii::Triangulation<dim> &triangulation,
                    const Box<dim>             &box,
                    const bool                  rotate)
  {
    const auto &[lower, n_cells, cell_size] = box;
    std::mt19937 generator(11);
    unsigned int n_vertices = 1, n = 1;
    for (unsigned int d = 0; d < dim; ++d)
      {
        n_vertices *= n_cells[d] + 1;
        n *= n_cells[d];
      }
    std::vector<unsigned int> number(n_vertices), order(n);
    std::iota(number.begin(), number.end(), 0);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(number.begin(), number.end(), generator);
    std::shuffle(order.begin(), order.end(), generator);

    std::vector<dealii::Point<dim>> vertices(n_vertices);
    for (unsigned int i = 0; i < n_vertices; ++i)
      for (unsigned int d = 0, rest = i; d < dim; ++d)
        {
          vertices[number[i]][d] =
            lower[d] + rest % (n_cells[d] + 1) * cell_size[d];
          rest /= n_cells[d] + 1;
        }

    std::vector<dealii::CellData<dim>> cells(n);
    for (unsigned int i = 0; i < n; ++i)
      {
        std::array<unsigned int, dim> axis{}, reversed{};
        std::iota(axis.begin(), axis.end(), 0U);
        if (rotate)
          {
            // A rotation: an even number of exchanges and reversals.
            unsigned int n_changes = 0;
            for (unsigned int d = dim - 1; d > 0; --d)
              {
                const unsigned int e = generator() % (d + 1);
                std::swap(axis[d], axis[e]);
                n_changes += d != e;
              }
            for (unsigned int d = 0; d < dim; ++d)
              {
                reversed[d] = generator() % 2;
                n_changes += reversed[d];
              }
            if (n_changes % 2 != 0)
              reversed[0] = 1 - reversed[0];
          }
        for (unsigned int v = 0; v < (1U << dim); ++v)
          {
            std::array<unsigned int, dim> bit{};
            for (unsigned int d = 0; d < dim; ++d)
              bit[axis[d]] = ((v >> d) & 1U) ^ reversed[d];
            unsigned int vertex = 0, stride = 1;
            for (unsigned int d = 0, rest = order[i]; d < dim; ++d)
              {
                vertex += (rest % n_cells[d] + bit[d]) * stride;
                rest /= n_cells[d];
                stride *= n_cells[d] + 1;
              }
            cells[i].vertices[v] = number[vertex];
          }
      }
    if (dim == 2)
      // Where the directions of edges do not agree, so that they have none of
      // their own, deal.II cannot number what is on them.
      dealii::GridTools::consistently_order_cells(cells);
    triangulation.create_triangulation(vertices, cells, {});

    // As GridGenerator colours them.
    for (const auto &face : triangulation.active_face_iterators())
      if (face->at_boundary())
        for (unsigned int d = 0; d < dim; ++d)
          for (unsigned int end = 0; end < 2; ++end)
            if (std::abs(face->center()[d] -
                         (lower[d] + end * n_cells[d] * cell_size[d])) <
                1e-6 * cell_size[d])
              face->set_boundary_id(2 * d + end);
  }
} // namespace mesh_generator

#endif
