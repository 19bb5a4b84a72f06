// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/aligned_vector.h>
#include <tessera/base/exceptions.h>
#include <tessera/patch/coarse_solver.h>

#include <algorithm>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      // Entries of a product are computed in tiles of so many rows and columns,
      // whose sums stay in registers.
      constexpr std::size_t tile_rows    = 4;
      constexpr std::size_t tile_columns = 4;

      /** n_rows rows and n_columns <= tile_columns columns of C =
       * A B. A and C are row-major, B is packed: tile_columns numbers a row. */
      template <std::size_t n_rows>
      void
      multiply_tile(const std::size_t n_columns,
                    const std::size_t n_terms,
                    const double     *A,
                    const double     *B,
                    double           *C,
                    const std::size_t row_length_of_C)
      {
        double sum[n_rows][tile_columns] = {};
        for (std::size_t k = 0; k < n_terms; ++k)
          for (std::size_t i = 0; i < n_rows; ++i)
            for (std::size_t j = 0; j < tile_columns; ++j)
              sum[i][j] += A[i * n_terms + k] * B[k * tile_columns + j];
        for (std::size_t i = 0; i < n_rows; ++i)
          for (std::size_t j = 0; j < n_columns; ++j)
            C[i * row_length_of_C + j] = sum[i][j];
      }

      /**
       * C = A B with A n_rows x n_terms, B n_terms x n_columns.
       *
       * A and C are row-major, entries of B are at B[k row_stride + j
       * column_stride]; tiles of B are packed, so that all strides are
       * equally good.
       */
      void
      multiply(const std::size_t n_rows,
               const std::size_t n_terms,
               const std::size_t n_columns,
               const double     *A,
               const double     *B,
               const std::size_t row_stride,
               const std::size_t column_stride,
               double           *C)
      {
        AlignedVector<double> packed;
        packed.resize_without_initialization(n_terms * tile_columns);
        for (std::size_t j = 0; j < n_columns; j += tile_columns)
          {
            const std::size_t columns = std::min(tile_columns, n_columns - j);
            for (std::size_t k = 0; k < n_terms; ++k)
              for (std::size_t c = 0; c < tile_columns; ++c)
                packed[k * tile_columns + c] =
                  c < columns ? B[k * row_stride + (j + c) * column_stride] :
                                0.;
            std::size_t i = 0;
            for (; i + tile_rows <= n_rows; i += tile_rows)
              multiply_tile<tile_rows>(columns,
                                       n_terms,
                                       A + i * n_terms,
                                       packed.data(),
                                       C + i * n_columns + j,
                                       n_columns);
            for (; i < n_rows; ++i)
              multiply_tile<1>(columns,
                               n_terms,
                               A + i * n_terms,
                               packed.data(),
                               C + i * n_columns + j,
                               n_columns);
          }
      }

      /** Numbers of a tensor, x fastest; the factors after dim are 1. */
      using Extents = std::array<std::size_t, 3>;

      /** Multiply by A along an axis: to = (1 x A x 1) from. Changes the
       * extent to the number of rows of A. */
      void
      multiply_along(const int          axis,
                     const DenseMatrix &A,
                     Extents           &extents,
                     const double      *from,
                     double            *to)
      {
        const std::size_t n_from = A.n_columns();
        const std::size_t n_to   = A.n_rows();
        TESSERA_ASSERT(extents[axis] == n_from, "sizes do not match");
        std::size_t before = 1, after = 1;
        for (int d = 0; d < 3; ++d)
          (d < axis ? before : after) *= d == axis ? 1 : extents[d];
        extents[axis] = n_to;

        if (axis == 0)
          {
            // Rows are lines; so many of them stay in cache with A.
            constexpr std::size_t n_lines = 64;
            for (std::size_t line = 0; line < after; line += n_lines)
              multiply(std::min(n_lines, after - line),
                       n_from,
                       n_to,
                       from + line * n_from,
                       A.data(),
                       1,
                       n_from,
                       to + line * n_to);
          }
        else
          for (std::size_t slab = 0; slab < after; ++slab)
            multiply(n_to,
                     n_from,
                     before,
                     A.data(),
                     from + slab * n_from * before,
                     before,
                     1,
                     to + slab * n_to * before);
      }

      /**
       * Call action(cell, node, place) for each line of q = degree+1 nodes in x
       * of a cell-wise field that holds all cells: its first node, and where
       * this is in a tensor in which neighbouring cells are @p spacing apart.
       */
      template <int dim, typename Action>
      void
      for_each_line(const std::array<int, dim> &n_cells,
                    const std::size_t           q,
                    const std::size_t           spacing,
                    const Extents              &extents,
                    const Action               &action)
      {
        const std::size_t n_z     = dim == 3 ? n_cells[dim - 1] : 1;
        const std::size_t nodes_z = dim == 3 ? q : 1;

        cellwise::CellIndex cell = 0;
        for (std::size_t cz = 0; cz < n_z; ++cz)
          for (std::size_t cy = 0; cy < std::size_t(n_cells[1]); ++cy)
            for (std::size_t cx = 0; cx < std::size_t(n_cells[0]); ++cx, ++cell)
              for (std::size_t kz = 0; kz < nodes_z; ++kz)
                for (std::size_t ky = 0; ky < q; ++ky)
                  action(cell,
                         int((kz * q + ky) * q),
                         ((cz * spacing + kz) * extents[1] + cy * spacing +
                          ky) *
                             extents[0] +
                           cx * spacing);
      }
    } // namespace



    template <int dim>
    CoarseSolver<dim>::CoarseSolver(
      const cellwise::CellGrid<dim>       &grid,
      const cellwise::ReferenceCell       &cell,
      const cellwise::ElementWeights<dim> &weights,
      const execution::HostQueue &)
      : factors(grid, cell, weights)
    {}



    template <int dim>
    template <typename Number>
    void
    CoarseSolver<dim>::solve(cellwise::PrimalField<Number>          &u,
                             const cellwise::DualModalField<Number> &b,
                             const execution::HostQueue &) const
    {
      const auto &n_cells    = factors.n_cells;
      const auto &directions = factors.directions;
      const int   q          = factors.degree + 1;

      Extents     extents{{1, 1, 1}};
      std::size_t n_entries = 1;
      for (int d = 0; d < dim; ++d)
        {
          extents[d] = n_cells[d] * q;
          n_entries *= extents[d];
        }
      TESSERA_ASSERT(std::size_t(b.n_cells()) * b.n_nodes() == n_entries &&
                       std::size_t(u.n_cells()) * u.n_nodes() == n_entries,
                     "fields hold all cells");

      AlignedVector<double> x, y;
      x.resize_without_initialization(n_entries);
      y.resize_without_initialization(n_entries);

      for_each_line<dim>(n_cells,
                         q,
                         q,
                         extents,
                         [&](const cellwise::CellIndex c,
                             const int                 node,
                             const std::size_t         place) {
                           for (int k = 0; k < q; ++k)
                             x[place + k] = double(b(c, node + k));
                         });
      for (int d = 0; d < dim; ++d)
        {
          multiply_along(
            d, directions[d].to_modes, extents, x.data(), y.data());
          x.swap(y);
        }

      double *mode = x.data();
      for (std::size_t k = 0; k < extents[2]; ++k)
        for (std::size_t j = 0; j < extents[1]; ++j)
          {
            double others = factors.mass_weight + directions[1].eigenvalues[j];
            if constexpr (dim == 3)
              others += directions[2].eigenvalues[k];
            for (std::size_t i = 0; i < extents[0]; ++i)
              *mode++ /= others + directions[0].eigenvalues[i];
          }

      for (int d = 0; d < dim; ++d)
        {
          multiply_along(
            d, directions[d].to_nodes, extents, x.data(), y.data());
          x.swap(y);
        }
      for_each_line<dim>(n_cells,
                         q,
                         factors.degree,
                         extents,
                         [&](const cellwise::CellIndex c,
                             const int                 node,
                             const std::size_t         place) {
                           for (int k = 0; k < q; ++k)
                             u(c, node + k) = Number(x[place + k]);
                         });
    }



    template <int dim>
    std::size_t
    CoarseSolver<dim>::memory_consumption() const
    {
      return factors.memory_consumption();
    }



    template class CoarseSolver<2>;
    template class CoarseSolver<3>;

#define TESSERA_INSTANTIATE_SOLVE(dim, Number) \
  template void CoarseSolver<dim>::solve(      \
    cellwise::PrimalField<Number> &,           \
    const cellwise::DualModalField<Number> &,  \
    const execution::HostQueue &) const;
    TESSERA_INSTANTIATE_SOLVE(2, float)
    TESSERA_INSTANTIATE_SOLVE(2, double)
    TESSERA_INSTANTIATE_SOLVE(3, float)
    TESSERA_INSTANTIATE_SOLVE(3, double)
#undef TESSERA_INSTANTIATE_SOLVE
  } // namespace patch
} // namespace tessera
