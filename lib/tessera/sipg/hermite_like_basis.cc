// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/sipg/hermite_like_basis.h>

#include <string>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      using Extended = long double;

      Extended
      product_without(const std::vector<Extended> &roots,
                      const Extended               x,
                      const std::size_t            skipped_1,
                      const std::size_t            skipped_2)
      {
        Extended product = 1;
        for (std::size_t j = 0; j < roots.size(); ++j)
          if (j != skipped_1 && j != skipped_2)
            product *= x - roots[j];
        return product;
      }

      /** The k-th derivative of $\prod_j (x - r_j)$. A term that contains the
       * factor of a root is exactly zero there. */
      Extended
      derivative_of_product(const std::vector<Extended> &roots,
                            const int                    k,
                            const Extended               x)
      {
        const std::size_t n = roots.size();
        if (k == 0)
          return product_without(roots, x, n, n);
        Extended sum = 0;
        for (std::size_t i = 0; i < n; ++i)
          if (k == 1)
            sum += product_without(roots, x, i, n);
          else
            for (std::size_t j = 0; j < n; ++j)
              if (j != i)
                sum += product_without(roots, x, i, j);
        return sum;
      }
    } // namespace



    std::vector<long double>
    jacobi_roots(const int n)
    {
      // On [-1, 1] this is, up to a factor, the Gegenbauer polynomial C_n for
      // lambda = 9/2. Newton's method on the polynomial divided by the roots
      // already known descends monotonically from 1 to the next one.
      constexpr Extended    lambda  = 4.5L;
      constexpr int         n_steps = 60;
      std::vector<Extended> descending;
      for (int r = 0; r < n; ++r)
        {
          Extended t = 1;
          for (int step = 0; step < n_steps; ++step)
            {
              Extended value = 1, previous = 0, slope = 0, previous_slope = 0;
              for (int k = 1; k <= n; ++k)
                {
                  const Extended a    = 2 * (k + lambda - 1) / k;
                  const Extended b    = (k + 2 * lambda - 2) / k;
                  const Extended next = a * t * value - b * previous;
                  const Extended next_slope =
                    a * (value + t * slope) - b * previous_slope;
                  previous       = value;
                  previous_slope = slope;
                  value          = next;
                  slope          = next_slope;
                }
              Extended repelled = slope;
              for (const Extended root : descending)
                repelled -= value / (t - root);
              t -= value / repelled;
            }
          descending.push_back(t);
        }
      std::vector<Extended> roots(n);
      for (int r = 0; r < n; ++r) // symmetric, bit for bit
        roots[r] = (1 + (descending[n - 1 - r] - descending[r]) / 2) / 2;
      return roots;
    }



    HermiteLikeBasis::HermiteLikeBasis(const int degree)
      : p(degree)
    {
      if (p < cellwise::min_degree || p > cellwise::max_degree)
        throw InputError(
          "Discontinuous elements of degree " + std::to_string(p) +
          ": degrees " + std::to_string(cellwise::min_degree) + " to " +
          std::to_string(cellwise::max_degree) + " are supported.");
      if (p == 1)
        {
          functions = {{-1, {1}}};
          return;
        }
      if (p == 2)
        {
          functions = {{1, {1, 1}}, {-2, {0, 1}}};
          return;
        }

      const std::vector<Extended> z = jacobi_roots(p - 3);
      std::vector<Extended>       q = z;
      q.insert(q.end(), {1, 1});

      const auto quadrature = cellwise::gauss_quadrature<Extended>(p + 2);
      Extended   first = 0, second = 0;
      for (int k = 0; k < p + 2; ++k)
        {
          const Extended x     = quadrature.points[k];
          const Extended value = derivative_of_product(q, 0, x);
          first += quadrature.weights[k] * x * value * value;
          second += quadrature.weights[k] * x * x * value * value;
        }

      Factors value_function = {1, q};
      value_function.roots.push_back(second / first);
      value_function.factor /=
        derivative_of_product(value_function.roots, 0, 0);

      Factors slope_function = {1, q};
      slope_function.roots.push_back(0);
      slope_function.factor =
        -value_function.factor *
        derivative_of_product(value_function.roots, 1, 0) /
        derivative_of_product(slope_function.roots, 1, 0);

      functions = {value_function, slope_function};
      for (int i = 2; 2 * i <= p; ++i)
        {
          Factors inner = {1, {0, 0, 1, 1}};
          for (int j = 0; j < p - 3; ++j)
            if (j != i - 2)
              inner.roots.push_back(z[j]);
          inner.factor /= derivative_of_product(inner.roots, 0, z[i - 2]);
          functions.push_back(inner);
        }
    }



    BasicDenseMatrix<long double>
    HermiteLikeBasis::derivatives(const int                       k,
                                  const std::vector<long double> &points) const
    {
      TESSERA_ASSERT(k >= 0 && k <= 2, "derivatives of order 0 to 2");
      BasicDenseMatrix<Extended> result(points.size(), p + 1);
      for (std::size_t point = 0; point < points.size(); ++point)
        for (int i = 0; i <= p; ++i)
          {
            const bool     mirrored = 2 * i > p;
            const Factors &f        = functions[mirrored ? p - i : i];
            const Extended x        = points[point];
            const Extended value =
              f.factor *
              derivative_of_product(f.roots, k, mirrored ? 1 - x : x);
            result(point, i) = mirrored && k == 1 ? -value : value;
          }
      return result;
    }



    DenseMatrix
    HermiteLikeBasis::derivatives(const int                  k,
                                  const std::vector<double> &points) const
    {
      return DenseMatrix(
        derivatives(k, std::vector<Extended>(points.begin(), points.end())));
    }
  } // namespace sipg
} // namespace tessera
