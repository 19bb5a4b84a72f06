// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_coarse_solver_h
#define tessera_amg_coarse_solver_h

#include <tessera/amg/dense_cholesky.h>
#include <tessera/amg/inactive_components.h>
#include <tessera/amg/matrix_kernel.h>

#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * The exact solution $x = A^{-1} b$ on the coarsest level, in double.
     *
     * If A has a kernel with the orthonormal basis Z, that of
     * $A + \alpha Z Z^T$, which for b without part in the kernel is the
     * solution without part in it; $\alpha$ is the largest diagonal entry.
     * Where everything is kernel, x = 0.
     * Inactive components are unknowns of their own.
     */
    class CoarseSolver
    {
    public:
      /** @param[in] level_number For messages. */
      explicit CoarseSolver(unsigned int level_number);

      /** @throws SolverBreakdown, naming level and row, if the matrix is not
       * positive definite to working precision. */
      void
      factorize(const sparse::BlockMatrix<double> &A,
                const InactiveComponents          &inactive,
                const OrthonormalBasis            &kernel);

      template <typename Number>
      void
      solve(const sparse::BlockVector<Number> &b,
            sparse::BlockVector<Number>       &x);

      std::size_t
      memory_consumption() const;

    private:
      unsigned int          level;
      bool                  is_zero = false; ///< A: all is kernel
      DenseCholesky         cholesky;
      AlignedVector<double> values;
    };
  } // namespace amg
} // namespace tessera

#endif
