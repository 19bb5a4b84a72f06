// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/device_kernels/patch_steps.h"

#include <tessera/cellwise/cell_grid.h>
#include <tessera/patch/device/brick_sweep.h>
#include <tessera/patch/device/sweep.h>
#include <tessera/patch/level_tables.h>
#include <tessera/patch/variant_tables.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "benchmarks/device_kernels/bounds.h"
#include "benchmarks/gpu_patch/colour_step.h"
#include "benchmarks/gpu_patch/patch_reference.h"
#include "benchmarks/gpu_patch/sections.h"

namespace benchmark
{
  using namespace tessera::patch;
  using tessera::cellwise::CellGrid;
  using tessera::cellwise::GridDescription;
  using tessera::device::Memory;

  namespace
  {
    constexpr int n_nodes = PatchReference::n_nodes;

    /** Bytes of a cell visit between device memory and registers: u and b read,
     * u written, the index of the cell. */
    constexpr double bytes_of_visit = 3 * 64 * 4 + 4;

    /** Through shared memory: u, b and the correction, in and out. */
    constexpr double shared_bytes_of_visit = 3 * 64 * 4 * 2;

    constexpr double operations_of_visit = 1647, flops_of_visit = 2627;

    /** Of PatchVariantUpdate. */
    constexpr double operations_of_variant[] = {3179, 2855, 2855, 2681, 2223};
    constexpr double flops_of_variant[]      = {5137, 5137, 4305, 4311, 3395};

    constexpr const char *variant_names[] = {"1 nodal",
                                             "2 accumulator chain",
                                             "3 cell eigenbasis",
                                             "4 merged transforms",
                                             "5 reflection symmetry"};

    constexpr double tolerance = 1e-5;



    /** Tables for cells with the weights 1. */
    struct Tables
    {
      explicit Tables(const tessera::device::Stream &stream)
        : reference(1.)
        , of_level(reference.cell,
                   reference.matrices,
                   std::array<double, 3>{{1., 1., 1.}})
        , of_variants(reference.cell, reference.matrices, {{1., 1., 1.}})
        , on_device(3, of_level.patch(), stream)
        , variants(of_variants.tables())
      {
        variants.patch.inverse_eigenvalues =
          on_device.tables().inverse_eigenvalues;
      }

      PatchReference              reference;
      LevelTables<3, float>       of_level;
      VariantTablesOfLevel        of_variants;
      DevicePatchTables<3, float> on_device;
      VariantTables<float>        variants;
    };

    std::vector<double>
    to_double(const std::vector<float> &x)
    {
      return std::vector<double>(x.begin(), x.end());
    }

    /** The difference between f(u, b) on the device and in the reference.
     * @param[in] expect expect(u, b) in double, b nodal.
     * @param[in] b_is_modal What f takes. */
    template <typename F, typename Expect>
    double
    error_of(const Tables                  &tables,
             const std::size_t              n_cells,
             const bool                     b_is_modal,
             const F                       &f,
             const Expect                  &expect,
             const tessera::device::Stream &stream)
    {
      const std::vector<float> u = random_values<float>(n_cells * n_nodes, 7);
      const std::vector<float> b = random_values<float>(n_cells * n_nodes, 8);
      Memory<float>            device_u(u.data(), u.size(), stream);
      const Memory<float>      device_b(b.data(), b.size(), stream);
      f(device_u.data(), device_b.data());

      std::vector<double> expected = to_double(u), nodal_b = to_double(b);
      if (b_is_modal)
        for (std::size_t i = 0; i < b.size(); i += n_nodes)
          {
            const std::vector<double> of_cell =
              tables.reference.to_nodes(to_double(b).data() + i);
            for (int k = 0; k < n_nodes; ++k)
              nodal_b[i + k] = of_cell[k];
          }
      expect(expected, nodal_b);
      return relative_difference(to_host(device_u, stream), expected);
    }



    /** Steps of one colour on all cells of a box. */
    class Steps
    {
    public:
      Steps(DeviceSession    &s,
            const Tables     &t,
            const std::size_t n_cells,
            const bool        in_random_order)
        : session(s)
        , tables(t)
        , large(box_of(n_cells), in_random_order, s.stream)
        , small({{6, 4, 2}}, true, s.stream)
        , u(large.n_cells() * n_nodes)
        , b(large.n_cells() * n_nodes)
      {
        fill_random(u.data(), u.size(), 9, session.stream);
        fill_random(b.data(), b.size(), 10, session.stream);
      }

      Measurement
      line(const std::string &section, const std::string &name) const
      {
        Measurement m;
        m.section      = section;
        m.name         = name;
        m.n_cells      = large.n_cells();
        m.n_visits     = double(large.n_cells());
        m.bytes        = m.n_visits * bytes_of_visit;
        m.shared_bytes = m.n_visits * shared_bytes_of_visit;
        m.tolerance    = tolerance;
        return m;
      }

      /**
       * Measure f(u, b, patches).
       * @param[in] n_updates Of each patch.
       */
      template <typename F>
      void
      measure(Measurement  m,
              const bool   b_is_modal,
              const int    n_updates,
              const double operations,
              const double flops,
              const F     &f)
      {
        m.operations = m.n_visits * n_updates * operations;
        m.flops      = m.n_visits * n_updates * flops;
        m.error      = error_of(
          tables,
          small.n_cells(),
          b_is_modal,
          [&](float *small_u, const float *small_b) {
            f(small_u, small_b, small.patches());
          },
          [&](std::vector<double>       &expected,
              const std::vector<double> &nodal_b) {
            for (int i = 0; i < n_updates; ++i)
              tables.reference.update(expected, nodal_b, small.host_cells);
          },
          session.stream);
        m.seconds =
          session.time([&] { f(u.data(), b.data(), large.patches()); });
        session.add(m);
      }

      void
      measure_final(const Measurement &m)
      {
        measure(m,
                true,
                1,
                operations_of_visit,
                flops_of_visit,
                [&](float *x, const float *y, const DevicePatches &patches) {
                  on_device::update_patches(
                    x, y, patches, tables.on_device, session.stream);
                });
      }

      void
      measure_copy(Measurement m)
      {
        m.error = error_of(
          tables,
          small.n_cells(),
          false,
          [&](float *x, const float *y) {
            copy_patches(x, y, small.patches(), session.stream);
          },
          [](std::vector<double> &expected, const std::vector<double> &y) {
            for (std::size_t i = 0; i < y.size(); ++i)
              expected[i] += expected[i] + y[i];
          },
          session.stream);
        // Numbers must not grow from run to run.
        m.seconds = session.time(
          [&] { fill_random(u.data(), u.size(), 9, session.stream); },
          [&] {
            copy_patches(u.data(), b.data(), large.patches(), session.stream);
          });
        session.add(m);
      }

      DeviceSession &session;
      const Tables  &tables;

    private:
      ColourStep    large, small;
      Memory<float> u, b;
    };

    Published
    published_step(const double seconds, const double bytes_per_second)
    {
      Published p;
      p.seconds          = seconds;
      p.bytes_per_second = bytes_per_second;
      return p;
    }

    /**
     * Sweeps over all patches of a cube: 128^3 cells by default.
     * @param[in] make make(grid) returns a pointer to a sweep.
     * @param[in] bytes bytes(sweep, n_visits) of memory.
     */
    template <typename Make, typename Bytes>
    void
    measure_sweeps(DeviceSession     &session,
                   const std::string &name,
                   const Published   &published,
                   const Tables      &tables,
                   const Make        &make,
                   const Bytes       &bytes)
    {
      const auto make_grid = [](const int n) {
        GridDescription<3> box;
        box.n_cells.fill(n);
        box.cell_size.fill(1.);
        return CellGrid<3>(box);
      };
      Measurement m;
      m.section   = "table9";
      m.name      = name;
      m.published = published;
      m.tolerance = tolerance;
      {
        const CellGrid<3>      grid  = make_grid(4);
        const auto             sweep = make(grid);
        const PatchSchedule<3> schedule(grid,
                                        ColourOrder::odd_first,
                                        Traversal::by_colour);
        m.error = error_of(
          tables,
          std::size_t(grid.n_local()),
          true,
          [&](float *u, const float *b) {
            sweep->apply(u, b, false, session.stream);
          },
          [&](std::vector<double> &u, const std::vector<double> &nodal_b) {
            tables.reference.update(u, nodal_b, schedule.cells());
          },
          session.stream);
      }

      const int n =
        std::max(4,
                 int(std::cbrt(double(session.n_cells) / 4.) / 2. + 1e-6) * 2);
      const CellGrid<3> grid  = make_grid(n);
      const auto        sweep = make(grid);
      Memory<float>     u(std::size_t(grid.n_local()) * n_nodes), b(u.size());
      fill_random(u.data(), u.size(), 9, session.stream);
      fill_random(b.data(), b.size(), 10, session.stream);
      m.n_cells    = std::size_t(grid.n_local());
      m.n_visits   = 8. * std::pow(n - 1, 3);
      m.bytes      = bytes(*sweep, m.n_visits);
      m.operations = m.n_visits * operations_of_visit;
      m.flops      = m.n_visits * flops_of_visit;
      m.seconds    = session.time(
        [&] { sweep->apply(u.data(), b.data(), false, session.stream); });
      session.add(m);
    }
  } // namespace



  void
  measure_steps(DeviceSession &session)
  {
    const Tables tables(session.stream);
    for (const bool large : {false, true})
      for (const bool in_random_order : {false, true})
        {
          Steps       steps(session,
                      tables,
                      large ? session.n_cells : session.n_medium_cells(),
                      in_random_order);
          Measurement m =
            steps.line("table9",
                       in_random_order ? "one colour, random order" :
                                         "one colour, storage order");
          m.published = large ?
                          (in_random_order ? published_step(4.495e-3, 1441e9) :
                                             published_step(4.085e-3, 1585e9)) :
                          (in_random_order ? published_step(0.591e-3, 1370e9) :
                                             published_step(0.540e-3, 1499e9));
          steps.measure_final(m);
        }

    measure_sweeps(
      session,
      "full sweep, eight colours",
      published_step(8.316e-3, 1521e9),
      tables,
      [&](const CellGrid<3> &grid) {
        return std::make_unique<DeviceSweep<3, float>>(
          3,
          tables.of_level.patch(),
          PatchSchedule<3>(grid, ColourOrder::odd_first, Traversal::by_colour),
          session.stream);
      },
      [](const DeviceSweep<3, float> &, const double n_visits) {
        return n_visits * bytes_of_visit;
      });
    for (const std::size_t kibibytes : {0, 100})
      measure_sweeps(
        session,
        kibibytes == 0 ? "full sweep, bricks" : "full sweep, bricks of 100 KiB",
        Published(),
        tables,
        [&](const CellGrid<3> &grid) {
          return std::make_unique<DeviceBrickSweep<3, float>>(
            grid,
            PatchSchedule<3>(grid,
                             ColourOrder::odd_first,
                             Traversal::by_colour),
            ColourOrder::odd_first,
            3,
            tables.of_level.patch(),
            session.stream,
            kibibytes * 1024);
        },
        [](const DeviceBrickSweep<3, float> &sweep, double) {
          return double(sweep.bytes_of_sweep(false));
        });
  }



  void
  measure_resources(DeviceSession &session)
  {
    const Tables     tables(session.stream);
    Steps            steps(session, tables, session.n_medium_cells(), false);
    constexpr double published_final = 0.540e-3;
    constexpr double published_bytes = double(1 << 20) * bytes_of_visit;

    Measurement m                = steps.line("table7", "final kernel");
    m.published.flops_per_second = 0.41 * published_float_peak;
    steps.measure_final(m);
    steps.measure_copy(steps.line("resources", "its traffic alone"));

    struct Resources
    {
      const char    *name;
      PatchResources resources;
      double         slowdown; // published
    };
    for (const Resources &r :
         {Resources{"at most 168 registers",
                    PatchResources::registers_168,
                    not_a_number},
          Resources{"at most 128 registers",
                    PatchResources::registers_128,
                    1.9},
          Resources{"at most 96 registers", PatchResources::registers_96, 3.2},
          Resources{"whole cells staged", PatchResources::whole_cells, 1.11}})
      {
        m = steps.line("resources", r.name);
        m.published =
          published_step(r.slowdown * published_final,
                         published_bytes / (r.slowdown * published_final));
        steps.measure(
          m,
          true,
          1,
          operations_of_visit,
          flops_of_visit,
          [&](float *x, const float *y, const DevicePatches &patches) {
            update_patches_with(
              r.resources, x, y, patches, tables.on_device, session.stream);
          });
      }
  }



  void
  measure_variants(DeviceSession &session)
  {
    const Tables tables(session.stream);
    Steps        steps(session, tables, session.n_medium_cells(), false);
    for (int v = 0; v < n_patch_variants; ++v)
      steps.measure(
        steps.line("variants", variant_names[v]),
        false,
        1,
        operations_of_variant[v],
        flops_of_variant[v],
        [&](float *x, const float *y, const DevicePatches &patches) {
          update_patches_by_variant(
            PatchVariant(v), x, y, patches, tables.variants, session.stream);
        });

    // Eight updates of what is loaded once.
    constexpr double published_rates[] = {
      15.1e12, 16.9e12, not_a_number, not_a_number, 12.9e12};
    for (int v = 0; v < n_patch_variants; ++v)
      {
        Measurement m =
          steps.line("variants", std::string(variant_names[v]) + ", 8 times");
        m.published.flops_per_second = published_rates[v];
        steps.measure(
          m,
          false,
          n_repeated_updates,
          operations_of_variant[v],
          flops_of_variant[v],
          [&](float *x, const float *y, const DevicePatches &patches) {
            repeat_updates_by_variant(
              PatchVariant(v), x, y, patches, tables.variants, session.stream);
          });
      }
    steps.measure(steps.line("variants", "final kernel, 8 times"),
                  true,
                  n_repeated_updates,
                  operations_of_visit,
                  flops_of_visit,
                  [&](float *x, const float *y, const DevicePatches &patches) {
                    repeat_updates(
                      x, y, patches, tables.on_device, session.stream);
                  });
  }
} // namespace benchmark
