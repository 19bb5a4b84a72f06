// SPDX-License-Identifier: LGPL-2.1-or-later
// V-cycles in one kernel have the bits of the host's kernels, as those of a
// launch for each step have: any degree, boundary, and number of blocks.
#include <tessera/base/device/graph.h>
#include <tessera/patch/device/program.h>
#include <tessera/patch/hierarchy.h>
#include <tessera/patch/level_tables.h>

#include <functional>
#include <limits>
#include <list>
#include <string>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "check.h"
#include "device_emulation/device_test.h"
#include "device_fields.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  template <typename T>
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();

  /** What a cycle reads and writes on a level: the cells of the grid, and one
   * more of NaNs that nobody may touch. */
  template <typename T>
  struct Fields
  {
    Primal<T>         u;
    DualModalField<T> b;
  };

  template <typename T>
  struct DeviceFields
  {
    device::Memory<T> u, b;
  };

  template <int dim, typename T>
  struct Level
  {
    Level(const GridDescription<dim> &box,
          const ReferenceCell        &cell,
          const device::Stream       &stream)
      : grid(box)
      , tables(cell, PatchMatrices(cell), {grid.stiffness_weights(), 0.25})
      , schedule(grid, ColourOrder::odd_first, Traversal::by_colour)
      , sweep(cell.degree, tables.patch(), schedule, stream)
      , n_nodes(power(cell.degree + 1, dim))
      , n_values(std::size_t(grid.n_local()) * n_nodes)
    {}

    const CellGrid<dim>       grid;
    const LevelTables<dim, T> tables;
    const PatchSchedule<dim>  schedule;
    const DeviceSweep<dim, T> sweep;
    const int                 n_nodes;
    const std::size_t         n_values; ///< of fields

    /** Of the next coarser level, and the children of these here. */
    std::vector<CellIndex>    parents, children;
    device::Memory<CellIndex> device_parents, device_children;
  };

  template <int dim, typename T>
  class Cycle
  {
  public:
    Cycle(GridDescription<dim>  box,
          const int             p,
          const int             n_levels,
          const device::Stream &s)
      : degree(p)
      , stream(s)
    {
      const ReferenceCell cell(degree);
      Random              random(31);
      for (int l = 0; l < n_levels; ++l)
        {
          levels.emplace_front(box, cell, stream);
          const CellGrid<dim> &grid = levels.front().grid;
          Fields<T>            fields;
          fields.u.reinit(grid.n_local() + 1, levels.front().n_nodes);
          fields.b.reinit(grid.n_local() + 1, levels.front().n_nodes);
          const auto finest =
            AssembledProblem<dim>(box, cell).template copy_to_cells<T>(
              random.vector(AssembledProblem<dim>(box, cell).n_nodes));
          for (CellIndex c = 0; c < fields.u.n_cells(); ++c)
            for (int k = 0; k < fields.u.n_nodes(); ++k)
              {
                const bool is_set = l == 0 && c < grid.n_local();
                fields.u(c, k)    = is_set ? finest(c, k) : nan<T>;
                fields.b(c, k)    = is_set ? T(random()) : nan<T>;
              }
          start.push_front(std::move(fields));
          for (int d = 0; d < dim; ++d)
            {
              box.n_cells[d] /= 2;
              box.cell_size[d] *= 2.;
            }
        }
      for (auto fine = std::next(levels.begin()); fine != levels.end(); ++fine)
        {
          const CellGrid<dim> &coarse_grid = std::prev(fine)->grid;
          for (CellIndex c = 0; c < coarse_grid.n_local(); ++c)
            {
              fine->parents.push_back(c);
              for (int i = 0; i < (1 << dim); ++i)
                fine->children.push_back(fine->grid.find(
                  child_of<dim>(coarse_grid.coordinates(c), i)));
            }
          fine->device_parents  = {fine->parents.data(),
                                   fine->parents.size(),
                                   stream};
          fine->device_children = {fine->children.data(),
                                   fine->children.size(),
                                   stream};
        }
    }

    /** The fields after so many cycles on the host. */
    std::list<Fields<T>>
    on_host(const int n_cycles) const
    {
      std::list<Fields<T>> fields;
      for (const Fields<T> &f : start)
        fields.push_back({copy_of(f.u), copy_of(f.b)});
      for (int i = 0; i < n_cycles; ++i)
        cycle_on_host(std::prev(levels.end()), std::prev(fields.end()));
      return fields;
    }

    std::list<DeviceFields<T>>
    to_device() const
    {
      std::list<DeviceFields<T>> fields;
      for (const Fields<T> &f : start)
        fields.push_back({reference::to_device(f.u, stream),
                          reference::to_device(f.b, stream)});
      return fields;
    }

    /** Take the steps of a cycle. */
    void
    add_to(DeviceSteps<dim, T> &steps, std::list<DeviceFields<T>> &fields) const
    {
      add_to(steps, std::prev(levels.end()), std::prev(fields.end()));
    }

    bool
    same(const std::list<DeviceFields<T>> &found,
         const std::list<Fields<T>>       &expected) const
    {
      bool same  = true;
      auto level = found.begin();
      for (const Fields<T> &e : expected)
        {
          Fields<T> f{Primal<T>(e.u.n_cells(), e.u.n_nodes()),
                      DualModalField<T>(e.b.n_cells(), e.b.n_nodes())};
          from_device(level->u, f.u, stream);
          from_device(level->b, f.b, stream);
          same = same && same_numbers(f.u, e.u) && same_numbers(f.b, e.b);
          ++level;
        }
      return same;
    }

    unsigned int
    n_pieces() const
    {
      return DeviceProgram<dim, T>::n_pieces(levels.back().sweep);
    }

  private:
    using LevelIterator = typename std::list<Level<dim, T>>::const_iterator;

    void
    sweep_on_host(const Level<dim, T> &level,
                  Fields<T>           &fields,
                  const bool           reversed) const
    {
      sweep_on<dim>(InstructionSet::generic,
                    degree,
                    fields.u.data(),
                    fields.b.data(),
                    {level.schedule.cells().data(),
                     level.schedule.runs().data(),
                     level.schedule.runs().size(),
                     reversed},
                    level.tables.patch());
    }

    void
    cycle_on_host(const LevelIterator                     level,
                  typename std::list<Fields<T>>::iterator fields) const
    {
      sweep_on_host(*level, *fields, false);
      if (level != levels.begin())
        {
          const auto coarse = std::prev(fields);
          restrict_residual_on<dim>(InstructionSet::generic,
                                    degree,
                                    coarse->b.data(),
                                    fields->u.data(),
                                    fields->b.data(),
                                    level->parents.data(),
                                    level->children.data(),
                                    level->parents.size(),
                                    level->tables.transfer());
          for (CellIndex c = 0; c < std::prev(level)->grid.n_local(); ++c)
            for (int k = 0; k < level->n_nodes; ++k)
              coarse->u(c, k) = T(0);
          cycle_on_host(std::prev(level), coarse);
          prolongate_and_add_on<dim>(InstructionSet::generic,
                                     degree,
                                     fields->u.data(),
                                     coarse->u.data(),
                                     level->parents.data(),
                                     level->children.data(),
                                     level->parents.size(),
                                     level->tables.transfer());
        }
      sweep_on_host(*level, *fields, true);
    }

    void
    add_sweep(DeviceSteps<dim, T> &steps,
              const Level<dim, T> &level,
              DeviceFields<T>     &fields,
              const bool           reversed) const
    {
      const int n = level.sweep.n_steps();
      for (int i = 0; i < n; ++i)
        steps.update_patches(fields.u.data(),
                             fields.b.data(),
                             level.sweep.step(reversed ? n - 1 - i : i),
                             level.sweep.tables());
    }

    void
    add_to(DeviceSteps<dim, T>                          &steps,
           const LevelIterator                           level,
           typename std::list<DeviceFields<T>>::iterator fields) const
    {
      add_sweep(steps, *level, *fields, false);
      if (level != levels.begin())
        {
          const auto coarse = std::prev(fields);
          steps.restrict_residual(degree,
                                  coarse->b.data(),
                                  fields->u.data(),
                                  fields->b.data(),
                                  level->device_parents.data(),
                                  level->device_children.data(),
                                  level->parents.size(),
                                  level->tables.transfer());
          steps.set_zero(coarse->u.data(), std::prev(level)->n_values);
          add_to(steps, std::prev(level), coarse);
          steps.prolongate_and_add(degree,
                                   fields->u.data(),
                                   coarse->u.data(),
                                   level->device_parents.data(),
                                   level->device_children.data(),
                                   level->parents.size(),
                                   level->tables.transfer());
        }
      add_sweep(steps, *level, *fields, true);
    }

    int                      degree;
    const device::Stream    &stream;
    std::list<Level<dim, T>> levels; ///< coarsest first
    std::list<Fields<T>>     start;
  };

  /** Keeps steps, to be given to others one by one. */
  template <int dim, typename T>
  class RecordedSteps : public DeviceSteps<dim, T>
  {
  public:
    void
    set_zero(T *values, const std::size_t n) override
    {
      steps.push_back([=](DeviceSteps<dim, T> &s) { s.set_zero(values, n); });
    }

    void
    update_patches(T                               *u,
                   const T                         *b,
                   const DevicePatches             &patches,
                   const DevicePatchTables<dim, T> &tables) override
    {
      steps.push_back([=, &tables](DeviceSteps<dim, T> &s) {
        s.update_patches(u, b, patches, tables);
      });
    }

    void
    restrict_residual(const int                degree,
                      T                       *coarse_b,
                      const T                 *u,
                      const T                 *b,
                      const CellIndex         *parents,
                      const CellIndex         *children,
                      const std::size_t        n_parents,
                      const TransferTables<T> &tables) override
    {
      steps.push_back([=, &tables](DeviceSteps<dim, T> &s) {
        s.restrict_residual(
          degree, coarse_b, u, b, parents, children, n_parents, tables);
      });
    }

    void
    prolongate_and_add(const int                degree,
                       T                       *u,
                       const T                 *coarse_u,
                       const CellIndex         *parents,
                       const CellIndex         *children,
                       const std::size_t        n_parents,
                       const TransferTables<T> &tables) override
    {
      steps.push_back([=, &tables](DeviceSteps<dim, T> &s) {
        s.prolongate_and_add(
          degree, u, coarse_u, parents, children, n_parents, tables);
      });
    }

    std::vector<std::function<void(DeviceSteps<dim, T> &)>> steps;
  };

  constexpr unsigned int as_many_as_fit =
    std::numeric_limits<unsigned int>::max();

  template <int dim, typename T>
  void
  check_cycle(const GridDescription<dim>      &box,
              const int                        degree,
              const int                        n_levels,
              const std::vector<unsigned int> &numbers_of_blocks,
              const device::Stream            &stream)
  {
    const Cycle<dim, T>        cycle(box, degree, n_levels, stream);
    const std::list<Fields<T>> after_two = cycle.on_host(2);
    const std::list<Fields<T>> after_one = cycle.on_host(1);
    CHECK(!cycle.same(cycle.to_device(), after_one));
    CHECK(!cycle.same(cycle.to_device(), after_two));

#ifndef TESSERA_TEST_VARIANT_thread
    std::list<DeviceFields<T>> launched = cycle.to_device();
    DeviceLaunches<dim, T>     launches(stream);
    cycle.add_to(launches, launched);
    CHECK(cycle.same(launched, after_one));
#endif

    for (const unsigned int at_most : numbers_of_blocks)
      {
        std::list<DeviceFields<T>> fields = cycle.to_device();
        DeviceProgram<dim, T>      program(degree);
        cycle.add_to(program, fields);
        program.prepare(stream, at_most);
        CHECK(program.n_blocks() <= at_most);
        CHECK(program.n_blocks() <= cycle.n_pieces());
        CHECK_EQUAL(program.n_blocks() == 1,
                    at_most == 1 || cycle.n_pieces() == 1);
        // Zeros are written beside the restriction.
        CHECK_EQUAL(program.n_barriers() + n_levels, program.n_steps());

        program.run(stream);
        CHECK(cycle.same(fields, after_one));
        program.run(stream);
        CHECK(cycle.same(fields, after_two));
      }
  }

  /** Two cycles that have nothing in common, one of them some steps behind:
   * pairs of steps, often of different kinds, without a barrier between. */
  template <int dim, typename T>
  void
  check_side_by_side(const GridDescription<dim> &box,
                     const int                   degree,
                     const int                   n_levels,
                     const unsigned int          at_most,
                     const device::Stream       &stream)
  {
    constexpr std::size_t      delay = 7;
    const Cycle<dim, T>        cycle(box, degree, n_levels, stream);
    std::list<DeviceFields<T>> first  = cycle.to_device();
    std::list<DeviceFields<T>> second = cycle.to_device();
    RecordedSteps<dim, T>      steps_of_first, steps_of_second;
    cycle.add_to(steps_of_first, first);
    cycle.add_to(steps_of_second, second);
    const std::size_t     n = steps_of_first.steps.size();
    DeviceProgram<dim, T> program(degree);
    for (std::size_t i = 0; i < n + delay; ++i)
      {
        if (i < n)
          steps_of_first.steps[i](program);
        if (i >= delay)
          steps_of_second.steps[i - delay](program);
      }
    CHECK_EQUAL(program.n_steps(), 2 * n);
    CHECK(program.n_barriers() <= n + delay);
    program.prepare(stream, at_most);
    program.run(stream);
    const std::list<Fields<T>> expected = cycle.on_host(1);
    CHECK(cycle.same(first, expected));
    CHECK(cycle.same(second, expected));
  }

  /** A program that is recorded in a graph; further steps. */
  void
  check_graph(const device::Stream &stream)
  {
    const GridDescription<2> box{{{4, 4}},
                                 {{0.5, 0.4}},
                                 {{{{D, D}}, {{N, D}}}}};
    const Cycle<2, float>    cycle(box, 2, 2, stream);
    auto                     fields = cycle.to_device();
    DeviceProgram<2, float>  program(2);
    cycle.add_to(program, fields);
    program.prepare(stream);
    device::Graph graph([&](const device::Stream &s) { program.run(s); });
    graph.run(stream);
    CHECK(cycle.same(fields, cycle.on_host(1)));
    graph.run(stream);
    CHECK(cycle.same(fields, cycle.on_host(2)));

    const std::size_t n_steps = program.n_steps();
    cycle.add_to(program, fields);
    CHECK_EQUAL(program.n_steps(), 2 * n_steps);
    program.prepare(stream);
    graph.reset();
    graph.run(stream);
    CHECK(cycle.same(fields, cycle.on_host(4)));
  }

  /** Steps of nothing, and steps that have nothing in common. */
  void
  check_independent_steps(const device::Stream &stream)
  {
    DeviceProgram<3, float> program(1);
    program.prepare(stream);
    program.run(stream);
    CHECK_EQUAL(program.n_blocks(), 0u);

    const ReferenceCell               cell(1);
    const std::array<double, 3>       weights = {{1., 1., 1.}};
    const LevelTables<3, float>       tables(cell,
                                       PatchMatrices(cell),
                                       {weights, 0.});
    const DevicePatchTables<3, float> patch_tables(1, tables.patch(), stream);
    program.set_zero(nullptr, 0);
    program.update_patches(nullptr,
                           nullptr,
                           DevicePatches{nullptr, nullptr, 0},
                           patch_tables);
    program.restrict_residual(
      1, nullptr, nullptr, nullptr, nullptr, nullptr, 0, tables.transfer());
    program.prolongate_and_add(
      1, nullptr, nullptr, nullptr, nullptr, 0, tables.transfer());
    CHECK_EQUAL(program.n_steps(), 0u);

    const std::vector<float> poison(1000, nan<float>);
    device::Memory<float>    a(poison.data(), 1000, stream);
    device::Memory<float>    b(poison.data(), 1000, stream);
    program.set_zero(a.data(), 999);
    program.set_zero(b.data(), 500);
    CHECK_EQUAL(program.n_steps(), 2u);
    CHECK_EQUAL(program.n_barriers(), 0u);
    program.prepare(stream);
    CHECK_EQUAL(program.n_blocks(), 1u);
    program.run(stream);
    std::vector<float> values(1000);
    a.copy_to_host(values.data(), stream);
    for (int i = 0; i < 1000; ++i)
      CHECK_EQUAL(values[i] == 0.f, i < 999);
    b.copy_to_host(values.data(), stream);
    for (int i = 0; i < 1000; ++i)
      CHECK_EQUAL(values[i] == 0.f, i < 500);
    program.set_zero(a.data(), 1);
    CHECK_EQUAL(program.n_barriers(), 1u);
    // What is read must not be written without a barrier.
    device::Memory<float> c(1000);
    program.restrict_residual(
      1, c.data(), b.data(), b.data(), nullptr, nullptr, 1, tables.transfer());
    CHECK_EQUAL(program.n_barriers(), 1u);
    program.set_zero(b.data(), 1);
    CHECK_EQUAL(program.n_barriers(), 2u);
    program.prepare(stream);
    CHECK(program.memory_consumption() >= 3 * 64);
  }

  void
  check_degrees()
  {
    for (const int degree : {0, 4})
      {
        CHECK(!(DeviceProgram<2, float>::supports(degree)));
        const std::string message =
          CHECK_THROWS(InputError, (DeviceProgram<2, float>(degree)));
        CHECK(message.find("degree " + std::to_string(degree)) !=
              std::string::npos);
      }
    for (const int degree : {1, 2, 3})
      {
        CHECK((DeviceProgram<2, float>::supports(degree)));
        CHECK((DeviceProgram<2, double>::supports(degree)));
        CHECK((DeviceProgram<3, float>::supports(degree)));
        CHECK_EQUAL((DeviceProgram<3, double>::supports(degree)), degree < 3);
        CHECK((DeviceProgram<3, float>::max_blocks(degree)) > 0);
      }
    CHECK_THROWS(InputError, (DeviceProgram<3, double>(3)));
  }
} // namespace

int
main()
{
  return device_test::run([] {
    const device::Stream        stream;
    const std::array<double, 2> h2 = {{0.5, 0.4}};
    const std::array<double, 3> h3 = {{0.5, 0.4, 0.65}};

    // More pieces than blocks, mirrored patches.
    const GridDescription<2> neumann2{{{16, 12}}, h2, {{{{N, N}}, {{N, N}}}}};
#ifdef TESSERA_TEST_VARIANT_thread
    check_cycle<2, float>(neumann2, 2, 2, {2}, stream);
    check_cycle<3, double>(
      {{{4, 2, 2}}, h3, {{{{N, D}}, {{D, D}}, {{N, D}}}}}, 2, 1, {2}, stream);
#else
    const GridDescription<3>        neumann3{{{8, 8, 4}},
                                      h3,
                                      {{{{N, N}}, {{N, N}}, {{N, N}}}}};
    const std::vector<unsigned int> few  = {1, 3, as_many_as_fit};
    const std::vector<unsigned int> some = {2, as_many_as_fit};
    for (int degree = 1; degree <= 3; ++degree)
      {
        check_cycle<2, float>(neumann2, degree, 3, few, stream);
        check_cycle<2, double>(
          {{{8, 8}}, h2, {{{{D, N}}, {{D, D}}}}}, degree, 3, some, stream);
        check_cycle<3, float>(neumann3, degree, 2, few, stream);
        check_cycle<3, float>({{{8, 4, 4}},
                               h3,
                               {{{{D, D}}, {{D, D}}, {{D, D}}}}},
                              degree,
                              2,
                              some,
                              stream);
        if (degree < 3)
          check_cycle<3, double>({{{4, 8, 8}},
                                  h3,
                                  {{{{D, N}}, {{D, D}}, {{N, D}}}}},
                                 degree,
                                 2,
                                 some,
                                 stream);
      }
    check_side_by_side<2, float>(neumann2, 3, 3, as_many_as_fit, stream);
    check_side_by_side<3, float>(neumann3, 1, 2, 1, stream);
    check_side_by_side<3, float>(neumann3, 3, 2, as_many_as_fit, stream);
    check_side_by_side<3, double>(neumann3, 2, 2, as_many_as_fit, stream);
#endif
    check_graph(stream);
    check_independent_steps(stream);
    check_degrees();
  });
}
