// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_coarse_solver_h
#define tessera_patch_coarse_solver_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/coarse_factors.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /**
     * Exact solution on a box grid by tensor-product fast diagonalization, see
     * CoarseFactors: for coarsest levels of more than one patch. Computes in
     * double whatever the precision of the fields.
     *
     * Application: about $2 \prod_d N_d \sum_d N_d$ multiplications and as
     * many additions for $N_d$ unknowns a direction, on two temporary arrays of
     * a double for each entry of b. Deterministic. Needs all cells in one
     * process.
     */
    template <int dim>
    class CoarseSolver
    {
    public:
      static constexpr int max_unknowns = CoarseFactors<dim>::max_unknowns;

      /** See CoarseFactors. */
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
      CoarseFactors<dim> factors;
    };
  } // namespace patch
} // namespace tessera

#endif
