// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/dirichlet_nodes.h>

namespace tessera
{
  namespace cellwise
  {
    template <int dim>
    DirichletNodes<dim>::DirichletNodes(const CellGrid<dim> &grid,
                                        const int            degree)
      : n_nodes(power(degree + 1, dim))
      , nodes_of_faces(1u << (2 * dim))
    {
      const GridDescription<dim> &box = grid.description();
      for (CellIndex c = 0; c < grid.n_local(); ++c)
        {
          const auto   position = grid.coordinates(c);
          unsigned int faces    = 0;
          for (int d = 0; d < dim; ++d)
            for (int end = 0; end < 2; ++end)
              if (position[d] == (end == 0 ? 0 : box.n_cells[d] - 1) &&
                  box.boundary[d][end] == BoundaryCondition::dirichlet)
                faces |= 1u << (2 * d + end);
          if (faces != 0)
            cells.push_back({c, faces});
        }

      const int q = degree + 1;
      for (unsigned int faces = 0; faces < nodes_of_faces.size(); ++faces)
        for (int k = 0; k < n_nodes; ++k)
          {
            bool is_on_a_face = false;
            for (int d = 0, rest = k; d < dim; ++d, rest /= q)
              for (int end = 0; end < 2; ++end)
                if ((faces & (1u << (2 * d + end))) != 0 &&
                    rest % q == end * degree)
                  is_on_a_face = true;
            if (is_on_a_face)
              nodes_of_faces[faces].push_back(k);
          }
    }



    template <int dim>
    void
    DirichletNodes<dim>::set_zero(DualField<double> &r) const
    {
      TESSERA_ASSERT(r.n_nodes() == n_nodes, "a field of this degree");
      for (const BoundaryCell &c : cells)
        for (const int k : nodes_of_faces[c.faces])
          r(c.cell, k) = 0.;
    }



    template class DirichletNodes<2>;
    template class DirichletNodes<3>;
  } // namespace cellwise
} // namespace tessera
