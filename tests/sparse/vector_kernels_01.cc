// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernels of all instruction sets give the bits that plain loops give, for all
// shapes, long rows, and lists of rows.
#include <tessera/base/instruction_set.h>
#include <tessera/sparse/vector_kernels.h>

#include <limits>

#include "check.h"
#include "random_matrices.h"
#include "reference_products.h"

namespace tessera
{
  namespace sparse
  {
    template <typename T>
    struct KernelResults
    {
      std::vector<T> set, add, subtract, transposed, d, x, scaled, copied;
    };

    template <typename T>
    KernelResults<T>
    run_kernels(const InstructionSet           set,
                const BlockMatrix<T>          &A,
                const std::vector<T>          &x,
                const std::vector<T>          &b,
                const std::vector<T>          &M,
                const std::vector<LocalIndex> &rows)
    {
      const T             nan     = std::numeric_limits<T>::quiet_NaN();
      const BlockPattern &pattern = A.pattern();
      BlockRows<T>        all     = {A.shape(),
                                     A.values(),
                                     pattern.column_indices(),
                                     pattern.row_begin(),
                                     pattern.row_begin() + 1,
                                     nullptr,
                                     pattern.n_rows()};
      BlockRows<T>        some    = all;
      some.rows                   = rows.data();
      some.n_rows                 = static_cast<LocalIndex>(rows.size());

      KernelResults<T> result;
      result.set.assign(b.size(), nan);
      TESSERA_CALL_SIMD_FOR(set,
                            multiply_rows<T>(all,
                                             x.data(),
                                             RowUpdate::set,
                                             nullptr,
                                             result.set.data()));
      result.add = b;
      TESSERA_CALL_SIMD_FOR(set,
                            multiply_rows<T>(some,
                                             x.data(),
                                             RowUpdate::add,
                                             b.data(),
                                             result.add.data()));
      result.subtract.assign(b.size(), nan);
      TESSERA_CALL_SIMD_FOR(set,
                            multiply_rows<T>(all,
                                             x.data(),
                                             RowUpdate::subtract,
                                             b.data(),
                                             result.subtract.data()));
      result.transposed.assign(x.size(), T(0));
      TESSERA_CALL_SIMD_FOR(
        set,
        multiply_rows_transposed<T>(some, b.data(), result.transposed.data()));
      if (A.shape().rows == A.shape().columns)
        {
          result.d = b;
          result.x.assign(b.size(), nan);
          const ChebyshevData<T> data = {M.data(),
                                         b.data(),
                                         x.data(),
                                         result.d.data(),
                                         result.x.data(),
                                         T(0.25),
                                         T(0.7)};
          TESSERA_CALL_SIMD_FOR(
            set, chebyshev_rows<T>(all, pattern.row_begin() + 1, data));
          result.scaled.assign(b.size(), nan);
          result.copied.assign(b.size(), nan);
          TESSERA_CALL_SIMD_FOR(
            set,
            multiply_diagonal_rows<T>(A.shape().rows,
                                      pattern.n_rows(),
                                      M.data(),
                                      T(0.7),
                                      b.data(),
                                      result.scaled.data(),
                                      result.copied.data()));
        }
      return result;
    }
  } // namespace sparse
} // namespace tessera

namespace
{
  using namespace sparse_test;

  template <typename T>
  std::vector<T>
  random_numbers(std::mt19937 &random, const std::size_t n)
  {
    std::vector<T> result;
    for (const double x : random_values(random, n))
      result.push_back(static_cast<T>(x));
    return result;
  }

  /** By plain loops, in the promised order. */
  template <typename T>
  KernelResults<T>
  reference(const BlockMatrix<T>          &A,
            const std::vector<T>          &x,
            const std::vector<T>          &b,
            const std::vector<T>          &M,
            const std::vector<LocalIndex> &rows)
  {
    const BlockPattern &pattern = A.pattern();
    const int           R = A.shape().rows, C = A.shape().columns;
    KernelResults<T>    result;
    result.add = b;
    result.transposed.assign(x.size(), T(0));
    for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
      {
        const std::vector<T> s = row_sum(A,
                                         pattern.row_begin()[i],
                                         pattern.row_begin()[i + 1],
                                         x.data());
        std::vector<T>       r;
        for (int e = 0; e < R; ++e)
          {
            r.push_back(b[i * R + e] - s[e]);
            result.set.push_back(s[e]);
            result.subtract.push_back(r.back());
          }
        if (R == C)
          {
            const std::vector<T> z = block_product(M.data() + i * R * R, r);
            const std::vector<T> m =
              block_product(M.data() + i * R * R,
                            std::vector<T>(b.begin() + i * R,
                                           b.begin() + (i + 1) * R));
            for (int e = 0; e < R; ++e)
              {
                result.d.push_back(
                  std::fma(T(0.25), b[i * R + e], T(0.7) * z[e]));
                result.x.push_back(x[i * R + e] + result.d.back());
                result.scaled.push_back(T(0.7) * m[e]);
                result.copied.push_back(T(0.7) * m[e]);
              }
          }
      }
    for (const LocalIndex i : rows)
      {
        for (int e = 0; e < R; ++e)
          result.add[i * R + e] = b[i * R + e] + result.set[i * R + e];
        for (std::int64_t k = pattern.row_begin()[i];
             k < pattern.row_begin()[i + 1];
             ++k)
          for (int c = 0; c < C; ++c)
            for (int e = 0; e < R; ++e)
              {
                T &y = result.transposed[pattern.column_indices()[k] * C + c];
                y    = std::fma(A.block(k)[e * C + c], b[i * R + e], y);
              }
      }
    return result;
  }

  template <typename T>
  void
  test_shape(const BlockShape shape)
  {
    std::mt19937         random(10 * shape.rows + shape.columns);
    const std::uint64_t  n = 40, m = 40;
    const GlobalMatrix   matrix = random_matrix(random, n, m, shape);
    const Communicator   alone;
    const BlockMatrix<T> A = distribute<T>(alone, matrix, {n}, {m});
    const std::vector<T> x = random_numbers<T>(random, m * shape.columns);
    const std::vector<T> b = random_numbers<T>(random, n * shape.rows);
    const std::vector<T> M =
      random_numbers<T>(random, n * shape.rows * shape.rows);
    const std::vector<LocalIndex> rows = {0, 3, 4, 17, 38, 39};

    const KernelResults<T> expected = reference(A, x, b, M, rows);
    for (const InstructionSet set : available_instruction_sets())
      {
        const KernelResults<T> found = run_kernels(set, A, x, b, M, rows);
        CHECK(found.set == expected.set);
        CHECK(found.add == expected.add);
        CHECK(found.subtract == expected.subtract);
        CHECK(found.transposed == expected.transposed);
        CHECK(found.d == expected.d);
        CHECK(found.x == expected.x);
        CHECK(found.scaled == expected.scaled);
        CHECK(found.copied == expected.copied);
      }
  }
} // namespace

int
main()
{
  for (int rows = 1; rows <= max_block_size; ++rows)
    for (int columns = 1; columns <= max_block_size; ++columns)
      {
        test_shape<double>({rows, columns});
        test_shape<float>({rows, columns});
      }
  return check::result();
}
