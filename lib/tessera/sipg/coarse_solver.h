// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_coarse_solver_h
#define tessera_sipg_coarse_solver_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/level_data.h>

#include <cstddef>

namespace tessera
{
  namespace sipg
  {
    /**
     * Exact solution with the operator of level 0 by a dense Cholesky
     * decomposition, in double.
     *
     * For N unknowns the set-up takes N^3/3 multiplications and as many
     * additions, a solution 2 N^2 of both; memory N^2/2 numbers.
     */
    template <int dim>
    class CoarseSolver
    {
    public:
      /** Beyond, set-up and memory are more than a coarse level should take. */
      static constexpr std::size_t max_unknowns = 6144;

      /**
       * @throws InputError if there are more than max_unknowns unknowns, or a
       * connected part of the mesh has no Dirichlet face.
       * @throws SolverBreakdown if the matrix is not positive definite: the
       * penalty is too small.
       */
      CoarseSolver(const LevelData<dim>  &level,
                   const ElementMatrices &matrices);

      /** x <- A^{-1} b, cells of level 0 in the storage of FieldLayout; zero in
       * padding. May be the same array. */
      template <typename T>
      void
      solve(const T *b, T *x) const;

      std::size_t
      memory_consumption() const
      {
        return factor.size_in_bytes();
      }

    private:
      std::size_t n_unknowns;
      std::size_t n_cell_values;
      std::size_t block_size;
      std::size_t n_padded_cells;

      /** Row i of the lower factor from i (i+1) / 2, with inverse diagonal. */
      AlignedVector<double> factor;

      std::size_t
      position(std::size_t unknown) const;
    };
  } // namespace sipg
} // namespace tessera

#endif
