// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_cell_operator_h
#define tessera_cellwise_cell_operator_h

#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The Laplacian of every cell, without assembly:
     * $(A u)_K = A_K u_K$ with the matrices of ReferenceCell, evaluated in the
     * cell eigenbasis, $A_K = (S^{-T})^{\otimes} \Lambda_K (S^{-1})^{\otimes}$.
     *
     * Entries of degrees of freedom with Dirichlet conditions are results like
     * all others; see DirichletNodes.
     *
     * Blocked fields of float or double on the host, one cell a lane. Acts on
     * all cells of the fields, ghosts included. Local, deterministic, the same
     * bits from every instruction set. If u is mirrored in a cell, so is A u,
     * bit for bit. Cost for degree 3 in three dimensions: 1216 SIMD operations
     * for each register of cells (8 of double with AVX-512); in double, 1024
     * bytes a cell that vmult() reads and writes, 1536 that residual() does.
     */
    template <int dim, typename Number>
    class CellOperator
    {
    public:
      /** @param[in] stiffness_weights $s_d$, see CellGrid. */
      CellOperator(const ReferenceCell           &cell,
                   const std::array<double, dim> &stiffness_weights);

      /** $dst = A\,src$. */
      void
      vmult(DualField<Number> &dst, const PrimalField<Number> &src) const;

      /** $r = b - A u$; r may be b. */
      void
      residual(DualField<Number>         &r,
               const DualField<Number>   &b,
               const PrimalField<Number> &u) const;

    private:
      int                 degree;
      std::vector<Number> inverse_eigenvectors;
      std::vector<Number> eigenvalues; ///< $\Lambda_K$, of all modes
    };
  } // namespace cellwise
} // namespace tessera

#endif
