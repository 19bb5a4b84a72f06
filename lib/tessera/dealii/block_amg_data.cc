// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/dealii/block_amg_data.h>

#include <cmath>
#include <limits>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    std::uint64_t
    n_rows_of(const sparse::BlockMatrix<double> &A)
    {
      return std::uint64_t(A.pattern().n_rows()) * A.shape().rows;
    }



    /** Nodes with an entry of the matrix are near each other. */
    void
    check_coordinates(const std::vector<double>         &x,
                      const sparse::BlockMatrix<double> &A)
    {
      const std::size_t           dim     = A.shape().rows;
      const sparse::BlockPattern &pattern = A.pattern();
      const std::size_t           n       = pattern.n_rows();
      if (x.size() != n * dim)
        throw InputError(
          "AdditionalData::coordinates has " + std::to_string(x.size()) +
          " numbers; for " + std::to_string(n) + " nodes in " +
          std::to_string(dim) + " dimensions (the block size) there are " +
          std::to_string(n * dim) + ". Use node_coordinates().");
      // If most nodes have entries with most others, nothing can be seen.
      if (pattern.n_blocks() > n * (n / 8))
        return;

      double sum_of_squares = 0.;
      for (std::size_t d = 0; d < dim; ++d)
        {
          double mean = 0.;
          for (std::size_t i = 0; i < n; ++i)
            mean += x[i * dim + d] / double(n);
          for (std::size_t i = 0; i < n; ++i)
            sum_of_squares += std::pow(x[i * dim + d] - mean, 2);
        }
      const double any_two = 2. * sum_of_squares / double(n);

      double      sum     = 0.;
      std::size_t n_pairs = 0;
      for (std::size_t i = 0; i < n; ++i)
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1];
             ++k)
          if (const std::size_t j = pattern.column_indices()[k]; j != i)
            {
              for (std::size_t d = 0; d < dim; ++d)
                sum += std::pow(x[i * dim + d] - x[j * dim + d], 2);
              ++n_pairs;
            }
      if (sum > 0.5 * any_two * double(n_pairs))
        throw InputError(
          "AdditionalData::coordinates are not those of the nodes: nodes with "
          "an entry of the matrix are " +
          std::to_string(std::sqrt(sum / double(n_pairs))) +
          " apart (root of the mean square), any two nodes " +
          std::to_string(std::sqrt(any_two)) +
          ". Coordinates are those of block rows, in their order: see "
          "node_coordinates() and DoFRenumbering::support_point_wise().");
    }



    amg::NearNullSpace
    from_vectors(const std::vector<Vector<double>> &modes,
                 const sparse::BlockMatrix<double> &A)
    {
      amg::NearNullSpace B(A.pattern().rows(),
                           A.shape().rows,
                           int(modes.size()));
      for (std::size_t mode = 0; mode < modes.size(); ++mode)
        {
          if (modes[mode].size() != n_rows_of(A))
            throw InputError("AdditionalData::modes[" + std::to_string(mode) +
                             "] has " + std::to_string(modes[mode].size()) +
                             " entries; the matrix has " +
                             std::to_string(n_rows_of(A)) + " rows.");
          for (std::size_t i = 0; i < n_rows_of(A); ++i)
            B.data()[i * modes.size() + mode] = modes[mode].begin()[i];
        }
      return B;
    }



    amg::NearNullSpace
    from_flags(const std::vector<std::vector<bool>> &modes,
               const sparse::BlockMatrix<double>    &A)
    {
      const std::size_t  b = A.shape().rows;
      const std::size_t  n = n_rows_of(A);
      amg::NearNullSpace B(A.pattern().rows(), int(b), int(modes.size()));
      for (std::size_t mode = 0; mode < modes.size(); ++mode)
        {
          if (modes[mode].size() != n)
            throw InputError(
              "AdditionalData::constant_modes[" + std::to_string(mode) +
              "] has " + std::to_string(modes[mode].size()) +
              " entries; the matrix has " + std::to_string(n) + " rows.");
          for (std::size_t i = 0; i < n; ++i)
            B.data()[i * modes.size() + mode] = modes[mode][i] ? 1. : 0.;
        }

      // Each unknown of a node has a mode of its own.
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i - i % b; j < i; ++j)
          {
            bool is_same = true;
            for (const std::vector<bool> &mode : modes)
              is_same = is_same && mode[i] == mode[j];
            if (is_same)
              throw InputError(
                "Rows " + std::to_string(j) + " and " + std::to_string(i) +
                " are unknowns of one node, but no mode of "
                "AdditionalData::constant_modes tells them apart: they belong "
                "to one component, and the degrees of freedom are not numbered "
                "by nodes. Call DoFRenumbering::support_point_wise(dof_handler) "
                "after distribute_dofs(); or see whether block_size is right.");
          }
      return B;
    }
  } // namespace



  int
  checked_block_size(const BlockAMGData &data)
  {
    if (data.block_size < 1 ||
        data.block_size > unsigned(sparse::max_block_size))
      throw InputError("AdditionalData::block_size is " +
                       std::to_string(data.block_size) + "; nodes have 1 to " +
                       std::to_string(sparse::max_block_size) + " unknowns.");
    return int(data.block_size);
  }



  amg::NearNullSpace
  near_null_space(const BlockAMGData                &data,
                  const sparse::BlockMatrix<double> &A)
  {
    const int n_given = int(!data.coordinates.empty()) +
                        int(!data.modes.empty()) +
                        int(!data.constant_modes.empty());
    if (n_given > 1)
      throw InputError("The near-null space is given in " +
                       std::to_string(n_given) +
                       " ways; give one of AdditionalData::coordinates, modes, "
                       "and constant_modes.");
    for (const std::size_t n : {data.modes.size(), data.constant_modes.size()})
      if (n > std::size_t(sparse::max_block_size))
        throw InputError(
          "The near-null space has " + std::to_string(n) + " modes; at most " +
          std::to_string(sparse::max_block_size) + " are possible.");

    const int b = A.shape().rows;
    if (!data.coordinates.empty())
      {
        if (b != 2 && b != 3)
          throw InputError(
            "AdditionalData::coordinates are for elasticity, with blocks of 2 "
            "or 3 unknowns; these have " +
            std::to_string(b) +
            ". Set block_size, or give modes or nothing for other problems.");
        check_coordinates(data.coordinates, A);
        return amg::rigid_body_modes(A.pattern().rows(), b, data.coordinates);
      }
    if (!data.modes.empty())
      return from_vectors(data.modes, A);
    if (!data.constant_modes.empty())
      return from_flags(data.constant_modes, A);
    return amg::constant_modes(A.pattern().rows(), b);
  }



  std::vector<std::uint64_t>
  keys_of_nodes(const BlockAMGData &data, const sparse::BlockMatrix<double> &A)
  {
    if (!data.keys.empty())
      {
        if (data.keys.size() != std::size_t(A.pattern().n_rows()))
          throw InputError("AdditionalData::keys has " +
                           std::to_string(data.keys.size()) + " entries for " +
                           std::to_string(A.pattern().n_rows()) +
                           " nodes; give one for each node.");
        return data.keys;
      }
    return data.coordinates.empty() ?
             amg::keys_of_numbers(A.pattern().rows()) :
             amg::keys_of_coordinates(A.pattern().rows(),
                                      A.shape().rows,
                                      data.coordinates);
  }
} // namespace tessera::dealii_adapters
