// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/vector_operations.h>

#include <algorithm>
#include <cmath>

namespace tessera
{
  namespace amg
  {
    double
    inner_product(const sparse::BlockVector<double> &x,
                  const sparse::BlockVector<double> &y)
    {
      // Several chains, which a compiler puts side by side.
      constexpr std::size_t n_chains       = 8;
      double                sums[n_chains] = {};
      const std::size_t     n              = x.n_owned_values();
      const double *const   a              = x.data();
      const double *const   b              = y.data();
      std::size_t           i              = 0;
      for (; i + n_chains <= n; i += n_chains)
        for (std::size_t c = 0; c < n_chains; ++c)
          sums[c] += a[i + c] * b[i + c];
      for (; i < n; ++i)
        sums[i % n_chains] += a[i] * b[i];
      double sum = 0;
      for (const double s : sums)
        sum += s;
      return x.layout().communicator().sum(sum);
    }



    double
    largest_magnitude(const sparse::BlockVector<double> &x)
    {
      double result = 0;
      for (std::size_t i = 0; i < x.n_owned_values(); ++i)
        result = std::max(result, std::abs(x.data()[i]));
      return x.layout().communicator().max(result);
    }



    double
    power_of_two_below(const double magnitude)
    {
      if (!(magnitude > 0) || !std::isfinite(magnitude))
        return 1;
      int exponent = 0;
      std::frexp(magnitude, &exponent);
      // Within what double has of reciprocals.
      return std::ldexp(1., std::clamp(exponent - 1, -1000, 1000));
    }



    double
    norm(const sparse::BlockVector<double> &x)
    {
      const double square = inner_product(x, x);
      if (square >= 1e-280 && square <= 1e280)
        return std::sqrt(square);

      // Squares that are beyond the range of double, or vanish.
      const double scale = power_of_two_below(largest_magnitude(x));
      double       sum   = 0;
      for (std::size_t i = 0; i < x.n_owned_values(); ++i)
        sum += (x.data()[i] / scale) * (x.data()[i] / scale);
      return scale * std::sqrt(x.layout().communicator().sum(sum));
    }



    template <typename Number>
    void
    add(const Number                       alpha,
        const sparse::BlockVector<Number> &x,
        sparse::BlockVector<Number>       &y)
    {
      const std::size_t   n    = x.n_owned_values();
      const Number *const from = x.data();
      Number *const       to   = y.data();
      for (std::size_t i = 0; i < n; ++i)
        to[i] += alpha * from[i];
    }



    void
    scale_and_add(const sparse::BlockVector<double> &x,
                  const double                       beta,
                  sparse::BlockVector<double>       &y)
    {
      const std::size_t   n    = x.n_owned_values();
      const double *const from = x.data();
      double *const       to   = y.data();
      for (std::size_t i = 0; i < n; ++i)
        to[i] = from[i] + beta * to[i];
    }



    void
    copy_values(const sparse::BlockVector<double> &x,
                sparse::BlockVector<double>       &y)
    {
      std::copy_n(x.data(), x.n_owned_values(), y.data());
    }



    template void
    add(float,
        const sparse::BlockVector<float> &,
        sparse::BlockVector<float> &);
    template void
    add(double,
        const sparse::BlockVector<double> &,
        sparse::BlockVector<double> &);
  } // namespace amg
} // namespace tessera
