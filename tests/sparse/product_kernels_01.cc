// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernels of products give the same bits for all instruction sets of this
// machine, for all shapes of blocks and all widths of positions.
#include <tessera/sparse/product/cached_positions.h>
#include <tessera/sparse/product/contribution_lists.h>
#include <tessera/sparse/product/position_kernels.h>
#include <tessera/sparse/product/row_kernels.h>
#include <tessera/sparse/product/schedule_kernels.h>

#include <functional>
#include <string>

#include "check.h"
#include "product_problem.h"

namespace tessera
{
  namespace sparse
  {
    using namespace product_problem;

    template <typename Number>
    CompressedBlocks<Number>
    blocks_of(const BlockMatrix<Number> &A)
    {
      return {A.pattern().row_begin(),
              A.pattern().column_indices(),
              A.values()};
    }

    /** Run a kernel on all sets, each into a poisoned result. */
    template <typename Number>
    void
    check_sets(const std::string                                   &what,
               BlockMatrix<Number>                                 &C,
               const std::function<void(InstructionSet, Number *)> &kernel)
    {
      BlockMatrix<Number> expected = C.copy();
      poison(expected);
      kernel(InstructionSet::generic, expected.values_to_write());
      for (const InstructionSet set : available_instruction_sets())
        {
          poison(C);
          kernel(set, C.values_to_write());
          const bool same = same_bits(C, expected);
          check::record(same,
                        (what + " on " + to_string(set)).c_str(),
                        __FILE__,
                        __LINE__);
        }
      for (std::size_t n = 0; n < expected.n_values(); ++n)
        if (!std::isfinite(expected.values()[n]))
          {
            CHECK(!"all entries are written");
            break;
          }
    }

    template <typename Number>
    void
    check_shape(const int fine, const int coarse, std::mt19937 &random)
    {
      const LocalIndex    n = 16, m = 6;
      BlockMatrix<Number> A(make_pattern(random_rows(n, n, .2, random), n),
                            {fine, fine});
      BlockMatrix<Number> P(make_pattern(random_rows(n, m, .3, random), m),
                            {fine, coarse});
      set_random(A, random);
      set_random(P, random);
      const BlockMatrix<Number> R = transpose(P);
      BlockMatrix<Number>       W = multiply(A, P);
      BlockMatrix<Number>       C = multiply(R, W);
      const ProductShape        AP{fine, fine, coarse};
      const auto                a = blocks_of(A), p = blocks_of(P);
      const CompressedRows      w  = compressed_rows(W.pattern());
      const CompressedRows      c  = compressed_rows(C.pattern());
      const CompressedRows      pa = compressed_rows(A.pattern());
      const CompressedRows      pp = compressed_rows(P.pattern());

      check_sets<Number>("rows", W, [&](const auto set, Number *values) {
        TESSERA_CALL_SIMD_FOR(set, multiply_rows(AP, n, a, p, w, values));
      });
      check_sets<Number>("fused", C, [&](const auto set, Number *values) {
        TESSERA_CALL_SIMD_FOR(
          set,
          multiply_fused(
            fine, coarse, m, nullptr, blocks_of(R), a, p, c, values));
      });
      // Rows are computed in the given order: if that is row 2 again and again,
      // the others are left as they are.
      {
        const std::vector<std::int32_t> only(m, 2);
        const BlockMatrix<Number>       all = C.copy();
        poison(C);
        TESSERA_CALL_SIMD(multiply_fused(fine,
                                         coarse,
                                         m,
                                         only.data(),
                                         blocks_of(R),
                                         a,
                                         p,
                                         c,
                                         C.values_to_write()));
        const std::int64_t size  = C.shape().size();
        const std::int64_t first = size * c.row_begin[2];
        const std::int64_t end   = size * c.row_begin[3];
        for (std::int64_t e = 0; e < std::int64_t(C.n_values()); ++e)
          if (e >= first && e < end ? !(C.values()[e] == all.values()[e]) :
                                      !std::isnan(C.values()[e]))
            {
              CHECK(!"only row 2 is written");
              break;
            }
        CHECK(end > first);
      }

      const BlockMatrix<Number> W_transposed = multiply(transpose(A), P);
      check_sets<Number>(
        "outer products", C, [&](const auto set, Number *values) {
          TESSERA_CALL_SIMD_FOR(
            set,
            multiply_transposed(ProductShape{coarse, fine, coarse},
                                n,
                                blocks_of(W_transposed),
                                p,
                                m,
                                compressed_rows(C.pattern()),
                                values));
        });

      const auto lists = make_contribution_lists(n, m, pa, pp, w);
      check_sets<Number>("lists", W, [&](const auto set, Number *values) {
        TESSERA_CALL_SIMD_FOR(set,
                              multiply_by_lists(AP,
                                                W.pattern().n_blocks(),
                                                lists.begin.data(),
                                                lists.contributions.data(),
                                                a.values,
                                                p.values,
                                                values));
      });
      auto schedule = make_contribution_schedule(lists, 10);
      check_sets<Number>("schedule", W, [&](const auto set, Number *values) {
        TESSERA_CALL_SIMD_FOR(
          set,
          multiply_by_schedule(AP,
                               schedule.tiles.size(),
                               schedule.tiles.data(),
                               schedule.n_contributions.data(),
                               schedule.offsets.data(),
                               a.values,
                               p.values,
                               values));
      });

      const auto transposed = transpose_pattern(n, m, pp);
      const auto n_products = [&] {
        std::size_t count = 0;
        for (LocalIndex i = 0; i < n; ++i)
          count += (pp.row_begin[i + 1] - pp.row_begin[i]) *
                   (w.row_begin[i + 1] - w.row_begin[i]);
        return count;
      }();
      std::vector<std::int32_t> lengths(n);
      for (LocalIndex i = 0; i < n; ++i)
        lengths[i] = w.row_begin[i + 1] - w.row_begin[i];
      AlignedVector<Number> scratch(position_kernel_scratch(m, fine));
      const auto check_positions = [&](auto position, auto coarse_position) {
        using Position          = decltype(position);
        using CoarsePosition    = decltype(coarse_position);
        const std::string bytes = std::to_string(sizeof(Position)) + ", " +
                                  std::to_string(sizeof(CoarsePosition));
        const auto first  = make_positions(n, m, pa, pp, w, sizeof(Position));
        const auto second = make_coarse_positions(
          n, m, pp, transposed, w, c, n_products, sizeof(CoarsePosition));
        check_sets<Number>(
          "positions " + bytes, W, [&](const auto set, Number *values) {
            TESSERA_CALL_SIMD_FOR(
              set,
              multiply_by_positions(AP,
                                    n,
                                    a,
                                    p,
                                    w.row_begin,
                                    first.template as<Position>(),
                                    scratch.data(),
                                    values));
          });
        check_sets<Number>(
          "Galerkin positions " + bytes,
          C,
          [&](const auto set, Number *values) {
            TESSERA_CALL_SIMD_FOR(
              set,
              galerkin_by_positions(fine,
                                    coarse,
                                    n,
                                    m,
                                    a,
                                    p,
                                    lengths.data(),
                                    first.template as<Position>(),
                                    second.template as<CoarsePosition>(),
                                    c.row_begin,
                                    scratch.data(),
                                    values));
          });
      };
      check_positions(std::uint8_t(), std::uint8_t());
      check_positions(std::uint8_t(), std::uint16_t());
      check_positions(std::uint16_t(), std::uint16_t());
      check_positions(std::uint32_t(), std::uint32_t());
    }
  } // namespace sparse
} // namespace tessera

int
main()
{
  std::mt19937 random(8);
  for (int fine = 1; fine <= 6; ++fine)
    for (int coarse = 1; coarse <= 6; ++coarse)
      {
        tessera::sparse::check_shape<float>(fine, coarse, random);
        tessera::sparse::check_shape<double>(fine, coarse, random);
      }
  return check::result();
}
