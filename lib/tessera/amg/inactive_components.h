// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_inactive_components_h
#define tessera_amg_inactive_components_h

#include <tessera/amg/near_null_space.h>
#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * Components of nodes that take no part: a bit for each row of a block row,
     * set where the row has no entry but on the diagonal, as rows of
     * constrained degrees of freedom have; and on coarse levels for modes that
     * an aggregate cannot tell apart.
     *
     * They are zero in the near-null space, and counted neither in strengths
     * nor in estimates of eigenvalues; the cycle leaves them out, whatever the
     * user has on the diagonal. On coarse levels they get the mean diagonal of
     * the other components of their node.
     */
    class InactiveComponents
    {
    public:
      /** None. */
      InactiveComponents() = default;

      /** None, of so many nodes. */
      explicit InactiveComponents(sparse::LocalIndex n_nodes);

      /** Of no node? Local. */
      bool
      empty() const;

      std::uint8_t
      of_node(sparse::LocalIndex i) const;

      bool
      is_inactive(sparse::LocalIndex i, int component) const;

      void
      set(sparse::LocalIndex i, int component);

      /** Of all nodes of the rank. */
      std::uint64_t
      n_components() const;

      /** The bits of owned nodes and of ghosts. Collective among neighbours.
       */
      std::vector<std::uint8_t>
      local_bits(const sparse::IndexLayout &layout) const;

      bool
      operator==(const InactiveComponents &other) const;

    private:
      std::vector<std::uint8_t> bits; ///< empty: none
      std::uint64_t             n_set = 0;
    };

    /** Rows of A without entries but on the diagonal. Cost: one pass over A.
     * @throws InputError on all ranks, naming it, if a row is zero or a value
     * is not finite. */
    InactiveComponents
    find_inactive_components(const sparse::BlockMatrix<double> &A);

    /** Zero their rows and columns, and put the mean diagonal of the other
     * components of the node there (1 if there are none). Nothing is written
     * where there are none at all. Collective. */
    void
    replace_inactive(const InactiveComponents    &inactive,
                     sparse::BlockMatrix<double> &A);

    /** Zero their rows. @{ */
    void
    remove_inactive(const InactiveComponents &inactive, NearNullSpace &B);

    void
    remove_inactive(const InactiveComponents    &inactive,
                    sparse::BlockMatrix<double> &P);
    /** @} */
  } // namespace amg
} // namespace tessera

#endif
