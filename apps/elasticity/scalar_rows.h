// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_scalar_rows_h
#define tessera_apps_elasticity_scalar_rows_h

#include <tessera/sparse/block_matrix.h>

#include <deal.II/base/types.h>

#include <vector>

namespace tessera::elasticity
{
  /** f(row, columns, values) for the rows of numbers of a matrix of blocks,
   * with all entries of its blocks, columns ascending. */
  template <typename F>
  void
  for_each_scalar_row(const sparse::BlockMatrix<double> &A, const F &f)
  {
    using dealii::types::global_dof_index;
    const sparse::BlockPattern   &pattern = A.pattern();
    const sparse::BlockShape      shape   = A.shape();
    std::vector<global_dof_index> columns;
    std::vector<double>           values;
    for (sparse::LocalIndex i = 0; i < pattern.n_rows(); ++i)
      for (int r = 0; r < shape.rows; ++r)
        {
          columns.clear();
          values.clear();
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            for (int c = 0; c < shape.columns; ++c)
              {
                columns.push_back(
                  static_cast<global_dof_index>(pattern.column_indices()[k]) *
                    shape.columns +
                  c);
                values.push_back(A.block(k)[r * shape.columns + c]);
              }
          f(static_cast<global_dof_index>(i) * shape.rows + r, columns, values);
        }
  }
} // namespace tessera::elasticity

#endif
