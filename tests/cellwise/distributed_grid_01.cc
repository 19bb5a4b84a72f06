// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells spread over ranks: who owns a key, local numbers of parts of a grid,
// ghost layers, values of ghost cells, and what is refused.
#include <tessera/base/communication_session.h>
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/distributed_grid.h>
#include <tessera/cellwise/ghost_values.h>
#include <tessera/cellwise/key_directory.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "check.h"
#include "partitions.h"

using namespace tessera;
using namespace tessera::cellwise;
using namespace reference;

namespace
{
  /** All keys of all ranks, asked for in another order and more than once. */
  void
  check_directory(const Communicator &world, const std::uint64_t n_keys)
  {
    const unsigned int n_ranks  = world.n_ranks();
    const auto         owner_of = [&](const std::uint64_t key) {
      return (unsigned int)((key * 7 + key / 5) % n_ranks);
    };
    const auto index_of = [](const std::uint64_t key) {
      return (unsigned int)(1000 + key * 3);
    };
    std::vector<std::uint64_t> mine;
    std::vector<unsigned int>  indices;
    // From the last to the first.
    for (std::uint64_t key = n_keys; key-- > 0;)
      if (owner_of(key) == world.rank())
        {
          mine.push_back(key);
          indices.push_back(index_of(key));
        }
    const KeyDirectory directory(world, n_keys, mine, indices);
    CHECK_EQUAL(directory.n_entries(), n_keys);

    std::vector<std::uint64_t> asked;
    if (world.rank() != 1) // who asks for nothing
      for (std::uint64_t i = 0; i < 2 * n_keys; ++i)
        asked.push_back((i * 11 + world.rank()) % n_keys);
    const std::vector<RemoteItem> found = directory.find(asked);
    CHECK_EQUAL(found.size(), asked.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      {
        CHECK_EQUAL(found[i].owner, owner_of(asked[i]));
        CHECK_EQUAL(found[i].index, index_of(asked[i]));
      }

    // Without indices, positions count; not all keys need an owner.
    std::vector<std::uint64_t> half;
    for (const std::uint64_t key : mine)
      if (key % 2 == 0)
        half.push_back(key);
    const KeyDirectory even(world, n_keys, half);
    CHECK_EQUAL(even.n_entries(), (n_keys + 1) / 2);
    const std::vector<RemoteItem> of_half = even.find(half);
    for (std::size_t i = 0; i < half.size(); ++i)
      {
        CHECK_EQUAL(of_half[i].owner, world.rank());
        CHECK_EQUAL(of_half[i].index, (unsigned int)(i));
      }
    if (n_keys > 1)
      {
        const std::string missing = CHECK_THROWS(InputError, even.find({1}));
        CHECK(missing.find("Cell 1 ") != std::string::npos);
      }

    // Two ranks, or one twice, name the last key.
    std::vector<std::uint64_t> too_much = mine;
    if (world.rank() == 0)
      too_much.push_back(n_keys - 1);
    const std::string twice =
      CHECK_THROWS(InputError, KeyDirectory(world, n_keys, too_much));
    CHECK(twice.find("Cell " + std::to_string(n_keys - 1)) !=
          std::string::npos);

    // Keys that do not exist, just behind the last and far from there, named
    // by one rank, and asked for by one.
    for (const std::uint64_t key : {n_keys, ~std::uint64_t(0)})
      {
        std::vector<std::uint64_t> wrong = mine, wanted;
        if (world.rank() + 1 == n_ranks)
          {
            wrong.push_back(key);
            wanted.push_back(key);
          }
        const std::string named =
          CHECK_THROWS(InputError, KeyDirectory(world, n_keys, wrong));
        CHECK(named.find("cell " + std::to_string(key)) != std::string::npos);
        const std::string sought =
          CHECK_THROWS(InputError, directory.find(wanted));
        CHECK(sought.find("Cell " + std::to_string(key) + " belongs to no") !=
              std::string::npos);
      }
  }

  template <int dim>
  void
  check_grid(const GridDescription<dim> &box, const Partition partition)
  {
    const Communicator  world = Communicator::world();
    const CellGrid<dim> all(box);
    const auto          owner_of = [&](const CellIndex c) {
      return owner<dim>(
        partition, box, all.coordinates(c), all.key(c), world.n_ranks());
    };

    // Keys that nobody would ask for as neighbours.
    const std::vector<std::uint64_t> wanted = {all.n_global() - 1,
                                               0,
                                               all.n_global() / 2,
                                               0};
    const DistributedGrid<dim>       grid(
      world,
      box,
      keys_of_rank<dim>(partition, box, world.rank(), world.n_ranks()),
      wanted);
    const CellGrid<dim> &cells = grid.cells();
    CHECK_EQUAL(world.sum(std::uint64_t(cells.n_owned())), all.n_global());
    CHECK_EQUAL(grid.ghosts().n_owned(), std::size_t(cells.n_owned()));
    CHECK_EQUAL(grid.ghosts().n_ghosts(),
                std::size_t(cells.n_local() - cells.n_owned()));

    // Every cell of the box: owned, ghost, or not here.
    std::set<std::uint64_t> near, far(wanted.begin(), wanted.end());
    for (CellIndex c = 0; c < all.n_local(); ++c)
      if (owner_of(c) == world.rank())
        for (int i = 0; i < power(3, dim); ++i)
          {
            auto position = all.coordinates(c);
            for (int d = 0; d < dim; ++d)
              position[d] += i / power(3, d) % 3 - 1;
            const CellIndex neighbour = all.find(position);
            if (neighbour != no_cell && owner_of(neighbour) != world.rank())
              near.insert(all.key(neighbour));
          }
    CellIndex n_local = 0;
    for (CellIndex c = 0; c < all.n_local(); ++c)
      {
        const std::uint64_t key   = all.key(c);
        const CellIndex     found = cells.find(all.coordinates(c));
        if (owner_of(c) == world.rank())
          CHECK(0 <= found && found < cells.n_owned());
        else if (near.count(key) + far.count(key) > 0)
          CHECK(cells.n_owned() <= found && found < cells.n_local());
        else
          CHECK_EQUAL(found, no_cell);
        if (found == no_cell)
          continue;
        ++n_local;
        CHECK_EQUAL(cells.key(found), key);
        CHECK(cells.coordinates(found) == all.coordinates(c));
      }
    CHECK_EQUAL(n_local, cells.n_local());
    for (CellIndex c = 1; c < cells.n_local(); ++c)
      CHECK(c == cells.n_owned() || cells.key(c - 1) < cells.key(c));
    auto outside = all.coordinates(0);
    outside[0]   = -1;
    CHECK_EQUAL(cells.find(outside), no_cell);
    outside[0] = box.n_cells[0];
    CHECK_EQUAL(cells.find(outside), no_cell);

    std::set<std::uint64_t> connected;
    for (const unsigned int g : grid.neighbours().receive_ghosts())
      connected.insert(cells.key(cells.n_owned() + CellIndex(g)));
    CHECK(connected == near);

    // Values of ghosts: all, and neighbours only.
    const int  n     = power(3, dim);
    const auto value = [](const std::uint64_t key, const int k) {
      return float(key * 100 + k);
    };
    PrimalField<float, Layout::contiguous> contiguous(cells.n_local(), n);
    DualField<float>                       blocked(cells.n_local(), n);
    for (CellIndex c = 0; c < cells.n_local(); ++c)
      for (int k = 0; k < n; ++k)
        contiguous(c, k) = blocked(c, k) =
          c < cells.n_owned() ? value(cells.key(c), k) : -1.f;
    GhostValues<float> all_ghosts(grid.ghosts(), n);
    GhostValues<float> neighbours(grid.neighbours(), n);
    all_ghosts.update(blocked);
    neighbours.update(contiguous);
    for (CellIndex c = 0; c < cells.n_local(); ++c)
      for (int k = 0; k < n; ++k)
        {
          const std::uint64_t key = cells.key(c);
          CHECK_EQUAL(blocked(c, k), value(key, k));
          CHECK_EQUAL(contiguous(c, k),
                      c < cells.n_owned() || near.count(key) == 1 ?
                        value(key, k) :
                        -1.f);
        }
  }

  void
  check_refusals(const Communicator &world)
  {
    const GridDescription<2>   box = {{{4, 3}}, {{1., 1.}}, {}};
    std::vector<std::uint64_t> keys =
      keys_of_rank<2>(Partition::slabs, box, world.rank(), world.n_ranks());
    std::vector<std::uint64_t> less = keys;
    if (!less.empty() && less.front() == 0)
      less.erase(less.begin());
    const std::string missing =
      CHECK_THROWS(InputError, DistributedGrid<2>(world, box, less));
    CHECK(missing.find("11 cells of a box of 12") != std::string::npos);
  }
} // namespace

int
main(int argc, char **argv)
{
  const CommunicationSession session(argc, argv);
  const Communicator         world = Communicator::world();
  for (const std::uint64_t n_keys : {1, 2, 5, 64, 1000})
    check_directory(world, n_keys);

  for (const Partition partition : all_partitions)
    {
      check_grid<2>({{{7, 5}}, {{1., 1.}}, {}}, partition);
      check_grid<2>({{{16, 1}}, {{1., 1.}}, {}}, partition);
      check_grid<3>({{{4, 6, 5}}, {{1., 1., 1.}}, {}}, partition);
      check_grid<3>({{{8, 8, 8}}, {{1., 1., 1.}}, {}}, partition);
    }
  check_refusals(world);
  return check::result();
}
