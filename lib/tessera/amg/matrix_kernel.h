// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_matrix_kernel_h
#define tessera_amg_matrix_kernel_h

#include <tessera/amg/near_null_space.h>
#include <tessera/base/dense_matrix.h>
#include <tessera/sparse/block_diagonal.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * The combinations $z = B c$ of modes that a matrix maps to zero: columns
     * of an [n_modes][dimension] matrix of coefficients c.
     *
     * With the scalar diagonal D of A, modes with
     * $\|D^{-1/2} A z\| \le 10^{-9} \|D^{1/2} z\|$. Rounding leaves
     * about 1e-15 there. A support at a single one of n nodes gives
     * $n^{-1/2}$, in a material that is softer than the others by a factor
     * s, $(n s)^{-1/2}$: both are far from the limit, and farther than energies
     * $z^T A z$ would be, which are these numbers squared beside the same
     * rounding. Lengths of cells and units do not matter.
     *
     * Modes may depend on each other, as those do whose differences were in
     * inactive components. Cost: n_modes products with A. Collective.
     *
     * @param[in] inverse_diagonal $D^{-1}$, see inverse_scalar_diagonal().
     */
    DenseMatrix
    kernel_coefficients(const sparse::BlockMatrix<double>   &A,
                        const sparse::BlockDiagonal<double> &inverse_diagonal,
                        const NearNullSpace                 &B);

    /**
     * An orthonormal basis Z of a few vectors, to remove their part from
     * others.
     */
    class OrthonormalBasis
    {
    public:
      /** Of nothing. */
      OrthonormalBasis() = default;

      /** That of the columns of $B C$, which are independent. Collective. */
      OrthonormalBasis(const NearNullSpace &B, const DenseMatrix &C);

      const std::vector<sparse::BlockVector<double>> &
      vectors() const;

      /** $\|Z^T x\| / \|x\|$; 0 if x is. Collective. */
      double
      part_of(const sparse::BlockVector<double> &x) const;

      /** $x \leftarrow x - Z Z^T x$. Collective. */
      void
      remove_from(sparse::BlockVector<double> &x) const;

      /** The largest $\|D^{-1/2} A z\| / \|D^{1/2} z\|$ of its vectors.
       * Collective. */
      double
      residual(const sparse::BlockMatrix<double>   &A,
               const sparse::BlockDiagonal<double> &inverse_diagonal) const;

      std::size_t
      memory_consumption() const;

    private:
      std::vector<sparse::BlockVector<double>> Z;
    };

    /** Above this residual() a vector is not in the kernel of a matrix. */
    constexpr double largest_kernel_residual = 1e-9;

    /** The smallest eigenvalue of $B^T B$ after its columns were divided by
     * their norms: 0 for modes that depend on each other. Collective.
     * @throws InputError on all ranks, naming it, if a mode is zero or not
     * finite. */
    double
    independence(const NearNullSpace &B);
  } // namespace amg
} // namespace tessera

#endif
