// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/loose_part.h"

#include <tessera/amg/matrix_kernel.h>
#include <tessera/amg/spectrum.h>

#include <algorithm>

namespace tessera::elasticity
{
  namespace
  {
    constexpr std::int64_t unvisited = -1;

    /** [n_nodes] numbers of the connected parts, from zero on. */
    std::vector<std::int64_t>
    parts_of_nodes(const sparse::BlockPattern &pattern)
    {
      std::vector<std::int64_t>       parts(pattern.n_rows(), unvisited);
      std::vector<sparse::LocalIndex> pending;
      std::int64_t                    n_parts = 0;
      for (sparse::LocalIndex first = 0; first < pattern.n_rows(); ++first)
        {
          if (parts[first] != unvisited)
            continue;
          parts[first] = n_parts;
          pending.push_back(first);
          while (!pending.empty())
            {
              const sparse::LocalIndex i = pending.back();
              pending.pop_back();
              for (std::int64_t k = pattern.row_begin()[i];
                   k < pattern.row_begin()[i + 1];
                   ++k)
                {
                  const sparse::LocalIndex j = pattern.column_indices()[k];
                  if (parts[j] == unvisited)
                    {
                      parts[j] = n_parts;
                      pending.push_back(j);
                    }
                }
            }
          ++n_parts;
        }
      return parts;
    }
  } // namespace



  std::optional<LoosePart>
  find_loose_part(const sparse::BlockMatrix<double> &A,
                  const int                          dim,
                  const std::vector<double>         &coordinates,
                  const amg::NearNullSpace          &modes)
  {
    const std::vector<std::int64_t> parts = parts_of_nodes(A.pattern());
    const std::int64_t              n_parts =
      *std::max_element(parts.begin(), parts.end()) + 1;
    if (n_parts == 1)
      return {};

    const auto        D = amg::inverse_scalar_diagonal(A);
    const std::size_t n_values =
      static_cast<std::size_t>(modes.block_size()) * modes.n_modes();
    for (std::int64_t part = 0; part < n_parts; ++part)
      {
        LoosePart result;
        result.n_parts = n_parts;
        result.centre.assign(dim, 0.);
        amg::NearNullSpace modes_of_part = modes.copy();
        for (std::size_t i = 0; i < parts.size(); ++i)
          if (parts[i] != part)
            std::fill_n(modes_of_part.data() + i * n_values, n_values, 0.);
          else
            {
              ++result.n_nodes;
              for (int d = 0; d < dim; ++d)
                result.centre[d] += coordinates[i * dim + d];
            }
        for (double &x : result.centre)
          x /= static_cast<double>(result.n_nodes);
        result.n_motions =
          amg::kernel_coefficients(A, D, modes_of_part).n_columns();
        if (result.n_motions > 0)
          return result;
      }
    return {};
  }
} // namespace tessera::elasticity
