// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_h
#define tessera_patch_level_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/field.h>
#include <tessera/patch/level_tables.h>
#include <tessera/patch/patch_matrices.h>
#include <tessera/patch/patch_schedule.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * One level of the hierarchy: its grid, the order of its patches, the
     * tables of its kernels, and the two fields of a cycle, $u$ and
     * $\hat b$. The numbers are of type Number, float or double.
     *
     * The right-hand side is dual and kept in the eigenbasis of the cells, the
     * iterate is nodal: no transform of b in the 2^dim visits of a cell in a
     * sweep.
     */
    template <int dim, typename Number>
    class Level
    {
    public:
      using Primal =
        cellwise::PrimalField<Number, cellwise::Layout::contiguous>;
      using Dual = cellwise::DualModalField<Number>;

      /**
       * @param[in] weights $s_d$ of the element matrix, in the units the
       * hierarchy computes in (see cellwise::CellGrid::stiffness_weights()).
       */
      Level(const cellwise::CellGrid<dim> &grid,
            const cellwise::ReferenceCell &cell,
            const PatchMatrices           &patch_matrices,
            const std::array<double, dim> &weights,
            ColourOrder                    order,
            Traversal                      traversal);

      /** $u$, updated by one sweep over all patches; the adjoint one if
       * @p reversed. */
      void
      sweep(bool reversed);

      /** Set $\hat b$ of the next coarser level to the restricted residual
       * $P^T (b - A u)$ of this one. */
      void
      restrict_residual_to(Level &coarse) const;

      /** $u \leftarrow u + P u_{coarse}$. */
      void
      prolongate_and_add_from(const Level &coarse);

      const cellwise::CellGrid<dim> &
      grid() const;

      const std::array<double, dim> &
      stiffness_weights() const;

      std::size_t
      n_patches() const;

      /** One patch that covers all cells, whose boundary is Dirichlet: one
       * sweep from u = 0 solves exactly. */
      bool
      is_single_patch() const;

      std::size_t
      memory_consumption() const;

      Primal u;
      Dual   b;

    private:
      int                     degree;
      cellwise::CellGrid<dim> cells;
      std::array<double, dim> weights;
      PatchSchedule<dim>      schedule;

      LevelTables<dim, Number> tables;

      /** Of the cells of the next coarser level: [parent][2^dim]. */
      std::vector<CellIndex> children;
    };
  } // namespace patch
} // namespace tessera

#endif
