// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/patch/coarse_factors.h>

#include <cstdint>
#include <string>

namespace tessera
{
  namespace patch
  {
    using cellwise::assemble_row_of_cells;
    using cellwise::BoundaryCondition;

    template <int dim>
    CoarseFactors<dim>::CoarseFactors(
      const cellwise::CellGrid<dim>       &grid,
      const cellwise::ReferenceCell       &cell,
      const cellwise::ElementWeights<dim> &weights)
      : n_cells(grid.description().n_cells)
      , degree(cell.degree)
      , mass_weight(weights.mass)
    {
      TESSERA_ASSERT(std::uint64_t(grid.n_owned()) == grid.n_global(),
                     "all cells are in this process");
      const std::size_t p             = cell.degree;
      const std::size_t q             = p + 1;
      bool              has_dirichlet = false;
      for (int d = 0; d < dim; ++d)
        {
          const auto       &ends    = grid.description().boundary[d];
          const std::size_t n       = n_cells[d];
          const std::size_t n_nodes = p * n + 1;
          const std::size_t begin =
            ends[0] == BoundaryCondition::dirichlet ? 1 : 0;
          const std::size_t end =
            n_nodes - (ends[1] == BoundaryCondition::dirichlet ? 1 : 0);
          has_dirichlet = has_dirichlet || begin > 0 || end < n_nodes;
          TESSERA_ASSERT(begin < end, "there is an unknown");
          if (end - begin > max_unknowns)
            throw InputError(
              "The coarsest level has " + std::to_string(n) +
              " cells of degree " + std::to_string(p) + " in direction " +
              "xyz"[d] + ": " + std::to_string(end - begin) +
              " unknowns, where at most " + std::to_string(max_unknowns) +
              " are allowed. Numbers of cells are halved from level to level "
              "as long as they are even and more than two in all directions: "
              "choose numbers of cells that can be halved more often.");

          const DenseMatrix K =
            diagonal_block(assemble_row_of_cells(cell.stiffness, n),
                           begin,
                           end);
          const DenseMatrix M =
            diagonal_block(assemble_row_of_cells(cell.mass, n), begin, end);
          // Parity makes two problems of half the size.
          const Eigenpairs pairs = ends[0] == ends[1] ?
                                     parity_eigenpairs(K, M) :
                                     generalized_eigenpairs(K, M);

          Direction &direction  = directions[d];
          direction.eigenvalues = pairs.values;
          // The constant. In a direction that the box is thin in, rounding
          // errors of this eigenvalue would outweigh those of the others.
          if (end - begin == n_nodes)
            direction.eigenvalues[0] = 0.;
          for (double &mu : direction.eigenvalues)
            mu *= weights.stiffness[d];

          direction.to_nodes = DenseMatrix(n_nodes, end - begin);
          for (std::size_t i = begin; i < end; ++i)
            for (std::size_t m = 0; m < end - begin; ++m)
              direction.to_nodes(i, m) = pairs.vectors(i - begin, m);

          direction.to_modes = DenseMatrix(end - begin, n * q);
          for (std::size_t m = 0; m < end - begin; ++m)
            for (std::size_t c = 0; c < n; ++c)
              for (std::size_t j = 0; j < q; ++j)
                for (std::size_t i = 0; i < q; ++i)
                  direction.to_modes(m, c * q + j) +=
                    direction.to_nodes(c * p + i, m) *
                    cell.inverse_eigenvectors(j, i);
        }
      TESSERA_ASSERT(has_dirichlet || weights.mass > 0.,
                     "the matrix is regular");
    }



    template <int dim>
    std::size_t
    CoarseFactors<dim>::memory_consumption() const
    {
      std::size_t n_numbers = 0;
      for (const Direction &direction : directions)
        n_numbers +=
          direction.eigenvalues.size() +
          direction.to_modes.n_rows() * direction.to_modes.n_columns() +
          direction.to_nodes.n_rows() * direction.to_nodes.n_columns();
      return n_numbers * sizeof(double);
    }



    template struct CoarseFactors<2>;
    template struct CoarseFactors<3>;
  } // namespace patch
} // namespace tessera
