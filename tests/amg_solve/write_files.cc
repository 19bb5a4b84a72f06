// SPDX-License-Identifier: LGPL-2.1-or-later
// Write the files that the tests of amg_solve read, into the current directory.
#include <tessera/base/text_file.h>
#include <tessera/sparse/matrix_market.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "amg/amg_problem.h"

using namespace tessera;
using grid_problem::Grid;
using sparse::BlockMatrix;
using sparse::MarketSymmetry;

namespace
{
  void
  write(const std::string &file, const std::string &text)
  {
    if (!replace_file(file, text).empty())
      std::exit(1);
  }

  /** As a table with a column for each direction, and as one column. */
  void
  write_coordinates(const Grid &grid, const std::string &name)
  {
    const std::vector<double> x = grid.coordinates();
    const int                 n = grid.n_nodes(), dim = grid.dim;
    std::ostringstream        table, column;
    table << "%%MatrixMarket matrix array real general\n"
          << n << ' ' << dim << '\n';
    for (int d = 0; d < dim; ++d)
      for (int i = 0; i < n; ++i)
        table << x[i * dim + d] << '\n';
    column << "%%MatrixMarket matrix array real general\n" << n * dim << " 1\n";
    for (const double value : x)
      column << value << '\n';
    write(name + ".mtx", table.str());
    write(name + "_column.mtx", column.str());
  }

  void
  write_problem(const Grid        &grid,
                const int          n_components,
                const bool         supported,
                const std::string &name)
  {
    BlockMatrix<double> A = grid_problem::matrix(grid, n_components);
    if (supported)
      grid_problem::clamp(A, grid);
    sparse::write_matrix_market(A,
                                name + ".mtx",
                                supported ? MarketSymmetry::general :
                                            MarketSymmetry::symmetric);
  }
} // namespace



int
main()
{
  const Grid square = {2, {{30, 20, 0}}, {{1, 1, 1}}};
  write_problem(square, 1, true, "poisson");
  write_problem(square, 2, true, "membrane");
  write_coordinates(square, "square");
  BlockMatrix<double> hinged = grid_problem::matrix(square, 2);
  grid_problem::constrain(hinged, 0, 0);
  grid_problem::constrain(hinged, 0, 1);
  sparse::write_matrix_market(hinged, "hinged.mtx");
  const Grid box = {3, {{8, 4, 4}}, {{1, 1, 1}}};
  write_problem(box, 3, true, "box");
  write_problem(box, 3, false, "free");
  write_coordinates(box, "nodes");

  // Loads of the box: one that has a solution without supports, and one that
  // has none.
  const sparse::IndexLayout   layout(box.n_nodes());
  sparse::BlockVector<double> load(layout, 3);
  for (int y = 0; y <= 4; ++y)
    for (int z = 0; z <= 4; ++z)
      {
        load.data()[3 * box.node(8, y, z)] = 1;
        load.data()[3 * box.node(0, y, z)] = -1;
      }
  sparse::write_vector_market(load, "pull.mtx");
  load.data()[0] += 10;
  sparse::write_vector_market(load, "push.mtx");

  // Three unknowns a node in two dimensions.
  const Grid flat = {2, {{4, 2, 0}}, {{1, 1, 1}}};
  write_coordinates(flat, "flat_nodes");
  BlockMatrix<double> A(grid_problem::pattern(flat), {3, 3});
  for (int i = 0; i < flat.n_nodes(); ++i)
    for (int c = 0; c < 3; ++c)
      A.values_to_write()[A.pattern().find(i, i) * 9 + 4 * c] = 1;
  sparse::write_matrix_market(A, "flat.mtx");

  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  write("indefinite.mtx", head + "2 2 3\n1 1 1\n2 1 2\n2 2 1\n");
  write("zero_row.mtx", head + "3 3 4\n1 1 2\n2 1 -1\n2 2 2\n3 3 0\n");
  write("no_diagonal.mtx", head + "2 2 2\n1 1 1\n2 1 1\n");
  write("wide.mtx",
        "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
  write("empty.mtx", head + "0 0 0\n");
  return 0;
}
