// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/cycle_level.h>
#include <tessera/amg/spectrum.h>
#include <tessera/amg/vector_operations.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/conversion.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

namespace tessera
{
  namespace amg
  {
    template <typename Number>
    void
    LevelMatrix<Number>::set(const sparse::BlockMatrix<double> &A)
    {
      original = &A;
      if constexpr (!std::is_same<Number, double>::value)
        {
          if (rounded.pattern() == A.pattern() && rounded.shape() == A.shape())
            sparse::convert(A, rounded);
          else
            rounded = sparse::convert<Number>(A);
        }
    }



    template <typename Number>
    void
    LevelMatrix<Number>::set_inactive_diagonal(
      const InactiveComponents &inactive)
    {
      if (inactive.empty() || std::is_same<Number, double>::value)
        return;
      const int                   b       = rounded.shape().rows;
      const sparse::BlockPattern &pattern = rounded.pattern();
      Number *const               values  = rounded.values_to_write();
      for (sparse::LocalIndex i = 0; i < pattern.n_rows(); ++i)
        if (inactive.of_node(i) != 0)
          {
            Number *const block = values + pattern.find(i, i) * b * b;
            for (int c = 0; c < b; ++c)
              if (inactive.is_inactive(i, c))
                block[c * (b + 1)] = 1;
          }
    }



    template <typename Number>
    const sparse::BlockMatrix<Number> &
    LevelMatrix<Number>::get() const
    {
      if constexpr (std::is_same<Number, double>::value)
        return *original;
      else
        return rounded;
    }



    template <typename Number>
    std::size_t
    LevelMatrix<Number>::memory_consumption() const
    {
      return rounded.n_values() * sizeof(Number);
    }



    namespace
    {
      /** @throws InputError if active diagonal entries cannot be numbers of a
       * cycle in float, with some room for sums and squares. */
      void
      check_range(const unsigned int                 level,
                  const sparse::BlockMatrix<double> &A,
                  const InactiveComponents          &inactive)
      {
        const double                largest  = 1e30;
        const double                smallest = 1e-30;
        const int                   b        = A.shape().rows;
        const sparse::BlockPattern &pattern  = A.pattern();
        std::ostringstream          message;
        for (sparse::LocalIndex i = 0;
             i < pattern.n_rows() && message.str().empty();
             ++i)
          {
            const double *const block = A.block(pattern.find(i, i));
            for (int c = 0; c < b; ++c)
              if (!inactive.is_inactive(i, c) &&
                  !(block[c * (b + 1)] <= largest &&
                    block[c * (b + 1)] >= smallest))
                {
                  message << "Algebraic multigrid: on level " << level
                          << " the diagonal entry of component " << c
                          << " of block row " << pattern.rows().global(i)
                          << " is " << block[c * (b + 1)]
                          << ", beyond what levels in single precision are "
                             "made for, "
                          << smallest << " to " << largest
                          << ". Ask for levels in double precision, or change "
                             "the units.";
                  break;
                }
          }
        pattern.rows().communicator().throw_collectively(message.str());
      }

      /** Rounded, and zero in inactive components. */
      template <typename Number>
      void
      copy_active(const sparse::BlockDiagonal<double> &from,
                  const InactiveComponents            &inactive,
                  sparse::BlockDiagonal<Number>       &to)
      {
        const int          b = from.block_size();
        const std::int64_t n = from.rows().n_owned();
        for (std::int64_t i = 0; i < n; ++i)
          {
            const bool all_active =
              inactive.of_node(static_cast<sparse::LocalIndex>(i)) == 0;
            for (int r = 0; r < b; ++r)
              for (int c = 0; c < b; ++c)
                {
                  const std::int64_t v = (i * b + r) * b + c;
                  const bool         active =
                    all_active ||
                    !(inactive.is_inactive(static_cast<sparse::LocalIndex>(i),
                                           r) ||
                      inactive.is_inactive(static_cast<sparse::LocalIndex>(i),
                                           c));
                  to.data()[v] =
                    active ? static_cast<Number>(from.data()[v]) : Number(0);
                }
          }
      }
    } // namespace



    template <typename Number>
    CycleLevel<Number>::CycleLevel(
      const unsigned int                 number,
      const sparse::BlockMatrix<double> &matrix,
      const sparse::BlockMatrix<double> &prolongator,
      const InactiveComponents          &inactive_components,
      const std::vector<std::uint64_t>  &node_keys,
      const Options                     &level_options)
      : level(number)
      , inactive(inactive_components)
      , keys(node_keys)
      , options(level_options)
      , M(matrix.pattern().rows(), matrix.shape().rows)
      , products_A(matrix.pattern().columns(), matrix.shape().columns)
      , products_P(prolongator.pattern().columns(), prolongator.shape().columns)
      , b(matrix.pattern().columns(), matrix.shape().rows)
      , x(matrix.pattern().columns(), matrix.shape().rows)
      , d(matrix.pattern().columns(), matrix.shape().rows)
      , other(matrix.pattern().columns(), matrix.shape().rows)
    {
      P.set(prolongator);
      update(matrix);
    }



    template <typename Number>
    void
    CycleLevel<Number>::update(const sparse::BlockMatrix<double> &matrix)
    {
      if (std::is_same<Number, float>::value)
        check_range(level, matrix, inactive);
      copy_active(sparse::inverse_diagonal_blocks(matrix), inactive, M);
      A.set(matrix);
      A.set_inactive_diagonal(inactive);
      eigenvalue = amg::largest_eigenvalue(A.get(), M, inactive, keys);
      steps      = chebyshev_factors(options.smoother_lower * eigenvalue,
                                options.smoother_upper * eigenvalue,
                                options.smoother_degree);
    }



    template <typename Number>
    double
    CycleLevel<Number>::largest_eigenvalue() const
    {
      return eigenvalue;
    }



    template <typename Number>
    sparse::BlockVector<Number> &
    CycleLevel<Number>::right_hand_side()
    {
      return b;
    }



    template <typename Number>
    sparse::BlockVector<Number> &
    CycleLevel<Number>::solution()
    {
      return x;
    }



    template <typename Number>
    void
    CycleLevel<Number>::smooth_once(const ChebyshevFactors &factors)
    {
      products_A.chebyshev_step(A.get(),
                                M,
                                b,
                                x,
                                static_cast<Number>(factors.d),
                                static_cast<Number>(factors.r),
                                d,
                                other);
      std::swap(x, other);
    }



    template <typename Number>
    void
    CycleLevel<Number>::descend(Vector &coarse_right_hand_side)
    {
      sparse::chebyshev_start(M, b, static_cast<Number>(steps[0].r), d, x);
      for (std::size_t i = 1; i < steps.size(); ++i)
        smooth_once(steps[i]);
      products_A.residual(A.get(), b, x, other);
      products_P.multiply_transposed(P.get(), other, coarse_right_hand_side);
    }



    template <typename Number>
    void
    CycleLevel<Number>::ascend(Vector &coarse_solution)
    {
      products_P.multiply(P.get(), coarse_solution, other);
      add(Number(1), other, x);
      for (const ChebyshevFactors &factors : steps)
        smooth_once(factors);
    }



    template <typename Number>
    std::size_t
    CycleLevel<Number>::memory_consumption() const
    {
      return A.memory_consumption() + P.memory_consumption() +
             M.memory_consumption() + 4 * b.n_values() * sizeof(Number);
    }



    template class LevelMatrix<float>;
    template class LevelMatrix<double>;
    template class CycleLevel<float>;
    template class CycleLevel<double>;
  } // namespace amg
} // namespace tessera
