// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/cholesky_kernels.h>
#include <tessera/amg/dense_cholesky.h>

#include <limits>

namespace tessera
{
  namespace amg
  {
    void
    DenseCholesky::reinit(const std::int32_t n)
    {
      n_rows   = n;
      n_panels = (n + cholesky_panel_rows - 1) / cholesky_panel_rows;
      L.resize_without_initialization(lower_panel_begin(n_panels));
      U.resize_without_initialization(upper_panel_begin(n_panels, n_panels));
      L.fill(0.);
    }



    std::int32_t
    DenseCholesky::n() const
    {
      return n_rows;
    }



    double &
    DenseCholesky::lower(const std::int32_t i, const std::int32_t j)
    {
      TESSERA_ASSERT(0 <= j && j <= i && i < n_rows, "not in the triangle");
      return L[lower_panel_begin(i / cholesky_panel_rows) +
               static_cast<std::size_t>(j) * cholesky_panel_rows +
               i % cholesky_panel_rows];
    }



    DenseCholesky::Result
    DenseCholesky::factorize()
    {
      const auto            n_padded = static_cast<std::int32_t>(padded_size());
      AlignedVector<double> diagonal(n_padded, 1.), smallest(n_padded, 0.);
      for (std::int32_t i = 0; i < n_rows; ++i)
        {
          diagonal[i] = lower(i, i);
          smallest[i] =
            64 * std::numeric_limits<double>::epsilon() * diagonal[i];
        }
      for (std::int32_t i = n_rows; i < n_padded; ++i)
        L[lower_panel_begin(n_panels - 1) +
          static_cast<std::size_t>(i) * cholesky_panel_rows +
          i % cholesky_panel_rows] = 1;

      Result result;
      result.row = TESSERA_CALL_SIMD(
        factorize_cholesky(n_panels, smallest.data(), L.data(), &result.pivot));
      if (result.row < n_padded)
        {
          result.diagonal = diagonal[result.row];
          return result;
        }
      result.row = n_rows;
      TESSERA_CALL_SIMD(transpose_cholesky(n_panels, L.data(), U.data()));
      return result;
    }



    void
    DenseCholesky::solve(double *x) const
    {
      TESSERA_CALL_SIMD(solve_cholesky(n_panels, L.data(), U.data(), x));
    }



    std::size_t
    DenseCholesky::padded_size() const
    {
      return static_cast<std::size_t>(n_panels) * cholesky_panel_rows;
    }



    std::size_t
    DenseCholesky::memory_consumption() const
    {
      return L.size_in_bytes() + U.size_in_bytes();
    }
  } // namespace amg
} // namespace tessera
