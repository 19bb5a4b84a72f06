// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_multigrid_h
#define tessera_patch_multigrid_h

#include <tessera/cellwise/field_operations.h>
#include <tessera/patch/coarse_solver.h>
#include <tessera/patch/level.h>

#include <cstddef>
#include <memory>
#include <vector>

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

    struct MultigridOptions
    {
      PostSmoothing post_smoothing = PostSmoothing::forward;
      ColourOrder   colour_order   = ColourOrder::odd_first;
      Traversal     traversal      = Traversal::wavefront;
    };

    /**
     * The grids of a hierarchy, coarsest first: the given grid, halved as long
     * as the number of cells of every direction is even and more than two. It
     * does not matter how the mesh came about: a coarse mesh of n cells a
     * direction and one refined from a single cell give the same levels.
     *
     * @throws InputError if a direction has less than two cells: no vertex is
     * inside.
     */
    template <int dim>
    std::vector<cellwise::GridDescription<dim>>
    make_hierarchy(const cellwise::GridDescription<dim> &finest);

    /**
     * The V-cycle with one sweep over all vertex patches before and after the
     * coarse correction, and an exact solution on the coarsest level:
     * $z = C\,r \approx A^{-1} r$ for the Laplacian on a box.
     *
     * All levels compute in Number. Residuals enter in double: they should be
     * balanced (cellwise::StiffnessSummation::rebalance()), for rounding to
     * float does not preserve what cancels between the copies of a degree of
     * freedom, and zero in Dirichlet nodes. They are scaled by a power of two
     * and lengths by the cell size, so that data in any units stay within the
     * range of float.
     *
     * Memory: 2 Number a cell-wise entry and level, and 4 bytes for each cell
     * of each patch.
     */
    template <int dim, typename Number>
    class Multigrid
    {
    public:
      using Correction =
        cellwise::PrimalField<Number, cellwise::Layout::contiguous>;

      Multigrid(const cellwise::GridDescription<dim> &finest,
                const cellwise::ReferenceCell        &cell,
                const MultigridOptions               &options);

      /**
       * One cycle from a zero start.
       * @return the factor a of the correction $z = a\,u$, where u =
       * correction().
       */
      double
      cycle(const cellwise::DualField<double> &r);

      /** What the last cycle computed; valid until the next one. */
      const Correction &
      correction() const;

      unsigned int
      n_levels() const;

      /** Number of the finest level is n_levels() - 1. */
      const Level<dim, Number> &
      level(unsigned int number) const;

      std::size_t
      memory_consumption() const;

    private:
      void
      cycle_level(unsigned int number);

      /** One sweep; from zero if @p before the coarse correction. */
      void
      smooth(Level<dim, Number> &level, bool before) const;

      cellwise::ReferenceCell                          reference_cell;
      MultigridOptions                                 options;
      double                                           unit_of_weights;
      std::vector<std::unique_ptr<Level<dim, Number>>> levels;
      std::unique_ptr<CoarseSolver<dim>>               coarse_solver;
    };
  } // namespace patch
} // namespace tessera

#endif
