// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_poisson_q3_spectrum_h
#define tessera_apps_poisson_q3_spectrum_h

#include "poisson_q3/laplace_operator.h"

namespace tessera::poisson_q3
{
  /** The ends of a spectrum. */
  struct SpectrumEstimate
  {
    double smallest = 1.;
    double largest  = 1.;
  };

  /**
   * Estimate the extreme eigenvalues of $D^{-1} A$, D the diagonal of A, by at
   * most @p max_iterations steps of the Lanczos process inside conjugate
   * gradients.
   *
   * The start vector is $b_i = \int \phi_i f$ with an f that is rough within a
   * cell and varies from cell to cell with the position of the cell. It does
   * not depend on the numbering of the degrees of freedom and so, up to
   * round-off, neither do the estimates depend on the number of ranks.
   *
   * The largest eigenvalue is approached from below, the smallest from above.
   * Collective. compute_diagonal() of @p A comes first.
   */
  template <int dim, typename Number>
  SpectrumEstimate
  estimate_spectrum(const LaplaceOperator<dim, Number> &A,
                    const unsigned int                  max_iterations);
} // namespace tessera::poisson_q3

#endif
