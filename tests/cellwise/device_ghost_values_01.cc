// SPDX-License-Identifier: LGPL-2.1-or-later
// Ghost cells of fields on devices become those of their owners, and the other
// way round, bit for bit as on the host, while the device does other things.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/cellwise/device/device_ghost_values.h>
#include <tessera/cellwise/ghost_values.h>

#include <numeric>
#include <utility>
#include <vector>

#include "cellwise/device_fields.h"
#include "cellwise/ghost_plans.h"
#include "device_emulation/device_test.h"
#include "device_emulation/message_ways.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

  CellIndex
  n_local(const ExchangePlan &plan)
  {
    return CellIndex(plan.n_owned() + plan.n_ghosts());
  }



  template <typename Number, Layout layout>
  void
  check_update(const ExchangePlan &plan, const int n_nodes)
  {
    const device::Stream stream;
    auto u = test::random_field<PrimalField<Number>>(n_local(plan), n_nodes);
    auto device_u = test::on_device<layout>(u, stream);

    DeviceGhostValues<Number> on_device(plan, n_nodes, stream);
    GhostValues<Number>       on_host(plan, n_nodes);
    on_host.update(u);
    on_device.update(device_u);
    CHECK(test::same_on_device(device_u, u, stream));
  }



  /** Ghosts in any cells of another field. */
  template <typename Number, Layout layout>
  void
  check_cells(const ExchangePlan &plan, const int n_nodes)
  {
    const device::Stream stream;
    const CellIndex      n_cells = CellIndex(3 * plan.n_ghosts());
    const auto cells = test::scattered_cells(plan.n_ghosts(), n_cells);
    const auto u =
      test::random_field<PrimalField<Number>>(n_local(plan), n_nodes);
    auto       v = test::random_field<DualModalField<Number>>(n_cells, n_nodes);
    const auto device_u = test::on_device<layout>(u, stream);
    auto       device_v = test::on_device<layout>(v, stream);

    DeviceGhostValues<Number> on_device;
    {
      DeviceGhostValues<Number> made(plan, cells, n_nodes, stream);
      on_device = std::move(made);
    }
    CHECK_EQUAL(on_device.memory_consumption(),
                (plan.send_items().size() + plan.n_ghosts()) *
                  (n_nodes * sizeof(Number) + sizeof(CellIndex)));
    GhostValues<Number> on_host(plan, cells, n_nodes);
    on_host.start(u);
    on_host.finish(v);
    on_device.start(device_u);
    on_device.finish(device_v);
    CHECK(test::same_on_device(device_u, u, stream));
    CHECK(test::same_on_device(device_v, v, stream));
  }



  template <typename Number, Layout layout>
  void
  check_return(const ExchangePlan &plan, const int n_nodes)
  {
    const device::Stream stream;
    const CellIndex      n_cells = CellIndex(3 * plan.n_ghosts());
    const auto cells = test::scattered_cells(plan.n_ghosts(), n_cells);
    const auto v = test::random_field<PrimalField<Number>>(n_cells, n_nodes);
    auto u = test::random_field<DualModalField<Number>>(n_local(plan), n_nodes);
    const auto device_v = test::on_device<layout>(v, stream);
    auto       device_u = test::on_device<layout>(u, stream);

    DeviceGhostValues<Number> on_device(plan, cells, n_nodes, stream);
    GhostValues<Number>       on_host(plan, cells, n_nodes);
    on_host.start_return(v);
    on_host.finish_return(u);
    on_device.start_return(device_v);
    on_device.finish_return(device_u);
    CHECK(test::same_on_device(device_u, u, stream));
  }



  /** What the stream is given between start and finish comes too late for what
   * is sent, and before what is received. Several exchanges are in flight, and
   * nobody waits for one before the next. */
  template <typename Number, Layout layout>
  void
  check_overlap(const ExchangePlan &plan,
                const ExchangePlan &other_plan,
                const int           n_nodes)
  {
    const device::Stream stream;
    auto u = test::random_field<PrimalField<Number>>(n_local(plan), n_nodes);
    auto b =
      test::random_field<DualField<Number>>(n_local(other_plan), n_nodes);
    auto device_u = test::on_device<layout>(u, stream);
    auto device_b = test::on_device<layout>(b, stream);

    // What a kernel puts into all cells of u, other values in each round.
    constexpr int          n_rounds = 3;
    const CellIndex        n_cells  = u.n_cells();
    std::vector<CellIndex> all_cells(n_cells);
    std::vector<Number>    values(std::size_t(n_rounds) * n_cells * n_nodes);
    std::iota(all_cells.begin(), all_cells.end(), CellIndex(0));
    for (Number &value : values)
      value = Number(test::random_number());
    const device::Memory<CellIndex> device_cells(all_cells.data(),
                                                 all_cells.size(),
                                                 stream);
    const device::Memory<Number>    device_values(values.data(),
                                               values.size(),
                                               stream);

    GhostValues<Number> u_on_host(plan, n_nodes),
      b_on_host(other_plan, n_nodes);
    DeviceGhostValues<Number> u_on_device(plan, n_nodes, stream),
      b_on_device(other_plan, n_nodes, stream);
    for (int round = 0; round < n_rounds; ++round)
      {
        const std::size_t first = std::size_t(round) * n_cells * n_nodes;
        u_on_host.start(u);
        b_on_host.start(b);
        for (CellIndex c = 0; c < n_cells; ++c)
          u.set_cell(c, &values[first + std::size_t(c) * n_nodes]);
        b_on_host.finish(b);
        u_on_host.finish(u);

        u_on_device.start(device_u);
        b_on_device.start(device_b);
        // On one rank, messages begin early.
        if (plan.communicator().rank() == 0)
          for (int i = 0; i < 9; ++i)
            u_on_device.test();
        on_device::unpack_cells<Number, layout>(device_u.data(),
                                                device_values.data() + first,
                                                device_cells.data(),
                                                n_cells,
                                                n_nodes,
                                                stream);
        b_on_device.finish(device_b);
        u_on_device.finish(device_u);
      }
    CHECK(test::same_on_device(device_u, u, stream));
    CHECK(test::same_on_device(device_b, b, stream));
  }



  /** Ghosts of this rank alone, or none: no message, and the host does not
   * wait. */
  void
  check_no_neighbours(const Communicator &world)
  {
    for (const bool has_ghosts : {true, false})
      {
        std::vector<RemoteItem> ghosts;
        if (has_ghosts)
          ghosts = {{world.rank(), 3}, {world.rank(), 1}};
        const ExchangePlan   plan = test::make_plan(world, ghosts);
        const device::Stream stream;
        auto u = test::random_field<PrimalField<double>>(n_local(plan), 8);
        auto device_u = test::on_device<Layout::blocked>(u, stream);
        DeviceGhostValues<double> on_device(plan, 8, stream);
        GhostValues<double>       on_host(plan, 8);

        const CounterSnapshot before  = Counters::process().snapshot();
        const std::uint64_t   n_waits = device_test::n_waits();
        on_device.update(device_u);
        CHECK_EQUAL(device_test::n_waits(), n_waits);
        const CounterSnapshot counts =
          Counters::process().snapshot().since(before);
        CHECK_EQUAL(counts.value(Counters::device_to_host_bytes).total, 0u);
        CHECK_EQUAL(counts.value(Counters::host_to_device_bytes).total, 0u);

        on_host.update(u);
        CHECK(test::same_on_device(device_u, u, stream));
      }

    DeviceGhostValues<double> nothing;
    DevicePrimalField<double> u;
    nothing.update(u);
    nothing.start_return(u);
    nothing.finish_return(u);
    CHECK(nothing.test());
    CHECK_EQUAL(nothing.memory_consumption(), std::size_t(0));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  return device_test::run([] {
    const Communicator world = Communicator::world();
    const ExchangePlan many  = test::make_plan(world, test::many_ghosts(world));
    const ExchangePlan single =
      test::make_plan(world, test::single_ghosts(world));
    // Other random numbers on each rank.
    for (unsigned int r = 0; r < world.rank(); ++r)
      test::random_number();
#ifdef TESSERA_TEST_VARIANT_thread
    const std::vector<int> sizes = {4};
#else
    const std::vector<int> sizes = {4, 27, 64};
#endif
    device_test::for_all_message_ways(world, [&](bool) {
      for (const int n_nodes : sizes)
        {
          check_update<double, Layout::blocked>(many, n_nodes);
          check_update<double, Layout::contiguous>(many, n_nodes);
          check_update<float, Layout::contiguous>(many, n_nodes);
        }
      check_cells<double, Layout::blocked>(many, 8);
      check_cells<float, Layout::contiguous>(many, 27);
      check_return<double, Layout::blocked>(single, 27);
      check_return<float, Layout::contiguous>(single, 8);
      check_overlap<double, Layout::blocked>(many, single, 8);
      check_overlap<double, Layout::contiguous>(many, single, 8);
      check_overlap<float, Layout::contiguous>(single, many, 27);
      check_no_neighbours(world);
    });
  });
}
