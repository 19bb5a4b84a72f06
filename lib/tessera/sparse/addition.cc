// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/addition.h>

#include <string>
#include <vector>

namespace tessera
{
  namespace sparse
  {
    namespace
    {
      /** The local columns of A for the ghosts of B, -1 for those A lacks. */
      std::vector<LocalIndex>
      ghosts_in(const IndexLayout &A, const IndexLayout &B)
      {
        std::vector<LocalIndex> result(B.n_ghosts());
        for (LocalIndex g = 0; g < B.n_ghosts(); ++g)
          result[g] = A.local(B.global(B.n_owned() + g));
        return result;
      }

      /** Call f(i, k, l) for each block k of row i of B and its position l in
       * A, or -1 if A lacks it. Both have their columns in the same order. */
      template <typename F>
      void
      for_each_common_block(const BlockPattern            &A,
                            const BlockPattern            &B,
                            const std::vector<LocalIndex> &ghosts,
                            const F                       &f)
      {
        const LocalIndex n_owned = B.columns().n_owned();
        for (LocalIndex i = 0; i < B.n_rows(); ++i)
          {
            std::int64_t       l   = A.row_begin()[i];
            const std::int64_t end = A.row_begin()[i + 1];
            for (std::int64_t k = B.row_begin()[i]; k < B.row_begin()[i + 1];
                 ++k)
              {
                LocalIndex j = B.column_indices()[k];
                if (j >= n_owned)
                  j = ghosts[j - n_owned];
                while (l < end && A.column_indices()[l] < j)
                  ++l;
                f(i, k, l < end && A.column_indices()[l] == j ? l : -1);
              }
          }
      }

      void
      check_subset(const BlockPattern            &A,
                   const BlockShape               shape_of_A,
                   const BlockPattern            &B,
                   const BlockShape               shape_of_B,
                   const std::vector<LocalIndex> &ghosts)
      {
        const auto size = [](const BlockPattern &pattern,
                             const BlockShape    shape) {
          return std::to_string(pattern.rows().n_global()) + " x " +
                 std::to_string(pattern.columns().n_global()) + " blocks of " +
                 std::to_string(shape.rows) + " x " +
                 std::to_string(shape.columns) + " entries";
        };
        if (!(shape_of_A == shape_of_B) || !A.rows().same_owned(B.rows()) ||
            !A.columns().same_owned(B.columns()))
          throw InputError("A matrix of " + size(B, shape_of_B) +
                           " is to be added to one of " + size(A, shape_of_A) +
                           "; these must agree, and be owned alike.");
        for_each_common_block(
          A,
          B,
          ghosts,
          [&](const LocalIndex i, const std::int64_t k, const std::int64_t l) {
            if (l < 0)
              throw InputError(
                "A matrix that is to be added to another has a block in block "
                "row " +
                std::to_string(B.rows().global(i)) + ", block column " +
                std::to_string(B.columns().global(B.column_indices()[k])) +
                ", where the other has none.");
          });
      }
    } // namespace



    template <typename Number>
    void
    add(const Number               alpha,
        const BlockMatrix<Number> &B,
        BlockMatrix<Number>       &A)
    {
      const std::vector<LocalIndex> ghosts =
        ghosts_in(A.pattern().columns(), B.pattern().columns());
      A.pattern().rows().communicator().collectively([&] {
        check_subset(A.pattern(), A.shape(), B.pattern(), B.shape(), ghosts);
      });

      const int           size = A.shape().size();
      const Number *const from = B.values();
      Number *const       to   = A.values_to_write();
      for_each_common_block(A.pattern(),
                            B.pattern(),
                            ghosts,
                            [&](const LocalIndex,
                                const std::int64_t k,
                                const std::int64_t l) {
                              for (int e = 0; e < size; ++e)
                                to[l * size + e] += alpha * from[k * size + e];
                            });
    }



    template void
    add(float, const BlockMatrix<float> &, BlockMatrix<float> &);
    template void
    add(double, const BlockMatrix<double> &, BlockMatrix<double> &);
  } // namespace sparse
} // namespace tessera
