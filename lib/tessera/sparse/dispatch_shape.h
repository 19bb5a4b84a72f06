// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_dispatch_shape_h
#define tessera_sparse_dispatch_shape_h

#include <tessera/base/macros.h>
#include <tessera/sparse/block_shape.h>

namespace tessera
{
  namespace sparse
  {
    /** A shape that the compiler knows. */
    template <int n_rows, int n_columns>
    struct FixedShape
    {
      static constexpr bool is_fixed    = true;
      static constexpr int  max_rows    = n_rows;
      static constexpr int  max_columns = n_columns;

      TESSERA_ALWAYS_INLINE static constexpr int
      rows()
      {
        return n_rows;
      }

      TESSERA_ALWAYS_INLINE static constexpr int
      columns()
      {
        return n_columns;
      }
    };

    /** Any shape. Loops have the same order as for a FixedShape, so that both
     * give the same bits. */
    struct AnyShape
    {
      static constexpr bool is_fixed    = false;
      static constexpr int  max_rows    = max_block_size;
      static constexpr int  max_columns = max_block_size;

      BlockShape shape;

      TESSERA_ALWAYS_INLINE int
      rows() const
      {
        return shape.rows;
      }

      TESSERA_ALWAYS_INLINE int
      columns() const
      {
        return shape.columns;
      }
    };

    /** Call f(FixedShape) for the shapes that occur in multigrid for scalar
     * problems, and for elasticity in two and three dimensions, and f(AnyShape)
     * for others. */
    template <typename F>
    TESSERA_ALWAYS_INLINE void
    dispatch_shape(const BlockShape shape, const F &f)
    {
      switch (10 * shape.rows + shape.columns)
        {
          case 11:
            return f(FixedShape<1, 1>());
          case 22:
            return f(FixedShape<2, 2>());
          case 23:
            return f(FixedShape<2, 3>());
          case 32:
            return f(FixedShape<3, 2>());
          case 33:
            return f(FixedShape<3, 3>());
          case 36:
            return f(FixedShape<3, 6>());
          case 63:
            return f(FixedShape<6, 3>());
          case 66:
            return f(FixedShape<6, 6>());
          default:
            return f(AnyShape{shape});
        }
    }

    /** The same for square blocks only, which spares code for the others. */
    template <typename F>
    TESSERA_ALWAYS_INLINE void
    dispatch_square_shape(const int size, const F &f)
    {
      switch (size)
        {
          case 1:
            return f(FixedShape<1, 1>());
          case 2:
            return f(FixedShape<2, 2>());
          case 3:
            return f(FixedShape<3, 3>());
          case 6:
            return f(FixedShape<6, 6>());
          default:
            return f(AnyShape{BlockShape{size, size}});
        }
    }
  } // namespace sparse
} // namespace tessera

#endif
