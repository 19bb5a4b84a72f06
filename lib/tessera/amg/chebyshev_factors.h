// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_chebyshev_factors_h
#define tessera_amg_chebyshev_factors_h

#include <vector>

namespace tessera
{
  namespace amg
  {
    /** Of a step of Chebyshev's iteration,
     * $d \leftarrow f_d d + f_r M (b - A x)$, $x \leftarrow x + d$. */
    struct ChebyshevFactors
    {
      double d; ///< 0 in the first step
      double r;
    };

    /**
     * The steps of Chebyshev's iteration of the first kind: with
     * $\theta = (u + l) / 2$ and $\delta = (u - l) / 2$ the error is
     * multiplied by $T_n((\theta - M A) / \delta) / T_n(\theta / \delta)$,
     * which is small where eigenvalues of $M A$ are in [l, u].
     */
    std::vector<ChebyshevFactors>
    chebyshev_factors(double lower, double upper, unsigned int n_steps);
  } // namespace amg
} // namespace tessera

#endif
