// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_shared_patch_tables_h
#define tessera_patch_device_shared_patch_tables_h

#include <tessera/patch/device/patch_step.h>

#include <new>
#include <type_traits>

// For kernel sources.

namespace tessera
{
  namespace patch
  {
    /**
     * Whether the tables of a lane are in registers. In double they are in
     * shared memory, where the cells need all registers.
     */
    template <int dim, int degree, typename T>
    inline constexpr bool tables_in_registers =
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

      /**
       * Make the matrices. To be called by all threads of a block, load() after
       * it.
       * @param[in] values n_values of them, shared.
       */
      __device__ __forceinline__
      SharedTables(const PatchTables<T> &tables, T *values)
        : pair_x(find_pair<0, typename Update::PairX>(tables, values))
        , pair_y(find_pair<1, typename Update::PairY>(tables, values))
        , pair_z(find_pair<2, typename Update::PairLast>(tables, values))
        , memory(values)
      {}

      /** Take inverse eigenvalues from device memory. To be called by all
       * threads of a block, of which none needs earlier ones any more. */
      __device__ __forceinline__ void
      load(const T *inverse_eigenvalues) const
      {
        for (int i = int(threadIdx.x); i < 8 * n_modes; i += n_step_threads)
          memory[first_eigenvalue(i % 8) + i / 8] = inverse_eigenvalues[i];
        __syncthreads();
      }

      __device__ __forceinline__ Update
      update(const PatchTables<T> &tables) const
      {
        return Update(tables,
                      *reinterpret_cast<const T(*)[n_modes]>(
                        memory + first_eigenvalue(int(threadIdx.x % 8))),
                      *pair_x,
                      *pair_y,
                      *pair_z);
      }

    private:
      /** The place of those of a cell of a patch. */
      __device__ __forceinline__ static constexpr int
      first_eigenvalue(const int cell)
      {
        return 6 * n_pair_values + cell * (n_modes + 1 - n_modes % 2);
      }

      /** The pair of a direction for the lane. One lane makes it. */
      template <int direction, typename Pair>
      __device__ __forceinline__ static const Pair *
      find_pair(const PatchTables<T> &tables, T *values)
      {
        const int   lane = int(threadIdx.x);
        const int   end  = (lane >> direction) & 1;
        Pair *const pair = reinterpret_cast<Pair *>(
          values + (2 * direction + end) * n_pair_values);
        if (lane == end << direction)
          new (pair) Pair(tables);
        return pair;
      }

      const typename Update::PairX    *pair_x;
      const typename Update::PairY    *pair_y;
      const typename Update::PairLast *pair_z;
      T                               *memory;
    };
  } // namespace patch
} // namespace tessera

#endif
