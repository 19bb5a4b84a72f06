// SPDX-License-Identifier: LGPL-2.1-or-later
// The error after n steps is a Chebyshev polynomial of the eigenvalue.
#include <tessera/amg/chebyshev_factors.h>

#include <cmath>

#include "check.h"

using tessera::amg::ChebyshevFactors;

namespace
{
  double
  chebyshev_polynomial(const unsigned int n, const double x)
  {
    return std::abs(x) <= 1 ? std::cos(n * std::acos(x)) :
                              std::cosh(n * std::acosh(std::abs(x))) *
                                (x < 0 && n % 2 == 1 ? -1 : 1);
  }
} // namespace



int
main()
{
  const double lower = 0.3, upper = 2.9;
  const double theta = (upper + lower) / 2, delta = (upper - lower) / 2;
  for (const unsigned int n : {1u, 2u, 3u, 5u, 10u})
    {
      const auto factors = tessera::amg::chebyshev_factors(lower, upper, n);
      CHECK_EQUAL(factors.size(), n);
      CHECK_EQUAL(factors[0].d, 0.);
      for (const double lambda : {0.01, 0.3, 1., 2., 2.9, 3.5})
        {
          // lambda x = 1 from x = 0.
          double x = 0, d = 0;
          for (const ChebyshevFactors &f : factors)
            {
              d = f.d * d + f.r * (1 - lambda * x);
              x += d;
            }
          CHECK_NEAR(1 - lambda * x,
                     chebyshev_polynomial(n, (theta - lambda) / delta) /
                       chebyshev_polynomial(n, theta / delta),
                     1e-13);
        }
    }
  return check::result();
}
