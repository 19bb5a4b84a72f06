// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/product/matrix_product.h>
#include <tessera/sparse/product/position_kernels.h>
#include <tessera/sparse/product/product_operands.h>
#include <tessera/sparse/product/product_patterns.h>
#include <tessera/sparse/product/row_kernels.h>
#include <tessera/sparse/product/schedule_kernels.h>
#include <tessera/sparse/product/traffic_model.h>

#include <algorithm>
#include <string>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      const char *const name = "Matrix product A B";

      /** @throws InputError unless A and B can be multiplied. */
      BlockPattern
      checked_product(const BlockPattern &A,
                      const BlockShape    shape_A,
                      const BlockPattern &B,
                      const BlockShape    shape_B)
      {
        check_shape(name, "A", shape_A);
        check_shape(name, "B", shape_B);
        if (shape_A.columns != shape_B.rows)
          throw InputError(std::string(name) + ": blocks of A have " +
                           to_string(shape_A) + " entries and those of B " +
                           to_string(shape_B) +
                           "; they need as many columns as rows.");
        if (A.n_columns() != B.n_rows())
          throw InputError(std::string(name) + ": A has " +
                           std::to_string(A.n_columns()) +
                           " block columns on this rank, with ghosts, and B " +
                           std::to_string(B.n_rows()) +
                           " block rows; B needs a row for each.");
        return make_pattern(A.rows(),
                            B.columns(),
                            product_pattern(A.n_rows(),
                                            B.n_columns(),
                                            compressed_rows(A),
                                            compressed_rows(B)));
      }
    } // namespace

    template <typename Number>
    MatrixProduct<Number>::MatrixProduct(const BlockPattern   &A,
                                         const BlockShape      shape_of_A,
                                         const BlockPattern   &B,
                                         const BlockShape      shape_of_B,
                                         const ProductOptions &options)
      : MatrixProduct(A,
                      shape_of_A,
                      B,
                      shape_of_B,
                      checked_product(A, shape_of_A, B, shape_of_B),
                      options)
    {}

    template <typename Number>
    MatrixProduct<Number>::MatrixProduct(const BlockPattern   &A,
                                         const BlockShape      shape_of_A,
                                         const BlockPattern   &B,
                                         const BlockShape      shape_of_B,
                                         const BlockPattern   &product,
                                         const ProductOptions &options)
      : pattern_A(A)
      , pattern_B(B)
      , pattern_W(product)
      , shape_A(shape_of_A)
      , shape_B(shape_of_B)
    {
      initialize(options);
    }

    template <typename Number>
    void
    MatrixProduct<Number>::initialize(const ProductOptions &options)
    {
      const CompressedRows A = compressed_rows(pattern_A);
      const CompressedRows B = compressed_rows(pattern_B);
      const CompressedRows W = compressed_rows(pattern_W);
      chosen_algorithm = options.algorithm == ProductAlgorithm::automatic ?
                           ProductAlgorithm::cached_positions :
                           options.algorithm;
      switch (chosen_algorithm)
        {
          case ProductAlgorithm::two_pass:
            break;

          case ProductAlgorithm::tiled:
          case ProductAlgorithm::schedule:
            lists = make_contribution_lists(
              pattern_A.n_rows(), pattern_B.n_columns(), A, B, W);
            if (chosen_algorithm == ProductAlgorithm::schedule)
              {
                schedule = make_contribution_schedule(
                  lists,
                  std::max<std::size_t>(1,
                                        tile_capacity(options.tile_bytes,
                                                      shape_A.rows,
                                                      shape_B.columns)));
                lists = ContributionLists();
              }
            break;

          case ProductAlgorithm::cached_positions:
            {
              const std::size_t longest = longest_row(pattern_W.n_rows(), W);
              positions                 = make_positions(pattern_A.n_rows(),
                                         pattern_B.n_columns(),
                                         A,
                                         B,
                                         W,
                                         bytes_of_position(longest));
              scratch.resize(position_kernel_scratch(longest, shape_A.rows));
              break;
            }

          default:
            throw InputError(
              std::string(name) + ": the algorithm '" +
              to_string(chosen_algorithm) +
              "' is one of products P^T A P. Choose one of 'auto', 'two-pass', "
              "'tiled', 'schedule', 'cached positions'.");
        }
    }

    template <typename Number>
    const BlockPattern &
    MatrixProduct<Number>::pattern() const
    {
      return pattern_W;
    }

    template <typename Number>
    BlockShape
    MatrixProduct<Number>::shape() const
    {
      return {shape_A.rows, shape_B.columns};
    }

    template <typename Number>
    ProductAlgorithm
    MatrixProduct<Number>::algorithm() const
    {
      return chosen_algorithm;
    }

    template <typename Number>
    std::size_t
    MatrixProduct<Number>::n_products() const
    {
      return count_contributions(pattern_A.n_rows(),
                                 compressed_rows(pattern_A),
                                 compressed_rows(pattern_B));
    }

    template <typename Number>
    void
    MatrixProduct<Number>::multiply(const BlockMatrix<Number> &A,
                                    const BlockMatrix<Number> &B,
                                    BlockMatrix<Number>       &W)
    {
      check_operand(name, "A", A.pattern(), A.shape(), pattern_A, shape_A);
      check_operand(name, "B", B.pattern(), B.shape(), pattern_B, shape_B);
      check_operand(name, "W", W.pattern(), W.shape(), pattern_W, shape());

      const ProductShape             product{shape_A.rows,
                                 shape_A.columns,
                                 shape_B.columns};
      const LocalIndex               n_rows = pattern_A.n_rows();
      const CompressedBlocks<Number> a      = compressed_blocks(A);
      const CompressedBlocks<Number> b      = compressed_blocks(B);
      const CompressedRows           w      = compressed_rows(pattern_W);
      Number *const                  values = W.values_to_write();
      switch (chosen_algorithm)
        {
          case ProductAlgorithm::two_pass:
            TESSERA_CALL_SIMD(multiply_rows(product, n_rows, a, b, w, values));
            break;

          case ProductAlgorithm::tiled:
            TESSERA_CALL_SIMD(multiply_by_lists(product,
                                                pattern_W.n_blocks(),
                                                lists.begin.data(),
                                                lists.contributions.data(),
                                                a.values,
                                                b.values,
                                                values));
            break;

          case ProductAlgorithm::schedule:
            TESSERA_CALL_SIMD(
              multiply_by_schedule(product,
                                   schedule.tiles.size(),
                                   schedule.tiles.data(),
                                   schedule.n_contributions.data(),
                                   schedule.offsets.data(),
                                   a.values,
                                   b.values,
                                   values));
            break;

          default:
            {
              const auto multiply_with = [&](const auto *position) {
                TESSERA_CALL_SIMD(multiply_by_positions(product,
                                                        n_rows,
                                                        a,
                                                        b,
                                                        w.row_begin,
                                                        position,
                                                        scratch.data(),
                                                        values));
              };
              if (positions.bytes_of_position() == 1)
                multiply_with(positions.as<std::uint8_t>());
              else if (positions.bytes_of_position() == 2)
                multiply_with(positions.as<std::uint16_t>());
              else
                multiply_with(positions.as<std::uint32_t>());
            }
        }
    }

    template <typename Number>
    std::size_t
    MatrixProduct<Number>::memory_consumption() const
    {
      return lists.memory_consumption() + schedule.memory_consumption() +
             positions.memory_consumption() + scratch.size_in_bytes();
    }

    template class MatrixProduct<float>;
    template class MatrixProduct<double>;
  } // namespace sparse
} // namespace tessera
