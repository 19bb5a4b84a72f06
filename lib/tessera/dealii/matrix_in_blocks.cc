// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/dealii/matrix_in_blocks.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tessera::dealii_adapters
{
  using namespace dealii;
  using sparse::LocalIndex;

  namespace
  {
    /** f(column, value) for the entries of a row. @{ */
    template <typename F>
    void
    for_each_entry(const SparseMatrix<double> &matrix,
                   const std::uint64_t         row,
                   const F                    &f)
    {
      const auto end =
        matrix.end(static_cast<SparseMatrix<double>::size_type>(row));
      for (auto entry =
             matrix.begin(static_cast<SparseMatrix<double>::size_type>(row));
           entry != end;
           ++entry)
        f(std::uint64_t(entry->column()), entry->value());
    }

#ifdef DEAL_II_WITH_TRILINOS
    template <typename F>
    void
    for_each_entry(const TrilinosWrappers::SparseMatrix &matrix,
                   const std::uint64_t                   row,
                   const F                              &f)
    {
      // Local numbers are global ones: see check_maps().
      int     n_entries = 0;
      double *values    = nullptr;
      int    *columns   = nullptr;
      matrix.trilinos_matrix().ExtractMyRowView(int(row),
                                                n_entries,
                                                values,
                                                columns);
      for (int k = 0; k < n_entries; ++k)
        f(std::uint64_t(columns[k]), values[k]);
    }

    void
    check_maps(const TrilinosWrappers::SparseMatrix &matrix)
    {
      const int n_ranks = matrix.trilinos_matrix().Comm().NumProc();
      if (n_ranks != 1)
        throw InputError("The matrix is distributed over " +
                         std::to_string(n_ranks) +
                         " MPI ranks; PreconditionBlockAMG is for one so far. "
                         "Start the program without mpirun, or with -np 1.");
      if (!matrix.trilinos_matrix().ColMap().SameAs(
            matrix.trilinos_matrix().DomainMap()))
        throw InputError("The matrix has columns without entries. Every row "
                         "needs an entry on the diagonal, those of constrained "
                         "degrees of freedom too.");
    }
#endif
    /** @} */

    /** What is seen of a numbering while a matrix is read row by row. */
    class NumberingCheck
    {
    public:
      NumberingCheck(const std::uint64_t n_rows, const int block_size)
        : b(std::uint64_t(block_size))
        , n_nodes(n_rows / b)
        , row_of_node(n_nodes, none)
        , block_row_of_node(n_nodes, none)
        , sums_by_node(b)
        , sums_by_component(b)
        , has_component(b)
      {}

      void
      start_row(const std::uint64_t r)
      {
        row = r;
        nodes.clear();
        has_neighbour = false;
        absolute_sum  = 0.;
        std::fill(sums_by_node.begin(), sums_by_node.end(), 0.);
        std::fill(sums_by_component.begin(), sums_by_component.end(), 0.);
        std::fill(has_component.begin(), has_component.end(), false);
      }

      void
      add(const std::uint64_t column, const double value)
      {
        const std::uint64_t node = column / b;
        if (row_of_node[node] != row)
          {
            row_of_node[node] = row;
            nodes.push_back(node);
          }
        has_neighbour = has_neighbour || (column != row && value != 0.);
        absolute_sum += std::abs(value);
        sums_by_node[column % b] += value;
        sums_by_component[column / n_nodes] += value;
        has_component[column / n_nodes] = true;
      }

      void
      finish_row()
      {
        if (row % b == 0)
          {
            n_rows_of_node = 0;
            n_union        = 0;
            n_fewest       = n_nodes;
          }
        if (has_neighbour)
          {
            ++n_rows_of_node;
            for (const std::uint64_t node : nodes)
              if (block_row_of_node[node] != row / b)
                {
                  block_row_of_node[node] = row / b;
                  ++n_union;
                }
            n_fewest = std::min(n_fewest, std::uint64_t(nodes.size()));
            n_kernel_by_node += is_kernel(sums_by_node);
            // In a numbering by nodes most rows have entries in one part of
            // the columns only, which says nothing of components.
            n_kernel_by_component +=
              is_kernel(sums_by_component) &&
              std::find(has_component.begin(), has_component.end(), false) ==
                has_component.end();
          }
        if (row % b == b - 1 && n_rows_of_node > 1)
          {
            ++n_compared;
            if (n_fewest != n_union)
              {
                ++n_different;
                first_different = std::min(first_different, row / b);
              }
          }
      }

      /** @throws InputError if this is no numbering by nodes. */
      void
      throw_if_wrong() const
      {
        const bool is_by_component =
          n_kernel_by_component > 2 * n_kernel_by_node + n_nodes / 10;
        const bool is_mixed = 20 * n_different > n_compared;
        if (!is_by_component && !is_mixed)
          return;
        std::string text = "The rows of the matrix, taken " +
                           std::to_string(b) + " by " + std::to_string(b) +
                           " as the unknowns of a node, are not "
                           "numbered by nodes: ";
        if (is_mixed)
          text += "for " + std::to_string(n_different) + " of " +
                  std::to_string(n_compared) +
                  " nodes they have entries in different nodes, for rows " +
                  std::to_string(first_different * b) + " to " +
                  std::to_string(first_different * b + b - 1) + " first";
        if (is_by_component)
          text += std::string(is_mixed ? "; and " : "") +
                  "they look numbered component by component, since " +
                  std::to_string(n_kernel_by_component) +
                  " rows map constant components, numbered so, to zero, and " +
                  std::to_string(n_kernel_by_node) + " if numbered by nodes";
        throw InputError(
          text + ". Call DoFRenumbering::support_point_wise(dof_handler) after "
                 "distribute_dofs() and before constraints and sparsity "
                 "patterns are made; or see whether block_size is right.");
      }

    private:
      static constexpr std::uint64_t none =
        std::numeric_limits<std::uint64_t>::max();

      bool
      is_kernel(const std::vector<double> &sums) const
      {
        for (const double sum : sums)
          if (!(std::abs(sum) <= 1e-8 * absolute_sum))
            return false;
        return true;
      }

      const std::uint64_t b, n_nodes;

      /** The last rows, and block rows, that have an entry in a node. @{ */
      std::vector<std::uint64_t> row_of_node, block_row_of_node;
      /** @} */

      // Of a row: nodes with entries, sums of the columns of a component.
      std::uint64_t              row = 0;
      std::vector<std::uint64_t> nodes;
      bool                       has_neighbour = false;
      double                     absolute_sum  = 0.;
      std::vector<double>        sums_by_node, sums_by_component;
      std::vector<bool>          has_component;

      // Of a block row, over rows with neighbours.
      std::uint64_t n_rows_of_node = 0, n_union = 0, n_fewest = 0;

      // Of the matrix.
      std::uint64_t n_compared = 0, n_different = 0, first_different = none;
      std::uint64_t n_kernel_by_node = 0, n_kernel_by_component = 0;
    };



    template <typename Matrix>
    void
    check_size(const Matrix &matrix, const int b)
    {
      if (matrix.m() != matrix.n())
        throw InputError("The matrix has " + std::to_string(matrix.m()) +
                         " rows and " + std::to_string(matrix.n()) +
                         " columns; it has to be square.");
      if (matrix.m() % b != 0)
        throw InputError("The matrix has " + std::to_string(matrix.m()) +
                         " rows, which are no nodes of " + std::to_string(b) +
                         " unknowns each. Set AdditionalData::block_size to "
                         "the number of components of the element.");
    }



    template <typename Matrix>
    sparse::BlockMatrix<double>
    in_blocks(const Matrix &matrix, const int b)
    {
      check_size(matrix, b);
      const std::uint64_t       n_rows = matrix.m();
      const sparse::IndexLayout layout(n_rows / b);
      const LocalIndex          n_nodes = layout.n_owned();

      NumberingCheck            check(n_rows, b);
      std::vector<std::int64_t> row_begin(1, 0);
      row_begin.reserve(std::size_t(n_nodes) + 1);
      std::vector<LocalIndex> columns;
      std::vector<LocalIndex> last_row(n_nodes, -1); // that has the column
      for (LocalIndex i = 0; i < n_nodes; ++i)
        {
          for (int r = 0; r < b; ++r)
            {
              const std::uint64_t row = std::uint64_t(i) * b + r;
              check.start_row(row);
              for_each_entry(matrix,
                             row,
                             [&](const std::uint64_t column,
                                 const double        value) {
                               check.add(column, value);
                               const LocalIndex j = LocalIndex(column / b);
                               if (last_row[j] != i)
                                 {
                                   last_row[j] = i;
                                   columns.push_back(j);
                                 }
                             });
              check.finish_row();
            }
          std::sort(columns.begin() + row_begin.back(), columns.end());
          row_begin.push_back(std::int64_t(columns.size()));
        }
      if (b > 1)
        check.throw_if_wrong();

      sparse::BlockMatrix<double> blocks(
        sparse::BlockPattern(
          layout, layout, std::move(row_begin), std::move(columns)),
        {b, b});
      copy_values(matrix, blocks);
      return blocks;
    }



    template <typename Matrix>
    void
    copy_all_values(const Matrix &matrix, sparse::BlockMatrix<double> &blocks)
    {
      const int b = blocks.shape().rows;
      check_size(matrix, b);
      const sparse::BlockPattern &pattern = blocks.pattern();
      if (matrix.m() != std::uint64_t(pattern.n_rows()) * b)
        throw InputError("The matrix has " + std::to_string(matrix.m()) +
                         " rows, the one before had " +
                         std::to_string(std::uint64_t(pattern.n_rows()) * b) +
                         ". Call initialize() for a matrix of another "
                         "pattern.");
      blocks.set_zero();
      double *const             values = blocks.values_to_write();
      std::vector<std::int64_t> position(pattern.n_columns(), -1);
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        {
          const std::int64_t begin = pattern.row_begin()[i];
          for (std::int64_t k = begin; k < pattern.row_begin()[i + 1]; ++k)
            position[pattern.column_indices()[k]] = k;
          for (int r = 0; r < b; ++r)
            for_each_entry(
              matrix,
              std::uint64_t(i) * b + r,
              [&](const std::uint64_t column, const double value) {
                // Positions of other rows are before this one.
                const std::int64_t k = position[column / b];
                if (k >= begin)
                  values[(k * b + r) * b + std::int64_t(column % b)] = value;
                else if (value != 0.)
                  throw InputError(
                    "The matrix has an entry in row " +
                    std::to_string(std::uint64_t(i) * b + r) + " and column " +
                    std::to_string(column) +
                    " where the one before had none. Call initialize() for a "
                    "matrix of another pattern.");
              });
        }
    }
  } // namespace



  sparse::BlockMatrix<double>
  matrix_in_blocks(const SparseMatrix<double> &matrix, const int b)
  {
    return in_blocks(matrix, b);
  }



  void
  copy_values(const SparseMatrix<double>  &matrix,
              sparse::BlockMatrix<double> &blocks)
  {
    copy_all_values(matrix, blocks);
  }



#ifdef DEAL_II_WITH_TRILINOS
  sparse::BlockMatrix<double>
  matrix_in_blocks(const TrilinosWrappers::SparseMatrix &matrix, const int b)
  {
    check_maps(matrix);
    return in_blocks(matrix, b);
  }



  void
  copy_values(const TrilinosWrappers::SparseMatrix &matrix,
              sparse::BlockMatrix<double>          &blocks)
  {
    check_maps(matrix);
    copy_all_values(matrix, blocks);
  }
#endif
} // namespace tessera::dealii_adapters
