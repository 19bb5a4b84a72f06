// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_cycle_level_h
#define tessera_amg_cycle_level_h

#include <tessera/amg/chebyshev_factors.h>
#include <tessera/amg/inactive_components.h>
#include <tessera/amg/options.h>
#include <tessera/sparse/block_diagonal.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>
#include <tessera/sparse/matrix_vector.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * A matrix in the precision of a cycle: a matrix of double itself, or a
     * rounded copy in memory that is kept.
     */
    template <typename Number>
    class LevelMatrix
    {
    public:
      /** @param[in] A Has to live until the next call if Number is double. */
      void
      set(const sparse::BlockMatrix<double> &A);

      /** Of a matrix of float: 1 on the diagonal of inactive components, where
       * a user's number may be beyond the range of float. */
      void
      set_inactive_diagonal(const InactiveComponents &inactive);

      const sparse::BlockMatrix<Number> &
      get() const;

      /** Of a copy. */
      std::size_t
      memory_consumption() const;

    private:
      const sparse::BlockMatrix<double> *original = nullptr;
      sparse::BlockMatrix<Number>        rounded;
    };

    /**
     * What a V-cycle needs of a level that is not the coarsest, in one
     * precision: matrix, prolongator, smoother, vectors.
     *
     * The smoother is Chebyshev's iteration with inverse diagonal blocks M, see
     * chebyshev_factors(), on [lower, upper] times an estimate of the
     * largest eigenvalue of $M A$. M is zero in inactive components, which
     * therefore are zero in all vectors.
     */
    template <typename Number>
    class CycleLevel
    {
    public:
      using Vector = sparse::BlockVector<Number>;

      /** Matrices and lists have to live as long as this, A until the next
       * update(). */
      CycleLevel(unsigned int                       level_number,
                 const sparse::BlockMatrix<double> &A,
                 const sparse::BlockMatrix<double> &P,
                 const InactiveComponents          &inactive,
                 const std::vector<std::uint64_t>  &keys,
                 const Options                     &options);

      /** New values of A.
       * @throws SolverBreakdown if a diagonal block cannot be inverted, or A is
       * found not to be positive definite.
       * @throws InputError if Number is float and diagonal entries are beyond
       * its range. */
      void
      update(const sparse::BlockMatrix<double> &A);

      /** Of $M A$; an estimate. */
      double
      largest_eigenvalue() const;

      /** b of $A x = b$, to write. Ghosts are those of columns of A. */
      Vector &
      right_hand_side();

      /** x. Its ghosts are of use to the finer level. */
      Vector &
      solution();

      /** x from 0, and $b_c = P^T (b - A x)$. */
      void
      descend(Vector &coarse_right_hand_side);

      /** $x \leftarrow x + P x_c$, and smooth. */
      void
      ascend(Vector &coarse_solution);

      std::size_t
      memory_consumption() const;

    private:
      void
      smooth_once(const ChebyshevFactors &factors);

      unsigned int                      level;
      const InactiveComponents         &inactive;
      const std::vector<std::uint64_t> &keys;
      const Options                     options;
      LevelMatrix<Number>               A;
      LevelMatrix<Number>               P;
      sparse::BlockDiagonal<Number>     M;
      double                            eigenvalue = 0;
      std::vector<ChebyshevFactors>     steps;
      sparse::MatrixVector<Number>      products_A;
      sparse::MatrixVector<Number>      products_P;
      Vector                            b, x, d, other;
    };
  } // namespace amg
} // namespace tessera

#endif
