// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/patch/device/patch_step.h>
#include <tessera/patch/device/program_launchers.h>
#include <tessera/patch/device/shared_patch_tables.h>
#include <tessera/patch/device/transfer_step.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      using on_device::ProgramBarrier;
      using on_device::ProgramMatrices;
      using on_device::ProgramStep;
      using on_device::ProgramStepKind;

      /** Blocks that shall fit onto a multiprocessor with its 65536 registers:
       * as many as of a thread's 255. Not left to the compiler, which would
       * rather spill. */
      constexpr int min_blocks = 2;

      /** Steps that blocks read from device memory at a time. */
      constexpr int n_steps_at_hand = 32;

      /** The shared memory through which a warp reads and writes cells, in
       * either kind of steps. */
      template <int dim, int degree, typename T>
      class WarpMemory
      {
        static constexpr int N = cellwise::power(degree + 1, dim);

        using Families = FamiliesOfWarp<dim, T, N>;

        static constexpr std::size_t
        larger(const std::size_t a, const std::size_t b)
        {
          return a > b ? a : b;
        }

      public:
        using Staging = RowStaging<N, T>;
        using Piece   = typename Staging::Piece;

        static constexpr std::size_t n_bytes =
          (larger(Staging::n_shared_pieces * sizeof(Piece),
                  Families::n_shared * sizeof(T)) +
           15) /
          16 * 16;

        /** @param[in] block_memory n_bytes for each warp. */
        __device__
          __forceinline__ explicit WarpMemory(unsigned char *block_memory)
          : memory(block_memory + cellwise::warp_in_block() * n_bytes)
        {}

        /** No lane needs what was there before. */
        __device__ __forceinline__ Piece *
        pieces() const
        {
          __syncwarp();
          return reinterpret_cast<Piece *>(memory);
        }

        __device__ __forceinline__ T *
        rows() const
        {
          __syncwarp();
          return reinterpret_cast<T *>(memory);
        }

      private:
        unsigned char *memory;
      };

      /** To be called by all threads of the grid. */
      __device__ __forceinline__ void
      wait(const ProgramBarrier barrier)
      {
        if (barrier == ProgramBarrier::none)
          return;
        if (barrier == ProgramBarrier::of_block || gridDim.x == 1)
          __syncthreads();
        else
          device::grid_barrier();
      }

      /** The number of this warp in a launch of a step, in that block. */
      __device__ __forceinline__ std::size_t
                                 warp_of(const unsigned int block)
      {
        return std::size_t(block) * n_step_warps + cellwise::warp_in_block();
      }

      /** Call f(block) for this block's share of the blocks that the launch of
       * a step would have. */
      template <int dim, typename F>
      __device__ __forceinline__ void
      for_each_block(const std::size_t n, const F &f)
      {
        for (unsigned int block = blockIdx.x; block < n_step_blocks<dim>(n);
             block += gridDim.x)
          f(block);
      }

      template <typename T>
      __device__ __forceinline__ PatchTables<T>
      patch_tables(const ProgramMatrices<T> &matrices,
                   const ProgramStep<T>     &step)
      {
        return {matrices.inverse_eigenvectors,
                step.cell_eigenvalues,
                {matrices.forward[0], matrices.forward[1]},
                {matrices.backward[0], matrices.backward[1]},
                step.inverse_eigenvalues};
      }

      template <int dim, int degree, typename T>
      __device__ __forceinline__ void
      update_patches(const ProgramStep<T>             &step,
                     const ProgramMatrices<T>         &matrices,
                     const WarpMemory<dim, degree, T> &memory)
      {
        using Staging = typename WarpMemory<dim, degree, T>::Staging;
        const PatchTables<T> tables = patch_tables(matrices, step);
        const DevicePatches  patches{step.cells,
                                    step.mirrored,
                                    std::int32_t(step.n)};
        if constexpr (tables_in_registers<dim, degree, T>)
          for_each_block<dim>(step.n, [&](const unsigned int block) {
            update_patches_in_registers<dim, degree, true, Staging>(
              step.written,
              step.read[0],
              patches,
              block,
              tables,
              memory.pieces());
          });
        else
          {
            using Tables = SharedTables<degree, device::WarpLanes<T>>;
            TESSERA_SHARED(T, table_memory, [Tables::n_values]);
            // All warps are done with the tables of earlier steps.
            __syncthreads();
            const Tables lane_tables(tables, table_memory);
            lane_tables.load(tables.inverse_eigenvalues);
            for_each_block<dim>(step.n, [&](const unsigned int block) {
              update_patches_of_warp<dim, degree, true, Staging>(
                step.written,
                step.read[0],
                patches,
                block,
                memory.pieces(),
                lane_tables.update(tables));
            });
          }
      }

      template <int dim, int degree, typename T>
      __device__ __forceinline__ void
      restrict_residual(const ProgramStep<T>             &step,
                        const ProgramMatrices<T>         &matrices,
                        const WarpMemory<dim, degree, T> &memory)
      {
        for_each_block<dim>(step.n, [&](const unsigned int block) {
          restrict_residual_of_warp<dim, degree + 1>(
            step.written,
            step.read[0],
            step.read[1],
            step.cells,
            step.children,
            step.n,
            TransferTables<T>{matrices.inverse_eigenvectors,
                              step.cell_eigenvalues,
                              {matrices.modal_embedding[0],
                               matrices.modal_embedding[1]},
                              {nullptr, nullptr}},
            warp_of(block),
            memory.rows());
        });
      }

      template <int dim, int degree, typename T>
      __device__ __forceinline__ void
      prolongate_and_add(const ProgramStep<T>             &step,
                         const ProgramMatrices<T>         &matrices,
                         const WarpMemory<dim, degree, T> &memory)
      {
        for_each_block<dim>(step.n, [&](const unsigned int block) {
          prolongate_and_add_of_warp<dim, degree + 1>(
            step.written,
            step.read[0],
            step.cells,
            step.children,
            step.n,
            TransferTables<T>{nullptr,
                              nullptr,
                              {nullptr, nullptr},
                              {matrices.embedding[0], matrices.embedding[1]}},
            warp_of(block),
            memory.rows());
        });
      }

      template <typename T>
      __device__ __forceinline__ void
      set_zero(const ProgramStep<T> &step)
      {
        constexpr std::size_t n_of_piece = on_device::n_zeros_of_piece;
        for (std::size_t first = blockIdx.x * n_of_piece; first < step.n;
             first += gridDim.x * n_of_piece)
          for (std::size_t i = first + threadIdx.x;
               i < first + n_of_piece && i < step.n;
               i += n_step_threads)
            step.written[i] = T(0);
      }

      template <int dim, int degree, typename T>
      __global__ void
      __launch_bounds__(n_step_threads, min_blocks)
        run_program_kernel(const ProgramStep<T>   *steps,
                           const int               n_steps,
                           const __grid_constant__ ProgramMatrices<T> matrices)
      {
        TESSERA_DYNAMIC_SHARED(unsigned char, block_memory);
        TESSERA_SHARED(ProgramStep<T>, steps_at_hand, [n_steps_at_hand]);
        const WarpMemory<dim, degree, T> memory(block_memory);

        for (int s = 0; s < n_steps; ++s)
          {
            if (s % n_steps_at_hand == 0)
              {
                __syncthreads();
                const int i = int(threadIdx.x);
                if (i < n_steps_at_hand && s + i < n_steps)
                  steps_at_hand[i] = steps[s + i];
                __syncthreads();
              }
            const ProgramStep<T> &step = steps_at_hand[s % n_steps_at_hand];
            wait(step.barrier);
            switch (step.kind)
              {
                case ProgramStepKind::update_patches:
                  update_patches(step, matrices, memory);
                  break;
                case ProgramStepKind::restrict_residual:
                  restrict_residual(step, matrices, memory);
                  break;
                case ProgramStepKind::prolongate_and_add:
                  prolongate_and_add(step, matrices, memory);
                  break;
                case ProgramStepKind::set_zero:
                  set_zero(step);
              }
          }
      }

      /** Call f(kernel, bytes of dynamic shared memory). */
      template <int dim, typename T, typename F>
      void
      with_kernel(const int degree, const F &f)
      {
        cellwise::dispatch_device_degree(degree, [&](const auto p) {
          constexpr int constant_degree = decltype(p)::value;
          if constexpr (constant_degree <= max_program_degree<dim, T>)
            f(run_program_kernel<dim, constant_degree, T>,
              n_step_warps * WarpMemory<dim, constant_degree, T>::n_bytes);
          else
            TESSERA_ASSERT(false, "there is a program of this degree");
        });
      }
    } // namespace



    template <int dim, typename T>
    void
    on_device::run_program(const int                 degree,
                           const ProgramStep<T>     *steps,
                           const std::size_t         n_steps,
                           const ProgramMatrices<T> &matrices,
                           const unsigned int        n_blocks,
                           const device::Stream     &stream)
    {
      with_kernel<dim, T>(degree,
                          [&](const auto        kernel,
                              const std::size_t shared_bytes) {
                            if (n_blocks == 1)
                              device::launch(kernel,
                                             n_blocks,
                                             n_step_threads,
                                             shared_bytes,
                                             stream,
                                             steps,
                                             int(n_steps),
                                             matrices);
                            else
                              device::launch_cooperative(kernel,
                                                         n_blocks,
                                                         n_step_threads,
                                                         shared_bytes,
                                                         stream,
                                                         steps,
                                                         int(n_steps),
                                                         matrices);
                          });
    }



    template <int dim, typename T>
    unsigned int
    on_device::max_program_blocks(const int degree)
    {
      unsigned int n_blocks = 0;
      with_kernel<dim, T>(
        degree, [&](const auto kernel, const std::size_t shared_bytes) {
          n_blocks =
            device::max_resident_blocks(kernel, n_step_threads, shared_bytes);
        });
      return n_blocks;
    }



#define TESSERA_INSTANTIATE(dim, T)                                             \
  template void         on_device::run_program<dim>(int,                        \
                                            const ProgramStep<T> *,     \
                                            std::size_t,                \
                                            const ProgramMatrices<T> &, \
                                            unsigned int,               \
                                            const device::Stream &);    \
  template unsigned int on_device::max_program_blocks<dim, T>(int)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace patch
} // namespace tessera
