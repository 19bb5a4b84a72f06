// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/memory.h>
#include <tessera/sparse/product/coarse_order.h>
#include <tessera/sparse/product/galerkin_product.h>
#include <tessera/sparse/product/position_kernels.h>
#include <tessera/sparse/product/product_operands.h>
#include <tessera/sparse/product/row_kernels.h>

#include <algorithm>
#include <utility>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      const char *const name = "Galerkin product P^T A P";

      void
      check_patterns(const BlockPattern &A,
                     const BlockPattern &P,
                     const BlockShape    shape_A,
                     const BlockShape    shape_P)
      {
        check_shape(name, "A", shape_A);
        check_shape(name, "P", shape_P);
        if (A.n_rows() > A.n_columns())
          throw InputError(std::string(name) + ": A has " +
                           std::to_string(A.n_rows()) + " block rows and " +
                           std::to_string(A.n_columns()) +
                           " local block columns; it is to be square, with a "
                           "column for each row.");
        if (P.n_rows() != A.n_columns())
          throw InputError(std::string(name) + ": A has " +
                           std::to_string(A.n_columns()) +
                           " block columns on this rank, with ghosts, and P " +
                           std::to_string(P.n_rows()) +
                           " block rows; P needs a row for each.");
      }
    } // namespace

    template <typename Number>
    GalerkinProduct<Number>::GalerkinProduct(const BlockPattern   &A,
                                             const BlockPattern   &P,
                                             const int             fine,
                                             const int             coarse,
                                             const ProductOptions &options)
      : pattern_A(A)
      , pattern_P(P)
      , shape_A{fine, fine}
      , shape_P{fine, coarse}
    {
      check_patterns(A, P, shape_A, shape_P);
      const LocalIndex     n_rows   = A.n_rows();
      const LocalIndex     n_coarse = P.n_columns();
      const CompressedRows a        = compressed_rows(A);
      const CompressedRows p        = compressed_rows(P);

      PatternArrays w        = product_pattern(n_rows, n_coarse, a, p);
      transposed             = transpose_pattern(n_rows, n_coarse, p);
      const CompressedRows r = transposed.pattern.compressed_rows();

      const IndexLayout coarse_rows = local_layout(P.columns(), n_coarse);
      const IndexLayout fine_rows   = local_layout(A.rows(), n_rows);
      pattern_C                     = make_pattern(
        coarse_rows,
        P.columns(),
        product_pattern(n_coarse, n_coarse, r, w.compressed_rows()));

      const CompressedRows c = compressed_rows(pattern_C);
      counted_sizes          = count_sizes(fine,
                                  coarse,
                                  sizeof(Number),
                                  n_rows,
                                  n_coarse,
                                  a,
                                  p,
                                  w.compressed_rows(),
                                  c);
      choice = options.algorithm == ProductAlgorithm::automatic ?
                 choose_algorithm(counted_sizes,
                                  options.memory_limit > 0 ?
                                    options.memory_limit :
                                    available_memory_bytes()) :
                 ProductChoice{options.algorithm, "asked for"};

      const auto make_restriction = [&]() {
        R = BlockMatrix<Number>(make_pattern(coarse_rows,
                                             fine_rows,
                                             transposed.pattern),
                                {coarse, fine});
      };
      switch (choice.algorithm)
        {
          case ProductAlgorithm::two_pass:
          case ProductAlgorithm::tiled:
          case ProductAlgorithm::schedule:
            {
              make_restriction();
              W = BlockMatrix<Number>(
                make_pattern(fine_rows, P.columns(), std::move(w)), shape_P);
              ProductOptions chosen = options;
              chosen.algorithm      = choice.algorithm;
              first                 = std::make_unique<MatrixProduct<Number>>(
                A, shape_A, P, shape_P, W.pattern(), chosen);
              second = std::make_unique<MatrixProduct<Number>>(R.pattern(),
                                                               R.shape(),
                                                               W.pattern(),
                                                               shape_P,
                                                               pattern_C,
                                                               chosen);
              break;
            }

          case ProductAlgorithm::fused_ordered:
            order = coarse_order(options.fused_order, n_coarse, r, c);
            make_restriction();
            break;

          case ProductAlgorithm::fused:
            make_restriction();
            break;

          case ProductAlgorithm::outer_product:
            {
              const TransposedPattern transposed_A =
                transpose_pattern(n_rows, A.n_columns(), a);
              W = BlockMatrix<Number>(
                make_pattern(
                  local_layout(A.columns(), A.n_columns()),
                  P.columns(),
                  product_pattern(A.n_columns(),
                                  n_coarse,
                                  transposed_A.pattern.compressed_rows(),
                                  p)),
                shape_P);
              break;
            }

          default:
            positions = make_positions(n_rows,
                                       n_coarse,
                                       a,
                                       p,
                                       w.compressed_rows(),
                                       counted_sizes.position_bytes_W);
            coarse_positions =
              make_coarse_positions(n_rows,
                                    n_coarse,
                                    p,
                                    transposed,
                                    w.compressed_rows(),
                                    c,
                                    counted_sizes.n_products_C,
                                    counted_sizes.position_bytes_C);
            row_lengths.resize(n_rows);
            for (LocalIndex i = 0; i < n_rows; ++i)
              row_lengths[i] = w.row_begin[i + 1] - w.row_begin[i];
            scratch.resize(
              position_kernel_scratch(longest_row(n_rows, w.compressed_rows()),
                                      fine));
        }

      // R has the pattern now, and only its values are refreshed.
      transposed.pattern = PatternArrays();
      if (R.pattern().n_blocks() == 0)
        transposed = TransposedPattern();
    }

    template <typename Number>
    const BlockPattern &
    GalerkinProduct<Number>::pattern() const
    {
      return pattern_C;
    }

    template <typename Number>
    BlockShape
    GalerkinProduct<Number>::shape() const
    {
      return {shape_P.columns, shape_P.columns};
    }

    template <typename Number>
    ProductAlgorithm
    GalerkinProduct<Number>::algorithm() const
    {
      return choice.algorithm;
    }

    template <typename Number>
    std::string
    GalerkinProduct<Number>::description() const
    {
      return to_string(choice.algorithm) + " (" + choice.reason + ")";
    }

    template <typename Number>
    const ProductSizes &
    GalerkinProduct<Number>::sizes() const
    {
      return counted_sizes;
    }

    template <typename Number>
    ProductTraffic
    GalerkinProduct<Number>::traffic() const
    {
      return sparse::traffic(counted_sizes, choice.algorithm);
    }

    template <typename Number>
    void
    GalerkinProduct<Number>::refresh_restriction(const BlockMatrix<Number> &P)
    {
      if (state_of_R == P.state())
        return;
      transpose_values(transposed,
                       R.shape().rows,
                       R.shape().columns,
                       P.values(),
                       R.values_to_write());
      state_of_R = P.state();
    }

    template <typename Number>
    void
    GalerkinProduct<Number>::multiply(const BlockMatrix<Number> &A,
                                      const BlockMatrix<Number> &P,
                                      BlockMatrix<Number>       &A_c)
    {
      check_operand(name, "A", A.pattern(), A.shape(), pattern_A, shape_A);
      check_operand(name, "P", P.pattern(), P.shape(), pattern_P, shape_P);
      check_operand(
        name, "A_c", A_c.pattern(), A_c.shape(), pattern_C, shape());

      const int            fine     = shape_P.rows;
      const int            coarse   = shape_P.columns;
      const LocalIndex     n_rows   = pattern_A.n_rows();
      const LocalIndex     n_coarse = pattern_P.n_columns();
      const CompressedRows c        = compressed_rows(pattern_C);
      switch (choice.algorithm)
        {
          case ProductAlgorithm::two_pass:
          case ProductAlgorithm::tiled:
          case ProductAlgorithm::schedule:
            refresh_restriction(P);
            first->multiply(A, P, W);
            second->multiply(R, W, A_c);
            break;

          case ProductAlgorithm::fused:
          case ProductAlgorithm::fused_ordered:
            refresh_restriction(P);
            TESSERA_CALL_SIMD(
              multiply_fused(fine,
                             coarse,
                             n_coarse,
                             order.empty() ? nullptr : order.data(),
                             compressed_blocks(R),
                             compressed_blocks(A),
                             compressed_blocks(P),
                             c,
                             A_c.values_to_write()));
            break;

          case ProductAlgorithm::outer_product:
            {
              const CompressedRows w        = compressed_rows(W.pattern());
              Number *const        w_values = W.values_to_write();
              TESSERA_CALL_SIMD(
                multiply_transposed(ProductShape{fine, fine, coarse},
                                    n_rows,
                                    compressed_blocks(A),
                                    compressed_blocks(P),
                                    W.pattern().n_rows(),
                                    w,
                                    w_values));
              TESSERA_CALL_SIMD(
                multiply_transposed(ProductShape{coarse, fine, coarse},
                                    W.pattern().n_rows(),
                                    compressed_blocks(W),
                                    compressed_blocks(P),
                                    n_coarse,
                                    c,
                                    A_c.values_to_write()));
              break;
            }

          default:
            multiply_at_positions(A, P, A_c.values_to_write());
        }
    }

    template <typename Number>
    void
    GalerkinProduct<Number>::multiply_at_positions(const BlockMatrix<Number> &A,
                                                   const BlockMatrix<Number> &P,
                                                   Number                    *c)
    {
      const CompressedBlocks<Number> a             = compressed_blocks(A);
      const CompressedBlocks<Number> p             = compressed_blocks(P);
      const auto                     multiply_with = [&](const auto *position,
                                     const auto *coarse_position) {
        TESSERA_CALL_SIMD(galerkin_by_positions(shape_P.rows,
                                                shape_P.columns,
                                                pattern_A.n_rows(),
                                                pattern_P.n_columns(),
                                                a,
                                                p,
                                                row_lengths.data(),
                                                position,
                                                coarse_position,
                                                pattern_C.row_begin(),
                                                scratch.data(),
                                                c));
      };
      using Byte = std::uint8_t;
      using Word = std::uint16_t;
      using Long = std::uint32_t;
      if (coarse_positions.bytes_of_position() == 1)
        multiply_with(positions.as<Byte>(), coarse_positions.as<Byte>());
      else if (positions.bytes_of_position() == 1)
        multiply_with(positions.as<Byte>(), coarse_positions.as<Word>());
      else if (positions.bytes_of_position() == 2)
        multiply_with(positions.as<Word>(), coarse_positions.as<Word>());
      else
        multiply_with(positions.as<Long>(), coarse_positions.as<Long>());
    }

    template <typename Number>
    std::size_t
    GalerkinProduct<Number>::memory_consumption() const
    {
      std::size_t bytes =
        transposed.memory_consumption() + R.memory_consumption() +
        W.memory_consumption() + order.capacity() * sizeof(order[0]) +
        row_lengths.capacity() * sizeof(row_lengths[0]) +
        positions.memory_consumption() + coarse_positions.memory_consumption() +
        scratch.size_in_bytes();
      for (const auto *product : {first.get(), second.get()})
        if (product != nullptr)
          bytes += product->memory_consumption();
      return bytes;
    }

    template class GalerkinProduct<float>;
    template class GalerkinProduct<double>;
  } // namespace sparse
} // namespace tessera
