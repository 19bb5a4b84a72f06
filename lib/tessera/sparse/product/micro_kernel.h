// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_micro_kernel_h
#define tessera_sparse_product_micro_kernel_h

#include <tessera/base/lanes.h>
#include <tessera/base/macros.h>
#include <tessera/sparse/product/product_shape.h>

namespace tessera
{
  namespace sparse
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      /** f(0), ..., f(n-1), unrolled if n > 0; else f(0), ..., f(m-1). */
      template <int n, typename F>
      TESSERA_ALWAYS_INLINE void
      for_each_index([[maybe_unused]] const int m, const F &f)
      {
        if constexpr (n > 0)
          {
            TESSERA_UNROLL
            for (int i = 0; i < n; ++i)
              f(i);
          }
        else
          for (int i = 0; i < m; ++i)
            f(i);
      }

      /** Lanes for a row of n numbers, n = 0 standing for any number up to 6.
       */
      constexpr int
      lanes_of_row(const int n)
      {
        return n == 1 ? 1 : n == 2 ? 2 : n == 3 || n == 4 ? 4 : 8;
      }

      /**
       * The product of blocks that all algorithms are made of: $c \leftarrow c
       * + a b$ with a of R x K, b of K x N and c of R x N numbers.
       *
       * Lanes hold a row of c or b. Each entry of c is a chain of fused
       * multiply-adds in ascending order of the inner index, whatever the
       * algorithm, the instruction set, and the way in which a is stored: lanes
       * never meet. R = K = N = 0 stands for sizes known at run time.
       */
      template <typename Number, int R, int K, int N>
      class MicroKernel
      {
      public:
        static_assert((R == 0) == (K == 0) && (R == 0) == (N == 0),
                      "All sizes or none are known.");

        static constexpr int max_rows  = R > 0 ? R : 6;
        static constexpr int max_inner = K > 0 ? K : 6;
        static constexpr int width     = lanes_of_row(N);

        /** Numbers of a block b; 0 where they are known at run time only. */
        static constexpr int fixed_size_of_right = K * N;

        using L = tessera::TESSERA_SIMD_NAMESPACE::Lanes<Number, width>;
        using V = typename L::V;

        /** A block c. */
        struct Result
        {
          V row[max_rows];
        };

        /** A block b. */
        struct Right
        {
          V row[max_inner];
        };

        TESSERA_ALWAYS_INLINE explicit MicroKernel(const ProductShape sizes)
          : shape(sizes)
        {}

        TESSERA_ALWAYS_INLINE int
        rows() const
        {
          return R > 0 ? R : shape.rows;
        }

        TESSERA_ALWAYS_INLINE int
        inner() const
        {
          return K > 0 ? K : shape.inner;
        }

        TESSERA_ALWAYS_INLINE int
        columns() const
        {
          return N > 0 ? N : shape.columns;
        }

        /** Numbers of a block c in scratch memory, with rows padded. */
        TESSERA_ALWAYS_INLINE int
        padded_size() const
        {
          return rows() * width;
        }

        TESSERA_ALWAYS_INLINE void
        set_zero(Result &c) const
        {
          for_each_index<R>(rows(), [&](const int r) { c.row[r] = L::zero(); });
        }

        TESSERA_ALWAYS_INLINE void
        load(Result &c, const Number *values) const
        {
          for_each_index<R>(rows(), [&](const int r) {
            c.row[r] = load_row(values + r * columns());
          });
        }

        TESSERA_ALWAYS_INLINE void
        store(Number *values, const Result &c) const
        {
          for_each_index<R>(rows(), [&](const int r) {
            store_row(values + r * columns(), c.row[r]);
          });
        }

        TESSERA_ALWAYS_INLINE void
        load_padded(Result &c, const Number *values) const
        {
          for_each_index<R>(rows(), [&](const int r) {
            c.row[r] = L::load(values + r * width);
          });
        }

        TESSERA_ALWAYS_INLINE void
        store_padded(Number *values, const Result &c) const
        {
          for_each_index<R>(rows(), [&](const int r) {
            L::store(values + r * width, c.row[r]);
          });
        }

        TESSERA_ALWAYS_INLINE void
        load(Right &b, const Number *values) const
        {
          for_each_index<K>(inner(), [&](const int k) {
            b.row[k] = load_row(values + k * columns());
          });
        }

        TESSERA_ALWAYS_INLINE void
        load_padded(Right &b, const Number *values) const
        {
          for_each_index<K>(inner(), [&](const int k) {
            b.row[k] = L::load(values + k * width);
          });
        }

        /**
         * A block a, stored as it is or as its transpose. Small ones are
         * broadcast when it is constructed, so that they stay in registers
         * while they meet several b; of others, it remembers the address.
         */
        template <bool transposed>
        class Left
        {
        public:
          static constexpr bool in_registers = R > 0 && R *K <= 18;

          TESSERA_ALWAYS_INLINE
          Left(const MicroKernel &kernel, const Number *a)
            : values(a)
            , row_stride(transposed ? 1 : kernel.inner())
            , column_stride(transposed ? kernel.rows() : 1)
          {
            if constexpr (in_registers)
              for_each_index<K>(K, [&](const int k) {
                for_each_index<R>(R, [&](const int r) {
                  entries[r * K + k] = L::set(value(r, k));
                });
              });
          }

          TESSERA_ALWAYS_INLINE V
          operator()(const int r, const int k) const
          {
            if constexpr (in_registers)
              return entries[r * K + k];
            else
              return L::set(value(r, k));
          }

        private:
          TESSERA_ALWAYS_INLINE Number
          value(const int r, const int k) const
          {
            // The strides of fixed shapes are known at compile time.
            if constexpr (R > 0)
              return values[transposed ? r + k * R : r * K + k];
            else
              return values[r * row_stride + k * column_stride];
          }

          const Number *values;
          int           row_stride;
          int           column_stride;
          V             entries[in_registers ? R * K : 1];
        };

        template <bool transposed>
        TESSERA_ALWAYS_INLINE void
        multiply_add(Result &c, const Left<transposed> &a, const Right &b) const
        {
          for_each_index<K>(inner(), [&](const int k) {
            for_each_index<R>(rows(), [&](const int r) {
              c.row[r] = L::fma(a(r, k), b.row[k], c.row[r]);
            });
          });
        }

      private:
        TESSERA_ALWAYS_INLINE V
        load_row(const Number *values) const
        {
          if constexpr (N == width)
            return L::load(values);
          else
            return L::load_partial(values, columns());
        }

        TESSERA_ALWAYS_INLINE void
        store_row(Number *values, const V row) const
        {
          if constexpr (N == width)
            L::store(values, row);
          else
            L::store_partial(values, row, columns());
        }

        ProductShape shape;
      };

      /**
       * Call f(kernel) with the MicroKernel of a shape: one of fixed sizes for
       * those of matrices with 1, 2, 3 and 6 unknowns a node and of products
       * with their prolongators.
       */
      template <typename Number, typename F>
      TESSERA_ALWAYS_INLINE void
      with_micro_kernel(const ProductShape shape, const F &f)
      {
        const int key = 100 * shape.rows + 10 * shape.inner + shape.columns;
        switch (key)
          {
            case 111:
              return f(MicroKernel<Number, 1, 1, 1>(shape));
            case 222:
              return f(MicroKernel<Number, 2, 2, 2>(shape));
            case 223:
              return f(MicroKernel<Number, 2, 2, 3>(shape));
            case 323:
              return f(MicroKernel<Number, 3, 2, 3>(shape));
            case 333:
              return f(MicroKernel<Number, 3, 3, 3>(shape));
            case 336:
              return f(MicroKernel<Number, 3, 3, 6>(shape));
            case 636:
              return f(MicroKernel<Number, 6, 3, 6>(shape));
            case 666:
              return f(MicroKernel<Number, 6, 6, 6>(shape));
            default:
              return f(MicroKernel<Number, 0, 0, 0>(shape));
          }
      }

      /** Sizes of the blocks of a Galerkin product, A of B x B, P of B x Q; 0:
       * known at run time. */
      template <int B, int Q>
      struct GalerkinSizes
      {
        static constexpr int fine   = B;
        static constexpr int coarse = Q;
      };

      /** Call f(GalerkinSizes) for the sizes of the blocks of P. */
      template <typename F>
      TESSERA_ALWAYS_INLINE void
      with_galerkin_sizes(const int fine, const int coarse, const F &f)
      {
        switch (10 * fine + coarse)
          {
            case 11:
              return f(GalerkinSizes<1, 1>());
            case 22:
              return f(GalerkinSizes<2, 2>());
            case 23:
              return f(GalerkinSizes<2, 3>());
            case 33:
              return f(GalerkinSizes<3, 3>());
            case 36:
              return f(GalerkinSizes<3, 6>());
            case 66:
              return f(GalerkinSizes<6, 6>());
            default:
              return f(GalerkinSizes<0, 0>());
          }
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sparse
} // namespace tessera

#endif
