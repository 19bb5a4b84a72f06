// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/dense_matrix.h>
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/vector_kernels.h>

#include <cmath>
#include <string>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      double
      pair(const DualField<double> &y, const PrimalField<double> &z)
      {
        return TESSERA_CALL_SIMD(dot(y.data(), z.data(), y.size()));
      }

      std::string
      place(const char *what, const double value, const int iteration)
      {
        return std::string(what) + " is " + std::to_string(value) +
               " in iteration " + std::to_string(iteration) +
               " of conjugate gradients";
      }

      /** r^T B r, checked. */
      double
      checked_norm_square(const double value, const int iteration)
      {
        if (!std::isfinite(value))
          throw SolverBreakdown(place("r^T B r", value, iteration) +
                                ". Data, start value or coefficient contain "
                                "something that is not a finite number, or "
                                "numbers whose squares are not. Very small or "
                                "large cells or coefficients need levels in "
                                "double precision.");
        if (value < 0.)
          throw SolverBreakdown(
            place("r^T B r", value, iteration) +
            ", negative: the preconditioner is not positive definite. The "
            "penalty may be too small: use a penalty factor of 2; or use levels "
            "in double precision.");
        return value;
      }
    } // namespace



    std::array<double, 2>
    lanczos_bounds(const ConjugateGradientResult &result)
    {
      const std::size_t n = result.alpha.size();
      TESSERA_ASSERT(n > 0, "there was an iteration");
      DenseMatrix T(n, n);
      for (std::size_t i = 0; i < n; ++i)
        {
          T(i, i) = 1. / result.alpha[i];
          if (i > 0)
            {
              T(i, i) += result.beta[i - 1] / result.alpha[i - 1];
              T(i, i - 1) = T(i - 1, i) =
                std::sqrt(result.beta[i - 1]) / result.alpha[i - 1];
            }
        }
      const Eigenpairs pairs =
        generalized_eigenpairs(T, identity_matrix<double>(n));
      return {pairs.values.front(), pairs.values.back()};
    }



    ConjugateGradientResult
    solve_conjugate_gradients(const ApplyOperator            &A,
                              const ApplyPreconditioner      &B,
                              const DualField<double>        &b,
                              PrimalField<double>            &x,
                              const ConjugateGradientOptions &options,
                              const IterationObserver        &observe)
    {
      TESSERA_ASSERT(b.size() == x.size(), "fields of one layout");
      const std::size_t       n = b.size();
      ConjugateGradientResult result;
      DualField<double>       r(b.shared_layout()), y(b.shared_layout());
      PrimalField<double>     z(b.shared_layout()), p(b.shared_layout());

      // r = b - A x
      A(x, y);
      r.copy_from(b);
      add(-1., y, r);
      B(r, z);
      p.copy_from(z);
      double       rz = checked_norm_square(pair(r, z), 0);
      const double reference =
        options.reference_residual > 0. ?
          options.reference_residual * options.reference_residual :
          rz;
      const double target = options.tolerance * options.tolerance * reference;
      result.residuals.push_back(std::sqrt(rz));
      result.converged = rz <= target;

      while (!result.converged && result.n_iterations < options.max_iterations)
        {
          const int iteration = ++result.n_iterations;
          A(p, y);
          const double curvature = pair(y, p);
          if (!(curvature > 0.) || !std::isfinite(curvature))
            throw SolverBreakdown(
              place("p^T A p", curvature, iteration) +
              (curvature <= 0. ?
                 ", not positive: the operator is not positive definite. The "
                 "penalty is too small: use a penalty factor of 2." :
                 ". Data, start value or coefficient contain something that is "
                 "not a finite number."));
          const double alpha = rz / curvature;
          result.alpha.push_back(alpha);
          TESSERA_CALL_SIMD(
            update_iterate(alpha, p.data(), y.data(), x.data(), r.data(), n));
          B(r, z);
          const double new_rz = checked_norm_square(pair(r, z), iteration);
          result.residuals.push_back(std::sqrt(new_rz));
          if (observe)
            observe(iteration, x);
          result.converged = new_rz <= target;
          if (!result.converged)
            {
              const double beta = new_rz / rz;
              result.beta.push_back(beta);
              TESSERA_CALL_SIMD(update_direction(beta, z.data(), p.data(), n));
            }
          rz = new_rz;
        }
      return result;
    }
  } // namespace sipg
} // namespace tessera
