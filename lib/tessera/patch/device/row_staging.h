// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_row_staging_h
#define tessera_patch_device_row_staging_h

#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/layout.h>

#include <type_traits>

namespace tessera
{
  namespace patch
  {
    /**
     * Cells between a contiguous field and the lanes of a warp, one cell a
     * lane, for kernel sources.
     *
     * Lanes that read their own cells would touch 32 places in memory at a
     * time. Instead, consecutive lanes read consecutive pieces of 16 bytes of a
     * row: 128 bytes of a cell, or all of a smaller one. The rows are handed
     * over to the lanes of their cells, and back, through shared memory; one
     * row of each cell in a round, for degree 3 in three dimensions half a cell
     * in float, a quarter in double.
     *
     * Without bank conflicts: accesses of 16 bytes are served by 8 lanes at a
     * time, whose pieces must differ modulo 8. A piece of padding follows every
     * 8 pieces. Lanes that access rows have 8 consecutive pieces that begin
     * behind a padding. Lanes that access their own cells, P pieces each, P =
     * 1, 2, 4 or 8, have pieces with the numbers $P l + \lfloor P l / 8
     * \rfloor + j$, which differ modulo 8 for eight consecutive l. In rows of
     * more pieces (whole cells) the padding follows every P: $(P + 1) l + j$.
     *
     * Cells of a size that is not a multiple of 16 bytes, of degree 2, have an
     * odd number of values: these pass one by one, whole cells in one round, at
     * a stride that is that number.
     *
     * @tparam N Values of a cell.
     * @tparam row_bytes At most.
     */
    template <int N, typename T, int row_bytes = 128>
    class RowStaging
    {
      static constexpr int  n_lanes    = 32;
      static constexpr bool in_vectors = N * sizeof(T) % 16 == 0;

      static_assert(in_vectors || N % 2 == 1,
                    "the stride of single values is odd");

      using Vector =
        std::conditional_t<std::is_same<T, float>::value, float4, double2>;

    public:
      using Piece = std::conditional_t<in_vectors, Vector, T>;

      static constexpr int piece_values = int(sizeof(Piece) / sizeof(T));
      static constexpr int cell_pieces  = N / piece_values;
      static constexpr int row_pieces =
        !in_vectors || cell_pieces * 16 < row_bytes ? cell_pieces :
                                                      row_bytes / 16;
      static constexpr int n_rounds   = cell_pieces / row_pieces;
      static constexpr int row_values = row_pieces * piece_values;

    private:
      static constexpr int padding_stride =
        in_vectors ? (row_pieces > 8 ? row_pieces : 8) : n_lanes * N;

    public:
      /** Of shared memory for a warp. */
      static constexpr int n_shared_pieces =
        n_lanes * row_pieces + n_lanes * row_pieces / padding_stride;

      /** A row of each of the 32 cells, one after the other: [i] is piece
       * 32 i + lane. */
      using Row = Piece[row_pieces];

      /** @param[in] memory n_shared_pieces of them for each warp. */
      __device__ __forceinline__ explicit RowStaging(Piece *memory)
        : lane(int(threadIdx.x % n_lanes))
        , as_rows(memory + with_padding(lane))
        , as_cells(memory + with_padding(lane * row_pieces))
      {
        static_assert(is_free_of_conflicts(),
                      "lanes that are served together access different banks");
      }

      /** Read n rows of each cell.
       * @param[in] cell Of the lane. */
      template <int n>
      __device__ __forceinline__ void
      load(const T                  *field,
           const cellwise::CellIndex cell,
           const int                 first_round,
           Row (&rows)[n]) const
      {
        TESSERA_UNROLL
        for (int i = 0; i < row_pieces; ++i)
          {
            const Piece *const from =
              place(field, __shfl_sync(0xffffffffu, cell, owner(i)), i);
            TESSERA_UNROLL
            for (int round = 0; round < n; ++round)
              rows[round][i] = from[(first_round + round) * row_pieces];
          }
      }

      /** Write a row of each cell.
       * @param[in] cell Of the lane; no_cell: not written. */
      __device__ __forceinline__ void
      store(T                        *field,
            const cellwise::CellIndex cell,
            const int                 round,
            const Row                &row) const
      {
        TESSERA_UNROLL
        for (int i = 0; i < row_pieces; ++i)
          {
            const cellwise::CellIndex c =
              __shfl_sync(0xffffffffu, cell, owner(i));
            if (c != cellwise::no_cell)
              *const_cast<Piece *>(place(field, c, i) + round * row_pieces) =
                row[i];
          }
      }

      /** Hand rows over to the lanes of their cells. */
      __device__ __forceinline__ void
      to_lanes(const Row &row, T *values) const
      {
        TESSERA_UNROLL
        for (int i = 0; i < row_pieces; ++i)
          as_rows[with_padding(i * n_lanes)] = row[i];
        __syncwarp();
        TESSERA_UNROLL
        for (int j = 0; j < row_pieces; ++j)
          unpack(as_cells[j], values + j * piece_values);
        __syncwarp();
      }

      /** And back: to the pieces of the rows. */
      __device__ __forceinline__ void
      to_rows(const T *values, Row &row) const
      {
        TESSERA_UNROLL
        for (int j = 0; j < row_pieces; ++j)
          as_cells[j] = pack(values + j * piece_values, Piece());
        __syncwarp();
        TESSERA_UNROLL
        for (int i = 0; i < row_pieces; ++i)
          row[i] = as_rows[with_padding(i * n_lanes)];
        __syncwarp();
      }

      __device__ __forceinline__ static void
      add(const Piece &a, Piece &b)
      {
        T x[piece_values], y[piece_values];
        unpack(a, x);
        unpack(b, y);
        TESSERA_UNROLL
        for (int i = 0; i < piece_values; ++i)
          y[i] = y[i] + x[i];
        b = pack(y, Piece());
      }

    private:
      /** Where a piece is in shared memory. Pieces before a multiple of
       * padding_stride may be added afterwards. */
      __device__ __forceinline__ static constexpr int
      with_padding(const int piece)
      {
        return piece + piece / padding_stride;
      }

      /** What the description of the class claims: shared memory serves 128
       * bytes at a time. */
      __device__ static constexpr bool
      is_free_of_conflicts()
      {
        constexpr int n_together = int(128 / sizeof(Piece));
        for (int first = 0; first < n_lanes; first += n_together)
          for (int i = 0; i < row_pieces; ++i)
            {
              bool in_rows[n_together] = {}, in_cells[n_together] = {};
              for (int l = first; l < first + n_together; ++l)
                {
                  const int row_piece =
                    with_padding(i * n_lanes) + with_padding(l);
                  const int cell_piece = with_padding(l * row_pieces) + i;
                  if (in_rows[row_piece % n_together] ||
                      in_cells[cell_piece % n_together])
                    return false;
                  in_rows[row_piece % n_together]   = true;
                  in_cells[cell_piece % n_together] = true;
                }
            }
        return true;
      }

      /** The lane of the cell of which this lane has piece i. */
      __device__ __forceinline__ int
      owner(const int i) const
      {
        return (i * n_lanes + lane) / row_pieces;
      }

      __device__ __forceinline__ const Piece *
      place(const T *field, const cellwise::CellIndex cell, const int i) const
      {
        return reinterpret_cast<const Piece *>(field + std::size_t(cell) * N) +
               (i * n_lanes + lane) % row_pieces;
      }

      __device__ __forceinline__ static void
      unpack(const float4 &v, T *values)
      {
        values[0] = v.x;
        values[1] = v.y;
        values[2] = v.z;
        values[3] = v.w;
      }

      __device__ __forceinline__ static void
      unpack(const double2 &v, T *values)
      {
        values[0] = v.x;
        values[1] = v.y;
      }

      __device__ __forceinline__ static void
      unpack(const T &v, T *values)
      {
        values[0] = v;
      }

      __device__ __forceinline__ static float4
      pack(const T *values, const float4 &)
      {
        return make_float4(values[0], values[1], values[2], values[3]);
      }

      __device__ __forceinline__ static double2
      pack(const T *values, const double2 &)
      {
        return make_double2(values[0], values[1]);
      }

      __device__ __forceinline__ static T
      pack(const T *values, const T &)
      {
        return values[0];
      }

      const int    lane;
      Piece *const as_rows;
      Piece *const as_cells;
    };
  } // namespace patch
} // namespace tessera

#endif
