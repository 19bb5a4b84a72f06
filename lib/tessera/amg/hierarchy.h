// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_hierarchy_h
#define tessera_amg_hierarchy_h

#include <tessera/amg/hierarchy_record.h>
#include <tessera/amg/inactive_components.h>
#include <tessera/amg/near_null_space.h>
#include <tessera/amg/options.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/product/parallel_galerkin_product.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * The matrices of all levels, $A_{l+1} = P_l^T A_l P_l$, in double.
     *
     * The constructor coarsens; update() computes products of new values with
     * the same prolongators. The matrix of level 0 is the user's, as it is:
     * rows of P are zero in inactive components, so that what stands in their
     * rows and columns enters nothing.
     */
    class Hierarchy
    {
    public:
      /**
       * @param[in] A Has to live until the next update().
       * @param[in] B, inactive Of A; B is zero in inactive components.
       * @param[in,out] record Gets levels, seconds, and why coarsening ended.
       * @throws InputError if coarsening stalls with more equations than a
       * dense solution can be asked for, see largest_dense_size().
       */
      Hierarchy(const sparse::BlockMatrix<double> &A,
                NearNullSpace                      B,
                const InactiveComponents          &inactive,
                const std::vector<std::uint64_t>  &keys,
                const Options                     &options,
                HierarchyRecord                   &record);

      /** @param[in] A Of the same pattern. */
      void
      update(const sparse::BlockMatrix<double> &A, HierarchyRecord &record);

      unsigned int
      n_levels() const;

      const sparse::BlockMatrix<double> &
      matrix(unsigned int level) const;

      /** From level + 1 to level. */
      const sparse::BlockMatrix<double> &
      prolongator(unsigned int level) const;

      const InactiveComponents &
      inactive(unsigned int level) const;

      /** Of the nodes of a level. */
      const std::vector<std::uint64_t> &
      keys(unsigned int level) const;

      /** Of the coarsest level, unless they have been forgotten. */
      const NearNullSpace &
      coarsest_modes() const;

      void
      forget_modes();

      /** Without the user's matrix. */
      std::size_t
      memory_consumption(unsigned int level) const;

    private:
      struct Level
      {
        sparse::BlockMatrix<double> A; ///< empty on level 0
        InactiveComponents          inactive;
        std::vector<std::uint64_t>  keys;

        // To the next level.
        sparse::BlockMatrix<double>                              P;
        std::unique_ptr<sparse::ParallelGalerkinProduct<double>> product;
      };

      /** Make the next level; or say why not, and leave all as it is. */
      std::string
      coarsen(NearNullSpace   &B,
              const Options   &options,
              HierarchyRecord &record);

      /** The product of level l and its record. */
      void
      multiply(unsigned int level, HierarchyRecord &record);

      const sparse::BlockMatrix<double> *finest = nullptr;
      std::vector<Level>                 levels;
      NearNullSpace                      modes;
    };

    /** Equations of the largest matrix that is solved as a dense one where
     * coarsening goes no further: three times the limit that is asked for. */
    std::uint64_t
    largest_dense_size(const Options &options);
  } // namespace amg
} // namespace tessera

#endif
