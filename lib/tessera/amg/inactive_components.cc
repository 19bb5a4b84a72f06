// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/inactive_components.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/exchange.h>

#include <algorithm>
#include <string>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** x * 0 is zero, or NaN if x is not finite. Several sums, for a
       * processor to work on them at once. */
      bool
      all_finite(const double *values, const std::size_t n)
      {
        constexpr std::size_t width       = 16;
        double                sums[width] = {};
        std::size_t           v           = 0;
        for (; v + width <= n; v += width)
          for (std::size_t s = 0; s < width; ++s)
            sums[s] += 0. * values[v + s];
        for (; v < n; ++v)
          sums[0] += 0. * values[v];
        return std::all_of(sums, sums + width, [](const double s) {
          return s == 0.;
        });
      }

      /** The rows of block row i that have entries off the diagonal. */
      std::uint8_t
      coupled_rows(const sparse::BlockMatrix<double> &A, const LocalIndex i)
      {
        const sparse::BlockPattern &pattern = A.pattern();
        const int                   n       = A.shape().rows;
        const std::uint8_t          all     = std::uint8_t((1 << n) - 1);
        std::uint8_t                coupled = 0;
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1] && coupled != all;
             ++k)
          {
            const double *const block       = A.block(k);
            const bool          is_diagonal = pattern.column_indices()[k] == i;
            for (int r = 0; r < n; ++r)
              for (int c = 0; c < n; ++c)
                if (block[r * n + c] != 0. && !(is_diagonal && r == c))
                  coupled = std::uint8_t(coupled | 1 << r);
          }
        return coupled;
      }

      double
      diagonal_entry(const sparse::BlockMatrix<double> &A,
                     const LocalIndex                   i,
                     const int                          r)
      {
        const std::int64_t k = A.pattern().find(i, i);
        return k < 0 ? 0. : A.block(k)[r * (A.shape().columns + 1)];
      }

      /** The mean diagonal of the components of node i that take part. */
      double
      mean_diagonal(const sparse::BlockMatrix<double> &A,
                    const LocalIndex                   i,
                    const std::uint8_t                 inactive)
      {
        double sum = 0.;
        int    n   = 0;
        for (int r = 0; r < A.shape().rows; ++r)
          if ((inactive >> r & 1) == 0)
            {
              sum += diagonal_entry(A, i, r);
              ++n;
            }
        return n == 0 ? 1. : sum / n;
      }
    } // namespace



    InactiveComponents::InactiveComponents(const LocalIndex n_nodes)
      : bits(n_nodes, 0)
    {}



    bool
    InactiveComponents::empty() const
    {
      return n_set == 0;
    }



    std::uint8_t
    InactiveComponents::of_node(const LocalIndex i) const
    {
      return bits.empty() ? std::uint8_t(0) : bits[i];
    }



    bool
    InactiveComponents::is_inactive(const LocalIndex i,
                                    const int        component) const
    {
      return (of_node(i) >> component & 1) != 0;
    }



    void
    InactiveComponents::set(const LocalIndex i, const int component)
    {
      TESSERA_ASSERT(std::size_t(i) < bits.size(),
                     "made for less nodes than this");
      if (!is_inactive(i, component))
        {
          bits[i] = std::uint8_t(bits[i] | 1 << component);
          ++n_set;
        }
    }



    std::uint64_t
    InactiveComponents::n_components() const
    {
      return n_set;
    }



    std::vector<std::uint8_t>
    InactiveComponents::local_bits(const sparse::IndexLayout &layout) const
    {
      std::vector<std::uint8_t> result(layout.n_local(), 0);
      std::copy(bits.begin(), bits.end(), result.begin());
      GhostExchange<std::uint8_t>(layout.ghosts())
        .update_ghosts(result.data(), result.data() + layout.n_owned());
      return result;
    }



    bool
    InactiveComponents::operator==(const InactiveComponents &other) const
    {
      return n_set == other.n_set && (n_set == 0 || bits == other.bits);
    }



    InactiveComponents
    find_inactive_components(const sparse::BlockMatrix<double> &A)
    {
      const sparse::IndexLayout &rows = A.pattern().rows();
      InactiveComponents         result(rows.n_owned());
      rows.communicator().collectively([&] {
        if (!all_finite(A.values(), A.n_values()))
          A.check_finite();
        for (LocalIndex i = 0; i < rows.n_owned(); ++i)
          {
            const std::uint8_t coupled = coupled_rows(A, i);
            for (int r = 0; r < A.shape().rows; ++r)
              if ((coupled >> r & 1) == 0)
                {
                  if (diagonal_entry(A, i, r) == 0.)
                    throw InputError(
                      "Row " + std::to_string(r) + " of block row " +
                      std::to_string(rows.global(i)) +
                      " of a matrix is zero: there is no equation for this "
                      "unknown. Constrained unknowns need an entry on the "
                      "diagonal.");
                  result.set(i, r);
                }
          }
      });
      return result;
    }



    void
    replace_inactive(const InactiveComponents    &inactive,
                     sparse::BlockMatrix<double> &A)
    {
      const sparse::BlockPattern &pattern = A.pattern();
      if (!pattern.rows().communicator().logical_or(!inactive.empty()))
        return;
      const std::vector<std::uint8_t> bits =
        inactive.local_bits(pattern.columns());
      const int     n      = A.shape().rows;
      double *const values = A.values_to_write();
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        {
          const double mean = bits[i] ? mean_diagonal(A, i, bits[i]) : 0.;
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            {
              const LocalIndex j = pattern.column_indices()[k];
              if ((bits[i] | bits[j]) == 0)
                continue;
              double *const block = values + k * n * n;
              for (int r = 0; r < n; ++r)
                for (int c = 0; c < n; ++c)
                  if (((bits[i] >> r | bits[j] >> c) & 1) != 0)
                    block[r * n + c] = i == j && r == c ? mean : 0.;
            }
        }
    }



    void
    remove_inactive(const InactiveComponents &inactive, NearNullSpace &B)
    {
      if (inactive.empty())
        return;
      const int n = B.block_size(), q = B.n_modes();
      for (LocalIndex i = 0; i < B.layout().n_owned(); ++i)
        for (int r = 0; r < n; ++r)
          if (inactive.is_inactive(i, r))
            std::fill_n(B.data() + (std::size_t(i) * n + r) * q, q, 0.);
    }
  } // namespace amg
} // namespace tessera
