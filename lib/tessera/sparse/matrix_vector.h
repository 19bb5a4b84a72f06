// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_matrix_vector_h
#define tessera_sparse_matrix_vector_h

#include <tessera/base/exchange.h>
#include <tessera/sparse/block_diagonal.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

namespace tessera
{
  namespace sparse
  {
    /**
     * Products of matrices of blocks and vectors, with the messages that they
     * need: for all matrices with one layout of columns and one number of
     * columns of a block.
     *
     * Vectors on the columns of a matrix are made with pattern().columns();
     * their ghosts are written where the vector is not constant. Of vectors on
     * the rows only owned blocks are used. What is sent is under way while the
     * columns that a rank owns are worked on.
     *
     * Order of sums, for the same bits on all instruction sets: with
     * $s_i = \sum_j A_{ij} x_j$ over owned columns ascending and $t_i$ the
     * same over ghosts, $y_i = s_i + t_i$. Within $s_i$ each entry of the
     * blocks has a chain of fused multiply-adds of its own, and the chains of
     * a row are added in the order of their columns; for blocks of one entry
     * there are four chains, each over every fourth column.
     *
     * Cost of each product: reads the matrix once, 4 + shape.size() *
     * sizeof(Number) bytes a block and 16 a row; 2 shape.size() flops a block;
     * one exchange of ghosts. Vectors: see the functions.
     *
     * Functions are collective among neighbours. Sizes are checked before
     * anything is sent, on each rank by itself.
     * @throws InputError if matrix and vectors do not fit, or where a result
     * is also an argument and that is not allowed.
     */
    template <typename Number>
    class MatrixVector
    {
    public:
      /** For blocks with that many columns. Collective. */
      MatrixVector(const IndexLayout &column_layout, int block_size);

      /** For this matrix and those like it. Collective. */
      explicit MatrixVector(const BlockMatrix<Number> &A);

      /** $y = A x$. Reads x and writes y. */
      void
      multiply(const BlockMatrix<Number> &A,
               BlockVector<Number>       &x,
               BlockVector<Number>       &y);

      /** $r = b - A x$, r may be b. Reads x and b and writes r. */
      void
      residual(const BlockMatrix<Number> &A,
               const BlockVector<Number> &b,
               BlockVector<Number>       &x,
               BlockVector<Number>       &r);

      /**
       * $y = A^T x$. Reads x; reads and writes y once a block, which costs
       * nothing where y stays in a cache. Entries of y get contributions of
       * rows ascending, those of other ranks at the end, in the order of the
       * ranks. The ghosts of y hold what this rank has sent.
       */
      void
      multiply_transposed(const BlockMatrix<Number> &A,
                          const BlockVector<Number> &x,
                          BlockVector<Number>       &y);

      /**
       * One step of Chebyshev's iteration with the point-block Jacobi method M,
       * $d \leftarrow f_d d + f_r M (b - A x)$, $x' = x + d$, in one pass
       * over A: f_d = rho' rho and f_r = 2 rho' / delta; for the first step
       * f_d = 0, when d is not read, and f_r = 1 / theta.
       *
       * The new iterate goes into another vector, for the old one is still
       * needed by other rows: swap them. Besides A, reads M, x, b, d and
       * writes d and x': (b^2 + 5 b) sizeof(Number) bytes a row of b entries.
       */
      void
      chebyshev_step(const BlockMatrix<Number>   &A,
                     const BlockDiagonal<Number> &M,
                     const BlockVector<Number>   &b,
                     BlockVector<Number>         &x,
                     Number                       f_d,
                     Number                       f_r,
                     BlockVector<Number>         &d,
                     BlockVector<Number>         &new_x);

    private:
      void
      check_matrix(const BlockMatrix<Number> &A) const;

      void
      start_update(const BlockVector<Number> &x);

      void
      finish_update(BlockVector<Number> &x);

      IndexLayout           columns;
      GhostExchange<Number> exchange;
    };

    /** The first step from x = 0, which needs no matrix: $x = d = f_r M b$.
     * Local. b may be x or d. */
    template <typename Number>
    void
    chebyshev_start(const BlockDiagonal<Number> &M,
                    const BlockVector<Number>   &b,
                    Number                       f_r,
                    BlockVector<Number>         &d,
                    BlockVector<Number>         &x);
  } // namespace sparse
} // namespace tessera

#endif
