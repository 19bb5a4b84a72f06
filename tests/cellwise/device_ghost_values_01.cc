// SPDX-License-Identifier: LGPL-2.1-or-later
// Ghost cells of fields on devices become those of their owners, bit for bit.
#include <tessera/base/communication_session.h>
#include <tessera/cellwise/device/device_ghost_values.h>
#include <tessera/cellwise/ghost_values.h>

#include <vector>

#include "cellwise/device_fields.h"
#include "device_emulation/device_test.h"

namespace
{
  using namespace tessera;
  using namespace tessera::cellwise;

  template <typename Number, Layout layout>
  void
  check_update(const ExchangePlan &plan, const int n_nodes)
  {
    const device::Stream stream;
    const CellIndex      n_cells = CellIndex(plan.n_owned() + plan.n_ghosts());
    auto u        = test::random_field<PrimalField<Number>>(n_cells, n_nodes);
    auto device_u = test::on_device<layout>(u, stream);

    DeviceGhostValues<Number> on_device(plan, n_nodes, stream);
    GhostValues<Number>       on_host(plan, n_nodes);
    on_host.update(u);
    on_device.update(device_u);
    CHECK(test::same_on_device(device_u, u, stream));
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  return device_test::run([] {
    const Communicator world = Communicator::world();
    // Every rank has cells of all ranks, itself included, some of them twice.
    std::vector<RemoteItem> ghosts;
    for (unsigned int i = 0; i < 41; ++i)
      ghosts.push_back({i % world.n_ranks(), i * 7 % 33});
    const ExchangePlan plan(world, 35, ghosts);
    const ExchangePlan nothing(world, 35, {});
    for (const int n_nodes : {4, 27, 64})
      {
        check_update<double, Layout::blocked>(plan, n_nodes);
        check_update<double, Layout::contiguous>(plan, n_nodes);
        check_update<float, Layout::contiguous>(plan, n_nodes);
        check_update<float, Layout::contiguous>(nothing, n_nodes);
      }
  });
}
