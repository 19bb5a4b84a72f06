// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffers on devices that are exchanged: what arrives, what is copied, what
// overlaps, and what the host waits for.
#include <tessera/base/communication_session.h>
#include <tessera/base/counters.h>
#include <tessera/base/device/buffer_exchange.h>
#include <tessera/base/memory.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "device_emulation/device_test.h"
#include "device_emulation/message_ways.h"

namespace
{
  using namespace tessera;
  using Direction = device::BufferExchange::Direction;

  constexpr std::size_t  item_size = 12;
  constexpr unsigned int n_owned   = 17;

  /** Every rank has ghosts of all ranks, itself included, and of some items
   * several; it does not send as many as it receives. */
  std::vector<RemoteItem>
  ghosts_of(const unsigned int rank, const unsigned int n_ranks)
  {
    std::vector<RemoteItem> ghosts;
    for (unsigned int i = 0; i < 31 + 6 * rank; ++i)
      ghosts.push_back({(rank + i) % n_ranks, i * 5 % (n_owned - 2)});
    return ghosts;
  }



  /** What an item of a rank has, or the ghost of another. */
  char
  value(const unsigned int rank, const unsigned int item, const unsigned int i)
  {
    return char(1 + rank * 37 + item * 5 + i * 11);
  }



  /** The content of a buffer, written and read by the stream. */
  struct Buffers
  {
    Buffers(const ExchangePlan &exchange_plan, const device::Stream &queue)
      : plan(exchange_plan)
      , stream(queue)
      , rank(plan.communicator().rank())
      , owners(plan.send_items().size() * item_size)
      , ghosts(plan.receive_ghosts().size() * item_size)
    {}

    static void
    copy(char                       *to,
         const char                 *from,
         const std::size_t           n,
         const device::CopyDirection direction,
         const device::Stream       &stream)
    {
      if (n > 0)
        device::backend::copy(to, from, n, direction, stream.handle());
    }

    /** Give the stream what owners have, plus a shift. */
    void
    write_owners(device::BufferExchange &exchange, const int shift)
    {
      write(exchange.owner_buffer(), owners, plan.send_items(), shift);
    }

    void
    write_ghosts(device::BufferExchange &exchange, const int shift)
    {
      write(exchange.ghost_buffer(), ghosts, plan.receive_ghosts(), shift);
    }

    bool
    ghosts_are_those_of_owners(device::BufferExchange &exchange,
                               const int               shift)
    {
      const std::vector<RemoteItem> all =
        ghosts_of(rank, plan.communicator().n_ranks());
      read(ghosts, exchange.ghost_buffer());
      for (std::size_t k = 0; k < plan.receive_ghosts().size(); ++k)
        {
          const RemoteItem &item = all[plan.receive_ghosts()[k]];
          for (unsigned int i = 0; i < item_size; ++i)
            if (ghosts[k * item_size + i] !=
                char(value(item.owner, item.index, i) + shift))
              return false;
        }
      return true;
    }

    /** In the order of ranks, and for each in that of its ghosts. */
    bool
    owners_are_those_of_ghosts(device::BufferExchange &exchange,
                               const int               shift)
    {
      read(owners, exchange.owner_buffer());
      const unsigned int n_ranks = plan.communicator().n_ranks();
      std::size_t        k       = 0;
      for (unsigned int r = 0; r < n_ranks; ++r)
        {
          const std::vector<RemoteItem> all = ghosts_of(r, n_ranks);
          for (unsigned int g = 0; g < all.size(); ++g)
            if (all[g].owner == rank)
              for (unsigned int i = 0; i < item_size; ++i, ++k)
                if (owners[k] != char(value(r, g, i) + shift))
                  return false;
        }
      return k == owners.size();
    }

    const ExchangePlan         plan;
    const device::Stream      &stream;
    const unsigned int         rank;
    device::PinnedMemory<char> owners, ghosts;

  private:
    void
    write(char                            *buffer,
          device::PinnedMemory<char>      &values,
          const std::vector<unsigned int> &items,
          const int                        shift)
    {
      stream.synchronize(); // which may still read the values
      for (std::size_t k = 0; k < items.size(); ++k)
        for (unsigned int i = 0; i < item_size; ++i)
          values[k * item_size + i] = char(value(rank, items[k], i) + shift);
      copy(buffer,
           values.data(),
           values.size(),
           device::CopyDirection::host_to_device,
           stream);
    }

    void
    read(device::PinnedMemory<char> &values, const char *buffer)
    {
      stream.synchronize();
      std::fill(values.data(), values.data() + values.size(), char(0));
      copy(values.data(),
           buffer,
           values.size(),
           device::CopyDirection::device_to_host,
           stream);
      stream.synchronize();
    }
  };



  ExchangePlan
  make_plan(const Communicator &world)
  {
    return ExchangePlan(world,
                        n_owned,
                        ghosts_of(world.rank(), world.n_ranks()));
  }



  void
  check_results(const Communicator &world)
  {
    const device::Stream   stream;
    const ExchangePlan     plan = make_plan(world);
    Buffers                buffers(plan, stream);
    device::BufferExchange exchange(plan, item_size, stream);
    CHECK_EQUAL(exchange.memory_consumption(),
                item_size *
                  (plan.send_items().size() + plan.receive_ghosts().size()));
    CHECK(exchange.test());
    for (int round = 0; round < 3; ++round)
      {
        buffers.write_owners(exchange, round);
        exchange.start(Direction::owner_to_ghost);
        // Some ranks let messages begin early, and some late.
        if ((world.rank() + round) % 2 == 0)
          for (int i = 0; i < 5; ++i)
            exchange.test();
        exchange.finish(Direction::owner_to_ghost);
        CHECK(buffers.ghosts_are_those_of_owners(exchange, round));

        buffers.write_ghosts(exchange, 10 + round);
        exchange.start(Direction::ghost_to_owner);
        exchange.finish(Direction::ghost_to_owner);
        CHECK(buffers.owners_are_those_of_ghosts(exchange, 10 + round));
      }

    // Asking again and again is as good as finishing.
    buffers.write_owners(exchange, 5);
    exchange.start(Direction::owner_to_ghost);
    while (!exchange.test())
      ;
    exchange.finish(Direction::owner_to_ghost);
    CHECK(buffers.ghosts_are_those_of_owners(exchange, 5));
  }



  /** Nobody waits for the stream between exchanges: buffers must not be written
   * while copies that have been given to it still read them. */
  void
  check_back_to_back(const Communicator &world)
  {
    const device::Stream   stream;
    const ExchangePlan     plan = make_plan(world);
    Buffers                first(plan, stream), second(plan, stream);
    device::BufferExchange a(plan, item_size, stream),
      b(plan, item_size, stream);
    device::Memory<char>       kept(first.ghosts.size());
    device::PinnedMemory<char> found(first.ghosts.size());
    const auto on_device = device::CopyDirection::device_to_device;

    first.write_owners(a, 1);
    second.write_owners(b, 2);
    stream.synchronize();
    a.start(Direction::owner_to_ghost);
    a.finish(Direction::owner_to_ghost);
    // Keep what has arrived, and at once send something else.
    Buffers::copy(
      kept.data(), a.ghost_buffer(), kept.size(), on_device, stream);
    Buffers::copy(a.owner_buffer(),
                  b.owner_buffer(),
                  first.owners.size(),
                  on_device,
                  stream);
    a.start(Direction::owner_to_ghost);
    a.finish(Direction::owner_to_ghost);
    // And back, from where they have arrived.
    Buffers::copy(
      b.ghost_buffer(), a.ghost_buffer(), kept.size(), on_device, stream);
    Buffers::copy(
      a.ghost_buffer(), kept.data(), kept.size(), on_device, stream);
    b.start(Direction::ghost_to_owner);
    b.finish(Direction::ghost_to_owner);
    b.start(Direction::owner_to_ghost);
    b.finish(Direction::owner_to_ghost);
    CHECK(first.ghosts_are_those_of_owners(a, 1));
    CHECK(second.ghosts_are_those_of_owners(b, 2));
  }



  /** Several operations at once, finished in another order, while the stream
   * does something else with the buffers' sources. */
  void
  check_in_flight(const Communicator &world)
  {
    const device::Stream                  stream;
    const ExchangePlan                    plan = make_plan(world);
    std::vector<std::unique_ptr<Buffers>> buffers;
    std::vector<std::unique_ptr<device::BufferExchange>> exchanges;
    for (int e = 0; e < 4; ++e)
      {
        buffers.push_back(std::make_unique<Buffers>(plan, stream));
        exchanges.push_back(
          std::make_unique<device::BufferExchange>(plan, item_size, stream));
      }
    for (const int e : {0, 1, 2, 3})
      if (e % 2 == 0)
        {
          buffers[e]->write_owners(*exchanges[e], e);
          exchanges[e]->start(Direction::owner_to_ghost);
        }
      else
        {
          buffers[e]->write_ghosts(*exchanges[e], e);
          exchanges[e]->start(Direction::ghost_to_owner);
        }
    if (world.rank() == 0)
      for (int i = 0; i < 20; ++i)
        exchanges[1]->test();
    for (const int e : {2, 0, 3, 1})
      exchanges[e]->finish(e % 2 == 0 ? Direction::owner_to_ghost :
                                        Direction::ghost_to_owner);
    for (const int e : {0, 2})
      CHECK(buffers[e]->ghosts_are_those_of_owners(*exchanges[e], e));
    for (const int e : {1, 3})
      CHECK(buffers[e]->owners_are_those_of_ghosts(*exchanges[e], e));
  }



  /** Bytes between host and device are those of messages, and the host waits
   * once: for what came before the start. */
  void
  check_costs(const Communicator &world, const bool is_staged)
  {
    const device::Stream   stream;
    const ExchangePlan     plan = make_plan(world);
    Buffers                buffers(plan, stream);
    device::BufferExchange exchange(plan, item_size, stream);
    std::size_t            n_sent = 0, n_received = 0;
    for (const ExchangePlan::Neighbour &neighbour : plan.send_neighbours())
      if (neighbour.rank != world.rank())
        n_sent += (neighbour.end - neighbour.begin) * item_size;
    for (const ExchangePlan::Neighbour &neighbour : plan.receive_neighbours())
      if (neighbour.rank != world.rank())
        n_received += (neighbour.end - neighbour.begin) * item_size;
    const bool                 is_alone = world.n_ranks() == 1;
    device::PinnedMemory<char> later(1);
    const device::Memory<char> word("b", 1, stream);
    CHECK_EQUAL(is_alone, n_sent == 0);

    for (const bool back : {false, true})
      {
        if (back)
          buffers.write_ghosts(exchange, 1);
        else
          buffers.write_owners(exchange, 1);
        const Direction direction =
          back ? Direction::ghost_to_owner : Direction::owner_to_ghost;
        const CounterSnapshot before  = Counters::process().snapshot();
        std::uint64_t         n_waits = device_test::n_waits();
        exchange.start(direction);
        CHECK_EQUAL(device_test::n_waits(), n_waits);
        later[0] = 'a';
        Buffers::copy(later.data(),
                      word.data(),
                      1,
                      device::CopyDirection::device_to_host,
                      stream);
        exchange.finish(direction);
        n_waits = device_test::n_waits() - n_waits;
        if (device_test::work_is_deferred())
          CHECK_EQUAL(later[0], 'a');
        const CounterSnapshot counts =
          Counters::process().snapshot().since(before);
#ifdef TESSERA_TEST_VARIANT_cuda
        CHECK_EQUAL(n_waits, 0u);
#else
        CHECK_EQUAL(n_waits, is_alone ? 0u : 1u);
#endif
        const std::size_t n_down = back ? n_received : n_sent;
        const std::size_t n_up   = back ? n_sent : n_received;
        CHECK_EQUAL(counts.value(Counters::device_to_host_bytes).total,
                    is_staged ? n_down : 0);
        CHECK_EQUAL(counts.value(Counters::host_to_device_bytes).total,
                    is_staged ? n_up : 0);
        CHECK_EQUAL(counts.value(Counters::exchange_bytes).total, n_down);
      }
  }



  void
  check_misuse(const Communicator &world)
  {
    const device::Stream   stream;
    const ExchangePlan     plan = make_plan(world);
    Buffers                buffers(plan, stream);
    device::BufferExchange exchange(plan, item_size, stream);
    CHECK_THROWS(InputError, exchange.finish(Direction::owner_to_ghost));
    buffers.write_owners(exchange, 0);
    exchange.start(Direction::owner_to_ghost);
    CHECK_THROWS(InputError, exchange.check_idle());
    CHECK_THROWS(InputError, exchange.start(Direction::owner_to_ghost));
    CHECK_THROWS(InputError, exchange.start(Direction::ghost_to_owner));
    CHECK_THROWS(InputError, exchange.finish(Direction::ghost_to_owner));
    exchange.finish(Direction::owner_to_ghost);
    CHECK(buffers.ghosts_are_those_of_owners(exchange, 0));
    CHECK_THROWS(InputError, exchange.finish(Direction::owner_to_ghost));

    // Destroyed in flight, before and after messages have begun.
    for (const bool begin : {false, true})
      {
        device::BufferExchange abandoned(plan, item_size, stream);
        abandoned.start(Direction::owner_to_ghost);
        if (begin)
          {
            stream.synchronize();
            abandoned.test();
          }
      }
    buffers.write_owners(exchange, 3);
    exchange.start(Direction::owner_to_ghost);
    exchange.finish(Direction::owner_to_ghost);
    CHECK(buffers.ghosts_are_those_of_owners(exchange, 3));
  }



  void
  check_nothing_to_do(const Communicator &world)
  {
    const device::Stream   stream;
    device::BufferExchange exchange(ExchangePlan(world, n_owned, {}),
                                    item_size,
                                    stream);
    const std::uint64_t    n_waits = device_test::n_waits();
    exchange.start(Direction::owner_to_ghost);
    CHECK(exchange.test());
    exchange.finish(Direction::owner_to_ghost);
    exchange.start(Direction::ghost_to_owner);
    exchange.finish(Direction::ghost_to_owner);
    CHECK(exchange.owner_buffer() == nullptr);
    CHECK(exchange.ghost_buffer() == nullptr);
    CHECK_EQUAL(device_test::n_waits(), n_waits);
  }



  /** The memory itself, with the exchange that is the host's. */
  void
  check_memory(const Communicator &world)
  {
    const ExchangePlan plan(
      world, 1, {{world.rank(), 0}, {(world.rank() + 1) % world.n_ranks(), 0}});
    GhostExchange<double> exchange(
      plan, 1, std::make_shared<device::PinnedMessageMemory>());
    const double owned = world.rank() + 1.;
    double       ghosts[2];
    exchange.update_ghosts(&owned, ghosts);
    CHECK_EQUAL(ghosts[0], owned);
    CHECK_EQUAL(ghosts[1], (world.rank() + 1) % world.n_ranks() + 1.);

    const device::Stream              stream;
    const device::DeviceMessageMemory memory(stream);
    const std::shared_ptr<char>       a = memory.allocate(8);
    const std::shared_ptr<char>       b = memory.allocate(8);
    CHECK(memory.allocate(0) == nullptr);
    CHECK_EQUAL(reinterpret_cast<std::size_t>(a.get()) % memory_alignment, 0u);
    Buffers::copy(
      a.get(), "exchange", 8, device::CopyDirection::host_to_device, stream);
    memory.copy(b.get(), a.get(), 8);
    std::string found(8, ' ');
    Buffers::copy(
      &found[0], b.get(), 8, device::CopyDirection::device_to_host, stream);
    stream.synchronize();
    CHECK_EQUAL(found, std::string("exchange"));
  }



  void
  check_detection(const Communicator &world)
  {
    const auto set = [](const char *value) {
      setenv("TESSERA_CUDA_AWARE_MPI", value, 1);
    };
    set("1");
    CHECK(device::mpi_takes_device_memory(world));
    set("0");
    CHECK(!device::mpi_takes_device_memory(world));
    // One rank that does not is enough.
    set(world.rank() == 0 ? "1" : "0");
    CHECK_EQUAL(device::mpi_takes_device_memory(world), world.n_ranks() == 1);
    // All ranks are told what is wrong on one.
    set(world.rank() + 1 == world.n_ranks() ? "yes" : "1");
    const std::string message =
      CHECK_THROWS(InputError, device::mpi_takes_device_memory(world));
    CHECK(message.find("TESSERA_CUDA_AWARE_MPI is \"yes\"") !=
          std::string::npos);

    // The library is asked.
    set("");
    const bool answer = device::mpi_takes_device_memory(world);
    unsetenv("TESSERA_CUDA_AWARE_MPI");
    CHECK_EQUAL(device::mpi_takes_device_memory(world), answer);
    std::cout << "the MPI library takes device memory: "
              << (answer ? "yes" : "no") << std::endl;
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  return device_test::run([] {
    const Communicator world = Communicator::world();
    check_detection(world);
    device_test::for_all_message_ways(world, [&](const bool is_staged) {
      check_memory(world);
      check_results(world);
      check_back_to_back(world);
      check_in_flight(world);
      check_costs(world, is_staged);
      check_misuse(world);
      check_nothing_to_do(world);
    });
  });
}
