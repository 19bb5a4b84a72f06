// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/dealii/block_matrix_assembly.h>
#include <tessera/sparse/dispatch_shape.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  template <int dim>
  BlockMatrixAssembly<dim>::BlockMatrixAssembly(
    const NodeBlocks<dim>           &node_blocks,
    const DoFHandler<dim>           &dof_handler,
    const AffineConstraints<double> &constraints)
    : nodes(node_blocks)
  {
    if (dof_handler.n_dofs() != nodes.n_dofs())
      throw InputError(
        "The DoFHandler has " + std::to_string(dof_handler.n_dofs()) +
        " degrees of freedom, the nodes were made with " +
        std::to_string(nodes.n_dofs()) + ". Make them of the same DoFHandler.");
    find_lines(constraints);
    find_pattern(dof_handler);
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::find_lines(
    const AffineConstraints<double> &constraints)
  {
    const types::global_dof_index n_dofs = nodes.n_dofs();
    places.resize(n_dofs);
    for (types::global_dof_index dof = 0; dof < n_dofs; ++dof)
      {
        const std::int64_t entry          = nodes.entry_of_dof(dof);
        const bool         is_constrained = constraints.is_constrained(dof);
        if (is_constrained != (entry < 0 || nodes.is_constrained(entry)))
          throw InputError("Degree of freedom " + std::to_string(dof) + " is " +
                           (is_constrained ? "" : "not ") +
                           "constrained, unlike in the constraints that the "
                           "nodes were made with. Make the nodes again when "
                           "constraints have changed.");
        if (!is_constrained)
          {
            places[dof] = std::int32_t(entry);
            continue;
          }
        places[dof] = -1 - std::int32_t(lines.size());
        Line line;
        line.entry         = std::int32_t(entry);
        line.inhomogeneity = constraints.get_inhomogeneity(dof);
        line.first_term    = std::int32_t(entries_of_terms.size());
        for (const auto &[other, weight] :
             *constraints.get_constraint_entries(dof))
          {
            entries_of_terms.push_back(std::int32_t(nodes.entry_of_dof(other)));
            weights_of_terms.push_back(weight);
          }
        line.end_of_terms = std::int32_t(entries_of_terms.size());
        lines.push_back(line);
      }
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::find_pattern(const DoFHandler<dim> &dof_handler)
  {
    using sparse::LocalIndex;

    // The nodes of cells, ascending, and the cells of nodes.
    std::vector<types::global_dof_index> dofs(
      dof_handler.get_fe().n_dofs_per_cell());
    std::vector<std::size_t> cell_begin(1, 0);
    std::vector<LocalIndex>  nodes_of_cells;
    for (const auto &cell : dof_handler.active_cell_iterators())
      {
        cell->get_dof_indices(dofs);
        resolve(dofs);
        nodes_of_cells.insert(nodes_of_cells.end(),
                              cell_nodes.begin(),
                              cell_nodes.end());
        cell_begin.push_back(nodes_of_cells.size());
      }
    const LocalIndex         n = nodes.layout().n_owned();
    std::vector<std::size_t> node_begin(std::size_t(n) + 2, 0);
    for (const LocalIndex node : nodes_of_cells)
      ++node_begin[node + 2];
    std::partial_sum(node_begin.begin(), node_begin.end(), node_begin.begin());
    std::vector<std::size_t> cells_of_nodes(nodes_of_cells.size());
    for (std::size_t cell = 0; cell + 1 < cell_begin.size(); ++cell)
      for (std::size_t k = cell_begin[cell]; k < cell_begin[cell + 1]; ++k)
        cells_of_nodes[node_begin[nodes_of_cells[k] + 1]++] = cell;

    std::vector<std::int64_t> row_begin(1, 0);
    row_begin.reserve(std::size_t(n) + 1);
    std::vector<LocalIndex> columns;
    std::vector<LocalIndex> last_row(n, -1); // that has the column
    for (LocalIndex row = 0; row < n; ++row)
      {
        for (std::size_t k = node_begin[row]; k < node_begin[row + 1]; ++k)
          for (std::size_t i = cell_begin[cells_of_nodes[k]];
               i < cell_begin[cells_of_nodes[k] + 1];
               ++i)
            if (last_row[nodes_of_cells[i]] != row)
              {
                last_row[nodes_of_cells[i]] = row;
                columns.push_back(nodes_of_cells[i]);
              }
        std::sort(columns.begin() + row_begin.back(), columns.end());
        row_begin.push_back(std::int64_t(columns.size()));
      }
    columns.shrink_to_fit();
    blocks = sparse::BlockPattern(nodes.layout(),
                                  nodes.layout(),
                                  std::move(row_begin),
                                  std::move(columns));
  }



  template <int dim>
  const sparse::BlockPattern &
  BlockMatrixAssembly<dim>::pattern() const
  {
    return blocks;
  }



  template <int dim>
  sparse::BlockMatrix<double>
  BlockMatrixAssembly<dim>::matrix() const
  {
    return sparse::BlockMatrix<double>(blocks,
                                       {nodes.block_size(),
                                        nodes.block_size()});
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::set_inhomogeneities(
    const AffineConstraints<double> &constraints)
  {
    for (types::global_dof_index dof = 0; dof < places.size(); ++dof)
      {
        const bool is_constrained = constraints.is_constrained(dof);
        bool       fits           = is_constrained == (places[dof] < 0);
        if (fits && is_constrained)
          {
            Line       &line = lines[-1 - places[dof]];
            const auto &terms_of_line =
              *constraints.get_constraint_entries(dof);
            fits = std::size_t(line.end_of_terms - line.first_term) ==
                   terms_of_line.size();
            for (std::size_t k = 0; fits && k < terms_of_line.size(); ++k)
              fits = entries_of_terms[line.first_term + k] ==
                       nodes.entry_of_dof(terms_of_line[k].first) &&
                     weights_of_terms[line.first_term + k] ==
                       terms_of_line[k].second;
            line.inhomogeneity = constraints.get_inhomogeneity(dof);
          }
        if (!fits)
          throw InputError(
            "Constraints with other inhomogeneities have to constrain the same "
            "degrees of freedom in the same way; number " +
            std::to_string(dof) +
            " differs. Make nodes and assembly again when constraints have "
            "changed otherwise.");
      }
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::resolve(
    const std::vector<types::global_dof_index> &dofs)
  {
    terms.clear();
    constrained.clear();
    cell_nodes.clear();
    const int b = nodes.block_size();
    for (unsigned int i = 0; i < dofs.size(); ++i)
      {
        TESSERA_ASSERT(dofs[i] < places.size(), "no such degree of freedom");
        const std::int32_t place = places[dofs[i]];
        if (place >= 0)
          terms.push_back({i, place, 1.});
        else
          {
            const Line &line = lines[-1 - place];
            constrained.emplace_back(i, -1 - place);
            for (std::int32_t k = line.first_term; k < line.end_of_terms; ++k)
              terms.push_back({i, entries_of_terms[k], weights_of_terms[k]});
            if (line.entry >= 0)
              cell_nodes.push_back(line.entry / b);
          }
      }
    for (const Term &term : terms)
      {
        // Components of a node mostly follow each other.
        const sparse::LocalIndex node = term.entry / b;
        if (cell_nodes.empty() || cell_nodes.back() != node)
          cell_nodes.push_back(node);
      }
    std::sort(cell_nodes.begin(), cell_nodes.end());
    cell_nodes.erase(std::unique(cell_nodes.begin(), cell_nodes.end()),
                     cell_nodes.end());
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::add_matrix(const FullMatrix<double>    &cell_matrix,
                                       sparse::BlockMatrix<double> &A)
  {
    const int         b    = nodes.block_size();
    const std::size_t n    = cell_nodes.size();
    const std::size_t size = std::size_t(b) * b;

    // Where an entry of block vectors is among the rows and the columns of
    // cell_blocks.
    const auto number_in_cell = [&](const std::int32_t entry) {
      return std::size_t(
        std::lower_bound(cell_nodes.begin(), cell_nodes.end(), entry / b) -
        cell_nodes.begin());
    };
    row_offsets.resize(terms.size());
    column_offsets.resize(terms.size());
    for (std::size_t k = 0; k < terms.size(); ++k)
      {
        const std::size_t number    = number_in_cell(terms[k].entry);
        const std::size_t component = std::size_t(terms[k].entry % b);
        row_offsets[k]              = number * n * size + component * b;
        column_offsets[k]           = number * size + component;
      }

    if (constrained.empty())
      {
        // Each entry of the cell's matrix is one of the blocks.
        cell_blocks.resize(n * n * size);
        for (std::size_t k = 0; k < terms.size(); ++k)
          {
            double *const       row    = cell_blocks.data() + row_offsets[k];
            const double *const source = &cell_matrix(unsigned(k), 0);
            for (std::size_t l = 0; l < terms.size(); ++l)
              row[column_offsets[l]] = source[l];
          }
      }
    else
      {
        cell_blocks.assign(n * n * size, 0.);
        for (std::size_t k = 0; k < terms.size(); ++k)
          {
            double *const row    = cell_blocks.data() + row_offsets[k];
            const double  w      = terms[k].weight;
            const double *source = &cell_matrix(terms[k].local, 0);
            for (std::size_t l = 0; l < terms.size(); ++l)
              row[column_offsets[l]] +=
                w * terms[l].weight * source[terms[l].local];
          }

        const auto diagonal = [&](const unsigned int i) {
          return std::abs(cell_matrix(i, i));
        };
        double mean = 0.;
        for (unsigned int i = 0; i < cell_matrix.m(); ++i)
          mean += diagonal(i) / cell_matrix.m();
        for (const auto &[local, number] : constrained)
          if (const std::int32_t entry = lines[number].entry; entry >= 0)
            {
              const std::size_t component = std::size_t(entry % b);
              cell_blocks[number_in_cell(entry) * (n + 1) * size +
                          component * (b + 1)] +=
                diagonal(local) > 0. ? diagonal(local) : mean;
            }
      }

    const std::int64_t *const       row_begin = blocks.row_begin();
    const sparse::LocalIndex *const columns   = blocks.column_indices();
    double *const                   values    = A.values_to_write();
    sparse::dispatch_square_shape(b, [&](const auto shape) {
      const double *source = cell_blocks.data();
      for (std::size_t i = 0; i < n; ++i)
        {
          std::int64_t       position = row_begin[cell_nodes[i]];
          const std::int64_t end      = row_begin[cell_nodes[i] + 1];
          for (std::size_t j = 0; j < n; ++j)
            {
              while (position < end && columns[position] != cell_nodes[j])
                ++position;
              if (position == end)
                throw InputError("The matrix of a cell is assembled with "
                                 "degrees of freedom that are not those of a "
                                 "cell. Take them from get_dof_indices().");
              const int     n_entries = shape.rows() * shape.columns();
              double *const block     = values + position * n_entries;
              for (int e = 0; e < n_entries; ++e)
                block[e] += source[e];
              source += n_entries;
            }
        }
    });
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::distribute_local_to_global(
    const FullMatrix<double>                   &cell_matrix,
    const Vector<double>                       &cell_rhs,
    const std::vector<types::global_dof_index> &dofs,
    sparse::BlockMatrix<double>                &A,
    sparse::BlockVector<double>                &b)
  {
    TESSERA_ASSERT(cell_rhs.size() == dofs.size(), "a vector of the cell");
    check_vector(b);
    distribute_local_to_global(cell_matrix, dofs, A);

    const auto value = [&](const unsigned int i) {
      double result = cell_rhs(i);
      for (const auto &[local, number] : constrained)
        result -= cell_matrix(i, local) * lines[number].inhomogeneity;
      return result;
    };
    double *const values = b.data();
    for (const Term &term : terms)
      values[term.entry] += term.weight * value(term.local);
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::distribute_local_to_global(
    const FullMatrix<double>                   &cell_matrix,
    const std::vector<types::global_dof_index> &dofs,
    sparse::BlockMatrix<double>                &A)
  {
    TESSERA_ASSERT(cell_matrix.m() == dofs.size() &&
                     cell_matrix.n() == dofs.size(),
                   "a matrix of the cell");
    if (!(A.pattern() == blocks) ||
        !(A.shape() ==
          sparse::BlockShape{nodes.block_size(), nodes.block_size()}))
      throw InputError(
        "A matrix is assembled that has another pattern or other "
        "blocks than the assembly. Make it by matrix().");
    resolve(dofs);
    add_matrix(cell_matrix, A);
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::distribute_local_to_global(
    const Vector<double>                       &cell_rhs,
    const std::vector<types::global_dof_index> &dofs,
    sparse::BlockVector<double>                &b) const
  {
    TESSERA_ASSERT(cell_rhs.size() == dofs.size(), "a vector of the cell");
    check_vector(b);
    double *const values = b.data();
    for (unsigned int i = 0; i < dofs.size(); ++i)
      {
        const std::int32_t place = places[dofs[i]];
        if (place >= 0)
          values[place] += cell_rhs(i);
        else
          for (std::int32_t k = lines[-1 - place].first_term;
               k < lines[-1 - place].end_of_terms;
               ++k)
            values[entries_of_terms[k]] += weights_of_terms[k] * cell_rhs(i);
      }
  }



  template <int dim>
  void
  BlockMatrixAssembly<dim>::check_vector(
    const sparse::BlockVector<double> &b) const
  {
    sparse::check_owned_vector("of the right-hand side",
                               b,
                               nodes.layout(),
                               nodes.block_size());
  }



  template <int dim>
  std::size_t
  BlockMatrixAssembly<dim>::memory_consumption() const
  {
    const auto bytes = [](const auto &v) {
      return v.capacity() * sizeof(v[0]);
    };
    return sizeof(*this) + bytes(places) + bytes(lines) +
           bytes(entries_of_terms) + bytes(weights_of_terms) + bytes(terms) +
           bytes(constrained) + bytes(cell_nodes) + bytes(row_offsets) +
           bytes(column_offsets) + bytes(cell_blocks);
  }



  template class BlockMatrixAssembly<2>;
  template class BlockMatrixAssembly<3>;
} // namespace tessera::dealii_adapters
