// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_peer_h
#define tessera_tests_benchmarks_sparse_products_peer_h

// The same work by PETSc, where the build found it: petsc_peer.cc, and else
// no_peer.cc.

#include <tessera/sparse/block_matrix.h>

#include <memory>
#include <string>
#include <vector>

namespace benchmark
{
  /** y = A x. */
  class PeerMatrixVector
  {
  public:
    virtual ~PeerMatrixVector() = default;

    virtual void
    multiply() = 0;

    /** y of the last product. */
    virtual std::vector<double>
    result() const = 0;
  };

  /** The values of $A_c = P^T A P$ from those of A and P, its pattern known. */
  class PeerProduct
  {
  public:
    virtual ~PeerProduct() = default;

    virtual void
    multiply() = 0;

    /** All values of a new product, row by row in ascending order of columns.
     */
    virtual std::vector<double>
    result() = 0;
  };

  /** PETSc in this program, for as long as the object lives. MPI has been
   * started. */
  class Peer
  {
  public:
    Peer();
    ~Peer();

    Peer(const Peer &) = delete;
    Peer &
    operator=(const Peer &) = delete;

    /** Name and version; empty if there is none. */
    static std::string
    name();

    /** Blocks of one number become compressed rows of numbers (AIJ), larger
     * ones compressed rows of square blocks (BAIJ).
     * @param[in] x As many numbers as A has columns. */
    std::unique_ptr<PeerMatrixVector>
    matrix_vector(const tessera::sparse::BlockMatrix<double> &A,
                  const std::vector<double>                  &x) const;

    /** @param[in] A, P Blocks of one number. */
    std::unique_ptr<PeerProduct>
    product(const tessera::sparse::BlockMatrix<double> &A,
            const tessera::sparse::BlockMatrix<double> &P) const;
  };
} // namespace benchmark

#endif
