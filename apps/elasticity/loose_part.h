// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_loose_part_h
#define tessera_apps_elasticity_loose_part_h

#include <tessera/amg/near_null_space.h>
#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::elasticity
{
  /** A part of a body that has no connection with the others, and not enough
   * supports. */
  struct LoosePart
  {
    std::uint64_t       n_parts   = 0; ///< of the body
    std::uint64_t       n_motions = 0; ///< rigid ones that this one has left
    std::uint64_t       n_nodes   = 0; ///< of this one
    std::vector<double> centre;        ///< of its nodes
  };

  /**
   * Find a part that the matrix leaves rigid motions, where there are several
   * parts: nodes that no chain of blocks connects. Their motions are not among
   * those of the body as a whole, which amg::BlockAMG looks for. Nothing is
   * returned for a body of one part.
   *
   * Cost: the number of parts times that of modes in products with the
   * matrix, and nothing for one part. One process.
   *
   * @param[in] A Constrained components have but a diagonal entry.
   * @param[in] dim, coordinates [n_nodes][dim] of the nodes.
   * @param[in] modes Rigid-body modes of the nodes, constrained components
   * being zero.
   */
  std::optional<LoosePart>
  find_loose_part(const sparse::BlockMatrix<double> &A,
                  int                                dim,
                  const std::vector<double>         &coordinates,
                  const amg::NearNullSpace          &modes);
} // namespace tessera::elasticity

#endif
