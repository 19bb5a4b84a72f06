// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_coarse_factors_h
#define tessera_patch_coarse_factors_h

#include <tessera/base/dense_matrix.h>
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * The inverse of the matrix of a box grid, in factors that each belong to
     * one direction: with $K_d$, $M_d$ the one-dimensional matrices assembled
     * over all n_d cells of direction d, without Dirichlet nodes, and
     * $K_d Q_d = M_d Q_d\,\mathrm{diag}(\mu_d)$,
     * $$ A^{-1} = (Q_z \otimes Q_y \otimes Q_x)
     *    \,\mathrm{diag}(1/(s_z \mu_{z,i} + s_y \mu_{y,j} + s_x \mu_{x,k} +
     * m))\,
     *    (Q_z \otimes Q_y \otimes Q_x)^T. $$
     *
     * At least one face of the box has a Dirichlet condition, or the weight m
     * of the mass matrix is positive.
     *
     * Nodes and copies are part of the same products: the right-hand side
     * enters by $Q_d^T G_d^T S^{-T}$, which goes from the modes of each cell to
     * nodes and adds the copies, the solution leaves by $Q_d$ with rows of
     * zeros for Dirichlet nodes.
     *
     * Set-up: an eigenproblem of $N_d = p\,n_d + 1$ unknowns a direction, less
     * one for each Dirichlet end, O(N_d^3).
     */
    template <int dim>
    struct CoarseFactors
    {
      /** Largest number of unknowns in a direction: beyond, set-up and
       * application take longer than is reasonable for a coarsest level. */
      static constexpr int max_unknowns = 400;

      /**
       * @param[in] grid Of all cells.
       * @param[in] weights See Level.
       * @throws InputError if a direction has more than max_unknowns unknowns:
       * the numbers of cells have to be changed.
       */
      CoarseFactors(const cellwise::CellGrid<dim>       &grid,
                    const cellwise::ReferenceCell       &cell,
                    const cellwise::ElementWeights<dim> &weights);

      std::size_t
      memory_consumption() const;

      /** Those that belong to a direction. */
      struct Direction
      {
        std::vector<double> eigenvalues; ///< $s_d \mu_d$
        DenseMatrix         to_modes;    ///< $Q_d^T G_d^T S^{-T}$
        DenseMatrix         to_nodes;    ///< $Q_d$, all p n_d + 1 nodes
      };

      std::array<int, dim>       n_cells;
      int                        degree;
      double                     mass_weight; ///< m
      std::array<Direction, dim> directions;
    };
  } // namespace patch
} // namespace tessera

#endif
