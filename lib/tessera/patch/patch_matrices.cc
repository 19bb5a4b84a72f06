// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/patch/patch_matrices.h>

#include <cmath>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      /** The matrix of both cells without the first and the last node. */
      DenseMatrix
      assemble_interior(const DenseMatrix &A)
      {
        const DenseMatrix sum = cellwise::assemble_row_of_cells(A, 2);
        return diagonal_block(sum, 1, sum.n_rows() - 1);
      }
    } // namespace



    PatchMatrices::PatchMatrices(const cellwise::ReferenceCell &cell)
      : stiffness(assemble_interior(cell.stiffness))
      , mass(assemble_interior(cell.mass))
      , eigenvalues(2 * cell.degree, 1.)
    {
      const std::size_t p = cell.degree;
      const std::size_t q = p + 1;
      for (auto &row : nodal)
        row.fill(DenseMatrix(p, p));

      const Eigenpairs pairs      = parity_eigenpairs(stiffness, mass);
      std::size_t      n_modes[2] = {0, 0};
      for (std::size_t j = 0; j < pairs.values.size(); ++j)
        {
          const int         a    = pairs.parity[j] > 0 ? 0 : 1;
          const std::size_t mode = n_modes[a]++;
          TESSERA_ASSERT(mode < p, "there are p even and p-1 odd modes");
          eigenvalues[a * p + mode] = pairs.values[j];
          for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t k = 0; k < p; ++k)
              nodal[a][b](mode, k) = pairs.vectors(b * (p - 1) + k, j);
        }

      // R_b S^{-T}: rows 1 ... p (b = 0) or 0 ... p-1 (b = 1) of S^{-T}.
      for (std::size_t b = 0; b < 2; ++b)
        {
          DenseMatrix restricted(p, q);
          for (std::size_t i = 0; i < p; ++i)
            for (std::size_t j = 0; j < q; ++j)
              restricted(i, j) = cell.inverse_eigenvectors(j, i + (1 - b));
          for (std::size_t a = 0; a < 2; ++a)
            modal[a][b] = nodal[a][b] * restricted;
        }

      // Odd modes vanish at the vertex, so that they are modes of each cell
      // with a parity about its middle: what that makes zero is exactly so.
      for (std::size_t mode = 0; mode < p; ++mode)
        for (std::size_t j = 0; j < q; ++j)
          if ((mode + j) % 2 != 0)
            {
              double &entry = modal[1][1](mode, j);
              TESSERA_ASSERT(std::abs(entry) < 1e-10, "the parity of a mode");
              entry = 0.;
            }
    }
  } // namespace patch
} // namespace tessera
