// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_cell_operator_h
#define tessera_cellwise_cell_operator_h

#include <tessera/base/communication.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The operator $-\Delta u + c\,u$ of every cell, without assembly:
     * $(A u)_K = A_K u_K$ with the matrices of ReferenceCell, evaluated in the
     * cell eigenbasis, $A_K = (S^{-T})^{\otimes} \Lambda_K (S^{-1})^{\otimes}$;
     * alone, and in one pass over memory with what an iteration does besides.
     *
     * Entries of degrees of freedom with Dirichlet conditions are results like
     * all others; see DirichletNodes.
     *
     * Blocked fields on the host, one cell a lane. Acts on all cells
     * of the fields: ghosts that are up to date on entry stay so, bit for bit,
     * without messages. Deterministic, the same bits from every instruction
     * set. If u is mirrored in a cell, so is A u, bit for bit. Cost for degree
     * 3 in three dimensions, in bytes read and written a cell (512 a field) and
     * SIMD operations for each register of cells (8 with AVX-512):
     *
     * - vmult(): 1024 bytes, 1216 operations;
     * - residual(): 1536 bytes, 1280 operations;
     * - correct(): 2304 bytes (2560 with z in double), 1536 operations;
     * - update_direction(): 1280 bytes (1536), 832 operations;
     * - step(): 2560 bytes, 1536 operations;
     *
     * conversion of z not counted.
     */
    template <int dim>
    class CellOperator
    {
    public:
      /** @param[in] weights Of $A_K$, see element_weights(). */
      CellOperator(const ReferenceCell       &cell,
                   const ElementWeights<dim> &weights);

      /** $dst = A\,src$. Local. */
      void
      vmult(DualField<double> &dst, const PrimalField<double> &src) const;

      /** $r = b - A u$; r may be b. Local. */
      void
      residual(DualField<double>         &r,
               const DualField<double>   &b,
               const PrimalField<double> &u) const;

      /**
       * @name Steps of iterations
       * Results are of the first @p n_owned cells, of all ranks of the
       * communicator, and the same bits on any number of ranks. Collective: one
       * reduction. Number is float or double.
       * @{
       */

      /**
       * The correction of an iterate and its residual,
       * $u \leftarrow u + a z$, $r = b - A u$.
       * @return $\max |r|$, Dirichlet nodes included; NaN if a number is not
       * finite.
       */
      template <typename Number>
      double
      correct(PrimalField<double>       &u,
              double                     a,
              const PrimalField<Number> &z,
              DualField<double>         &r,
              const DualField<double>   &b,
              CellIndex                  n_owned,
              const Communicator        &communicator) const;

      /**
       * The next direction of conjugate gradients,
       * $d \leftarrow \beta d + a z$.
       * @return $\langle d, A d \rangle = \sum_K \hat d_K^T \Lambda_K
       * \hat d_K$, summed over the modes $\hat d_K = (S^{-1})^{\otimes} d_K$ in
       * a fixed order, then over cells exactly (see ExactSum).
       */
      template <typename Number>
      double
      update_direction(PrimalField<double>       &d,
                       double                     beta,
                       double                     a,
                       const PrimalField<Number> &z,
                       CellIndex                  n_owned,
                       const Communicator        &communicator) const;

      /**
       * The step along it, $u \leftarrow u + \alpha d$,
       * $r \leftarrow r - \alpha A d$; A d is computed again rather than
       * stored.
       * @return As correct().
       */
      double
      step(PrimalField<double>       &u,
           DualField<double>         &r,
           double                     alpha,
           const PrimalField<double> &d,
           CellIndex                  n_owned,
           const Communicator        &communicator) const;

      /** @} */

    private:
      int                 degree;
      std::vector<double> inverse_eigenvectors;
      std::vector<double> eigenvalues; ///< $\Lambda_K$, of all modes
    };
  } // namespace cellwise
} // namespace tessera

#endif
