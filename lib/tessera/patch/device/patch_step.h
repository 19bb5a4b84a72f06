// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_patch_step_h
#define tessera_patch_device_patch_step_h

#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/cellwise/device/cells_of_warp.h>
#include <tessera/patch/device/row_staging.h>
#include <tessera/patch/device/sweep.h>

#include <cstddef>
#include <type_traits>

// The frame of a kernel that updates patches, one cell a lane, for kernel
// sources: what comes from memory and goes there.

namespace tessera
{
  namespace patch
  {
    /** Warps of a block. */
    inline constexpr int n_step_warps = n_step_threads / 32;

    /**
     * PatchTables of a degree as an argument of a kernel: instructions take
     * entries from there as constants.
     */
    template <int dim, int degree, typename T>
    struct StepTables
    {
      static constexpr int q = degree + 1;

      T        inverse_eigenvectors[q * q];
      T        cell_eigenvalues[cellwise::power(q, dim)];
      T        forward[2][degree * q];
      T        backward[2][degree * degree];
      const T *inverse_eigenvalues; ///< device memory

      /** @param[in] tables In host memory but inverse_eigenvalues. */
      explicit StepTables(const PatchTables<T> &tables)
        : inverse_eigenvalues(tables.inverse_eigenvalues)
      {
        copy(tables.inverse_eigenvectors, inverse_eigenvectors);
        copy(tables.cell_eigenvalues, cell_eigenvalues);
        for (int a = 0; a < 2; ++a)
          {
            copy(tables.forward[a], forward[a]);
            copy(tables.backward[a], backward[a]);
          }
      }

      __device__ __forceinline__ PatchTables<T>
                                 pointers() const
      {
        return {inverse_eigenvectors,
                cell_eigenvalues,
                {forward[0], forward[1]},
                {backward[0], backward[1]},
                inverse_eigenvalues};
      }

    private:
      template <int n>
      static void
      copy(const T *from, T (&to)[n])
      {
        for (int i = 0; i < n; ++i)
          to[i] = from[i];
      }
    };

    /** PatchTables::inverse_eigenvalues of the lane. */
    template <int dim, typename T, int n_modes>
    __device__ __forceinline__ void
    load_inverse_eigenvalues(const T *inverse_eigenvalues, T (&values)[n_modes])
    {
      const int lane_of_patch = int(threadIdx.x % (1u << dim));
      TESSERA_UNROLL
      for (int m = 0; m < n_modes; ++m)
        values[m] = inverse_eigenvalues[(m << dim) + lane_of_patch];
    }

    /** The cell of a lane. */
    struct LaneCell
    {
      bool         any;      ///< whether the warp has a patch
      CellIndex    cell;     ///< that the lane reads
      CellIndex    stored;   ///< that it writes; no_cell: none
      unsigned int mirrored; ///< of its patch, see PatchRun
    };

    /**
     * The cell of the lane. Where there are not enough patches for the warp,
     * lanes repeat its first one, and do not write; neither do those of mirror
     * images.
     * @tparam with_mirrored Whether there may be mirrored patches.
     * @param[in] block See n_step_blocks().
     */
    template <int dim, bool with_mirrored>
    __device__ __forceinline__ LaneCell
    find_lane_cell(const DevicePatches &patches, const unsigned int block)
    {
      constexpr int n_cells = 1 << dim;
      const int     lane    = int(threadIdx.x % 32u);
      const int     end     = lane % n_cells;
      const int warp  = int(block) * n_step_warps + cellwise::warp_in_block();
      const int first = warp * (32 / n_cells);
      LaneCell  result{first < patches.n_patches,
                      cellwise::no_cell,
                      cellwise::no_cell,
                      0};
      if (!result.any)
        return result;

      const int  own    = first + lane / n_cells;
      const bool exists = own < patches.n_patches;
      const int  patch  = exists ? own : first;
      result.cell       = patches.cells[std::size_t(patch) * n_cells + end];
      bool is_stored    = exists;
      if constexpr (with_mirrored)
        {
          result.mirrored =
            patches.mirrored == nullptr ? 0 : patches.mirrored[patch];
          TESSERA_UNROLL
          for (int d = 0; d < dim; ++d)
            if ((result.mirrored >> (2 * d + ((end >> d) & 1))) & 1u)
              is_stored = false;
        }
      if (is_stored)
        result.stored = result.cell;
      return result;
    }

    /**
     * Slabs of cells, from their rows to the lanes: load_u, load_b of
     * PatchUpdate.
     * @tparam ahead Read all rows at once, before the first is needed; or
     * each in its round.
     */
    template <int slab, bool ahead, typename Staging, typename T>
    class SlabsFromRows
    {
      static constexpr int n_slabs = Staging::row_values / slab;

    public:
      __device__ __forceinline__
      SlabsFromRows(const Staging &s, const T *f, const CellIndex c)
        : staging(s)
        , field(f)
        , cell(c)
      {
        if constexpr (ahead)
          staging.load(field, cell, 0, rows);
      }

      __device__ __forceinline__ const T *
      operator()(const int z, T (&)[slab])
      {
        const int round = z / n_slabs;
        if (z % n_slabs == 0)
          {
            if constexpr (!ahead)
              staging.load(field, cell, round, rows);
            staging.to_lanes(rows[ahead ? round : 0], values);
          }
        return values + z % n_slabs * slab;
      }

    private:
      const Staging        &staging;
      const T              *field;
      const CellIndex       cell;
      typename Staging::Row rows[ahead ? Staging::n_rounds : 1];
      T                     values[Staging::row_values];
    };

    /**
     * The way back: add of PatchUpdate. The values to which something is added
     * are read again, from the cache.
     * @tparam ahead Read all rows before the first is written.
     */
    template <int slab, bool ahead, typename Staging, typename T>
    class SlabsToRows
    {
      static constexpr int n_slabs = Staging::row_values / slab;

    public:
      __device__ __forceinline__
      SlabsToRows(const Staging &s, T *field, const LaneCell &c)
        : staging(s)
        , u(field)
        , cell(c)
      {}

      __device__ __forceinline__ void
      operator()(const int z, const T (&c)[slab])
      {
        const int round = z / n_slabs;
        if (ahead ? z == 0 : z % n_slabs == 0)
          staging.load(u, cell.cell, round, rows);
        TESSERA_UNROLL
        for (int k = 0; k < slab; ++k)
          values[z % n_slabs * slab + k] = c[k];
        if (z % n_slabs == n_slabs - 1)
          {
            typename Staging::Row correction;
            staging.to_rows(values, correction);
            auto &row = rows[ahead ? round : 0];
            TESSERA_UNROLL
            for (int i = 0; i < Staging::row_pieces; ++i)
              Staging::add(correction[i], row[i]);
            staging.store(u, cell.stored, round, row);
          }
      }

    private:
      const Staging        &staging;
      T                    *u;
      const LaneCell       &cell;
      typename Staging::Row rows[ahead ? Staging::n_rounds : 1];
      T                     values[Staging::row_values] = {};
    };

    /**
     * Update the patches of a warp.
     * @param[in] block See n_step_blocks().
     * @param[in] shared Staging::n_shared_pieces for the warp.
     * @param[in] update Called as PatchUpdate::operator()() with slabs.
     */
    template <int  dim,
              int  degree,
              bool with_mirrored,
              typename Staging,
              typename T,
              typename Update>
    __device__ __forceinline__ void
    update_patches_of_warp(T                       *u,
                           const T                 *b,
                           const DevicePatches     &patches,
                           const unsigned int       block,
                           typename Staging::Piece *shared,
                           const Update            &update)
    {
      constexpr int  slab = cellwise::power(degree + 1, dim - 1);
      const LaneCell cell = find_lane_cell<dim, with_mirrored>(patches, block);
      if (!cell.any)
        return;

      const Staging staging(shared);
      // All rows of a field are on their way before the first is needed, if
      // there are registers for it.
      constexpr bool ahead = std::is_same<T, float>::value;
      using Loader         = SlabsFromRows<slab, ahead, Staging, T>;
      Loader                               load_u(staging, u, cell.cell);
      Loader                               load_b(staging, b, cell.cell);
      SlabsToRows<slab, ahead, Staging, T> add(staging, u, cell);
      update(cell.mirrored, load_u, load_b, add);
    }

    /** The update of PatchUpdate with all tables in registers. */
    template <int  dim,
              int  degree,
              bool with_mirrored,
              typename Staging,
              typename T>
    __device__ __forceinline__ void
    update_patches_in_registers(T                       *u,
                                const T                 *b,
                                const DevicePatches     &patches,
                                const unsigned int       block,
                                const PatchTables<T>    &tables,
                                typename Staging::Piece *shared)
    {
      using Update = PatchUpdate<dim, degree, device::WarpLanes<T>>;
      T inverse_eigenvalues[Update::n_modes];
      load_inverse_eigenvalues<dim>(tables.inverse_eigenvalues,
                                    inverse_eigenvalues);
      update_patches_of_warp<dim, degree, with_mirrored, Staging>(
        u, b, patches, block, shared, Update(tables, inverse_eigenvalues));
    }
  } // namespace patch
} // namespace tessera

#endif
