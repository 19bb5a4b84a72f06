// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_multigrid_options_h
#define tessera_patch_multigrid_options_h

#include <tessera/patch/patch_schedule.h>

#include <cstdint>

namespace tessera
{
  namespace patch
  {
    /** The colours of post-smoothing, relative to pre-smoothing. */
    enum class PostSmoothing
    {
      forward, ///< the same order: the better stationary iteration
      reversed ///< the adjoint: a symmetric cycle, for conjugate gradients
    };

    /** How a cycle on a device is given to it. Results do not depend on it. The
     * defaults are counted, not measured. */
    struct DeviceCycleOptions
    {
      /** Record the launches on levels without messages as a CUDA graph, and
       * replay it. */
      bool use_graph = true;

      /** Levels of up to so many cells are done by one kernel together; 0: none
       * are. */
      std::uint64_t max_program_cells = 512;

      /** Larger levels are swept by bricks, if the traversal is a wavefront;
       * see DeviceBrickSweep. From where their two fields no longer fit into
       * the second-level cache. */
      std::uint64_t min_brick_cells = 100000;
    };

    struct MultigridOptions
    {
      PostSmoothing post_smoothing = PostSmoothing::forward;
      ColourOrder   colour_order   = ColourOrder::odd_first;
      Traversal     traversal      = Traversal::wavefront;

      /** The coefficient $c \ge 0$ of $-\Delta u + c\,u$; one over the square
       * of a length. Positive, if all faces are Neumann faces. */
      double reaction = 0.;

      /**
       * Coarse levels are treated by so few ranks that each has at least this
       * many cells, and the coarsest one by a single rank: messages between
       * ranks with little to do take longer than the work.
       */
      unsigned int min_cells_per_rank = 512;

      DeviceCycleOptions device = {};
    };
  } // namespace patch
} // namespace tessera

#endif
