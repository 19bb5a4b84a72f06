// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes_transpose.h>
#include <tessera/cellwise/indexed_cell_lanes.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/patch_lanes.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      namespace
      {
        /**
         * The children of a parent in lanes, bit d of a lane being set for the
         * upper child of direction d: matrices that differ between lower and
         * upper child.
         */
        template <int dim, int degree, typename L>
        class ChildTransform
        {
        public:
          using T = typename L::T;
          using V = typename L::V;

          static constexpr int q       = degree + 1;
          static constexpr int n_nodes = power(q, dim);

          /** @param[in] matrix Of lower and upper child, q x q, row-major.
           * @param[in] transposed Use their transposes. */
          TESSERA_ALWAYS_INLINE
          ChildTransform(const T *const (&matrix)[2], const bool transposed)
          {
            for (int i = 0; i < q; ++i)
              for (int j = 0; j < q; ++j)
                {
                  const int from  = transposed ? j * q + i : i * q + j;
                  const V   lower = L::set(matrix[0][from]);
                  const V   upper = L::set(matrix[1][from]);
                  A[0][i * q + j] = L::template select<1>(lower, upper);
                  A[1][i * q + j] = L::template select<2>(lower, upper);
                  if constexpr (dim == 3)
                    A[2][i * q + j] = L::template select<4>(lower, upper);
                }
          }

          /** $u \leftarrow (A_z \otimes A_y \otimes A_x) u$, x first. */
          TESSERA_ALWAYS_INLINE void
          apply(V *u) const
          {
            for (int axis = 0; axis < dim; ++axis)
              for (int line = 0; line < n_nodes / q; ++line)
                {
                  const int stride = axis == 0 ? 1 : (axis == 1 ? q : q * q);
                  V *start = u + line / stride * stride * q + line % stride;
                  V  x[q];
                  TESSERA_UNROLL
                  for (int j = 0; j < q; ++j)
                    x[j] = start[j * stride];
                  for (int i = 0; i < q; ++i)
                    {
                      V sum = A[axis][i * q] * x[0];
                      TESSERA_UNROLL
                      for (int j = 1; j < q; ++j)
                        sum = L::fma(A[axis][i * q + j], x[j], sum);
                      start[i * stride] = sum;
                    }
                }
          }

        private:
          V A[dim][q * q];
        };

        /** Value @p k of each of the parents beside one another, in the lanes
         * of its children. */
        template <int dim, typename L>
        TESSERA_ALWAYS_INLINE typename L::V
        spread(const typename L::T *const *parents, const int k)
        {
          constexpr int n_children = 1 << dim;
          using V                  = typename L::V;
          if constexpr (L::width == n_children)
            return L::set(parents[0][k]);
          else if constexpr (L::width == 2 * n_children)
            return L::template select<n_children>(L::set(parents[0][k]),
                                                  L::set(parents[1][k]));
          else
            {
              static_assert(L::width == 4 * n_children);
              const V first =
                L::template select<n_children>(L::set(parents[0][k]),
                                               L::set(parents[1][k]));
              const V second =
                L::template select<n_children>(L::set(parents[2][k]),
                                               L::set(parents[3][k]));
              return L::template select<2 * n_children>(first, second);
            }
        }

        /** The children of the parents from @p parent on, in lanes; where there
         * are no more parents, those of the last one again. */
        template <int dim, int width>
        struct Children
        {
          TESSERA_ALWAYS_INLINE
          Children(const CellIndex  *children,
                   const std::size_t parent,
                   const std::size_t n_all_parents)
            : n_parents(n_all_parents - parent < std::size_t(width >> dim) ?
                          int(n_all_parents - parent) :
                          (width >> dim))
          {
            for (int l = 0; l < width; ++l)
              {
                const int which =
                  (l >> dim) < n_parents ? (l >> dim) : n_parents - 1;
                cells[l] =
                  children[(parent + which) * (1 << dim) + l % (1 << dim)];
              }
          }

          int       n_parents;
          CellIndex cells[width];
        };

        /** The sum of n vectors, neighbours first: as sum_lanes() adds lanes.
         */
        template <int n, typename V>
        TESSERA_ALWAYS_INLINE V
        sum_of(const V *vectors)
        {
          if constexpr (n == 1)
            return vectors[0];
          else
            return sum_of<n / 2>(vectors) + sum_of<n / 2>(vectors + n / 2);
        }

        /** The N values of each of the parents beside one another: sums of
         * those in the lanes of their children. */
        template <int dim, int N, typename L>
        TESSERA_ALWAYS_INLINE void
        store_sums_of_children(typename L::T       *coarse,
                               const CellIndex     *parents,
                               const int            n_parents,
                               const typename L::V *values)
        {
          using V                  = typename L::V;
          constexpr int W          = L::width;
          constexpr int n_children = 1 << dim;
          for (int k = 0; k < N; k += W)
            {
              V rows[W];
              TESSERA_UNROLL
              for (int l = 0; l < W; ++l)
                rows[l] = k + l < N ? values[k + l] : L::zero();
              tessera::TESSERA_SIMD_NAMESPACE::transpose<L>(rows);
              for (int i = 0; i < n_parents; ++i)
                {
                  const V sum = sum_of<n_children>(rows + i * n_children);
                  typename L::T *const place =
                    coarse + std::size_t(parents[i]) * N + k;
                  if (k + W <= N)
                    L::store(place, sum);
                  else
                    L::store_partial(place, sum, N - k);
                }
            }
        }

        template <int dim, int degree, typename T>
        void
        restrict_residual_degree(T                       *coarse_b,
                                 const T                 *u,
                                 const T                 *b,
                                 const CellIndex         *parents,
                                 const CellIndex         *children,
                                 const std::size_t        n_parents,
                                 const TransferTables<T> &tables)
        {
          using L               = PatchLanes<dim, T>;
          using V               = typename L::V;
          constexpr int n_nodes = power(degree + 1, dim);
          constexpr int stride  = L::width >> dim;

          const ChildTransform<dim, degree, L> restriction(
            tables.modal_embedding, true);
          for (std::size_t parent = 0; parent < n_parents; parent += stride)
            {
              const Children<dim, L::width> group(children, parent, n_parents);
              V                             r[n_nodes], rhs[n_nodes];
              // Half of it now, half of it later: no more can be under way.
              const bool       has_next = parent + 2 * stride <= n_parents;
              const CellIndex *next     = children + ((parent + stride) << dim);
              if (has_next)
                cellwise::TESSERA_SIMD_NAMESPACE::prefetch_cells<n_nodes,
                                                                 L::width>(
                  u, next);
              cellwise::TESSERA_SIMD_NAMESPACE::load_cells<n_nodes, L>(
                u, group.cells, r);
              cellwise::transform_to_modes<dim, degree + 1, L>(
                tables.inverse_eigenvectors, r);
              cellwise::TESSERA_SIMD_NAMESPACE::load_cells<n_nodes, L>(
                b, group.cells, rhs);
              for (int k = 0; k < n_nodes; ++k)
                r[k] =
                  L::fnma(L::set(tables.cell_eigenvalues[k]), r[k], rhs[k]);
              if (has_next)
                cellwise::TESSERA_SIMD_NAMESPACE::prefetch_cells<n_nodes,
                                                                 L::width>(
                  b, next);
              restriction.apply(r);
              store_sums_of_children<dim, n_nodes, L>(coarse_b,
                                                      parents + parent,
                                                      group.n_parents,
                                                      r);
            }
        }

        template <int dim, int degree, typename T>
        void
        prolongate_and_add_degree(T                       *u,
                                  const T                 *coarse_u,
                                  const CellIndex         *parents,
                                  const CellIndex         *children,
                                  const std::size_t        n_parents,
                                  const TransferTables<T> &tables)
        {
          using L               = PatchLanes<dim, T>;
          using V               = typename L::V;
          constexpr int n_nodes = power(degree + 1, dim);
          constexpr int stride  = L::width >> dim;

          const ChildTransform<dim, degree, L> prolongation(tables.embedding,
                                                            false);
          for (std::size_t parent = 0; parent < n_parents; parent += stride)
            {
              const Children<dim, L::width> group(children, parent, n_parents);
              const T                      *values_of_parents[stride];
              for (int i = 0; i < stride; ++i)
                values_of_parents[i] =
                  coarse_u +
                  std::size_t(
                    parents[parent +
                            (i < group.n_parents ? i : group.n_parents - 1)]) *
                    n_nodes;

              if (parent + 2 * stride <= n_parents)
                cellwise::TESSERA_SIMD_NAMESPACE::prefetch_cells<n_nodes,
                                                                 L::width>(
                  u, children + ((parent + stride) << dim));

              V z[n_nodes], values[n_nodes];
              for (int k = 0; k < n_nodes; ++k)
                z[k] = spread<dim, L>(values_of_parents, k);
              prolongation.apply(z);
              cellwise::TESSERA_SIMD_NAMESPACE::load_cells<n_nodes, L>(
                u, group.cells, values);
              for (int k = 0; k < n_nodes; ++k)
                values[k] = values[k] + z[k];
              const unsigned int lanes = ~0u >> (32 - (group.n_parents << dim));
              cellwise::TESSERA_SIMD_NAMESPACE::store_cells<n_nodes, L>(
                u, group.cells, lanes, values);
            }
        }
      } // namespace



      template <int dim, typename T>
      void
      restrict_residual(const int                degree,
                        T                       *coarse_b,
                        const T                 *u,
                        const T                 *b,
                        const CellIndex         *parents,
                        const CellIndex         *children,
                        const std::size_t        n_parents,
                        const TransferTables<T> &tables)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          restrict_residual_degree<dim, decltype(p)::value>(
            coarse_b, u, b, parents, children, n_parents, tables);
        });
      }



      template <int dim, typename T>
      void
      prolongate_and_add(const int                degree,
                         T                       *u,
                         const T                 *coarse_u,
                         const CellIndex         *parents,
                         const CellIndex         *children,
                         const std::size_t        n_parents,
                         const TransferTables<T> &tables)
      {
        cellwise::dispatch_degree(degree, [&](const auto p) {
          prolongate_and_add_degree<dim, decltype(p)::value>(
            u, coarse_u, parents, children, n_parents, tables);
        });
      }



      template void
      restrict_residual<2>(int,
                           float *,
                           const float *,
                           const float *,
                           const CellIndex *,
                           const CellIndex *,
                           std::size_t,
                           const TransferTables<float> &);
      template void
      prolongate_and_add<2>(int,
                            float *,
                            const float *,
                            const CellIndex *,
                            const CellIndex *,
                            std::size_t,
                            const TransferTables<float> &);
      template void
      restrict_residual<2>(int,
                           double *,
                           const double *,
                           const double *,
                           const CellIndex *,
                           const CellIndex *,
                           std::size_t,
                           const TransferTables<double> &);
      template void
      prolongate_and_add<2>(int,
                            double *,
                            const double *,
                            const CellIndex *,
                            const CellIndex *,
                            std::size_t,
                            const TransferTables<double> &);
      template void
      restrict_residual<3>(int,
                           float *,
                           const float *,
                           const float *,
                           const CellIndex *,
                           const CellIndex *,
                           std::size_t,
                           const TransferTables<float> &);
      template void
      prolongate_and_add<3>(int,
                            float *,
                            const float *,
                            const CellIndex *,
                            const CellIndex *,
                            std::size_t,
                            const TransferTables<float> &);
      template void
      restrict_residual<3>(int,
                           double *,
                           const double *,
                           const double *,
                           const CellIndex *,
                           const CellIndex *,
                           std::size_t,
                           const TransferTables<double> &);
      template void
      prolongate_and_add<3>(int,
                            double *,
                            const double *,
                            const CellIndex *,
                            const CellIndex *,
                            std::size_t,
                            const TransferTables<double> &);
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace patch
} // namespace tessera
