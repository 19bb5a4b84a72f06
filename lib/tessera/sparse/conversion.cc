// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/counters.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/conversion.h>
#include <tessera/sparse/vector_sizes.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      void
      count(const char *counter, const std::size_t amount)
      {
        Counters &counters = Counters::process();
        counters.add(counters.id(counter), amount);
      }

      template <typename To, typename From>
      void
      convert_values(const From *from, const std::size_t n, To *to)
      {
        std::transform(from, from + n, to, [](const From x) {
          return static_cast<To>(x);
        });
        count(Counters::converted_values, n);
      }

      /** The indices of the entries of blocks. */
      IndexLayout
      expanded(const IndexLayout &blocks, const int size)
      {
        std::vector<GlobalIndex> ghosts;
        for (LocalIndex g = blocks.n_owned(); g < blocks.n_local(); ++g)
          for (int e = 0; e < size; ++e)
            ghosts.push_back(blocks.global(g) * size + e);
        return IndexLayout(blocks.communicator(),
                           static_cast<std::uint64_t>(blocks.n_owned()) * size,
                           ghosts);
      }

      /** The indices of blocks of entries. */
      IndexLayout
      contracted(const IndexLayout &entries, const int size, const char *what)
      {
        const Communicator &communicator = entries.communicator();
        communicator.throw_collectively(
          entries.n_owned() % size == 0 && entries.first_owned() % size == 0 ?
            "" :
            "Blocks of " + std::to_string(size) + ' ' + what +
              " were asked for, but rank " +
              std::to_string(communicator.rank()) + " owns " +
              std::to_string(entries.n_owned()) + " of " +
              std::to_string(entries.n_global()) + " from " +
              std::to_string(entries.first_owned()) +
              " on, which cannot be divided into such.");
        std::vector<GlobalIndex> ghosts;
        for (LocalIndex g = entries.n_owned(); g < entries.n_local(); ++g)
          {
            const GlobalIndex block = entries.global(g) / size;
            if (ghosts.empty() || ghosts.back() != block)
              ghosts.push_back(block);
          }
        return IndexLayout(communicator, entries.n_owned() / size, ghosts);
      }

      /** The local index of the block in which each local entry is. */
      std::vector<LocalIndex>
      block_of_entries(const IndexLayout &entries,
                       const IndexLayout &blocks,
                       const int          size)
      {
        std::vector<LocalIndex> result(entries.n_local());
        for (LocalIndex e = 0; e < entries.n_local(); ++e)
          result[e] = blocks.local(entries.global(e) / size);
        return result;
      }

      /** Which blocks have an entry of a matrix of numbers in them. */
      BlockPattern
      contracted_pattern(const BlockPattern            &A,
                         const BlockShape               shape,
                         const IndexLayout             &rows,
                         const IndexLayout             &columns,
                         const std::vector<LocalIndex> &block_column)
      {
        std::vector<std::int64_t> row_begin(rows.n_owned() + 1, 0);
        std::vector<LocalIndex>   all, row;
        for (LocalIndex i = 0; i < rows.n_owned(); ++i)
          {
            row.clear();
            const std::int64_t *const begin =
              A.row_begin() + static_cast<std::int64_t>(i) * shape.rows;
            for (std::int64_t k = begin[0]; k < begin[shape.rows]; ++k)
              row.push_back(block_column[A.column_indices()[k]]);
            std::sort(row.begin(), row.end());
            row.erase(std::unique(row.begin(), row.end()), row.end());
            all.insert(all.end(), row.begin(), row.end());
            row_begin[i + 1] = static_cast<std::int64_t>(all.size());
          }
        return BlockPattern(rows,
                            columns,
                            std::move(row_begin),
                            std::move(all));
      }
    } // namespace



    template <typename To, typename From>
    BlockMatrix<To>
    convert(const BlockMatrix<From> &A)
    {
      BlockMatrix<To> result(A.pattern(), A.shape());
      convert_values(A.values(), A.n_values(), result.values_to_write());
      return result;
    }



    template <typename To, typename From>
    void
    convert(const BlockMatrix<From> &A, BlockMatrix<To> &result)
    {
      if (!(A.pattern() == result.pattern()) || !(A.shape() == result.shape()))
        throw InputError("The values of a matrix with " +
                         std::to_string(A.n_values()) +
                         " values are to be converted into one of another "
                         "pattern or shape, with " +
                         std::to_string(result.n_values()) + '.');
      convert_values(A.values(), A.n_values(), result.values_to_write());
    }



    template <typename To, typename From>
    BlockVector<To>
    convert(const BlockVector<From> &x)
    {
      BlockVector<To> result(x.layout(), x.block_size());
      convert_values(x.data(), x.n_values(), result.data());
      return result;
    }



    template <typename To, typename From>
    void
    convert(const BlockVector<From> &x, BlockVector<To> &result)
    {
      check_owned_vector("result", result, x.layout(), x.block_size());
      convert_values(x.data(), x.n_owned_values(), result.data());
    }



    template <typename Number>
    BlockMatrix<Number>
    to_scalar(const BlockMatrix<Number> &A)
    {
      const BlockPattern &blocks    = A.pattern();
      const BlockShape    shape     = A.shape();
      const IndexLayout   rows      = expanded(blocks.rows(), shape.rows);
      const IndexLayout   columns   = expanded(blocks.columns(), shape.columns);
      const std::int64_t *row_begin = blocks.row_begin();

      std::vector<std::int64_t> begin(rows.n_owned() + 1, 0);
      std::vector<LocalIndex>   column_indices;
      AlignedVector<Number>     values(A.n_values());
      column_indices.reserve(A.n_values());
      std::size_t n = 0;
      for (LocalIndex i = 0; i < blocks.n_rows(); ++i)
        for (int r = 0; r < shape.rows; ++r)
          {
            for (std::int64_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
              for (int c = 0; c < shape.columns; ++c)
                {
                  column_indices.push_back(
                    blocks.column_indices()[k] * shape.columns + c);
                  values[n++] = A.block(k)[r * shape.columns + c];
                }
            begin[i * shape.rows + r + 1] = static_cast<std::int64_t>(n);
          }
      BlockMatrix<Number> result(BlockPattern(rows,
                                              columns,
                                              std::move(begin),
                                              std::move(column_indices)),
                                 BlockShape());
      std::copy(values.begin(), values.end(), result.values_to_write());
      count(Counters::scalar_block_conversions, blocks.n_blocks());
      return result;
    }



    template <typename Number>
    BlockMatrix<Number>
    to_blocks(const BlockMatrix<Number> &A, const BlockShape shape)
    {
      const BlockPattern &entries      = A.pattern();
      const Communicator &communicator = entries.rows().communicator();
      communicator.throw_collectively(
        A.shape() == BlockShape() ?
          "" :
          "A matrix of numbers is to be divided into blocks, but has blocks "
          "of " +
            std::to_string(A.shape().rows) + " x " +
            std::to_string(A.shape().columns) + " already.");
      communicator.collectively([&] {
        checked_block_size(shape.rows);
        checked_block_size(shape.columns);
      });
      const IndexLayout rows = contracted(entries.rows(), shape.rows, "rows");
      const IndexLayout columns =
        contracted(entries.columns(), shape.columns, "columns");
      const std::vector<LocalIndex> block_column =
        block_of_entries(entries.columns(), columns, shape.columns);

      BlockMatrix<Number> result(
        contracted_pattern(entries, shape, rows, columns, block_column), shape);
      Number *const values = result.values_to_write();
      for (LocalIndex i = 0; i < entries.n_rows(); ++i)
        for (std::int64_t k = entries.row_begin()[i];
             k < entries.row_begin()[i + 1];
             ++k)
          {
            const LocalIndex   j = entries.column_indices()[k];
            const std::int64_t block =
              result.pattern().find(i / shape.rows, block_column[j]);
            const int r = i % shape.rows;
            const int c =
              static_cast<int>(entries.columns().global(j) % shape.columns);
            values[block * shape.size() + (r * shape.columns + c)] =
              A.values()[k];
          }
      count(Counters::scalar_block_conversions, result.pattern().n_blocks());
      return result;
    }



    template BlockMatrix<float>
    convert<float>(const BlockMatrix<double> &);
    template BlockMatrix<double>
    convert<double>(const BlockMatrix<float> &);
    template void
    convert(const BlockMatrix<double> &, BlockMatrix<float> &);
    template void
    convert(const BlockMatrix<float> &, BlockMatrix<double> &);
    template BlockVector<float>
    convert<float>(const BlockVector<double> &);
    template BlockVector<double>
    convert<double>(const BlockVector<float> &);
    template void
    convert(const BlockVector<double> &, BlockVector<float> &);
    template void
    convert(const BlockVector<float> &, BlockVector<double> &);
    template BlockMatrix<float>
    to_scalar(const BlockMatrix<float> &);
    template BlockMatrix<double>
    to_scalar(const BlockMatrix<double> &);
    template BlockMatrix<float>
    to_blocks(const BlockMatrix<float> &, BlockShape);
    template BlockMatrix<double>
    to_blocks(const BlockMatrix<double> &, BlockShape);
  } // namespace sparse
} // namespace tessera
