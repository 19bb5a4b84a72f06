// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes.h>
#include <tessera/cellwise/cell_lanes.h>
#include <tessera/cellwise/summation_kernels.h>

namespace tessera
{
  namespace cellwise
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      using namespace tessera::TESSERA_SIMD_NAMESPACE;

      namespace
      {
        constexpr int B = cells_per_block;

        /** The cells of a block, one a lane. */
        using Block = Lanes<double, B>;

        /** a_i, b_i <- factor (a_i + b_i), i < n < 2W. */
        template <int W>
        TESSERA_ALWAYS_INLINE void
        combine(double *a, double *b, const int n, const double factor)
        {
          using L = Lanes<double, W>;
          if (n & W)
            {
              const typename L::V c =
                L::set(factor) * (L::load(a) + L::load(b));
              L::store(a, c);
              L::store(b, c);
              a += W;
              b += W;
            }
          if constexpr (W > 1)
            combine<W / 2>(a, b, n, factor);
        }

        /** The first of the values of a cell. */
        TESSERA_ALWAYS_INLINE double *
        values(double *r, const CellIndex cell, const int n_nodes)
        {
          return r + std::size_t(cell / B) * n_nodes * B + cell % B;
        }

        TESSERA_ALWAYS_INLINE int
        minimum(const int a, const int b)
        {
          return a < b ? a : b;
        }
      } // namespace



      void
      combine_copies(double           *r,
                     const int         n_nodes,
                     const double      factor,
                     const CellPairs  *pairs,
                     const std::size_t n_pairs,
                     const FaceNodes  *faces)
      {
        for (const CellPairs *p = pairs; p != pairs + n_pairs; ++p)
          {
            const FaceNodes &face = faces[p->axis];
            for (CellIndex i = 0; i < p->length;)
              {
                // As many as are neighbours in memory on both sides.
                const CellIndex lower = p->lower + i, upper = p->upper + i;
                const int       n =
                  minimum(p->length - i, minimum(B - lower % B, B - upper % B));
                double *a = values(r, lower, n_nodes) + face.distance * B;
                double *b = values(r, upper, n_nodes);
                for (int k = 0; k < face.n; ++k)
                  {
                    prefetch<Block>(a + (face.lower[k] + n_nodes) * B -
                                    lower % B);
                    prefetch<Block>(b + (face.lower[k] + n_nodes) * B -
                                    upper % B);
                    combine<B>(a + face.lower[k] * B,
                               b + face.lower[k] * B,
                               n,
                               factor);
                  }
                i += n;
              }
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace cellwise
} // namespace tessera
