// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_amg_solve_files_h
#define tessera_apps_amg_solve_files_h

#include <tessera/amg/near_null_space.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <cstdint>
#include <string>
#include <vector>

#include "amg_solve/command_line.h"

namespace tessera::amg_solve
{
  /** What multigrid wants to know of nodes. */
  struct Nodes
  {
    amg::NearNullSpace         modes;
    std::vector<std::uint64_t> keys;
    std::string                description; ///< of the modes
  };

  /** A square matrix from the file. */
  sparse::BlockMatrix<double>
  read_matrix(const CommandLine &command_line);

  /** Rigid-body modes, if there are coordinates and blocks of 2 or 3; else a
   * constant for each component. */
  Nodes
  read_nodes(const CommandLine         &command_line,
             const sparse::IndexLayout &layout);

  /** From the file, or all ones. */
  sparse::BlockVector<double>
  read_right_hand_side(const CommandLine         &command_line,
                       const sparse::IndexLayout &layout);
} // namespace tessera::amg_solve

#endif
