// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums and means over the copies of shared degrees of freedom agree with an
// assembly by global numbers; bit for bit, all copies agree afterwards, means
// are projections, and neither instruction sets nor partitions matter.
#include <tessera/base/instruction_set.h>
#include <tessera/cellwise/field_operations.h>
#include <tessera/cellwise/stiffness_summation.h>
#include <tessera/cellwise/summation_kernels.h>

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "check.h"
#include "fields.h"
#include "global_nodes.h"

using namespace tessera;
using namespace tessera::cellwise;

namespace
{
  using Dual   = DualField<double>;
  using Primal = PrimalField<double>;

  template <int dim>
  GridDescription<dim>
  box(const std::array<int, dim> &n_cells)
  {
    GridDescription<dim> description{};
    description.n_cells = n_cells;
    description.cell_size.fill(1.);
    return description;
  }

  /** Largest |u - G v| relative to the largest |v|; infinite for NaN. */
  template <int dim, typename F>
  double
  relative_distance(const CellGrid<dim>            &grid,
                    const test::GlobalNodes<dim>   &nodes,
                    const F                        &u,
                    const std::vector<long double> &v)
  {
    long double error = 0., size = 0.;
    for (CellIndex c = 0; c < u.n_cells(); ++c)
      for (int k = 0; k < u.n_nodes(); ++k)
        {
          const long double expected = v[nodes.index(grid.coordinates(c), k)];
          if (!std::isfinite(u(c, k)))
            return HUGE_VAL;
          error = std::fmax(error, std::abs(u(c, k) - expected));
          size  = std::fmax(size, std::abs(expected));
        }
    return double(error / size);
  }

  template <int dim, typename F>
  bool
  copies_agree(const CellGrid<dim>          &grid,
               const test::GlobalNodes<dim> &nodes,
               const F                      &u)
  {
    std::vector<double> first(nodes.size(), test::poison);
    for (CellIndex c = 0; c < u.n_cells(); ++c)
      for (int k = 0; k < u.n_nodes(); ++k)
        {
          double &value = first[nodes.index(grid.coordinates(c), k)];
          if (std::isnan(value))
            value = u(c, k);
          if (u(c, k) != value)
            return false;
        }
    return true;
  }

  template <int dim>
  void
  check_box(const std::array<int, dim> &n_cells, const int degree)
  {
    const int                     N = power(degree + 1, dim);
    const CellGrid<dim>           grid(box<dim>(n_cells));
    const test::GlobalNodes<dim>  nodes(grid.description(), degree);
    const StiffnessSummation<dim> summation(grid, degree);
    const CellIndex               n         = grid.n_owned();
    const double                  tolerance = 4e-16;

    const Dual                     r        = test::random_field<Dual>(n, N);
    const std::vector<long double> sums     = nodes.assemble(grid, r);
    std::vector<long double>       means    = sums;
    const std::vector<int>         n_copies = nodes.n_copies(grid);
    for (std::size_t i = 0; i < means.size(); ++i)
      means[i] /= n_copies[i];

    Dual balanced = test::copy(r);
    summation.rebalance(balanced);
    CHECK(relative_distance(grid, nodes, balanced, means) <= tolerance);
    CHECK(copies_agree(grid, nodes, balanced));
    const std::vector<long double> sums_of_means =
      nodes.assemble(grid, balanced);
    for (std::size_t i = 0; i < sums.size(); ++i)
      CHECK_NEAR(double(sums_of_means[i] - sums[i]), 0., 1e-15);
    Dual twice = test::copy(balanced);
    summation.rebalance(twice);
    CHECK(test::same_bits(twice, balanced));

    Dual summed = test::copy(r);
    summation.sum(summed);
    CHECK(relative_distance(grid, nodes, summed, sums) <= tolerance);
    CHECK(copies_agree(grid, nodes, summed));

    // Padding has stayed as it was.
    std::size_t n_poisoned = 0;
    for (const Dual *field : {&balanced, &summed})
      for (std::size_t i = 0; i < field->size(); ++i)
        n_poisoned += std::isnan(field->data()[i]);
    CHECK_EQUAL(n_poisoned, 2 * (r.size() - std::size_t(n) * N));

    // Primal fields stay, others become so.
    std::vector<double> v(nodes.size());
    for (double &x : v)
      x = test::random_number();
    Primal u = test::random_field<Primal>(n, N);
    nodes.distribute(grid, v, u);
    Primal u_averaged = test::copy(u);
    summation.average(u_averaged);
    CHECK(test::same_bits(u_averaged, u));
    Primal w = test::random_field<Primal>(n, N);
    means    = nodes.assemble(grid, w);
    for (std::size_t i = 0; i < means.size(); ++i)
      means[i] /= n_copies[i];
    summation.average(w);
    CHECK(relative_distance(grid, nodes, w, means) <= tolerance);
    CHECK(copies_agree(grid, nodes, w));

    // The pairing with a primal field is that of the assembled vectors, and
    // the same for all distributions among the copies.
    long double pairing = 0., size = 0.;
    for (std::size_t i = 0; i < sums.size(); ++i)
      {
        pairing += sums[i] * v[i];
        size += std::abs(sums[i] * v[i]);
      }
    CHECK(std::abs(dot(r, u, n) - pairing) <= 1e-15L * size);
    CHECK(std::abs(dot(balanced, u, n) - pairing) <= 1e-15L * size);
  }

  /** The part of a grid whose cells have owner(key) == me, and a layer of
   * vertex neighbours as ghosts. */
  template <int dim, typename Owner>
  CellGrid<dim>
  part(const CellGrid<dim> &whole, const int me, const Owner &owner)
  {
    std::set<std::uint64_t> owned, ghosts;
    for (CellIndex c = 0; c < whole.n_owned(); ++c)
      if (owner(whole.key(c)) == me)
        {
          owned.insert(whole.key(c));
          for (int neighbour = 0; neighbour < power(3, dim); ++neighbour)
            {
              auto position = whole.coordinates(c);
              for (int d = 0, rest = neighbour; d < dim; ++d, rest /= 3)
                position[d] += rest % 3 - 1;
              const CellIndex other = whole.find(position);
              if (other != no_cell && owner(whole.key(other)) != me)
                ghosts.insert(whole.key(other));
            }
        }
    return CellGrid<dim>(whole.description(),
                         {owned.begin(), owned.end()},
                         {ghosts.begin(), ghosts.end()});
  }

  template <int dim, typename Owner>
  void
  check_partition(const std::array<int, dim> &n_cells,
                  const int                   degree,
                  const int                   n_parts,
                  const Owner                &owner)
  {
    const int           N = power(degree + 1, dim);
    const CellGrid<dim> whole(box<dim>(n_cells));
    const Dual          r        = test::random_field<Dual>(whole.n_owned(), N);
    Dual                expected = test::copy(r);
    StiffnessSummation<dim>(whole, degree).rebalance(expected);

    CellIndex n_seen = 0;
    for (int me = 0; me < n_parts; ++me)
      {
        const CellGrid<dim> grid = part(whole, me, owner);
        Dual mine = test::poisoned_field<Dual>(grid.n_local(), N);
        for (CellIndex c = 0; c < grid.n_local(); ++c)
          for (int k = 0; k < N; ++k)
            mine(c, k) = r(whole.find(grid.coordinates(c)), k);
        StiffnessSummation<dim>(grid, degree).rebalance(mine);
        bool equal = true;
        for (CellIndex c = 0; c < grid.n_owned(); ++c)
          for (int k = 0; k < N; ++k)
            equal = equal &&
                    mine(c, k) == expected(whole.find(grid.coordinates(c)), k);
        CHECK(equal);
        n_seen += grid.n_owned();
      }
    CHECK_EQUAL(n_seen, whole.n_owned());
  }

  template <int dim>
  void
  check_partitions(const std::array<int, dim> &n_cells, const int degree)
  {
    const CellGrid<dim> whole(box<dim>(n_cells));
    const std::uint64_t n = whole.n_global();
    check_partition<dim>(n_cells, degree, 2, [n](const std::uint64_t key) {
      return int(2 * key / n);
    });
    check_partition<dim>(n_cells, degree, 3, [n](const std::uint64_t key) {
      return int(3 * key / n);
    });
    // Scattered, with ghosts everywhere.
    check_partition<dim>(n_cells, degree, 3, [](const std::uint64_t key) {
      return int((key * 2654435761u >> 7) % 3);
    });
  }
} // namespace

// The kernel of every instruction set, with runs that begin and end anywhere.
namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      void
      check_kernel()
      {
        const int                    N = 9, n_cells = 75;
        const std::vector<int>       left = {0, 3, 6}, bottom = {0, 1, 2};
        const std::vector<FaceNodes> faces = {{left.data(), 3, 2},
                                              {bottom.data(), 3, 6}};
        const std::vector<CellPairs> pairs = {{0, 1, 5, 0},
                                              {6, 7, 31, 0},
                                              {16, 32, 16, 1},
                                              {40, 3, 20, 0},
                                              {2, 29, 45, 1}};
        const Dual                   r = test::random_field<Dual>(n_cells, N);
        for (const double factor : {0.5, 1.})
          {
            Dual expected = test::copy(r);
            for (const CellPairs &p : pairs)
              for (CellIndex i = 0; i < p.length; ++i)
                for (int k = 0; k < 3; ++k)
                  {
                    const FaceNodes &face = faces[p.axis];
                    const int        node = face.lower[k];
                    double &a = expected(p.lower + i, node + face.distance);
                    double &b = expected(p.upper + i, node);
                    a = b = factor * (a + b);
                  }
            for (const InstructionSet set : available_instruction_sets())
              {
                Dual result = test::copy(r);
                TESSERA_CALL_SIMD_FOR(set,
                                      combine_copies(result.data(),
                                                     N,
                                                     factor,
                                                     pairs.data(),
                                                     pairs.size(),
                                                     faces.data()));
                CHECK(test::same_bits(result, expected));
              }
          }
      }
    } // namespace
  }   // namespace cellwise
} // namespace tessera

int
main()
{
  check_kernel();
  for (int degree = min_degree; degree <= max_degree; ++degree)
    {
      check_box<2>({5, 7}, degree);
      check_box<3>({5, 3, 4}, degree);
    }
  // Rows of whole blocks, longer rows, layers of one cell.
  check_box<2>({16, 3}, 2);
  check_box<2>({1, 40}, 2);
  check_box<3>({33, 2, 3}, 1);
  check_box<3>({16, 4, 2}, 3);
  check_box<3>({4, 1, 1}, 3);
  for (const int degree : {1, 3})
    {
      check_partitions<2>({7, 9}, degree);
      check_partitions<3>({5, 3, 4}, degree);
      check_partitions<3>({16, 2, 5}, degree);
    }
  return check::result();
}
