// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/macros.h>
#include <tessera/patch/device/coarse_launchers.h>

#include <cstddef>
#include <utility>

namespace tessera
{
  namespace patch
  {
    using on_device::CoarseMatrices;

    namespace
    {
      // A block computes a tile of so many rows and columns of a product; the
      // factors come to shared memory by as many terms. A thread has every
      // n_groups-th entry of a row or column of the tile.
      constexpr int tile      = 32;
      constexpr int n_groups  = 8;
      constexpr int n_threads = tile * n_groups;
      constexpr int n_entries = tile / n_groups;

      /** C = A B: A is n_rows x n_terms, row-major, in device memory; B and C
       * have n_columns columns. */
      struct Product
      {
        const double *A;
        int           n_rows;
        int           n_terms;
        int           n_columns;
      };

      /**
       * A tensor [after][n][before], as the matrix whose columns are its lines
       * of n values along an axis, in the order of memory.
       */
      struct TensorLines
      {
        double *values;
        int     n;
        int     before;

        __device__ __forceinline__ double &
        entry(const int i, const int column) const
        {
          return values[(std::size_t(column / before) * n + i) * before +
                        column % before];
        }

        __device__ __forceinline__ double
        load(const int i, const int column) const
        {
          return entry(i, column);
        }

        __device__ __forceinline__ void
        store(const int i, const int column, const double value) const
        {
          entry(i, column) = value;
        }
      };

      /** Lines along the last axis, which are divided by the eigenvalues of the
       * box when they are stored. */
      template <int dim>
      struct LinesToDivide
      {
        CoarseMatrices<dim> matrices;
        TensorLines         lines;

        __device__ __forceinline__ void
        store(const int i, const int column, const double value) const
        {
          const int n_x    = matrices.n_unknowns[0];
          double    others = matrices.mass_weight +
                          matrices.eigenvalues[1][dim == 2 ? i : column / n_x];
          if constexpr (dim == 3)
            others += matrices.eigenvalues[2][i];
          lines.store(i,
                      column,
                      value / (others + matrices.eigenvalues[0][column % n_x]));
        }
      };

      /** Lines along x of a field, with copies. */
      template <int dim, typename Number>
      struct LinesOfCells
      {
        int           n_cells[dim];
        int           q;
        const Number *field;

        __device__ __forceinline__ double
        load(const int i, const int column) const
        {
          int         rest   = column;
          std::size_t cell   = std::size_t(i / q);
          int         node   = i % q;
          std::size_t n      = std::size_t(n_cells[0]);
          int         stride = q;
          TESSERA_UNROLL
          for (int d = 1; d < dim; ++d)
            {
              const int line = rest % (n_cells[d] * q);
              rest /= n_cells[d] * q;
              cell += line / q * n;
              node += line % q * stride;
              n *= n_cells[d];
              stride *= q;
            }
          return double(field[cell * stride + node]);
        }
      };

      /** Lines of nodes along the last axis, which are stored in all copies. */
      template <int dim, typename Number>
      struct LinesToCells
      {
        int     n_cells[dim];
        int     degree;
        Number *field;

        __device__ __forceinline__ void
        store(const int i, const int column, const double value) const
        {
          const int n_nodes_x = degree * n_cells[0] + 1;
          const int place[3]  = {column % n_nodes_x,
                                dim == 2 ? i : column / n_nodes_x,
                                 i};
          const int q         = degree + 1;
          TESSERA_UNROLL
          for (int copy = 0; copy < (1 << dim); ++copy)
            {
              // Bit d: at the upper end of a cell of direction d.
              bool        exists = true;
              std::size_t cell   = 0;
              int         node = 0, n_nodes = 1;
              TESSERA_UNROLL
              for (int d = dim - 1; d >= 0; --d)
                {
                  int c = place[d] / degree;
                  int k = place[d] % degree;
                  if ((copy >> d) & 1)
                    {
                      exists = exists && k == 0 && c > 0;
                      c -= 1;
                      k = degree;
                    }
                  else
                    exists = exists && c < n_cells[d];
                  cell = cell * n_cells[d] + c;
                  node = node * q + k;
                  n_nodes *= q;
                }
              if (exists)
                field[cell * n_nodes + node] = Number(value);
            }
        }
      };

      /**
       * A product. Sums run over ascending indices, each product is rounded.
       * @tparam along_x Lines are contiguous: consecutive lanes have
       * consecutive rows. Otherwise they have consecutive columns.
       */
      template <bool along_x, typename Load, typename Store>
      __global__ void
      __launch_bounds__(n_threads) multiply_lines_kernel(const Product product,
                                                         const Load    B,
                                                         const Store   C)
      {
        TESSERA_SHARED(double, A_tile, [tile][tile + 1]);
        TESSERA_SHARED(double, B_tile, [tile][tile + 1]);
        const int lane         = int(threadIdx.x) % tile;
        const int group        = int(threadIdx.x) / tile;
        const int first_row    = int(blockIdx.y) * tile;
        const int first_column = int(blockIdx.x) * tile;

        double sum[n_entries] = {};
        for (int first_term = 0; first_term < product.n_terms;
             first_term += tile)
          {
            TESSERA_UNROLL
            for (int e = 0; e < n_entries; ++e)
              {
                const int other = group + e * n_groups;
                const int row   = first_row + other;
                const int a     = first_term + lane;
                A_tile[other][lane] =
                  row < product.n_rows && a < product.n_terms ?
                    product.A[std::size_t(row) * product.n_terms + a] :
                    0.;

                const int k      = along_x ? lane : other;
                const int j      = along_x ? other : lane;
                const int b      = first_term + k;
                const int column = first_column + j;
                B_tile[k][j] =
                  b < product.n_terms && column < product.n_columns ?
                    B.load(b, column) :
                    0.;
              }
            __syncthreads();
            for (int k = 0; k < tile; ++k)
              {
                TESSERA_UNROLL
                for (int e = 0; e < n_entries; ++e)
                  {
                    const int other = group + e * n_groups;
                    sum[e] += A_tile[along_x ? lane : other][k] *
                              B_tile[k][along_x ? other : lane];
                  }
              }
            __syncthreads();
          }

        TESSERA_UNROLL
        for (int e = 0; e < n_entries; ++e)
          {
            const int other  = group + e * n_groups;
            const int row    = first_row + (along_x ? lane : other);
            const int column = first_column + (along_x ? other : lane);
            if (row < product.n_rows && column < product.n_columns)
              C.store(row, column, sum[e]);
          }
      }

      template <bool along_x, typename Load, typename Store>
      void
      multiply_lines(const Product        &product,
                     const Load           &B,
                     const Store          &C,
                     const device::Stream &stream)
      {
        device::launch(multiply_lines_kernel<along_x, Load, Store>,
                       dim3((unsigned int)(product.n_columns + tile - 1) / tile,
                            (unsigned int)(product.n_rows + tile - 1) / tile),
                       n_threads,
                       0,
                       stream,
                       product,
                       B,
                       C);
      }

      /** The sizes of a tensor while its axes are treated one after the other,
       * x first. */
      template <int dim>
      struct Extents
      {
        int n[dim];

        /** Lines along an axis, in memory. */
        TensorLines
        lines(const int axis, double *values) const
        {
          int before = 1;
          for (int d = 0; d < axis; ++d)
            before *= n[d];
          return {values, n[axis], before};
        }

        /** Make the axis n_rows long. */
        Product
        multiply(const int axis, const double *A, const int n_rows)
        {
          Product product{A, n_rows, n[axis], 1};
          for (int d = 0; d < dim; ++d)
            if (d != axis)
              product.n_columns *= n[d];
          n[axis] = n_rows;
          return product;
        }
      };

      /** Along y in three dimensions: x becomes the result, y is free. */
      template <int dim>
      void
      multiply_along_inner_axis(const double         *A,
                                const int             n_rows,
                                Extents<dim>         &extents,
                                double              *&x,
                                double              *&y,
                                const device::Stream &stream)
      {
        if constexpr (dim == 3)
          {
            const TensorLines from    = extents.lines(1, x);
            const Product     product = extents.multiply(1, A, n_rows);
            multiply_lines<false>(product, from, extents.lines(1, y), stream);
            std::swap(x, y);
          }
      }
    } // namespace



    template <int dim, typename Number>
    void
    on_device::solve_coarse(const CoarseMatrices<dim> &matrices,
                            Number                    *u,
                            const Number              *b,
                            double                    *x,
                            double                    *y,
                            const device::Stream      &stream)
    {
      const int                 last = dim - 1;
      Extents<dim>              extents;
      LinesOfCells<dim, Number> from_cells;
      LinesToCells<dim, Number> to_cells;
      from_cells.q     = matrices.degree + 1;
      from_cells.field = b;
      to_cells.degree  = matrices.degree;
      to_cells.field   = u;
      for (int d = 0; d < dim; ++d)
        {
          extents.n[d]          = matrices.n_cells[d] * from_cells.q;
          from_cells.n_cells[d] = to_cells.n_cells[d] = matrices.n_cells[d];
        }

      // Results are in x.
      const auto n_nodes = [&](const int d) {
        return matrices.degree * matrices.n_cells[d] + 1;
      };

      Product product =
        extents.multiply(0, matrices.to_modes[0], matrices.n_unknowns[0]);
      multiply_lines<true>(product, from_cells, extents.lines(0, x), stream);
      multiply_along_inner_axis(
        matrices.to_modes[1], matrices.n_unknowns[1], extents, x, y, stream);
      TensorLines from = extents.lines(last, x);
      product          = extents.multiply(last,
                                 matrices.to_modes[last],
                                 matrices.n_unknowns[last]);
      multiply_lines<false>(product,
                            from,
                            LinesToDivide<dim>{matrices,
                                               extents.lines(last, y)},
                            stream);
      std::swap(x, y);

      from    = extents.lines(0, x);
      product = extents.multiply(0, matrices.to_nodes[0], n_nodes(0));
      multiply_lines<true>(product, from, extents.lines(0, y), stream);
      std::swap(x, y);
      multiply_along_inner_axis(
        matrices.to_nodes[1], n_nodes(1), extents, x, y, stream);
      from    = extents.lines(last, x);
      product = extents.multiply(last, matrices.to_nodes[last], n_nodes(last));
      multiply_lines<false>(product, from, to_cells, stream);
    }



#define TESSERA_INSTANTIATE(dim, Number)                             \
  template void on_device::solve_coarse(const CoarseMatrices<dim> &, \
                                        Number *,                    \
                                        const Number *,              \
                                        double *,                    \
                                        double *,                    \
                                        const device::Stream &)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace patch
} // namespace tessera
