// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_device_kernels_variant_step_h
#define tessera_tests_benchmarks_device_kernels_variant_step_h

#include <tessera/patch/device/patch_step.h>
#include <tessera/patch/patch_variants.h>

#include <cstddef>

// Parts of the kernels of this folder: degree 3 in three dimensions, float.

namespace benchmark
{
  using tessera::cellwise::warp_in_block;
  using tessera::patch::DevicePatches;
  using tessera::patch::DevicePatchTables;
  using tessera::patch::n_step_threads;
  using tessera::patch::n_step_warps;
  using tessera::patch::PatchTables;
  using tessera::patch::PatchVariant;
  using tessera::patch::VariantTables;

  using Lanes = tessera::device::WarpLanes<float>;

  inline constexpr int n_nodes = 64;
  inline constexpr int n_modes = 27;

  using Staging = tessera::patch::RowStaging<n_nodes, float>;
  using Piece   = Staging::Piece;

  /** VariantTables as an argument of a kernel, see StepTables. */
  class VariantStepTables
  {
  public:
    /** @param[in] tables In host memory but patch.inverse_eigenvalues. */
    explicit VariantStepTables(const VariantTables<float> &tables)
      : patch(tables.patch)
    {
      copy(tables.transposed_eigenvectors, transposed_eigenvectors);
      copy(tables.mass, mass);
      for (int d = 0; d < 3; ++d)
        copy(tables.scaled_stiffness[d], scaled_stiffness[d]);
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          {
            copy(tables.nodal_forward[a][b], nodal_forward[a][b]);
            copy(tables.modal_forward[a][b], modal_forward[a][b]);
            copy(tables.backward[a][b], backward[a][b]);
          }
    }

    __device__ __forceinline__ VariantTables<float>
                               pointers() const
    {
      return {patch.pointers(),
              transposed_eigenvectors,
              mass,
              {scaled_stiffness[0], scaled_stiffness[1], scaled_stiffness[2]},
              {{nodal_forward[0][0], nodal_forward[0][1]},
               {nodal_forward[1][0], nodal_forward[1][1]}},
              {{modal_forward[0][0], modal_forward[0][1]},
               {modal_forward[1][0], modal_forward[1][1]}},
              {{backward[0][0], backward[0][1]},
               {backward[1][0], backward[1][1]}}};
    }

  private:
    template <int n>
    static void
    copy(const float *from, float (&to)[n])
    {
      for (int i = 0; i < n; ++i)
        to[i] = from[i];
    }

    tessera::patch::StepTables<3, 3, float> patch;

    float transposed_eigenvectors[16];
    float mass[16];
    float scaled_stiffness[3][16];
    float nodal_forward[2][2][9];
    float modal_forward[2][2][12];
    float backward[2][2][9];
  };

  /** Take a cell of a field into the registers of its lane. */
  template <typename Loader>
  __device__ __forceinline__ void
  take_cell(Loader &load, float (&values)[n_nodes])
  {
    TESSERA_UNROLL
    for (int z = 0; z < 4; ++z)
      {
        float        buffer[16];
        const float *slab = load(z, buffer);
        TESSERA_UNROLL
        for (int k = 0; k < 16; ++k)
          values[16 * z + k] = slab[k];
      }
  }

  /** Load cells of u and b once, change u in the lanes, and store it.
   * @param[in] shared Staging::n_shared_pieces for the warp. */
  template <typename Update>
  __device__ __forceinline__ void
  update_in_lanes(float               *u,
                  const float         *b,
                  const DevicePatches &patches,
                  Piece               *shared,
                  const Update        &update)
  {
    const tessera::patch::LaneCell cell =
      tessera::patch::find_lane_cell<3, false>(patches, blockIdx.x);
    if (!cell.any)
      return;
    const Staging staging(shared);
    using Loader = tessera::patch::SlabsFromRows<16, true, Staging, float>;
    Loader load_u(staging, u, cell.cell);
    Loader load_b(staging, b, cell.cell);
    float  values[n_nodes], rhs[n_nodes];
    take_cell(load_u, values);
    take_cell(load_b, rhs);
    update(rhs, values);
    TESSERA_UNROLL
    for (int round = 0; round < Staging::n_rounds; ++round)
      {
        Staging::Row row;
        staging.to_rows(values + round * Staging::row_values, row);
        staging.store(u, cell.stored, round, row);
      }
  }
} // namespace benchmark

#endif
