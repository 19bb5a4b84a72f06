// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/lanes.h>
#include <tessera/cellwise/blocked_cells.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/line_products.h>
#include <tessera/patch/patch_slabs.h>

namespace tessera
{
  namespace patch
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      // Lanes hold children that are neighbours along x, the lower one of a
      // parent in an even lane: W/2 parents side by side. What is beside them
      // in the other directions is another row of children, in other registers.
      namespace
      {
        using namespace tessera::TESSERA_SIMD_NAMESPACE;

        template <int dim>
        constexpr int n_rows = 1 << (dim - 1);

        /** The matrices of lower and upper children, or their transposes, along
         * each axis. Along x they differ between lanes; in the other directions
         * all cells of a row are lower or upper children. */
        template <int q, typename L, bool transposed>
        class ChildTransform
        {
        public:
          using T = typename L::T;
          using V = typename L::V;

          /** @param[in] lower_and_upper q x q, row-major. */
          TESSERA_ALWAYS_INLINE
          ChildTransform(const T *const (&lower_and_upper)[2])
            : matrix{lower_and_upper[0], lower_and_upper[1]}
          {
            for (int i = 0; i < q; ++i)
              for (int j = 0; j < q; ++j)
                along_x[i * q + j] =
                  L::template select<1>(L::set(matrix[0][entry(i, j)]),
                                        L::set(matrix[1][entry(i, j)]));
          }

          /** Of q^dim values. */
          template <int dim>
          TESSERA_ALWAYS_INLINE void
          apply_along_x(const V *from, V *to) const
          {
            multiply_lines<0, dim, q, L>(
              [&](const int i, const int j) { return along_x[i * q + j]; },
              from,
              to);
          }

          /** @param[in] end 0: of lower, 1: of upper children. */
          template <int axis, int dim>
          TESSERA_ALWAYS_INLINE void
          apply(const int end, const V *from, V *to) const
          {
            static_assert(axis > 0, "x is in the lanes");
            const T *const A = matrix[end];
            multiply_lines<axis, dim, q, L>(
              [&](const int i, const int j) { return L::set(A[entry(i, j)]); },
              from,
              to);
          }

        private:
          static constexpr int
          entry(const int i, const int j)
          {
            return transposed ? j * q + i : i * q + j;
          }

          const T *matrix[2];
          V        along_x[q * q];
        };

        /** Parents and their children side by side, up to W/2 of them. */
        template <int dim, int N, typename L>
        struct FamilyGroup
        {
          static constexpr int W = L::width;

          using Cells = cellwise::TESSERA_SIMD_NAMESPACE::BlockedCells<N, L>;

          int   n;                 ///< parents; 0: there is no group
          Cells parents;           ///< in the lanes of both of their children
                                   ///< of a row; the first one is stored
          Cells rows[n_rows<dim>]; ///< children 2c and 2c+1 of each parent
        };

        /** The parents of a list and their children, in groups. */
        template <int dim, int N, typename L>
        class FamilyGroups
        {
        public:
          static constexpr int W = L::width;

          TESSERA_ALWAYS_INLINE
          FamilyGroups(const CellIndex  *all_parents,
                       const CellIndex  *all_children,
                       const std::size_t n_all_parents)
            : parents(all_parents)
            , children(all_children)
            , n_parents(n_all_parents)
            , begin(0)
          {}

          TESSERA_ALWAYS_INLINE void
          next(FamilyGroup<dim, N, L> &group)
          {
            const std::size_t n_left  = n_parents - begin;
            int               n_lanes = n_left < W / 2 ? 2 * int(n_left) : W;
            // Once more with less of them where cells are of too many pieces.
            for (int n_tried = 0; n_tried != n_lanes;)
              {
                n_tried        = n_lanes;
                const auto set = [&](auto              &cells,
                                     const CellIndex   *list,
                                     const std::size_t  stride,
                                     const int          upper,
                                     const unsigned int stored) {
                  CellIndex lanes[W] = {};
                  for (int l = 0; l < n_tried; ++l)
                    lanes[l] = list[(begin + l / 2) * stride + l % 2 * upper];
                  const int n_set = cells.set(lanes, n_tried, stored);
                  if (n_set < n_lanes)
                    n_lanes = n_set & ~1;
                };
                set(group.parents, parents, 1, 0, 0x55555555u);
                for (int c = 0; c < n_rows<dim>; ++c)
                  set(group.rows[c], children + 2 * c, 1 << dim, 1, ~0u);
              }
            group.n = n_lanes / 2;
            begin += n_lanes / 2;
          }

        private:
          const CellIndex  *parents;
          const CellIndex  *children;
          const std::size_t n_parents;
          std::size_t       begin; ///< of those left
        };

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
          using L         = Lanes<T, native_width<T>()>;
          using V         = typename L::V;
          constexpr int q = degree + 1;
          constexpr int N = power(q, dim);

          using Slabs        = PatchSlabs<dim, degree, L>;
          constexpr int slab = Slabs::slab;

          const ChildTransform<q, L, true> restriction(tables.modal_embedding);
          FamilyGroups<dim, N, L> families(parents, children, n_parents);
          FamilyGroup<dim, N, L>  groups[2];
          families.next(groups[0]);
          for (int now = 0; groups[now].n > 0; now = 1 - now)
            {
              families.next(groups[1 - now]);
              V sums[(n_rows<dim> + 1) / 2][N];
              for (int c = 0; c < n_rows<dim>; ++c)
                {
                  // The next row comes into the cache meanwhile; after the last
                  // one of all, itself.
                  const auto &row = groups[now].rows[c];
                  const auto &next =
                    c + 1 < n_rows<dim>   ? groups[now].rows[c + 1] :
                    groups[1 - now].n > 0 ? groups[1 - now].rows[0] :
                                            row;

                  // Slab by slab, so that there is work between the requests
                  // for memory.
                  V r[N];
                  for (int k = 0; k < N; k += slab)
                    {
                      V nodes[slab];
                      next.template prefetch<slab>(u, k);
                      row.template load<slab>(u, k, nodes);
                      Slabs::slab_to_modes(tables.inverse_eigenvectors,
                                           nodes,
                                           r + k);
                    }
                  cellwise::transform_last_axis<Slabs::to_modes, dim, q, L>(
                    tables.inverse_eigenvectors, r);
                  for (int z = 0; z < q; ++z)
                    {
                      V rhs[slab], *const s = r + z * slab;
                      next.template prefetch<slab>(b, z * slab);
                      if (c + 1 == n_rows<dim>)
                        groups[now].parents.template prefetch<slab>(coarse_b,
                                                                    z * slab);
                      row.template load<slab>(b, z * slab, rhs);
                      Slabs::residual(tables.cell_eigenvalues, z, s, rhs, s);
                      restriction.template apply_along_x<dim - 1>(s, s);
                      if constexpr (dim == 3)
                        restriction.template apply<1, dim - 1>(c % 2, s, s);
                    }
                  restriction.template apply<dim - 1, dim>(c >> (dim - 2),
                                                           r,
                                                           r);
                  V *const sum = sums[c / 2];
                  for (int k = 0; k < N; ++k)
                    {
                      const V of_pair = r[k] + L::template xor_lane<1>(r[k]);
                      sum[k]          = c % 2 == 0 ? of_pair : sum[k] + of_pair;
                    }
                }
              for (int k = 0; k < N; k += q)
                {
                  if constexpr (dim == 3)
                    {
                      TESSERA_UNROLL
                      for (int i = 0; i < q; ++i)
                        sums[0][k + i] = sums[0][k + i] + sums[1][k + i];
                    }
                  groups[now].parents.template store<q>(coarse_b,
                                                        k,
                                                        sums[0] + k);
                }
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
          using L         = Lanes<T, native_width<T>()>;
          using V         = typename L::V;
          constexpr int q = degree + 1;
          constexpr int N = power(q, dim);

          const ChildTransform<q, L, false> prolongation(tables.embedding);
          FamilyGroups<dim, N, L> families(parents, children, n_parents);
          FamilyGroup<dim, N, L>  groups[2];
          families.next(groups[0]);
          for (int now = 0; groups[now].n > 0; now = 1 - now)
            {
              families.next(groups[1 - now]);
              // What comes next is brought into the cache meanwhile; nothing
              // new, if nothing does.
              const auto &group = groups[now];
              const auto &next  = groups[groups[1 - now].n > 0 ? 1 - now : now];

              V z[N];
              for (int k = 0; k < N; k += q)
                group.parents.template load<q>(coarse_u, k, z + k);
              // What children have in common is done once.
              prolongation.template apply_along_x<dim>(z, z);
              for (int y = 0; y < 2; ++y)
                {
                  V zy[N];
                  prolongation.template apply<1, dim>(y, z, zy);
                  for (int c = y; c < n_rows<dim>; c += 2)
                    {
                      V        zyz[N];
                      const V *values = zy;
                      if constexpr (dim == 3)
                        {
                          prolongation.template apply<2, dim>(c / 2, zy, zyz);
                          values = zyz;
                        }
                      const bool  is_last = c + 1 == n_rows<dim>;
                      const auto &next_row =
                        is_last ? next.rows[0] :
                                  group.rows[c + 2 < n_rows<dim> ? c + 2 : 1];
                      for (int k = 0; k < N; k += q)
                        {
                          if (c == 0)
                            next.parents.template prefetch<q>(coarse_u, k);
                          next_row.template prefetch<q>(u, k);
                          group.rows[c].template add<q>(u, k, values + k);
                        }
                    }
                }
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
