// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/chebyshev_factors.h>

namespace tessera
{
  namespace amg
  {
    std::vector<ChebyshevFactors>
    chebyshev_factors(const double       lower,
                      const double       upper,
                      const unsigned int n_steps)
    {
      const double theta = (upper + lower) / 2;
      const double delta = (upper - lower) / 2;
      const double sigma = theta / delta;
      double       rho   = 1 / sigma;

      std::vector<ChebyshevFactors> result = {{0, 1 / theta}};
      while (result.size() < n_steps)
        {
          const double next = 1 / (2 * sigma - rho);
          result.push_back({next * rho, 2 * next / delta});
          rho = next;
        }
      return result;
    }
  } // namespace amg
} // namespace tessera
