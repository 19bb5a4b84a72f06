// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_block_amg_data_h
#define tessera_dealii_block_amg_data_h

#include <tessera/amg/near_null_space.h>
#include <tessera/amg/options.h>
#include <tessera/sparse/block_matrix.h>

#include <deal.II/lac/vector.h>

#include <cstdint>
#include <vector>

namespace tessera::dealii_adapters
{
  /** What PreconditionBlockAMG is told of the problem and of the method. */
  struct BlockAMGData
  {
    /** Unknowns of a node, 1 to 6: that many consecutive rows of a matrix of
     * numbers are a block row. Blocks of a sparse::BlockMatrix have their size,
     * and this is not looked at. */
    unsigned int block_size = 1;

    /** @name The near-null space
     * What is given of these; if nothing, constants, one for each unknown of a
     * node. More than one is an error.
     * @{
     */

    /** [n_nodes][block_size]: where nodes are, for elasticity (block size =
     * dimension): rigid-body modes are made from them. For a DoFHandler
     * they are node_coordinates(). */
    std::vector<double> coordinates;

    /** Vectors as long as the matrix has rows, one for each mode, at most six;
     * linearly independent. */
    std::vector<dealii::Vector<double>> modes;

    /** As DoFTools::extract_constant_modes() gives them: mode m is 1 where
     * constant_modes[m] is true. */
    std::vector<std::vector<bool>> constant_modes;
    /** @} */

    /** [n_nodes]: numbers that do not depend on the numbering of the nodes,
     * from which the order of aggregation comes. If there are none: from the
     * coordinates, or, without these, the numbers of the nodes. */
    std::vector<std::uint64_t> keys;

    amg::Options options;
  };



  /** The argument's block_size. @throws InputError unless there can be such
   * blocks. */
  int
  checked_block_size(const BlockAMGData &data);



  /**
   * What the data say of the near-null space of a matrix.
   *
   * @throws InputError if it is given in several ways, for other sizes or
   * numbers of modes, for constant modes that do not tell the unknowns of a
   * node apart, and for coordinates that cannot be those of the nodes, because
   * nodes that are coupled are as far apart as any two.
   */
  amg::NearNullSpace
  near_null_space(const BlockAMGData                &data,
                  const sparse::BlockMatrix<double> &A);



  /** Keys for amg::BlockAMG::initialize(). @throws InputError if their number
   * does not fit. */
  std::vector<std::uint64_t>
  keys_of_nodes(const BlockAMGData &data, const sparse::BlockMatrix<double> &A);
} // namespace tessera::dealii_adapters

#endif
