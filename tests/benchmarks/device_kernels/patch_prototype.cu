// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/cellwise/device/layout.h>
#include <tessera/cellwise/tensor_transforms.h>
#include <tessera/patch/cell_pairs.h>
#include <tessera/patch/device/row_staging.h>

#include "benchmarks/device_kernels/cell_contractions.h"
#include "benchmarks/device_kernels/patch_prototype.h"

namespace benchmark
{
  using namespace tessera::patch;
  using tessera::cellwise::CellIndex;
  using tessera::cellwise::cells_per_device_block;
  using tessera::device::launch;
  using tessera::device::Stream;

  namespace
  {
    constexpr int q         = 4;
    constexpr int n_nodes   = 64;
    constexpr int n_modes   = 27;
    constexpr int n_threads = 64;

    using L = tessera::device::WarpLanes<float>;



    /** One direction of a cell: f(in, out) for each of its lines, whose entries
     * are @p stride apart, of n_in and n_out values; those of the directions
     * before it are @p stride, those behind it n_after. */
    template <int n_in, int n_out, int stride, int n_after, typename F>
    __device__ __forceinline__ void
    for_lines(const float *in, float *out, const F &f)
    {
      TESSERA_UNROLL
      for (int after = 0; after < n_after; ++after)
        TESSERA_UNROLL
      for (int before = 0; before < stride; ++before)
        f(in + after * n_in * stride + before,
          out + after * n_out * stride + before);
    }



    /** The correction from modes of the residual in each cell, by reflection
     * symmetry. */
    __device__ __forceinline__ void
    solve_by_reflection(const PrototypeTables &t,
                        const float           *inverse_eigenvalues,
                        const float (&r)[n_nodes],
                        float (&c)[n_modes])
    {
      const PatchTables<float>    tables = {t.inverse_eigenvectors,
                                            t.cell_eigenvalues,
                                            {t.own_forward[0], t.own_forward[1]},
                                            {t.own_backward[0], t.own_backward[1]},
                                            nullptr};
      const CellsInLanes<3, L, 1> along_x(tables);
      const CellsInLanes<3, L, 2> along_y(tables);
      const CellsInLanes<3, L, 4> along_z(tables);
      float                       by_x[48], by_y[36];
      for_lines<4, 3, 1, 16>(r, by_x, [&](const float *in, float *out) {
        along_x.template forward<1, 1>(in, out);
      });
      for_lines<4, 3, 3, 4>(by_x, by_y, [&](const float *in, float *out) {
        along_y.template forward<3, 3>(in, out);
      });
      for_lines<4, 3, 9, 1>(by_y, c, [&](const float *in, float *out) {
        along_z.template forward<9, 9>(in, out);
      });
      TESSERA_UNROLL
      for (int m = 0; m < n_modes; ++m)
        c[m] = c[m] * inverse_eigenvalues[m];
      for_lines<3, 3, 9, 1>(c, c, [&](const float *, float *line) {
        along_z.template backward<9>(line);
      });
      for_lines<3, 3, 3, 3>(c, c, [&](const float *, float *line) {
        along_y.template backward<3>(line);
      });
      for_lines<3, 3, 1, 9>(c, c, [&](const float *, float *line) {
        along_x.template backward<1>(line);
      });
    }



    /** The same with all blocks, of which no symmetry is used.
     * @param[in] x n^3 values a cell. */
    template <int n, bool in_pairs>
    __device__ __forceinline__ void
    solve_by_blocks(const float *const (&forward)[2][2],
                    const float *const (&backward)[2][2],
                    const float *inverse_eigenvalues,
                    const float *x,
                    float (&c)[n_modes])
    {
      float by_x[3 * n * n], by_y[9 * n];
      const BlockContraction<3, 3, n, 0, in_pairs, L> forward_x(forward);
      forward_x(x, by_x);
      const BlockContraction<3, 3, n, 1, in_pairs, L> forward_y(forward);
      forward_y(by_x, by_y);
      const BlockContraction<3, 3, n, 2, in_pairs, L> forward_z(forward);
      forward_z(by_y, c);
      TESSERA_UNROLL
      for (int m = 0; m < n_modes; ++m)
        c[m] = c[m] * inverse_eigenvalues[m];
      const BlockContraction<3, 3, 3, 2, in_pairs, L> backward_z(backward);
      backward_z(c, c);
      const BlockContraction<3, 3, 3, 1, in_pairs, L> backward_y(backward);
      backward_y(c, c);
      const BlockContraction<3, 3, 3, 0, in_pairs, L> backward_x(backward);
      backward_x(c, c);
    }



    template <PatchVariant variant>
    __device__ __forceinline__ void
    correct(const PrototypeTables &t,
            const float           *inverse_eigenvalues,
            const float (&u)[n_nodes],
            float (&c)[n_modes])
    {
      constexpr bool is_nodal = variant == PatchVariant::nodal ||
                                variant == PatchVariant::accumulator_chain;
      float r[n_nodes];
      if constexpr (is_nodal)
        apply_by_contractions(t.mass, t.scaled_stiffness, u, r);
      else
        {
          TESSERA_UNROLL
          for (int k = 0; k < n_nodes; ++k)
            r[k] = u[k];
          tessera::cellwise::transform_to_modes<3, q, L>(t.inverse_eigenvectors,
                                                         r);
          TESSERA_UNROLL
          for (int k = 0; k < n_nodes; ++k)
            r[k] = t.cell_eigenvalues[k] * r[k];
        }
      if constexpr (variant == PatchVariant::cell_eigenbasis)
        tessera::cellwise::transform_to_nodes<3, q, L>(t.inverse_eigenvectors,
                                                       r);

      if constexpr (variant == PatchVariant::reflection_symmetry)
        solve_by_reflection(t, inverse_eigenvalues, r, c);
      else
        {
          const auto        &F              = t.nodal_forward;
          const auto        &B              = t.modal_forward;
          const auto        &Ft             = t.backward;
          const float *const backward[2][2] = {{Ft[0][0], Ft[0][1]},
                                               {Ft[1][0], Ft[1][1]}};
          if constexpr (variant == PatchVariant::merged_transforms)
            {
              const float *const forward[2][2] = {{B[0][0], B[0][1]},
                                                  {B[1][0], B[1][1]}};
              solve_by_blocks<q, false>(
                forward, backward, inverse_eigenvalues, r, c);
            }
          else
            {
              const float *const forward[2][2] = {{F[0][0], F[0][1]},
                                                  {F[1][0], F[1][1]}};
              float              restricted[n_modes];
              PatchNodes<3, 3, L>::restrict_to_interior(r, restricted);
              solve_by_blocks<3, variant == PatchVariant::nodal>(
                forward, backward, inverse_eigenvalues, restricted, c);
            }
        }
    }



    /** Values k = 0, 1, ... of the cell of a lane, N of them. */
    template <CellAccess access, int N>
    class CellValues
    {
      static constexpr int distance =
        access == CellAccess::blocked ? cells_per_device_block : 1;

      __device__ __forceinline__ static std::size_t
                 first(const CellIndex cell)
      {
        return access == CellAccess::blocked ?
                 std::size_t(cell / cells_per_device_block) *
                     (cells_per_device_block * N) +
                   cell % cells_per_device_block :
                 std::size_t(cell) * N;
      }

    public:
      __device__ __forceinline__ static void
      load(const float *field, const CellIndex cell, float (&values)[N])
      {
        const float *from = field + first(cell);
        TESSERA_UNROLL
        for (int k = 0; k < N; ++k)
          values[k] = from[k * distance];
      }

      __device__ __forceinline__ static void
      store(float *field, const CellIndex cell, const float (&values)[N])
      {
        if (cell == tessera::cellwise::no_cell)
          return;
        float *to = field + first(cell);
        TESSERA_UNROLL
        for (int k = 0; k < N; ++k)
          to[k * distance] = values[k];
      }
    };



    using NodeStaging = RowStaging<n_nodes, float>;
    using ModeStaging = RowStaging<n_modes, float>;

    /** Of shared memory for a warp, for whatever passes. */
    constexpr int n_shared_bytes =
      NodeStaging::n_shared_pieces * int(sizeof(NodeStaging::Piece)) >
          ModeStaging::n_shared_pieces *int(sizeof(ModeStaging::Piece)) ?
        NodeStaging::n_shared_pieces *int(sizeof(NodeStaging::Piece)) :
        ModeStaging::n_shared_pieces *int(sizeof(ModeStaging::Piece));
    constexpr int n_shared_vectors = (n_shared_bytes + 15) / 16;



    /**
     * Load the cells of the lanes, call f(u, c), and store c. Lanes for which
     * there is no patch repeat the first one of the grid and do not store.
     */
    template <CellAccess access, typename F>
    __device__ __forceinline__ void
    with_cells(float               *corrections,
               const float         *field,
               const DevicePatches &patches,
               const F             &f)
    {
      const int       lane   = int(blockIdx.x) * n_threads + int(threadIdx.x);
      const bool      exists = lane / 8 < patches.n_patches;
      const CellIndex cell   = patches.cells[exists ? lane : lane % 8];
      const CellIndex stored = exists ? cell : tessera::cellwise::no_cell;
      float           u[n_nodes], c[n_modes];
      if constexpr (access == CellAccess::staged)
        {
          TESSERA_SHARED(float4, shared, [n_threads / 32][n_shared_vectors]);
          float4 *const             mine = shared[threadIdx.x / 32u];
          const NodeStaging         nodes(mine);
          const ModeStaging         modes(reinterpret_cast<float *>(mine));
          typename NodeStaging::Row rows[NodeStaging::n_rounds];
          nodes.load(field, cell, 0, rows);
          TESSERA_UNROLL
          for (int round = 0; round < NodeStaging::n_rounds; ++round)
            nodes.to_lanes(rows[round], u + round * NodeStaging::row_values);
          f(u, c);
          typename ModeStaging::Row row;
          modes.to_rows(c, row);
          modes.store(corrections, stored, 0, row);
        }
      else
        {
          CellValues<access, n_nodes>::load(field, cell, u);
          f(u, c);
          CellValues<access, n_modes>::store(corrections, stored, c);
        }
    }



    template <PatchVariant variant, CellAccess access>
    __global__ void
    __launch_bounds__(n_threads)
      correct_patches_kernel(float *__restrict__ corrections,
                             const float *__restrict__ field,
                             const DevicePatches                     patches,
                             const __grid_constant__ PrototypeTables tables)
    {
      const float *const of_lane =
        tables.minus_inverse_eigenvalues + threadIdx.x % 8u;
      float inverse_eigenvalues[n_modes];
      TESSERA_UNROLL
      for (int m = 0; m < n_modes; ++m)
        inverse_eigenvalues[m] = of_lane[8 * m];
      with_cells<access>(corrections,
                         field,
                         patches,
                         [&](const float(&u)[n_nodes], float(&c)[n_modes]) {
                           correct<variant>(tables, inverse_eigenvalues, u, c);
                         });
    }



    template <CellAccess access>
    __global__ void
    __launch_bounds__(n_threads)
      move_patches_kernel(float *__restrict__ corrections,
                          const float *__restrict__ field,
                          const DevicePatches patches)
    {
      with_cells<access>(corrections,
                         field,
                         patches,
                         [](const float(&u)[n_nodes], float(&c)[n_modes]) {
                           TESSERA_UNROLL
                           for (int m = 0; m < n_modes; ++m)
                             {
                               c[m] = u[m] + u[m + n_modes];
                               if (m + 2 * n_modes < n_nodes)
                                 c[m] += u[m + 2 * n_modes];
                             }
                         });
    }



    unsigned int
    n_blocks(const DevicePatches &patches)
    {
      return ((unsigned int)(patches.n_patches) * 8 + n_threads - 1) /
             n_threads;
    }

    /** Call f with the access as a constant. */
    template <typename F>
    void
    dispatch_access(const CellAccess access, const F &f)
    {
      switch (access)
        {
          case CellAccess::blocked:
            return f(std::integral_constant<CellAccess, CellAccess::blocked>());
          case CellAccess::contiguous:
            return f(
              std::integral_constant<CellAccess, CellAccess::contiguous>());
          case CellAccess::staged:
            return f(std::integral_constant<CellAccess, CellAccess::staged>());
        }
    }

    template <PatchVariant variant, CellAccess access>
    void
    launch_variant(float                 *c,
                   const float           *u,
                   const DevicePatches   &patches,
                   const PrototypeTables &tables,
                   const Stream          &stream)
    {
      launch(correct_patches_kernel<variant, access>,
             n_blocks(patches),
             n_threads,
             0,
             stream,
             c,
             u,
             patches,
             tables);
    }
  } // namespace



  void
  correct_patches(const PatchVariant     variant,
                  const CellAccess       access,
                  float                 *c,
                  const float           *u,
                  const DevicePatches   &patches,
                  const PrototypeTables &tables,
                  const Stream          &stream)
  {
    // Other accesses with the arithmetic that is in use.
    if (access == CellAccess::contiguous &&
        variant == PatchVariant::reflection_symmetry)
      launch_variant<PatchVariant::reflection_symmetry, CellAccess::contiguous>(
        c, u, patches, tables, stream);
    else if (access == CellAccess::staged &&
             variant == PatchVariant::reflection_symmetry)
      launch_variant<PatchVariant::reflection_symmetry, CellAccess::staged>(
        c, u, patches, tables, stream);
    else if (access == CellAccess::blocked)
      dispatch_variant(variant, [&](const auto v) {
        launch_variant<decltype(v)::value, CellAccess::blocked>(
          c, u, patches, tables, stream);
      });
    else
      throw tessera::InputError("cells that are not blocked are updated with "
                                "reflection symmetry only");
  }



  void
  move_patches(const CellAccess     access,
               float               *c,
               const float         *u,
               const DevicePatches &patches,
               const Stream        &stream)
  {
    dispatch_access(access, [&](const auto a) {
      launch(move_patches_kernel<decltype(a)::value>,
             n_blocks(patches),
             n_threads,
             0,
             stream,
             c,
             u,
             patches);
    });
  }
} // namespace benchmark
