// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_cached_positions_h
#define tessera_sparse_product_cached_positions_h

#include <tessera/base/aligned_vector.h>
#include <tessera/sparse/product/product_patterns.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    /** Bytes of a position in rows of up to max_length blocks: 1, 2 or 4. */
    int
    bytes_of_position(std::size_t max_length);

    /** The length of the longest of n_rows rows. */
    std::size_t
    longest_row(std::int32_t n_rows, const CompressedRows &pattern);

    /** Positions in rows of a matrix, in the narrowest integers that hold
     * them. */
    class CachedPositions
    {
    public:
      CachedPositions() = default;

      /** n zeros of 1, 2 or 4 bytes. */
      CachedPositions(std::size_t n, int bytes_of_position);

      int
      bytes_of_position() const
      {
        return bytes;
      }

      void
      set(const std::size_t n, const std::uint32_t position)
      {
        if (bytes == 1)
          data[n] = std::uint8_t(position);
        else if (bytes == 2)
          reinterpret_cast<std::uint16_t *>(data.data())[n] =
            std::uint16_t(position);
        else
          reinterpret_cast<std::uint32_t *>(data.data())[n] = position;
      }

      /** Position is the type of as many bytes. */
      template <typename Position>
      const Position *
      as() const
      {
        TESSERA_ASSERT(sizeof(Position) == std::size_t(bytes), "wrong type");
        return reinterpret_cast<const Position *>(data.data());
      }

      std::size_t
      memory_consumption() const
      {
        return data.size_in_bytes();
      }

    private:
      int                         bytes = 1;
      AlignedVector<std::uint8_t> data;
    };

    /** For each product of an entry of A and one of B, in the order of rows of
     * A, its columns, columns of B: the position in the row of C = A B, which
     * has n_columns columns. bytes: see bytes_of_position(). */
    CachedPositions
    make_positions(std::int32_t          n_rows,
                   std::int32_t          n_columns,
                   const CompressedRows &A,
                   const CompressedRows &B,
                   const CompressedRows &C,
                   int                   bytes);

    /** For each product of an entry (i, I) of P and one of row i of W, in this
     * order: the position in row I of C = P^T W.
     * @param[in] R The transposed pattern of P, restricted to the n_rows rows
     * of W.
     * @param[in] n_products Their number. */
    CachedPositions
    make_coarse_positions(std::int32_t             n_rows,
                          std::int32_t             n_coarse_rows,
                          const CompressedRows    &P,
                          const TransposedPattern &R,
                          const CompressedRows    &W,
                          const CompressedRows    &C,
                          std::size_t              n_products,
                          int                      bytes);
  } // namespace sparse
} // namespace tessera

#endif
