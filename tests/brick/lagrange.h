// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_brick_lagrange_h
#define tessera_tests_brick_lagrange_h

// Functions of linear and quadratic elements.

#include <array>
#include <cmath>
#include <vector>

namespace brick
{
  /** The functions of an element of degree 1 or 2 on [0,1] in the points of
   * Gauss' formula that integrates their products: [point][function]. */
  struct Lagrange
  {
    std::vector<double>              points, weights;
    std::vector<std::vector<double>> values, derivatives;

    explicit Lagrange(const int degree)
    {
      if (degree == 1)
        {
          const double g = std::sqrt(1. / 12);
          points         = {0.5 - g, 0.5 + g};
          weights        = {0.5, 0.5};
          for (const double x : points)
            {
              values.push_back({1 - x, x});
              derivatives.push_back({-1, 1});
            }
        }
      else
        {
          const double g = std::sqrt(0.15);
          points         = {0.5 - g, 0.5, 0.5 + g};
          weights        = {5. / 18, 8. / 18, 5. / 18};
          for (const double x : points)
            {
              values.push_back(
                {(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)});
              derivatives.push_back({4 * x - 3, 4 - 8 * x, 4 * x - 1});
            }
        }
    }
  };

  /** Gradients of the functions of an element on [0,1]^3 in the points of
   * Gauss' formula, x slowest: [point][function][direction], and the weights of
   * the points. */
  struct Element
  {
    int                                             n_functions;
    std::vector<std::vector<std::array<double, 3>>> gradients;
    std::vector<double>                             weights;

    explicit Element(const int degree)
    {
      const Lagrange line(degree);
      const int      n = degree + 1;
      n_functions      = n * n * n;
      const auto split = [n](const int i) {
        return std::array<int, 3>{{i / (n * n), i / n % n, i % n}};
      };
      for (int p = 0; p < n_functions; ++p)
        {
          const auto at = split(p);
          weights.push_back(line.weights[at[0]] * line.weights[at[1]] *
                            line.weights[at[2]]);
          gradients.emplace_back(n_functions);
          for (int f = 0; f < n_functions; ++f)
            {
              const auto of = split(f);
              for (int d = 0; d < 3; ++d)
                {
                  double product = 1.;
                  for (int e = 0; e < 3; ++e)
                    product *=
                      (e == d ? line.derivatives : line.values)[at[e]][of[e]];
                  gradients[p][f][d] = product;
                }
            }
        }
    }
  };
} // namespace brick

#endif
