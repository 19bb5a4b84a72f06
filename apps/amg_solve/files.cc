// SPDX-License-Identifier: LGPL-2.1-or-later
#include "amg_solve/files.h"

#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_market.h>
#include <tessera/sparse/matrix_market_parser.h>

#include <algorithm>

namespace tessera::amg_solve
{
  namespace
  {
    /** [n_nodes][dim] */
    std::vector<double>
    read_coordinates(const std::string  &file,
                     const std::uint64_t n_nodes,
                     int                &dim)
    {
      const sparse::MarketArray array = sparse::parse_market_array(file);
      const std::uint64_t       n     = array.values.size();
      dim                             = n % n_nodes == 0 && n / n_nodes <= 3 ?
                                          static_cast<int>(n / n_nodes) :
                                          0;
      const bool one_column           = array.n_columns == 1;
      if (dim == 0 || (!one_column && array.n_rows != n_nodes))
        sparse::throw_market_error(
          file,
          0,
          "coordinates of " + std::to_string(n_nodes) +
            " nodes are that many rows of 1 to 3 columns, or a column of 1 to "
            "3 numbers for each node; found " +
            std::to_string(array.n_rows) + " rows and " +
            std::to_string(array.n_columns) +
            " columns. Is the block size right?");
      if (one_column)
        return array.values;
      std::vector<double> result(n);
      for (std::uint64_t i = 0; i < n_nodes; ++i)
        for (int d = 0; d < dim; ++d)
          result[i * dim + d] = array.values[d * n_nodes + i];
      return result;
    }
  } // namespace



  sparse::BlockMatrix<double>
  read_matrix(const CommandLine &command_line)
  {
    sparse::BlockMatrix<double> A = sparse::read_matrix_market<double>(
      command_line.matrix, {command_line.block_size, command_line.block_size});
    const std::uint64_t n_rows    = A.pattern().rows().n_global();
    const std::uint64_t n_columns = A.pattern().columns().n_global();
    if (n_rows != n_columns || n_rows == 0)
      sparse::throw_market_error(command_line.matrix,
                                 0,
                                 "a square matrix with rows is expected, this "
                                 "one has " +
                                   std::to_string(n_rows) + " x " +
                                   std::to_string(n_columns) + " blocks.");
    return A;
  }



  Nodes
  read_nodes(const CommandLine &command_line, const sparse::IndexLayout &layout)
  {
    const int   b = command_line.block_size;
    std::string constants =
      b == 1 ? "a constant" : "a constant for each component";
    if (command_line.coordinates.empty())
      return {amg::constant_modes(layout, b),
              amg::keys_of_numbers(layout),
              constants};

    int                       dim = 0;
    const std::vector<double> coordinates =
      read_coordinates(command_line.coordinates, layout.n_global(), dim);
    std::vector<std::uint64_t> keys =
      amg::keys_of_coordinates(layout, dim, coordinates);
    if (b != 2 && b != 3)
      return {amg::constant_modes(layout, b), std::move(keys), constants};
    if (dim != b)
      throw InputError("the coordinates in '" + command_line.coordinates +
                       "' have " + std::to_string(dim) +
                       " directions, but nodes have " + std::to_string(b) +
                       " unknowns: rigid-body modes need as many; leave out "
                       "the coordinates if these are not displacements");
    return {amg::rigid_body_modes(layout, dim, coordinates),
            std::move(keys),
            "rigid-body modes in " + std::to_string(dim) + "D"};
  }



  sparse::BlockVector<double>
  read_right_hand_side(const CommandLine         &command_line,
                       const sparse::IndexLayout &layout)
  {
    if (!command_line.right_hand_side.empty())
      return sparse::read_vector_market<double>(command_line.right_hand_side,
                                                layout,
                                                command_line.block_size);
    sparse::BlockVector<double> b(layout, command_line.block_size);
    std::fill_n(b.data(), b.n_owned_values(), 1.);
    return b;
  }
} // namespace tessera::amg_solve
