// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_coarse_solver_h
#define tessera_patch_coarse_solver_h

#include <tessera/base/dense_matrix.h>
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * Exact solution on a box grid by tensor-product fast diagonalization:
     * with $K_d$, $M_d$ the one-dimensional matrices assembled over all n_d
     * cells of direction d, without Dirichlet nodes, and
     * $K_d Q_d = M_d Q_d\,\mathrm{diag}(\mu_d)$,
     * $$ A^{-1} = (Q_z \otimes Q_y \otimes Q_x)
     *    \,\mathrm{diag}(1/(s_z \mu_{z,i} + s_y \mu_{y,j} + s_x \mu_{x,k} +
     * m))\,
     *    (Q_z \otimes Q_y \otimes Q_x)^T. $$
     *
     * For coarsest levels of more than one patch. Computes in double whatever
     * the precision of the fields. At least one face of the box has a
     * Dirichlet condition, or the weight m of the mass matrix is positive.
     *
     * Nodes and copies are part of the same products: the right-hand side
     * enters by $Q_d^T G_d^T S^{-T}$, which goes from the modes of each cell to
     * nodes and adds the copies, the solution leaves by $Q_d$ with rows of
     * zeros for Dirichlet nodes.
     *
     * Set-up: an eigenproblem of $N_d = p\,n_d + 1$ unknowns a direction, less
     * one for each Dirichlet end, O(N_d^3). Application: about
     * $2 \prod_d N_d \sum_d N_d$ multiplications and as many additions, on two
     * temporary arrays of a double for each entry of b. Deterministic. Needs
     * all cells in one process.
     */
    template <int dim>
    class CoarseSolver
    {
    public:
      /** Largest number of unknowns in a direction: beyond, set-up and
       * application take longer than is reasonable for a coarsest level. */
      static constexpr int max_unknowns = 400;

      /**
       * @param[in] weights See Level.
       * @throws InputError if a direction has more than max_unknowns unknowns:
       * the numbers of cells have to be changed.
       */
      CoarseSolver(
        const cellwise::CellGrid<dim>       &grid,
        const cellwise::ReferenceCell       &cell,
        const cellwise::ElementWeights<dim> &weights,
        const execution::HostQueue &queue = execution::Host::default_queue());

      /** $u = A^{-1} b$, in all copies; zero at Dirichlet nodes. The copies
       * are equal bit for bit. */
      template <typename Number>
      void
      solve(cellwise::PrimalField<Number>          &u,
            const cellwise::DualModalField<Number> &b,
            const execution::HostQueue             &queue =
              execution::Host::default_queue()) const;

      std::size_t
      memory_consumption() const;

    private:
      /** The factors of the tensor products that belong to a direction. */
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
