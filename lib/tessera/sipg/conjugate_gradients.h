// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_conjugate_gradients_h
#define tessera_sipg_conjugate_gradients_h

#include <tessera/sipg/field.h>

#include <array>
#include <functional>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    struct ConjugateGradientOptions
    {
      double tolerance      = 1e-10; ///< relative, see ConjugateGradientResult
      int    max_iterations = 100;

      /** What the tolerance is relative to; 0: the first residual. With
       * $\sqrt{\langle b, B b\rangle}$, that of x = 0, a good start value
       * saves iterations and not only improves the solution. */
      double reference_residual = 0.;
    };

    struct ConjugateGradientResult
    {
      bool converged    = false;
      int  n_iterations = 0;

      /** $\sqrt{\langle R, B R\rangle}$ before each iteration and after the
       * last one. Iterations stop where it is at most the tolerance times its
       * first value, or the reference given. */
      std::vector<double> residuals;

      /** Of each iteration: $\alpha$ in x <- x + $\alpha$ p, and $\beta$ in
       * p <- z + $\beta$ p, of which there is one less. */
      std::vector<double> alpha, beta;
    };

    /**
     * The least and the largest eigenvalue of the tridiagonal matrix of Lanczos
     * that belongs to a run of conjugate gradients: bounds, from inside, of the
     * spectrum of B A. Takes one iteration at least.
     */
    std::array<double, 2>
    lanczos_bounds(const ConjugateGradientResult &result);

    /** y <- A x, or z <- B r; see FusedOperator and LocalMultigrid. */
    using ApplyOperator =
      std::function<void(const PrimalField<double> &, DualField<double> &)>;
    using ApplyPreconditioner =
      std::function<void(const DualField<double> &, PrimalField<double> &)>;

    /** Called with the iterate after each iteration; may be empty. */
    using IterationObserver =
      std::function<void(int, const PrimalField<double> &)>;

    /**
     * Conjugate gradients on fields with shadows: X, P, Z consistent, R, Y
     * split. Sums of such fields, and the pairing of a split with a consistent
     * one, are what they would be for the assembled system, so nothing is
     * assembled or refreshed in the loop, and the iterates are those of the
     * assembled system.
     *
     * @param[in] b Split.
     * @param[in,out] x Start value and solution, consistent.
     *
     * Memory: four fields besides b and x.
     *
     * @throws SolverBreakdown if $p^T A p \le 0$, if $r^T B r < 0$, or if one of
     * them is not a number.
     */
    ConjugateGradientResult
    solve_conjugate_gradients(
      const ApplyOperator            &A,
      const ApplyPreconditioner      &B,
      const DualField<double>        &b,
      PrimalField<double>            &x,
      const ConjugateGradientOptions &options = ConjugateGradientOptions(),
      const IterationObserver        &observe = IterationObserver());
  } // namespace sipg
} // namespace tessera

#endif
