// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_partitions_h
#define tessera_tests_cellwise_partitions_h

// Ways to spread the cells of a box over ranks.

#include <tessera/cellwise/distributed_grid.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace reference
{
  enum class Partition
  {
    slabs,   ///< of unequal thickness, normal to x
    curve,   ///< pieces of a Morton curve, as p4est makes them
    last,    ///< all on the last rank
    holes,   ///< pieces of the curve, but nothing on rank 0 (of several)
    scatter, ///< by a hash of the key
  };

  inline const std::array<Partition, 5> all_partitions = {{Partition::slabs,
                                                           Partition::curve,
                                                           Partition::last,
                                                           Partition::holes,
                                                           Partition::scatter}};

  template <int dim>
  unsigned int
  owner(const Partition                                partition,
        const tessera::cellwise::GridDescription<dim> &box,
        const std::array<int, dim>                    &cell,
        const std::uint64_t                            key,
        const unsigned int                             n_ranks)
  {
    switch (partition)
      {
        case Partition::slabs:
          {
            // Thickness grows with the rank.
            const double x = (cell[0] + 0.5) / box.n_cells[0];
            unsigned int r = 0;
            while (r + 1 < n_ranks &&
                   x > double((r + 1) * (r + 2)) / (n_ranks * (n_ranks + 1)))
              ++r;
            return r;
          }
        case Partition::last:
          return n_ranks - 1;
        case Partition::scatter:
          return (unsigned int)((key * 0x9e3779b97f4a7c15ull >> 33) % n_ranks);
        default:
          {
            std::uint64_t code = 0, n_codes = 1;
            for (int bit = 0; bit < 10; ++bit)
              for (int d = 0; d < dim; ++d)
                code |= std::uint64_t((cell[d] >> bit) & 1) << (dim * bit + d);
            int largest = 0;
            for (int d = 0; d < dim; ++d)
              largest = largest > box.n_cells[d] ? largest : box.n_cells[d];
            for (int n = 1; n < largest; n *= 2)
              n_codes <<= dim;
            const unsigned int first =
              partition == Partition::holes && n_ranks > 1 ? 1 : 0;
            return first + (unsigned int)(code * (n_ranks - first) / n_codes);
          }
      }
  }

  /** Ascending keys of the cells of a rank. */
  template <int dim>
  std::vector<std::uint64_t>
  keys_of_rank(const Partition                                partition,
               const tessera::cellwise::GridDescription<dim> &box,
               const unsigned int                             rank,
               const unsigned int                             n_ranks)
  {
    const tessera::cellwise::CellGrid<dim> all(box);
    std::vector<std::uint64_t>             keys;
    for (tessera::cellwise::CellIndex c = 0; c < all.n_local(); ++c)
      if (owner<dim>(partition, box, all.coordinates(c), all.key(c), n_ranks) ==
          rank)
        keys.push_back(all.key(c));
    return keys;
  }

  template <int dim>
  tessera::cellwise::DistributedGrid<dim>
  distribute(const Partition                                partition,
             const tessera::cellwise::GridDescription<dim> &box,
             const tessera::Communicator                   &communicator)
  {
    return {communicator,
            box,
            keys_of_rank<dim>(
              partition, box, communicator.rank(), communicator.n_ranks())};
  }
} // namespace reference

#endif
