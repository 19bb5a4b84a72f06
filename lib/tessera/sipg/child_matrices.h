// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_child_matrices_h
#define tessera_sipg_child_matrices_h

#include <tessera/base/lanes.h>
#include <tessera/sipg/tensor_contractions.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** $P_c$ of each of dim axes for the child c in each lane: lanes are
       * groups of 2^dim children one after the other. */
      template <int dim, int n, typename L>
      class ChildMatrices
      {
      public:
        using T = typename L::T;
        using V = typename L::V;

        TESSERA_ALWAYS_INLINE
        explicit ChildMatrices(const T *child_matrices)
        {
          for (int a = 0; a < dim; ++a)
            {
              for (int i = 0; i < n * n; ++i)
                {
                  T values[L::width];
                  for (int l = 0; l < L::width; ++l)
                    values[l] = child_matrices[((l >> a) & 1) * n * n + i];
                  entries[a][i] = L::load(values);
                }
              matrices[a].entries = entries[a];
            }
        }

        ChildMatrices(const ChildMatrices &) = delete;

        LaneMatrix<L, n> matrices[dim];

      private:
        V entries[dim][n * n];
      };
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera

#endif
