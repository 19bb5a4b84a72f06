// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_hierarchy_record_h
#define tessera_amg_hierarchy_record_h

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /** What there is to know of a level, of all ranks. */
    struct LevelRecord
    {
      int           block_size   = 0;
      std::uint64_t n_block_rows = 0;
      std::uint64_t n_blocks     = 0;

      /** Components that take no part. */
      std::uint64_t n_inactive = 0;

      /** Of $D^{-1} A$ with the scalar diagonal, and of $M A$ with
       * inverse diagonal blocks: estimates. 0 where there are none. */
      double largest_eigenvalue_scalar = 0;
      double largest_eigenvalue        = 0;

      // Of the step to the next level; zero on the coarsest.
      std::uint64_t n_aggregates   = 0;
      std::uint64_t n_merged       = 0; ///< aggregates that were too small
      std::uint64_t n_unaggregated = 0; ///< nodes without neighbours
      std::uint64_t n_unfiltered_prolongator_blocks = 0;
      std::uint64_t n_prolongator_blocks            = 0;
      double        error_of_modes_dropped          = 0;
      double        error_of_modes_projected        = 0;

      std::string   product_algorithm;
      std::string   product_description;       ///< and why
      std::uint64_t n_intermediate_blocks = 0; ///< of W = A P
      double        product_seconds       = 0; ///< of the last numeric product
      double        predicted_bytes = 0; ///< of the traffic model: the floor
      double        predicted_flops = 0;

      std::size_t memory = 0; ///< bytes, all there is of the level
    };

    /** Seconds of the last initialize() or update(), of this rank. */
    struct SetupSeconds
    {
      double total       = 0;
      double aggregation = 0; ///< strengths, aggregates, factorizations
      double prolongator = 0; ///< smoothing and filter
      double galerkin    = 0; ///< products; in initialize() with symbolic parts
      double smoother    = 0; ///< inverses, eigenvalues, precision
      double coarse      = 0; ///< factorization of the coarsest matrix
    };

    struct HierarchyRecord
    {
      std::vector<LevelRecord> levels;
      SetupSeconds             seconds;
      bool                     is_update = false; ///< of the last set-up

      /** Dimension of the kernel of the matrix, among the modes. */
      int kernel_dimension = 0;

      /** Why coarsening ended: "2 block rows ...". */
      std::string end_of_coarsening;

      std::size_t memory = 0; ///< bytes of this rank, at the end of the set-up

      /** $\sum_l n_l / n_0$, in equations. */
      double
      grid_complexity() const;

      /** $\sum_l z_l / z_0$, in entries of matrices. */
      double
      operator_complexity() const;
    };

    /** A table for people: sizes, fill, complexities, eigenvalues, products and
     * why they were chosen, predicted bytes, memory. */
    std::string
    print_hierarchy(const HierarchyRecord &record);
  } // namespace amg
} // namespace tessera

#endif
