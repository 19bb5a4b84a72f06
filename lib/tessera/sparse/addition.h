// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_addition_h
#define tessera_sparse_addition_h

#include <tessera/sparse/block_matrix.h>

namespace tessera
{
  namespace sparse
  {
    /**
     * $A \leftarrow A + \alpha B$, where A has all blocks that B has, and
     * perhaps more. Rows and columns are owned alike; which ghosts there are
     * may differ, as long as A has those of B. A may be B.
     *
     * Cost: reads the columns of A and B twice, the blocks of B once, and reads
     * and writes the blocks that change. Collective, for errors only.
     *
     * @throws InputError on all ranks if shapes differ or, naming it, if A
     * lacks a block; A is then unchanged.
     */
    template <typename Number>
    void
    add(Number alpha, const BlockMatrix<Number> &B, BlockMatrix<Number> &A);
  } // namespace sparse
} // namespace tessera

#endif
