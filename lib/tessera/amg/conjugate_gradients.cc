// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/conjugate_gradients.h>
#include <tessera/amg/vector_operations.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/matrix_vector.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      [[noreturn]] void
      break_down(const unsigned int iteration,
                 const char        *what,
                 const double       value)
      {
        std::ostringstream message;
        message << "Conjugate gradients: in iteration " << iteration << ' '
                << what << " is " << value;
        if (std::isfinite(value))
          message << ", not positive. Matrix and preconditioner have to be "
                     "symmetric and positive definite.";
        else
          message << ", not finite. Check matrix and right-hand side.";
        throw SolverBreakdown(message.str());
      }

      double
      checked_positive(const unsigned int iteration,
                       const char        *what,
                       const double       value)
      {
        if (!(value > 0) || !std::isfinite(value))
          break_down(iteration, what, value);
        return value;
      }

      double
      checked_norm(const unsigned int                 iteration,
                   const sparse::BlockVector<double> &r)
      {
        const double result = norm(r);
        if (!std::isfinite(result))
          break_down(iteration, "the norm of the residual", result);
        return result;
      }

      /** @throws InputError unless a tolerance can be reached. */
      void
      check_part_in_kernel(const BlockAMG                    &C,
                           const sparse::BlockVector<double> &b,
                           const double                       tolerance)
      {
        const double part = C.part_in_kernel(b);
        if (part <= tolerance)
          return;
        std::ostringstream message;
        message << "The matrix is singular, and the right-hand side has a part "
                   "in its kernel, "
                << part
                << " of its norm: there is no solution. Forces and moments on "
                   "a body without supports have to be in equilibrium; remove "
                   "the part, or add supports or boundary conditions.";
        throw InputError(message.str());
      }

      /** The iteration, in the complement of the kernel that remove_kernel()
       * removes from a vector. */
      template <typename RemoveKernel>
      SolveResult
      iterate(const sparse::BlockMatrix<double> &A,
              const PreconditionerFunction      &C,
              const RemoveKernel                &remove_kernel,
              const sparse::BlockVector<double> &b,
              sparse::BlockVector<double>       &x,
              const SolveOptions                &options)
      {
        const sparse::IndexLayout &columns = A.pattern().columns();
        const int                  size    = A.shape().columns;
        sparse::check_owned_vector("b", b, A.pattern().rows(), size);
        sparse::check_owned_vector("x", x, columns, size);
        sparse::check_different("x", x, "b", b);

        sparse::MatrixVector<double> products(A);
        sparse::BlockVector<double>  r(columns, size), z(columns, size),
          p(columns, size), q(columns, size);

        copy_values(x, p);
        products.residual(A, b, p, r);
        remove_kernel(r);

        // Residuals and directions are divided by a power of two, so that
        // squares of very small or large ones do not leave the range of double.
        const double unit = power_of_two_below(
          std::max(largest_magnitude(b), largest_magnitude(r)));
        for (std::size_t i = 0; i < r.n_owned_values(); ++i)
          {
            r.data()[i] /= unit;
            q.data()[i] = b.data()[i] / unit;
          }

        SolveResult  result;
        const double norm_b = norm(q);
        double       norm_r = checked_norm(0, r);
        result.residual_history.push_back(unit * norm_r);
        if (norm_b == 0)
          {
            x.set_zero();
            result.converged = true;
            return result;
          }
        // Squares of what is smaller would vanish.
        const double goal      = std::max(options.tolerance, 1e-100) * norm_b;
        double       r_times_z = 0;
        while (!(norm_r <= goal) &&
               result.n_iterations < options.max_iterations)
          {
            const unsigned int iteration = ++result.n_iterations;
            C(z, r);
            const double previous = r_times_z;
            r_times_z =
              checked_positive(iteration, "r^T C r", inner_product(r, z));
            scale_and_add(z, iteration == 1 ? 0. : r_times_z / previous, p);

            products.multiply(A, p, q);
            const double alpha =
              r_times_z /
              checked_positive(iteration, "p^T A p", inner_product(p, q));
            add(unit * alpha, p, x);
            add(-alpha, q, r);
            norm_r = checked_norm(iteration, r);
            result.residual_history.push_back(unit * norm_r);
            if (options.report)
              options.report(iteration, norm_r / norm_b);
          }
        remove_kernel(x);
        result.converged = norm_r <= goal;
        return result;
      }
    } // namespace



    SolveResult
    solve(const sparse::BlockMatrix<double> &A,
          const BlockAMG                    &C,
          const sparse::BlockVector<double> &b,
          sparse::BlockVector<double>       &x,
          const SolveOptions                &options)
    {
      check_part_in_kernel(C, b, options.tolerance);
      return iterate(
        A,
        [&C](auto &z, const auto &r) { C.vmult(z, r); },
        [&C](auto &v) { C.remove_kernel(v); },
        b,
        x,
        options);
    }



    SolveResult
    solve(const sparse::BlockMatrix<double> &A,
          const PreconditionerFunction      &C,
          const sparse::BlockVector<double> &b,
          sparse::BlockVector<double>       &x,
          const SolveOptions                &options)
    {
      return iterate(
        A, C, [](const auto &) {}, b, x, options);
    }
  } // namespace amg
} // namespace tessera
