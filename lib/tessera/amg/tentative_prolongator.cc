// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/tentative_prolongator.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/dispatch_shape.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera
{
  namespace amg
  {
    using sparse::LocalIndex;

    namespace
    {
      /**
       * QR factorization of matrices of q columns, q = shape.columns(), in
       * which columns that depend on those before make no step. Memory is kept
       * from one matrix to the next.
       */
      template <typename Shape>
      class EchelonQR
      {
      public:
        explicit EchelonQR(const Shape known_shape)
          : shape(known_shape)
        {}

        /** Room for m rows, row-major, to be filled with the matrix; Q after
         * factorize(). */
        double *
        matrix(const std::size_t m)
        {
          n_rows = m;
          panel.resize(m * shape.columns());
          return panel.data();
        }

        /** @param[out] R [q][q], to be zero. Rows of dependent columns stay
         * zero, and so do these columns of Q.
         * @return The dependent columns, a bit each. */
        std::uint8_t
        factorize(double *R)
        {
          const int    q         = shape.columns();
          const double tolerance = 1e-8 * largest_column_norm();
          std::size_t  rank      = 0;
          std::uint8_t dependent = 0;
          for (int c = 0; c < q; ++c)
            {
              for (std::size_t s = 0; s < rank; ++s)
                R[column_of_step[s] * q + c] = panel[s * q + c];
              const double norm = rank < n_rows ? norm_below(rank, c) : 0.;
              if (!(norm > tolerance))
                {
                  dependent = std::uint8_t(dependent | 1 << c);
                  continue;
                }
              R[c * q + c]           = reflect(rank, c, norm);
              column_of_step[rank++] = c;
            }
          form_q(rank);
          // Reflections leave signs open; a positive diagonal is the choice.
          for (std::size_t s = 0; s < rank; ++s)
            {
              const int c = column_of_step[s];
              if (R[c * q + c] < 0.)
                {
                  for (int d = c; d < q; ++d)
                    R[c * q + d] = -R[c * q + d];
                  for (std::size_t i = 0; i < n_rows; ++i)
                    panel[i * q + c] = -panel[i * q + c];
                }
            }
          return dependent;
        }

      private:
        static constexpr int max_columns = Shape::max_columns;

        double
        largest_column_norm() const
        {
          double squares[max_columns] = {};
          for (std::size_t i = 0; i < n_rows; ++i)
            for (int c = 0; c < shape.columns(); ++c)
              squares[c] +=
                panel[i * shape.columns() + c] * panel[i * shape.columns() + c];
          return std::sqrt(
            *std::max_element(squares, squares + shape.columns()));
        }

        double
        norm_below(const std::size_t first, const int c) const
        {
          double square = 0.;
          for (std::size_t i = first; i < n_rows; ++i)
            square +=
              panel[i * shape.columns() + c] * panel[i * shape.columns() + c];
          return std::sqrt(square);
        }

        /** Make the reflector of a step from column c, and apply it to the
         * columns behind; the entry of R that it leaves. */
        double
        reflect(const std::size_t step, const int c, const double norm)
        {
          const int            q = shape.columns();
          std::vector<double> &v = reflectors[step];
          v.resize(n_rows);
          for (std::size_t i = step; i < n_rows; ++i)
            v[i] = panel[i * q + c];
          const double entry = v[step] > 0. ? -norm : norm;
          // |v|^2 / 2 = norm (norm + |x_0|)
          factors[step] = 1. / (norm * (norm + std::abs(v[step])));
          v[step] -= entry;
          apply(step, c + 1);
          return entry;
        }

        /** Columns first_column, ... */
        void
        apply(const std::size_t step, const int first_column)
        {
          const int                  q              = shape.columns();
          const std::vector<double> &v              = reflectors[step];
          double                     w[max_columns] = {};
          for (std::size_t i = step; i < n_rows; ++i)
            for (int c = 0; c < q; ++c)
              w[c] += v[i] * panel[i * q + c];
          for (int c = 0; c < q; ++c)
            w[c] = c < first_column ? 0. : w[c] * factors[step];
          for (std::size_t i = step; i < n_rows; ++i)
            for (int c = 0; c < q; ++c)
              panel[i * q + c] -= v[i] * w[c];
        }

        void
        form_q(const std::size_t rank)
        {
          std::fill(panel.begin(), panel.end(), 0.);
          for (std::size_t s = rank; s-- > 0;)
            {
              panel[s * shape.columns() + column_of_step[s]] = 1.;
              apply(s, column_of_step[s]);
            }
        }

        Shape               shape;
        std::size_t         n_rows = 0;
        std::vector<double> panel; ///< [n_rows][q]
        std::vector<double> reflectors[max_columns];
        double              factors[max_columns];
        int                 column_of_step[max_columns];
      };

      /** Nodes of each aggregate in compressed rows. */
      struct Members
      {
        explicit Members(const Aggregates &aggregates)
          : begin(aggregates.n_aggregates() + 1, 0)
        {
          const std::vector<LocalIndex> &of_node = aggregates.aggregate_of_node;
          for (const LocalIndex a : of_node)
            if (a >= 0)
              ++begin[a + 1];
          std::partial_sum(begin.begin(), begin.end(), begin.begin());
          nodes.resize(begin.back());
          std::vector<LocalIndex> next(begin.begin(), begin.end() - 1);
          for (std::size_t i = 0; i < of_node.size(); ++i)
            if (of_node[i] >= 0)
              nodes[next[of_node[i]]++] = static_cast<LocalIndex>(i);
        }

        std::vector<LocalIndex> begin, nodes;
      };

      /** Rows of nodes in aggregates have a block. */
      sparse::BlockPattern
      pattern_of(const sparse::IndexLayout &fine,
                 const sparse::IndexLayout &coarse,
                 const Aggregates          &aggregates)
      {
        std::vector<std::int64_t> row_begin;
        std::vector<LocalIndex>   columns;
        row_begin.reserve(aggregates.aggregate_of_node.size() + 1);
        columns.reserve(aggregates.aggregate_of_node.size());
        row_begin.push_back(0);
        for (const LocalIndex a : aggregates.aggregate_of_node)
          {
            if (a >= 0)
              columns.push_back(a);
            row_begin.push_back(static_cast<std::int64_t>(columns.size()));
          }
        return sparse::BlockPattern(fine,
                                    coarse,
                                    std::move(row_begin),
                                    std::move(columns));
      }
    } // namespace



    TentativeProlongator
    tentative_prolongator(const sparse::IndexLayout &fine,
                          const Aggregates          &aggregates,
                          const NearNullSpace       &B)
    {
      fine.communicator().collectively([&] {
        if (!fine.same_owned(B.layout()) ||
            aggregates.aggregate_of_node.size() !=
              static_cast<std::size_t>(fine.n_owned()))
          throw InputError(
            "A prolongator was asked for of " + std::to_string(fine.n_owned()) +
            " nodes of this rank, with aggregates of " +
            std::to_string(aggregates.aggregate_of_node.size()) +
            " and a near-null space on " +
            std::to_string(B.layout().n_owned()) + "; these must agree.");
      });
      const int                 b = B.block_size(), q = B.n_modes();
      const sparse::IndexLayout coarse(fine.communicator(),
                                       aggregates.n_aggregates(),
                                       {});
      TentativeProlongator      result{
        sparse::BlockMatrix<double>(pattern_of(fine, coarse, aggregates),
                                    {b, q}),
        NearNullSpace(coarse, q, q),
        InactiveComponents(aggregates.n_aggregates())};

      const Members             members(aggregates);
      const std::int64_t *const row_begin = result.P.pattern().row_begin();
      double *const             values    = result.P.values_to_write();
      const std::size_t         size      = std::size_t(b) * q;
      sparse::dispatch_square_shape(q, [&](const auto shape) {
        EchelonQR<std::decay_t<decltype(shape)>> qr(shape);
        for (LocalIndex a = 0; a < aggregates.n_aggregates(); ++a)
          {
            const LocalIndex *const first =
              members.nodes.data() + members.begin[a];
            const std::size_t n     = members.begin[a + 1] - members.begin[a];
            double *const     panel = qr.matrix(n * b);
            for (std::size_t m = 0; m < n; ++m)
              std::copy_n(B.data() + first[m] * size, size, panel + m * size);
            const std::uint8_t dependent =
              qr.factorize(result.coarse_modes.data() + std::size_t(a) * q * q);
            for (int c = 0; c < q; ++c)
              if ((dependent >> c & 1) != 0)
                result.inactive.set(a, c);
            for (std::size_t m = 0; m < n; ++m)
              std::copy_n(panel + m * size,
                          size,
                          values + row_begin[first[m]] * size);
          }
      });
      return result;
    }
  } // namespace amg
} // namespace tessera
