// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/reduction_terms.h>
#include <tessera/base/device/reductions.h>

#include <algorithm>
#include <vector>

namespace tessera
{
  namespace device
  {
    namespace
    {
      /** The result of the values [first, end) of one block. */
      template <typename Terms>
      double
      reduce_block(const Terms      &terms,
                   const std::size_t first,
                   const std::size_t end)
      {
        constexpr std::size_t n_threads          = internal::reduction_threads;
        double                partial[n_threads] = {};
        for (std::size_t start = first; start < end; start += n_threads)
          {
            const std::size_t n = std::min(n_threads, end - start);
            for (std::size_t t = 0; t < n; ++t)
              partial[t] = terms.add(partial[t], start + t);
          }
        for (std::size_t n = n_threads / 2; n > 0; n /= 2)
          for (std::size_t t = 0; t < n; ++t)
            partial[t] = Terms::combine(partial[2 * t], partial[2 * t + 1]);
        return partial[0];
      }



      template <typename Terms>
      std::vector<double>
      reduce_blocks(const Terms &terms, const std::size_t n)
      {
        std::vector<double> results;
        for (std::size_t first = 0; first < n; first += reduction_block)
          results.push_back(reduce_block(
            terms, first, std::min(n, first + std::size_t(reduction_block))));
        return results;
      }



      template <typename Terms, typename NextTerms>
      double
      reduce(const Terms &terms, const std::size_t n)
      {
        if (n == 0)
          return 0;
        std::vector<double> results = reduce_blocks(terms, n);
        while (results.size() > 1)
          results = reduce_blocks(NextTerms{results.data()}, results.size());
        return results[0];
      }
    } // namespace



    template <typename T>
    double
    host_sum(const T *x, const std::size_t n)
    {
      return reduce<internal::SumTerms<T>, internal::SumTerms<double>>({x}, n);
    }



    template <typename T>
    double
    host_dot(const T *x, const T *y, const std::size_t n)
    {
      return reduce<internal::ProductTerms<T>, internal::SumTerms<double>>({x,
                                                                            y},
                                                                           n);
    }



    template <typename T>
    double
    host_sum_abs(const T *x, const std::size_t n)
    {
      return reduce<internal::AbsoluteTerms<T>, internal::SumTerms<double>>({x},
                                                                            n);
    }



    template <typename T>
    double
    host_add_and_dot(T                *x,
                     const T           a,
                     const T          *v,
                     const T          *w,
                     const std::size_t n)
    {
      return reduce<internal::UpdatedProductTerms<T>,
                    internal::SumTerms<double>>({x, a, v, w}, n);
    }



    template <typename T>
    double
    host_max_abs(const T *x, const std::size_t n)
    {
      return reduce<internal::MagnitudeTerms<T>,
                    internal::MagnitudeTerms<double>>({x}, n);
    }



    template double
    host_sum(const float *, std::size_t);
    template double
    host_sum(const double *, std::size_t);
    template double
    host_dot(const float *, const float *, std::size_t);
    template double
    host_dot(const double *, const double *, std::size_t);
    template double
    host_sum_abs(const float *, std::size_t);
    template double
    host_sum_abs(const double *, std::size_t);
    template double
    host_add_and_dot(float *, float, const float *, const float *, std::size_t);
    template double
    host_add_and_dot(double *,
                     double,
                     const double *,
                     const double *,
                     std::size_t);
    template double
    host_max_abs(const float *, std::size_t);
    template double
    host_max_abs(const double *, std::size_t);
  } // namespace device
} // namespace tessera
