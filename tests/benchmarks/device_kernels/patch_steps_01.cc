// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernels of this folder against the host's, bit for bit: patches that do
// not fill a warp, cells in random order; cells that are in no patch are
// neither read nor written.
#include <tessera/patch/level_tables.h>
#include <tessera/patch/variant_kernels.h>
#include <tessera/patch/variant_tables.h>

#include <cstring>
#include <limits>
#include <vector>

#include "benchmarks/device_kernels/patch_steps.h"
#include "check.h"
#include "device_emulation/device_test.h"
#include "patch/assembled_problem.h"

using namespace tessera;
using namespace tessera::patch;
using reference::Random;
using reference::ReferenceCell;

namespace
{
  constexpr int n_nodes = 64;

  /** Contiguous, [cell][node]. */
  using Values = std::vector<float>;

  /** Patches that share no cell, and random fields. */
  struct Problem
  {
    Problem(const int n, const device::Stream &stream)
      : n_patches(n)
      , cells(8 * n + 5)
      , u(cells.size() * n_nodes)
      , b(u.size())
      , run{0, n, 0}
    {
      Random random(31);
      for (std::size_t c = 0; c < cells.size(); ++c)
        cells[c] = CellIndex(c);
      for (std::size_t c = cells.size(); --c > 0;)
        std::swap(cells[c],
                  cells[std::size_t((random() + 1.) / 2. * double(c + 1))]);
      for (std::size_t c = 0; c < cells.size(); ++c)
        for (int k = 0; k < n_nodes; ++k)
          {
            const bool        is_used = c < std::size_t(8 * n);
            const float       nan     = std::numeric_limits<float>::quiet_NaN();
            const std::size_t i       = std::size_t(cells[c]) * n_nodes + k;
            u[i]                      = is_used ? float(random()) : nan;
            b[i]                      = is_used ? float(random()) : nan;
          }
      cells.resize(8 * n);
      device_cells = {cells.data(), cells.size(), stream};
    }

    PatchList
    on_host() const
    {
      return {cells.data(), &run, 1, false};
    }

    DevicePatches
    on_device() const
    {
      return {device_cells.data(), nullptr, n_patches};
    }

    int                       n_patches;
    std::vector<CellIndex>    cells;
    Values                    u, b;
    PatchRun                  run;
    device::Memory<CellIndex> device_cells;
  };

  /** Bit for bit, NaN included, but for the sign of zero. */
  bool
  same_numbers(const Values &x, const Values &y)
  {
    bool same = x.size() == y.size();
    for (std::size_t i = 0; same && i < x.size(); ++i)
      same = x[i] == y[i] || std::memcmp(&x[i], &y[i], sizeof(float)) == 0;
    return same;
  }

  /** u after update(u, b) on the device. */
  template <typename Update>
  Values
  apply_on_device(const Problem        &problem,
                  const device::Stream &stream,
                  const Update         &update)
  {
    device::Memory<float>       u(problem.u.data(), problem.u.size(), stream);
    const device::Memory<float> b(problem.b.data(), problem.b.size(), stream);
    update(u.data(), b.data());
    Values result(u.size());
    u.copy_to_host(result.data(), stream);
    return result;
  }

  /** u after n sweeps of the host with modal b. */
  Values
  sweep_on_host(const Problem            &problem,
                const PatchTables<float> &tables,
                const int                 n)
  {
    const CellIndex                  n_cells = problem.u.size() / n_nodes;
    reference::Primal<float>         u(n_cells, n_nodes);
    reference::DualModalField<float> b(n_cells, n_nodes);
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        {
          u(c, k) = problem.u[c * n_nodes + k];
          b(c, k) = problem.b[c * n_nodes + k];
        }
    for (int i = 0; i < n; ++i)
      TESSERA_CALL_SIMD(
        sweep<3>(3, u.data(), b.data(), problem.on_host(), tables));
    Values result(problem.u.size());
    for (CellIndex c = 0; c < n_cells; ++c)
      for (int k = 0; k < n_nodes; ++k)
        result[c * n_nodes + k] = u(c, k);
    return result;
  }

  /** The same in a variant, with nodal b. */
  Values
  sweep_variant_on_host(const PatchVariant          variant,
                        const Problem              &problem,
                        const VariantTables<float> &tables,
                        const int                   n)
  {
    Values u = problem.u;
    for (int i = 0; i < n; ++i)
      TESSERA_CALL_SIMD(sweep_variant(
        variant, u.data(), problem.b.data(), problem.on_host(), tables));
    return u;
  }

  void
  check_kernels(const int n_patches, const device::Stream &stream)
  {
    const ReferenceCell         cell(3);
    const PatchMatrices         matrices(cell);
    const std::array<double, 3> weights = {{0.75, 1., 0.5}};
    const Problem               problem(n_patches, stream);

    // b is taken for modes.
    const LevelTables<3, float>       tables(cell, matrices, weights);
    const DevicePatchTables<3, float> device_tables(3, tables.patch(), stream);

    const Values updated = sweep_on_host(problem, tables.patch(), 1);
    CHECK(!same_numbers(updated, problem.u));
    for (const auto resources : {benchmark::PatchResources::registers_168,
                                 benchmark::PatchResources::registers_128,
                                 benchmark::PatchResources::registers_96,
                                 benchmark::PatchResources::whole_cells})
      CHECK(same_numbers(apply_on_device(problem,
                                         stream,
                                         [&](float *u, const float *b) {
                                           benchmark::update_patches_with(
                                             resources,
                                             u,
                                             b,
                                             problem.on_device(),
                                             device_tables,
                                             stream);
                                         }),
                         updated));

    const int    n_repeated = benchmark::n_repeated_updates;
    const Values repeated = sweep_on_host(problem, tables.patch(), n_repeated);
    CHECK(!same_numbers(repeated, updated));
    CHECK(same_numbers(
      apply_on_device(problem,
                      stream,
                      [&](float *u, const float *b) {
                        benchmark::repeat_updates(
                          u, b, problem.on_device(), device_tables, stream);
                      }),
      repeated));

    // b is taken for nodal values.
    const VariantTablesOfLevel        variant_tables(cell, matrices, weights);
    const VariantTables<float>       &host_tables = variant_tables.tables();
    const DevicePatchTables<3, float> device_patch_tables(3,
                                                          host_tables.patch,
                                                          stream);
    VariantTables<float>              argument = host_tables;
    argument.patch                             = device_patch_tables.tables();
    for (int v = 0; v < n_patch_variants; ++v)
      {
        const PatchVariant variant = PatchVariant(v);
        CHECK(same_numbers(
          apply_on_device(
            problem,
            stream,
            [&](float *u, const float *b) {
              benchmark::update_patches_by_variant(
                variant, u, b, problem.on_device(), argument, stream);
            }),
          sweep_variant_on_host(variant, problem, host_tables, 1)));
        CHECK(same_numbers(
          apply_on_device(
            problem,
            stream,
            [&](float *u, const float *b) {
              benchmark::repeat_updates_by_variant(
                variant, u, b, problem.on_device(), argument, stream);
            }),
          sweep_variant_on_host(variant, problem, host_tables, n_repeated)));
      }

    Values copied = problem.u;
    for (const CellIndex c : problem.cells)
      for (int k = 0; k < n_nodes; ++k)
        {
          const std::size_t i = std::size_t(c) * n_nodes + k;
          copied[i]           = problem.u[i] + (problem.u[i] + problem.b[i]);
        }
    CHECK(same_numbers(apply_on_device(problem,
                                       stream,
                                       [&](float *u, const float *b) {
                                         benchmark::copy_patches(
                                           u, b, problem.on_device(), stream);
                                       }),
                       copied));
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream stream;
#ifdef TESSERA_TEST_VARIANT_thread
    check_kernels(5, stream);
#else
    for (const int n_patches : {1, 4, 7, 18})
      check_kernels(n_patches, stream);
#endif
  });
}
