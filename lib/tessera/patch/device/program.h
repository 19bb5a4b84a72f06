// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_program_h
#define tessera_patch_device_program_h

#include <tessera/base/device/memory.h>
#include <tessera/base/device/stream.h>
#include <tessera/patch/device/program_launchers.h>
#include <tessera/patch/device/steps.h>

#include <cstddef>
#include <limits>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /**
     * Collects steps of a cycle, of all levels it visits, and runs them in one
     * kernel, with barriers between steps of which one needs what the other
     * writes. For levels so small that a step takes no longer
     * than its launch.
     *
     * Usage: call the functions of DeviceSteps in the order of the steps, then
     * prepare(), then run() any number of times. Pointers and what they point
     * to in device memory, but for values of fields, must not change from then
     * on; tables in host memory are copied at once.
     *
     * Results are those of DeviceLaunches, bit for bit.
     *
     * What two steps have in common is found by their pointers to fields: those
     * of two steps are equal, or to arrays that do not overlap.
     *
     * A step is cut in pieces, the blocks that its own launch would have. The
     * kernel has as many blocks as the largest step has pieces, but not more
     * than fit on the device; each does its share of the pieces. Steps of one
     * piece are done by the first block: between these, a barrier of that block
     * is enough; others need one of the grid, which takes longer.
     *
     * Memory: 80 bytes of device memory a step, and (degree+1)^dim numbers a
     * level.
     */
    template <int dim, typename T>
    class DeviceProgram : public DeviceSteps<dim, T>
    {
    public:
      /** Whether there is a program for elements of this degree: 1 to
       * max_program_degree. */
      static bool
      supports(int degree);

      /** How many blocks of a program of this degree fit on the device at the
       * same time. */
      static unsigned int
      max_blocks(int degree);

      /** The pieces of the largest step of a sweep. As long as there are not
       * more than max_blocks() of them, a step takes the time of one piece and
       * a barrier. */
      static unsigned int
      n_pieces(const DeviceSweep<dim, T> &sweep);

      /** An empty program.
       * @throws InputError for a degree that is not supported. */
      explicit DeviceProgram(int degree);

      void
      set_zero(T *values, std::size_t n) override;

      /** Tables are of the degree of the program. All but the eigenvalues
       * depend on nothing else, so do those of the following functions. */
      void
      update_patches(T                               *u,
                     const T                         *b,
                     const DevicePatches             &patches,
                     const DevicePatchTables<dim, T> &tables) override;

      void
      restrict_residual(int                      degree,
                        T                       *coarse_b,
                        const T                 *u,
                        const T                 *b,
                        const CellIndex         *parents,
                        const CellIndex         *children,
                        std::size_t              n_parents,
                        const TransferTables<T> &tables) override;

      void
      prolongate_and_add(int                      degree,
                         T                       *u,
                         const T                 *coarse_u,
                         const CellIndex         *parents,
                         const CellIndex         *children,
                         std::size_t              n_parents,
                         const TransferTables<T> &tables) override;

      /**
       * Send the steps collected so far to the device, and find the number of
       * blocks. To be called again after further steps. Waits for the stream.
       * @param[in] at_most So many blocks.
       */
      void
      prepare(const device::Stream &stream,
              unsigned int at_most = std::numeric_limits<unsigned int>::max());

      /** Do all steps: one launch, or none if there is no step. The host does
       * not wait. */
      void
      run(const device::Stream &stream) const;

      /** With work: steps of nothing are left out. */
      std::size_t
      n_steps() const;

      /** Of the grid, in a run. */
      std::size_t
      n_barriers() const;

      /** In a run, where the first block alone waits for itself. */
      std::size_t
      n_block_barriers() const;

      /** Of the kernel; known after prepare(). */
      unsigned int
      n_blocks() const;

      /** Bytes of device memory. */
      std::size_t
      memory_consumption() const;

    private:
      using Step = on_device::ProgramStep<T>;

      /**
       * Add a step, if it has work, and find the barrier before it.
       * @param[in] eigenvalues Of cells, if it needs them; host memory.
       */
      void
      add(Step step, const T *eigenvalues = nullptr);

      /** Where these are among the eigenvalues of all levels. */
      std::size_t
      find_cell_eigenvalues(const T *eigenvalues);

      int                           degree;
      on_device::ProgramMatrices<T> matrices;

      /** Cell eigenvalues are set when they are on the device: they are from
       * first_eigenvalue on. */
      std::vector<Step>        steps;
      std::vector<std::size_t> first_eigenvalue;

      /** Of levels that differ, (degree+1)^dim each. */
      std::vector<T> cell_eigenvalues;

      /** Fields of several steps. */
      struct Fields
      {
        std::vector<const T *> read, written;

        void
        add(const Step &step);

        /** Whether the step must not run at the same time as these. */
        bool
        conflict_with(const Step &step) const;
      };

      /** Of the steps of several pieces and of one piece since the last barrier
       * of the grid; of those of one piece since the last barrier of any kind.
       */
      Fields of_all_blocks, of_first_block, recent_of_first_block;

      std::size_t  number_of_barriers       = 0;
      std::size_t  number_of_block_barriers = 0;
      unsigned int largest_step             = 0; ///< in pieces
      unsigned int number_of_blocks         = 0;

      device::Memory<Step> device_steps;
      device::Memory<T>    device_cell_eigenvalues;
    };
  } // namespace patch
} // namespace tessera

#endif
