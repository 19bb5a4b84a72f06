// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/prolongator_filter.h>
#include <tessera/base/aligned_vector.h>
#include <tessera/base/eigenproblem.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/dispatch_shape.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /** Which blocks of a prolongator stay. */
      struct Selection
      {
        AlignedVector<std::uint8_t> stays;           ///< [n_blocks]
        std::vector<std::int64_t>   row_begin = {0}; ///< of those that stay
        std::vector<LocalIndex>     columns;
      };

      /** $\|P_{iJ}\|_F^2$ of each block. */
      AlignedVector<double>
      squares_of_blocks(const sparse::BlockMatrix<double> &P)
      {
        AlignedVector<double> result;
        result.resize_without_initialization(P.pattern().n_blocks());
        sparse::dispatch_shape(P.shape(), [&](const auto shape) {
          const int     size  = shape.rows() * shape.columns();
          const double *block = P.values();
          for (double &square : result)
            {
              square = 0.;
              for (int e = 0; e < size; ++e)
                square += block[e] * block[e];
              block += size;
            }
        });
        return result;
      }

      /** Columns of which all blocks that are not zero are left out keep their
       * largest one: without, the coarse matrix would be singular. */
      void
      keep_all_columns(const sparse::BlockPattern  &pattern,
                       const AlignedVector<double> &squares,
                       AlignedVector<std::uint8_t> &stays)
      {
        const LocalIndex *const   columns = pattern.column_indices();
        std::vector<std::uint8_t> is_kept(pattern.n_columns(), 0);
        for (std::size_t k = 0; k < squares.size(); ++k)
          if (stays[k] && squares[k] > 0.)
            is_kept[columns[k]] = 1;
        std::vector<std::int64_t> largest(pattern.n_columns(), -1);
        for (std::size_t k = 0; k < squares.size(); ++k)
          {
            std::int64_t &best = largest[columns[k]];
            if (!is_kept[columns[k]] &&
                (best < 0 || squares[k] > squares[best]))
              best = static_cast<std::int64_t>(k);
          }
        for (const std::int64_t k : largest)
          if (k >= 0)
            stays[k] = 1;
      }

      Selection
      select_blocks(const sparse::BlockMatrix<double> &P, const double tau)
      {
        const sparse::BlockPattern &pattern   = P.pattern();
        const std::int64_t *const   row_begin = pattern.row_begin();
        const AlignedVector<double> squares   = squares_of_blocks(P);
        Selection                   result;
        result.stays.resize_without_initialization(pattern.n_blocks());
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            double       sum     = 0.;
            std::int64_t largest = row_begin[i];
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              {
                sum += squares[k];
                if (squares[k] > squares[largest])
                  largest = k;
              }
            const double bound = tau * tau * sum;
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              result.stays[k] = squares[k] >= bound || k == largest;
          }
        keep_all_columns(pattern, squares, result.stays);

        result.row_begin.reserve(pattern.n_rows() + 1);
        result.columns.reserve(pattern.n_blocks());
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              if (result.stays[k])
                result.columns.push_back(pattern.column_indices()[k]);
            result.row_begin.push_back(
              static_cast<std::int64_t>(result.columns.size()));
          }
        return result;
      }

      /** $B_J^T B_J$ of each coarse node, [n][q][q]. */
      AlignedVector<double>
      gram_matrices(const NearNullSpace &B)
      {
        const int             q = B.n_modes();
        AlignedVector<double> result(std::size_t(B.layout().n_owned()) * q * q);
        for (LocalIndex J = 0; J < B.layout().n_owned(); ++J)
          {
            const double *const block = B.data() + std::size_t(J) * q * q;
            double *const       gram  = result.data() + std::size_t(J) * q * q;
            for (int m = 0; m < q; ++m)
              for (int r = 0; r < q; ++r)
                for (int c = 0; c < q; ++c)
                  gram[r * q + c] += block[m * q + r] * block[m * q + c];
          }
        return result;
      }

      /** $c \leftarrow c + s a b$, a of b x q and b of q x q numbers. */
      template <typename Shape>
      TESSERA_ALWAYS_INLINE void
      multiply_add(const Shape   shape,
                   const double *a,
                   const double *b,
                   double       *c)
      {
        const int n = shape.rows(), q = shape.columns();
        for (int r = 0; r < n; ++r)
          for (int m = 0; m < q; ++m)
            for (int d = 0; d < q; ++d)
              c[r * q + d] += a[r * q + m] * b[m * q + d];
      }

      /** $c \leftarrow c + a b^T$. */
      template <typename Shape>
      TESSERA_ALWAYS_INLINE void
      multiply_add_transposed(const Shape   shape,
                              const double *a,
                              const double *b,
                              double       *c)
      {
        const int n = shape.rows(), q = shape.columns();
        for (int r = 0; r < n; ++r)
          for (int m = 0; m < q; ++m)
            {
              double sum = 0.;
              for (int d = 0; d < q; ++d)
                sum += a[r * q + d] * b[m * q + d];
              c[r * q + m] += sum;
            }
      }

      template <typename Shape>
      double
      square_of(const Shape shape, const double *a)
      {
        double sum = 0.;
        for (int e = 0; e < shape.rows() * shape.columns(); ++e)
          sum += a[e] * a[e];
        return sum;
      }

      /** $E \leftarrow E G^{-1}$ by a Cholesky factorization, where E has as
       * many rows as the shape and G, which is overwritten, is q x q; false,
       * and E as it was, if a pivot is too small. */
      template <typename Shape>
      bool
      solve_by_factorization(const Shape shape, double *G, double *E)
      {
        const int n = shape.rows(), q = shape.columns();
        double    trace = 0.;
        for (int m = 0; m < q; ++m)
          trace += G[m * (q + 1)];
        double inverse_pivots[Shape::max_columns];
        for (int m = 0; m < q; ++m)
          {
            double pivot = G[m * (q + 1)];
            for (int d = 0; d < m; ++d)
              pivot -= G[m * q + d] * G[m * q + d];
            if (!(pivot > 1e-12 * trace))
              return false;
            inverse_pivots[m] = 1. / std::sqrt(pivot);
            for (int r = m + 1; r < q; ++r)
              {
                double value = G[r * q + m];
                for (int d = 0; d < m; ++d)
                  value -= G[r * q + d] * G[m * q + d];
                G[r * q + m] = value * inverse_pivots[m];
              }
          }
        for (int r = 0; r < n; ++r)
          {
            double *const x = E + r * q;
            for (int m = 0; m < q; ++m)
              {
                for (int d = 0; d < m; ++d)
                  x[m] -= G[m * q + d] * x[d];
                x[m] *= inverse_pivots[m];
              }
            for (int m = q - 1; m >= 0; --m)
              {
                for (int d = m + 1; d < q; ++d)
                  x[m] -= G[d * q + m] * x[d];
                x[m] *= inverse_pivots[m];
              }
          }
        return true;
      }

      /** $E \leftarrow E G^+$ with the eigenvectors of G of eigenvalues above
       * 1e-12 of the largest. */
      void
      solve_by_eigenvectors(const int     n,
                            const int     q,
                            const double *G,
                            double       *E)
      {
        DenseMatrix matrix(q, q);
        for (int r = 0; r < q; ++r)
          for (int c = 0; c < q; ++c)
            matrix(r, c) = G[r * q + c];
        const Eigenpairs pairs =
          generalized_eigenpairs(matrix, identity_matrix(q));
        for (int r = 0; r < n; ++r)
          {
            double result[sparse::max_block_size] = {};
            for (int e = 0; e < q; ++e)
              {
                if (!(pairs.values[e] > 1e-12 * pairs.values.back()))
                  continue;
                double part = 0.;
                for (int m = 0; m < q; ++m)
                  part += E[r * q + m] * pairs.vectors(m, e);
                for (int m = 0; m < q; ++m)
                  result[m] += part / pairs.values[e] * pairs.vectors(m, e);
              }
            std::copy_n(result, q, E + r * q);
          }
      }

      /** Squares of Frobenius norms over all rows. */
      struct ModeErrors
      {
        double target    = 0.;
        double dropped   = 0.;
        double projected = 0.;
      };

      /** Copies the blocks that stay, and corrects them. */
      template <typename Shape>
      class Projection
      {
      public:
        Projection(const Shape                        known_shape,
                   const sparse::BlockMatrix<double> &prolongator,
                   const NearNullSpace               &coarse_modes,
                   const bool                         with_projection)
          : shape(known_shape)
          , P(prolongator)
          , B(coarse_modes)
          , project(with_projection)
          , gram(gram_matrices(coarse_modes))
        {}

        /** The blocks of row i, one after the other, into result. */
        void
        filter_row(const LocalIndex    i,
                   const std::uint8_t *stays,
                   double             *result,
                   ModeErrors         &errors) const
        {
          const int          size = shape.rows() * shape.columns();
          const int          q    = shape.columns();
          Block              kept = {}, lost = {};
          double             G[max_columns * max_columns] = {};
          double            *next                         = result;
          const std::int64_t begin = P.pattern().row_begin()[i],
                             end   = P.pattern().row_begin()[i + 1];
          for (std::int64_t k = begin; k < end; ++k)
            {
              const double *const B_J = modes(k);
              multiply_add(shape, P.block(k), B_J, stays[k] ? kept : lost);
              if (!stays[k])
                continue;
              next = std::copy_n(P.block(k), size, next);
              if (project)
                for (int e = 0; e < q * q; ++e)
                  G[e] += gram[std::size_t(column(k)) * q * q + e];
            }
          Block target;
          for (int e = 0; e < size; ++e)
            target[e] = kept[e] + lost[e];
          errors.target += square_of(shape, target);
          const double square = square_of(shape, lost);
          errors.dropped += square;
          if (!project || next == result + (end - begin) * size)
            {
              errors.projected += square;
              return;
            }

          Block X;
          std::copy_n(lost, size, X);
          double factor[max_columns * max_columns];
          std::copy_n(G, q * q, factor);
          if (!solve_by_factorization(shape, factor, X))
            {
              std::copy_n(lost, size, X);
              solve_by_eigenvectors(shape.rows(), q, G, X);
            }
          Block mapped = {};
          next         = result;
          for (std::int64_t k = begin; k < end; ++k)
            if (stays[k])
              {
                multiply_add_transposed(shape, X, modes(k), next);
                multiply_add(shape, next, modes(k), mapped);
                next += size;
              }
          for (int e = 0; e < size; ++e)
            mapped[e] -= target[e];
          errors.projected += square_of(shape, mapped);
        }

      private:
        static constexpr int max_columns = Shape::max_columns;

        using Block = double[Shape::max_rows * Shape::max_columns];

        LocalIndex
        column(const std::int64_t k) const
        {
          return P.pattern().column_indices()[k];
        }

        const double *
        modes(const std::int64_t k) const
        {
          return B.data() +
                 std::size_t(column(k)) * shape.columns() * shape.columns();
        }

        const Shape                        shape;
        const sparse::BlockMatrix<double> &P;
        const NearNullSpace               &B;
        const bool                         project;
        const AlignedVector<double>        gram;
      };

      void
      check_sizes(const sparse::BlockMatrix<double> &P,
                  const NearNullSpace               &coarse_modes,
                  const double                       tau)
      {
        if (!(tau >= 0. && tau < 1.))
          throw InputError("The threshold of the filter of a prolongator is " +
                           std::to_string(tau) + "; allowed is [0, 1).");
        const int q = P.shape().columns;
        if (coarse_modes.block_size() != q || coarse_modes.n_modes() != q ||
            coarse_modes.layout().n_owned() != P.pattern().n_columns())
          throw InputError(
            "A prolongator of " + std::to_string(P.pattern().n_columns()) +
            " block columns of " + std::to_string(q) +
            " entries needs that many square blocks of coarse modes; there are " +
            std::to_string(coarse_modes.layout().n_owned()) + " of " +
            std::to_string(coarse_modes.block_size()) + " x " +
            std::to_string(coarse_modes.n_modes()) + '.');
      }
    } // namespace



    FilteredProlongator
    filtered_prolongator(const sparse::BlockMatrix<double> &P,
                         const NearNullSpace               &coarse_modes,
                         const double                       tau,
                         const bool                         project)
    {
      const sparse::BlockPattern &pattern      = P.pattern();
      const Communicator         &communicator = pattern.rows().communicator();
      communicator.collectively([&] { check_sizes(P, coarse_modes, tau); });
      Selection         selection = select_blocks(P, tau);
      const std::size_t n_dropped =
        pattern.n_blocks() - selection.columns.size();
      FilteredProlongator result;
      result.P = sparse::BlockMatrix<double>(
        sparse::BlockPattern(pattern.rows(),
                             pattern.columns(),
                             std::move(selection.row_begin),
                             std::move(selection.columns)),
        P.shape());
      result.n_dropped = communicator.sum(std::uint64_t(n_dropped));

      const std::int64_t *const row_begin = result.P.pattern().row_begin();
      double *const             values    = result.P.values_to_write();
      ModeErrors                errors;
      sparse::dispatch_shape(P.shape(), [&](const auto shape) {
        const Projection<std::decay_t<decltype(shape)>> projection(shape,
                                                                   P,
                                                                   coarse_modes,
                                                                   project);
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          projection.filter_row(i,
                                selection.stays.data(),
                                values + row_begin[i] * P.shape().size(),
                                errors);
      });
      double squares[] = {errors.target, errors.dropped, errors.projected};
      communicator.sum(squares, 3);
      if (squares[0] > 0.)
        {
          result.error_of_modes_dropped   = std::sqrt(squares[1] / squares[0]);
          result.error_of_modes_projected = std::sqrt(squares[2] / squares[0]);
        }
      return result;
    }
  } // namespace amg
} // namespace tessera
