// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/text_file.h>
#include <tessera/sparse/block_assembly.h>
#include <tessera/sparse/matrix_market.h>
#include <tessera/sparse/matrix_market_parser.h>
#include <tessera/sparse/matrix_transpose.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      /** Blocks in the order of their rows and columns. */
      struct GlobalBlocks
      {
        std::vector<GlobalIndex> rows;
        std::vector<GlobalIndex> columns;
        std::vector<double>      values;
      };

      /** Divide entries into blocks; also refuses those that are there twice.
       */
      GlobalBlocks
      gathered_in_blocks(const std::string       &file,
                         std::vector<MarketEntry> entries,
                         const BlockShape         shape)
      {
        const auto place = [shape](const MarketEntry &e) {
          return std::make_tuple(e.row / shape.rows,
                                 e.column / shape.columns,
                                 e.row % shape.rows,
                                 e.column % shape.columns,
                                 e.line);
        };
        std::sort(entries.begin(),
                  entries.end(),
                  [&](const MarketEntry &a, const MarketEntry &b) {
                    return place(a) < place(b);
                  });
        GlobalBlocks result;
        for (std::size_t n = 0; n < entries.size(); ++n)
          {
            const MarketEntry &e = entries[n];
            if (n > 0 && e.row == entries[n - 1].row &&
                e.column == entries[n - 1].column)
              throw_market_error(file,
                                 e.line,
                                 "row " + std::to_string(e.row + 1) +
                                   ", column " + std::to_string(e.column + 1) +
                                   " had an entry in line " +
                                   std::to_string(entries[n - 1].line) +
                                   " already.");
            const GlobalIndex row    = e.row / shape.rows;
            const GlobalIndex column = e.column / shape.columns;
            if (result.rows.empty() || result.rows.back() != row ||
                result.columns.back() != column)
              {
                result.rows.push_back(row);
                result.columns.push_back(column);
                result.values.resize(result.values.size() + shape.size(), 0.);
              }
            result.values[result.values.size() - shape.size() +
                          e.row % shape.rows * shape.columns +
                          e.column % shape.columns] = e.value;
          }
        return result;
      }

      void
      check_divisible(const std::string  &file,
                      const MarketMatrix &matrix,
                      const BlockShape    shape)
      {
        checked_block_size(shape.rows);
        checked_block_size(shape.columns);
        if (matrix.n_rows % shape.rows != 0 ||
            matrix.n_columns % shape.columns != 0)
          throw_market_error(file,
                             0,
                             "a matrix of " + std::to_string(matrix.n_rows) +
                               " x " + std::to_string(matrix.n_columns) +
                               " numbers cannot be divided into blocks of " +
                               std::to_string(shape.rows) + " x " +
                               std::to_string(shape.columns) + ".");
      }

      /** On rank 0; empty elsewhere. Collective. */
      MarketMatrix
      parsed_on_root(const std::string  &file,
                     const BlockShape    shape,
                     const Communicator &communicator)
      {
        MarketMatrix result;
        communicator.collectively([&] {
          if (communicator.rank() == 0)
            {
              result = parse_market_matrix(file);
              check_divisible(file, result, shape);
            }
        });
        return result;
      }

      IndexLayout
      divided_evenly(const std::uint64_t n, const Communicator &communicator)
      {
        const std::uint64_t n_ranks = communicator.n_ranks();
        const std::uint64_t rank    = communicator.rank();
        return IndexLayout(communicator,
                           n / n_ranks + (rank < n % n_ranks ? 1 : 0),
                           {});
      }

      /** Collective; the matrix of the file is on rank 0. */
      template <typename Number>
      BlockMatrix<Number>
      distributed(const std::string &file,
                  MarketMatrix      &matrix,
                  const BlockShape   shape,
                  const IndexLayout &rows,
                  const IndexLayout &columns)
      {
        GlobalBlocks        blocks;
        std::vector<Number> values;
        rows.communicator().collectively([&] {
          blocks = gathered_in_blocks(file, std::move(matrix.entries), shape);
          for (const double x : blocks.values)
            values.push_back(static_cast<Number>(x));
        });
        BlockAssembly<Number> assembly(
          rows, columns, blocks.rows, blocks.columns, shape);
        return assembly.assembled(values.data());
      }

      /** The shortest text that gives the same number. */
      template <typename Number>
      void
      append(std::string &text, const Number x)
      {
        char       digits[64];
        const auto end = std::to_chars(digits, digits + sizeof(digits), x).ptr;
        text.append(digits, end);
      }

      /** On rank 0, text of all ranks after a head. Collective. */
      void
      write_text(const Communicator &communicator,
                 const std::string  &file,
                 const std::string  &head,
                 const std::string  &text)
      {
        const std::vector<std::string> texts = communicator.gather(text);
        communicator.collectively([&] {
          if (communicator.rank() != 0)
            return;
          std::string all = head;
          for (const std::string &part : texts)
            all += part;
          const std::string reason = replace_file(file, all);
          if (!reason.empty())
            throw_market_error(file, 0, "cannot be written: " + reason + ".");
        });
      }

      template <typename Number>
      void
      check_symmetric(const BlockMatrix<Number> &A)
      {
        const BlockPattern &pattern = A.pattern();
        const Communicator &ranks   = pattern.rows().communicator();
        ranks.throw_collectively(
          A.shape().rows == A.shape().columns &&
              pattern.rows().same_owned(pattern.columns()) ?
            "" :
            "A matrix is to be written as a symmetric one, but is not square.");
        const BlockMatrix<Number> At =
          MatrixTranspose<Number>(pattern, A.shape()).transposed(A);
        ranks.collectively([&] {
          const int n = A.shape().rows;
          for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
            for (std::int64_t k = pattern.row_begin()[i];
                 k < pattern.row_begin()[i + 1];
                 ++k)
              {
                const GlobalIndex j =
                  pattern.columns().global(pattern.column_indices()[k]);
                const LocalIndex   l = At.pattern().columns().local(j);
                const std::int64_t t = l < 0 ? -1 : At.pattern().find(i, l);
                for (int e = 0; e < n * n; ++e)
                  if (A.block(k)[e] != (t < 0 ? Number(0) : At.block(t)[e]))
                    throw InputError(
                      "A matrix is to be written as a symmetric one, but the "
                      "entries of row " +
                      std::to_string(pattern.rows().global(i) * n + e / n + 1) +
                      ", column " + std::to_string(j * n + e % n + 1) +
                      " (counted from 1), and its mirror image differ.");
              }
        });
      }
    } // namespace



    template <typename Number>
    BlockMatrix<Number>
    read_matrix_market(const std::string  &file,
                       const BlockShape    shape,
                       const Communicator &communicator)
    {
      MarketMatrix matrix = parsed_on_root(file, shape, communicator);
      matrix.n_rows       = communicator.broadcast(matrix.n_rows);
      matrix.n_columns    = communicator.broadcast(matrix.n_columns);
      return distributed<Number>(
        file,
        matrix,
        shape,
        divided_evenly(matrix.n_rows / shape.rows, communicator),
        divided_evenly(matrix.n_columns / shape.columns, communicator));
    }



    template <typename Number>
    BlockMatrix<Number>
    read_matrix_market(const std::string &file,
                       const BlockShape   shape,
                       const IndexLayout &rows,
                       const IndexLayout &columns)
    {
      const Communicator &communicator = rows.communicator();
      MarketMatrix        matrix = parsed_on_root(file, shape, communicator);
      communicator.collectively([&] {
        if (communicator.rank() == 0 &&
            (matrix.n_rows != rows.n_global() * shape.rows ||
             matrix.n_columns != columns.n_global() * shape.columns))
          throw_market_error(
            file,
            0,
            "the matrix has " + std::to_string(matrix.n_rows) + " x " +
              std::to_string(matrix.n_columns) + " numbers, but " +
              std::to_string(rows.n_global() * shape.rows) + " x " +
              std::to_string(columns.n_global() * shape.columns) +
              " are expected.");
      });
      return distributed<Number>(file, matrix, shape, rows, columns);
    }



    template <typename Number>
    BlockVector<Number>
    read_vector_market(const std::string &file,
                       const IndexLayout &layout,
                       const int          block_size)
    {
      const Communicator &communicator = layout.communicator();
      BlockVector<Number> result(layout, block_size);
      std::vector<double> values;
      communicator.collectively([&] {
        if (communicator.rank() != 0)
          return;
        values = parse_market_vector(file);
        if (values.size() != layout.n_global() * block_size)
          throw_market_error(file,
                             0,
                             "the vector has " + std::to_string(values.size()) +
                               " numbers, but " +
                               std::to_string(layout.n_global() * block_size) +
                               " are expected.");
        for (std::size_t v = 0; v < values.size(); ++v)
          if (!std::isfinite(static_cast<Number>(values[v])))
            throw_market_error(file,
                               0,
                               "number " + std::to_string(v + 1) +
                                 " of the vector, " +
                                 std::to_string(values[v]) +
                                 ", is too large for single precision.");
      });
      values = communicator.broadcast(std::move(values));
      for (std::size_t v = 0; v < result.n_owned_values(); ++v)
        result.data()[v] =
          static_cast<Number>(values[layout.first_owned() * block_size + v]);
      return result;
    }



    template <typename Number>
    void
    write_matrix_market(const BlockMatrix<Number> &A,
                        const std::string         &file,
                        const MarketSymmetry       symmetry)
    {
      const BlockPattern &pattern      = A.pattern();
      const BlockShape    shape        = A.shape();
      const Communicator &communicator = pattern.rows().communicator();
      communicator.collectively([&] { A.check_finite(); });
      const bool symmetric = symmetry == MarketSymmetry::symmetric;
      if (symmetric)
        check_symmetric(A);

      std::string   text;
      std::uint64_t n = 0;
      for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
        for (int r = 0; r < shape.rows; ++r)
          for (std::int64_t k = pattern.row_begin()[i];
               k < pattern.row_begin()[i + 1];
               ++k)
            for (int c = 0; c < shape.columns; ++c)
              {
                const GlobalIndex row =
                  pattern.rows().global(i) * shape.rows + r;
                const GlobalIndex column =
                  pattern.columns().global(pattern.column_indices()[k]) *
                    shape.columns +
                  c;
                if (symmetric && column > row)
                  continue;
                ++n;
                append(text, row + 1);
                text += ' ';
                append(text, column + 1);
                text += ' ';
                append(text, A.block(k)[r * shape.columns + c]);
                text += '\n';
              }
      n = communicator.sum(n);
      write_text(communicator,
                 file,
                 "%%MatrixMarket matrix coordinate real " +
                   std::string(symmetric ? "symmetric" : "general") +
                   "\n% Blocks of " + std::to_string(shape.rows) + " x " +
                   std::to_string(shape.columns) + " numbers\n" +
                   std::to_string(pattern.rows().n_global() * shape.rows) +
                   ' ' +
                   std::to_string(pattern.columns().n_global() *
                                  shape.columns) +
                   ' ' + std::to_string(n) + '\n',
                 text);
    }



    template <typename Number>
    void
    write_vector_market(const BlockVector<Number> &x, const std::string &file)
    {
      const Communicator &communicator = x.layout().communicator();
      const std::size_t   first = x.layout().first_owned() * x.block_size();
      std::string         text;
      communicator.collectively([&] {
        for (std::size_t v = 0; v < x.n_owned_values(); ++v)
          {
            if (!std::isfinite(x.data()[v]))
              throw InputError("Number " + std::to_string(first + v + 1) +
                               " of a vector that is to be written is not "
                               "finite.");
            append(text, x.data()[v]);
            text += '\n';
          }
      });
      write_text(communicator,
                 file,
                 "%%MatrixMarket matrix array real general\n% Blocks of " +
                   std::to_string(x.block_size()) + " numbers\n" +
                   std::to_string(x.layout().n_global() * x.block_size()) +
                   " 1\n",
                 text);
    }



    template BlockMatrix<float>
    read_matrix_market(const std::string &, BlockShape, const Communicator &);
    template BlockMatrix<double>
    read_matrix_market(const std::string &, BlockShape, const Communicator &);
    template BlockMatrix<float>
    read_matrix_market(const std::string &,
                       BlockShape,
                       const IndexLayout &,
                       const IndexLayout &);
    template BlockMatrix<double>
    read_matrix_market(const std::string &,
                       BlockShape,
                       const IndexLayout &,
                       const IndexLayout &);
    template BlockVector<float>
    read_vector_market(const std::string &, const IndexLayout &, int);
    template BlockVector<double>
    read_vector_market(const std::string &, const IndexLayout &, int);
    template void
    write_matrix_market(const BlockMatrix<float> &,
                        const std::string &,
                        MarketSymmetry);
    template void
    write_matrix_market(const BlockMatrix<double> &,
                        const std::string &,
                        MarketSymmetry);
    template void
    write_vector_market(const BlockVector<float> &, const std::string &);
    template void
    write_vector_market(const BlockVector<double> &, const std::string &);
  } // namespace sparse
} // namespace tessera
