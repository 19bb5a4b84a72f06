// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_dof_copies_h
#define tessera_cellwise_dof_copies_h

#include <tessera/base/exchange_plan.h>
#include <tessera/cellwise/layout.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /** What a copy has that is zero: that of a Dirichlet node. */
    inline constexpr unsigned int no_dof =
      std::numeric_limits<unsigned int>::max();

    /** What a degree of freedom has that belongs to a Dirichlet node. */
    inline constexpr unsigned int no_copy =
      std::numeric_limits<unsigned int>::max();

    /**
     * Where the copies of the degrees of freedom of a vector are in a cell-wise
     * field. A rank numbers the degrees of freedom it owns from zero up, then
     * ghosts that its cells need; and its cells.
     */
    struct DoFCopies
    {
      int       degree  = 0;
      int       n_nodes = 0; ///< values a cell
      CellIndex n_cells = 0; ///< owned

      /** From owned degrees of freedom to ghosts. */
      ExchangePlan plan;

      /** [n_cells][n_nodes] */
      std::vector<unsigned int> dof_of_copy;

      /** Of the owned degrees of freedom, the number c n_nodes + k of a copy in
       * an owned cell c. */
      std::vector<unsigned int> copy_of_dof;

      /** Of the owned cells, bit 2d + e: whether there is a cell beyond the
       * lower (e = 0) or upper (e = 1) end of axis d. */
      std::vector<unsigned char> inner_faces;
    };
  } // namespace cellwise
} // namespace tessera

#endif
