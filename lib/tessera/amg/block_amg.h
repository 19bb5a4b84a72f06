// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_block_amg_h
#define tessera_amg_block_amg_h

#include <tessera/amg/hierarchy_record.h>
#include <tessera/amg/near_null_space.h>
#include <tessera/amg/options.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * Smoothed aggregation algebraic multigrid for matrices of blocks, as a
     * preconditioner: $z = C r \approx A^{-1} r$ by one V-cycle.
     *
     * For symmetric positive definite A with b x b blocks, one for each pair of
     * nodes; of elasticity, with rigid-body modes as near-null space: coarse
     * nodes have as many unknowns as there are modes. Blocks stay blocks on
     * all levels. C is symmetric and positive definite up to rounding of the
     * level precision.
     *
     * initialize() makes everything; update() takes a matrix of the same
     * pattern with other values and keeps the prolongators.
     *
     * For matrices of one process. Deterministic.
     *
     * Source: Vanek, Mandel, Brezina, Computing 56, 1996; arXiv:2607.28891.
     */
    class BlockAMG
    {
    public:
      BlockAMG();
      ~BlockAMG();
      BlockAMG(BlockAMG &&);
      BlockAMG &
      operator=(BlockAMG &&);

      /**
       * @param[in] A Rows and columns owned alike. Has to live as long as this
       * object is used, or until the next initialize() or update().
       * @param[in] near_null_space With the block size of A.
       * @param[in] keys [n_owned] of the nodes: numbers that do not depend on
       * how nodes are numbered or distributed, such as
       * keys_of_coordinates(). The order of aggregation and random vectors come
       * from them.
       * @throws InputError on all ranks for options out of range; matrices
       * without rows, of other than square blocks, with a zero row, without a
       * diagonal block, or not finite; a near-null space or keys of another
       * size, or with modes that are zero or dependent; a singular matrix,
       * see SingularMatrix; coarsening that stalls; more than one rank.
       * @throws SolverBreakdown on all ranks if A turns out not to be positive
       * definite.
       */
      void
      initialize(const sparse::BlockMatrix<double> &A,
                 const NearNullSpace               &near_null_space,
                 const std::vector<std::uint64_t>  &keys,
                 const Options                     &options = Options());

      /**
       * A matrix of the same pattern with other values: numeric Galerkin
       * products, inverses of diagonal blocks, eigenvalues, coarse
       * factorization. Nothing symbolic, no values of prolongators.
       * @throws InputError before initialize(), for another pattern, values
       * that are not finite, another kernel, or if other components are
       * inactive, and SolverBreakdown for diagonal entries that are not
       * positive: then the object stays as it was. As above otherwise: then it
       * is not initialized any more.
       */
      void
      update(const sparse::BlockMatrix<double> &A);

      void
      clear();

      bool
      is_initialized() const;

      /** $z = C r$. Owned values; z is another vector than r. Collective.
       * @throws InputError before initialize(), or if sizes do not fit. */
      void
      vmult(sparse::BlockVector<double>       &z,
            const sparse::BlockVector<double> &r) const;

      /** The part of a vector in the kernel of the matrix, relative to it:
       * $\|Z^T b\| / \|b\|$; and remove it. For right-hand sides and
       * solutions of singular problems; 0 and nothing where there is no kernel.
       * @{ */
      double
      part_in_kernel(const sparse::BlockVector<double> &b) const;

      void
      remove_kernel(sparse::BlockVector<double> &x) const;
      /** @} */

      const HierarchyRecord &
      record() const;

      std::size_t
      memory_consumption() const;

    private:
      class Implementation;

      /** @throws InputError before initialize(). */
      Implementation &
      initialized() const;

      std::unique_ptr<Implementation> implementation;
    };
  } // namespace amg
} // namespace tessera

#endif
