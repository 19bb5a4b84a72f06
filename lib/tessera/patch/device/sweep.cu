// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/patch/device/patch_step.h>

#include <new>
#include <type_traits>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      /**
       * Whether the tables of a lane are in registers. In double they are in
       * shared memory, where the cells need all registers.
       */
      template <int dim, int degree, typename T>
      constexpr bool tables_in_registers =
        dim == 2 || degree == 1 || std::is_same<T, float>::value;

      /**
       * What a lane needs of the tables of a patch in three dimensions, for all
       * lanes of a block in shared memory: the matrices of lower and upper
       * cells for each direction, and the inverse eigenvalues.
       *
       * Lanes of one patch read the same entry of at most two matrices, which
       * are in different banks, or of the eigenvalues of 8 cells, whose stride
       * is odd: no conflicts.
       */
      template <int degree, typename L>
      class SharedTables
      {
        using T      = typename L::T;
        using Update = PatchUpdate<3, degree, L, false>;

        static constexpr int n_modes = Update::n_modes;

        template <typename Pair>
        static constexpr int size = int(sizeof(Pair) / sizeof(T));

        static constexpr int n_pair_values = size<typename Update::PairX>;

      public:
        static constexpr int n_values =
          2 * 3 * n_pair_values + 8 * (n_modes + 1 - n_modes % 2);

        /** To be called by all threads of a block. */
        __device__ __forceinline__
        SharedTables(const PatchTables<T> &tables, T *memory)
          : pair_x(find_pair<0, typename Update::PairX>(tables, memory))
          , pair_y(find_pair<1, typename Update::PairY>(tables, memory))
          , pair_z(find_pair<2, typename Update::PairLast>(tables, memory))
          , eigenvalues(memory + 6 * n_pair_values +
                        threadIdx.x % 8 * eigenvalue_stride)
        {
          for (int i = int(threadIdx.x); i < 8 * n_modes; i += n_step_threads)
            memory[6 * n_pair_values + i % 8 * eigenvalue_stride + i / 8] =
              tables.inverse_eigenvalues[i];
          __syncthreads();
        }

        __device__ __forceinline__ Update
        update(const PatchTables<T> &tables) const
        {
          return Update(tables,
                        *reinterpret_cast<const T(*)[n_modes]>(eigenvalues),
                        *pair_x,
                        *pair_y,
                        *pair_z);
        }

      private:
        static constexpr int eigenvalue_stride = n_modes + 1 - n_modes % 2;

        /** The pair of a direction for the lane. One lane makes it. */
        template <int direction, typename Pair>
        __device__ __forceinline__ static const Pair *
        find_pair(const PatchTables<T> &tables, T *memory)
        {
          const int   lane = int(threadIdx.x);
          const int   end  = (lane >> direction) & 1;
          Pair *const pair = reinterpret_cast<Pair *>(
            memory + (2 * direction + end) * n_pair_values);
          if (lane == end << direction)
            new (pair) Pair(tables);
          return pair;
        }

        const typename Update::PairX    *pair_x;
        const typename Update::PairY    *pair_y;
        const typename Update::PairLast *pair_z;
        const T                         *eigenvalues;
      };

      template <int dim, int degree, bool with_mirrored, typename T>
      __global__ void
      __launch_bounds__(n_step_threads) update_patches_kernel(
        T *u,
        const T *__restrict__ b,
        const DevicePatches     patches,
        const __grid_constant__ StepTables<dim, degree, T> tables)
      {
        using L       = device::WarpLanes<T>;
        using Staging = RowStaging<cellwise::power(degree + 1, dim), T>;
        TESSERA_SHARED(typename Staging::Piece,
                       shared,
                       [n_step_warps * Staging::n_shared_pieces]);

        if constexpr (tables_in_registers<dim, degree, T>)
          update_patches_in_registers<dim, degree, with_mirrored, Staging>(
            u, b, patches, tables, shared);
        else
          {
            using Tables = SharedTables<degree, L>;
            TESSERA_SHARED(T, table_memory, [Tables::n_values]);
            const Tables lane_tables(tables.pointers(), table_memory);
            update_patches_of_warp<dim, degree, with_mirrored, Staging>(
              u, b, patches, shared, lane_tables.update(tables.pointers()));
          }
      }

      template <int dim, int degree, typename T>
      void
      launch_degree(T                    *u,
                    const T              *b,
                    const DevicePatches  &patches,
                    const PatchTables<T> &tables,
                    const device::Stream &stream)
      {
        device::launch(patches.mirrored == nullptr ?
                         update_patches_kernel<dim, degree, false, T> :
                         update_patches_kernel<dim, degree, true, T>,
                       n_step_blocks<dim>(patches),
                       n_step_threads,
                       0,
                       stream,
                       u,
                       b,
                       patches,
                       StepTables<dim, degree, T>(tables));
      }
    } // namespace



    namespace on_device
    {
      template <int dim, typename T>
      void
      update_patches(T                               *u,
                     const T                         *b,
                     const DevicePatches             &patches,
                     const DevicePatchTables<dim, T> &tables,
                     const device::Stream            &stream)
      {
        switch (tables.degree())
          {
            case 1:
              return launch_degree<dim, 1>(
                u, b, patches, tables.tables(), stream);
            case 2:
              return launch_degree<dim, 2>(
                u, b, patches, tables.tables(), stream);
            default:
              launch_degree<dim, 3>(u, b, patches, tables.tables(), stream);
          }
      }



      template void
      update_patches(float *,
                     const float *,
                     const DevicePatches &,
                     const DevicePatchTables<2, float> &,
                     const device::Stream &);
      template void
      update_patches(double *,
                     const double *,
                     const DevicePatches &,
                     const DevicePatchTables<2, double> &,
                     const device::Stream &);
      template void
      update_patches(float *,
                     const float *,
                     const DevicePatches &,
                     const DevicePatchTables<3, float> &,
                     const device::Stream &);
      template void
      update_patches(double *,
                     const double *,
                     const DevicePatches &,
                     const DevicePatchTables<3, double> &,
                     const device::Stream &);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera
