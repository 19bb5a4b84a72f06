// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_program_launchers_h
#define tessera_patch_device_program_launchers_h

#include <tessera/base/device/stream.h>
#include <tessera/patch/device/sweep.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tessera
{
  namespace patch
  {
    /** The largest degree for which there are programs: cells of degree 3 in
     * three dimensions in double, and the state of a program, do not fit into
     * the registers of a thread. */
    template <int dim, typename T>
    inline constexpr int max_program_degree =
      dim == 3 && std::is_same<T, double>::value ? 2 : max_device_degree;

    namespace on_device
    {
      /** What a step of a program does; see the functions of DeviceSteps. */
      enum class ProgramStepKind : std::int32_t
      {
        set_zero,
        update_patches,
        restrict_residual,
        prolongate_and_add
      };

      /** Which threads must have done the steps before. */
      enum class ProgramBarrier : std::int32_t
      {
        none,
        of_block, ///< the first block has to do with both
        of_grid
      };

      /** Values of a piece of a step that sets them to zero: about what patches
       * of one block have. */
      inline constexpr std::size_t n_zeros_of_piece = 64 * n_step_threads;

      /**
       * A step of a program. All pointers are to device memory, those a step of
       * this kind does not need are null.
       */
      template <typename T>
      struct ProgramStep
      {
        ProgramStepKind kind;

        ProgramBarrier barrier; ///< before the step

        std::size_t n; ///< values; patches; parents

        T       *written; ///< values; u; coarse_b; u
        const T *read[2]; ///< of update_patches b, of restrict_residual u and
                          ///< b, of prolongate_and_add coarse_u

        const CellIndex    *cells; ///< see DevicePatches; or parents
        const CellIndex    *children;
        const std::uint8_t *mirrored; ///< see DevicePatches

        const T *cell_eigenvalues;
        const T *inverse_eigenvalues; ///< see PatchTables
      };

      /**
       * The matrices of an element, the same on all levels, row-major at the
       * beginning of arrays that are large enough for all degrees: an argument
       * of a kernel. See PatchTables and TransferTables.
       */
      template <typename T>
      struct ProgramMatrices
      {
        static constexpr int max_degree = max_device_degree;
        static constexpr int max_q      = max_degree + 1;

        T inverse_eigenvectors[max_q * max_q];
        T forward[2][max_degree * max_q];
        T backward[2][max_degree * max_degree];
        T modal_embedding[2][max_q * max_q];
        T embedding[2][max_q * max_q];
      };

      /**
       * Do all steps in one kernel.
       * @param[in] degree At most max_program_degree, likewise below.
       * @param[in] steps n_steps of them, device memory.
       * @param[in] n_blocks At most max_program_blocks(); 1 needs no barrier of
       * a grid.
       */
      template <int dim, typename T>
      void
      run_program(int                       degree,
                  const ProgramStep<T>     *steps,
                  std::size_t               n_steps,
                  const ProgramMatrices<T> &matrices,
                  unsigned int              n_blocks,
                  const device::Stream     &stream);

      /** How many blocks of the kernel fit on the device at the same time. */
      template <int dim, typename T>
      unsigned int
      max_program_blocks(int degree);
    } // namespace on_device
  }   // namespace patch
} // namespace tessera

#endif
