// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_summation_kernels_h
#define tessera_cellwise_summation_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/layout.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    /** Pairs of cells that meet in a face normal to an axis: the cells
     * lower, ..., lower + length - 1 and their neighbours in the positive
     * direction, upper, ..., upper + length - 1. */
    struct CellPairs
    {
      CellIndex lower, upper, length;
      int       axis;
    };

    /** The nodes of a cell that it shares with its neighbour along an axis. */
    struct FaceNodes
    {
      const int *lower; ///< on the lower face of the cell
      int        n;
      int        distance; ///< from there to the nodes on the upper face
    };

    TESSERA_DECLARE_SIMD(
      /**
       * Leaf kernel of StiffnessSummation, on a blocked field of n_nodes values
       * a cell. For all pairs of cells, in order, and all pairs of copies a, b
       * on their common face: both become factor (a + b).
       *
       * @param[in] faces For each axis.
       */
      void combine_copies(double          *r,
                          int              n_nodes,
                          double           factor,
                          const CellPairs *pairs,
                          std::size_t      n_pairs,
                          const FaceNodes *faces);)
  } // namespace cellwise
} // namespace tessera

#endif
