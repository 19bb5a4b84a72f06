// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_reductions_h
#define tessera_cellwise_reductions_h

#include <tessera/base/communication.h>
#include <tessera/base/exact_sum.h>
#include <tessera/cellwise/layout.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Sum of a number for each of the first @p n_summed of n_cells cells, over
     * all ranks, exact and rounded once: neither the order of the cells nor
     * their distribution over ranks matters. Collective.
     *
     * @param[in] numbers_of_cells Called as numbers_of_cells(first, n, numbers)
     * for runs of n cells that cover all n_cells, first of them the first of a
     * block, to compute `numbers[0], ..., numbers[n-1]`; there is room for
     * those of the padding.
     */
    template <typename F>
    double
    sum_over_cells(const CellIndex     n_cells,
                   const CellIndex     n_summed,
                   const Communicator &communicator,
                   const F            &numbers_of_cells)
    {
      constexpr CellIndex        length = 64 * cells_per_block;
      std::array<double, length> numbers;
      ExactSum                   sum;
      for (CellIndex first = 0; first < n_cells; first += length)
        {
          const CellIndex n = std::min(length, n_cells - first);
          numbers_of_cells(first, n, numbers.data());
          for (CellIndex i = 0; i < std::min(n, n_summed - first); ++i)
            sum.add(numbers[i]);
        }
      sum.sum(communicator);
      return sum.value();
    }

    /** Largest value of all ranks; NaN, on all, if that of a rank is.
     * Collective. */
    inline double
    max_over_ranks(const double value, const Communicator &communicator)
    {
      const bool            is_nan = std::isnan(value);
      std::array<double, 2> values = {is_nan ? 1. : 0., is_nan ? 0. : value};
      communicator.max(values.data(), values.size());
      return values[0] > 0. ? std::numeric_limits<double>::quiet_NaN() :
                              values[1];
    }
  } // namespace cellwise
} // namespace tessera

#endif
