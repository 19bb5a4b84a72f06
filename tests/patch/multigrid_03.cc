// SPDX-License-Identifier: LGPL-2.1-or-later
// The V-cycle against one of dense assembled matrices, for the Laplacian and
// with a reaction term of any size: patches, their order, transfer, coarse
// solution and the weights of all levels.
#include <tessera/patch/multigrid.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "assembled_problem.h"
#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  /** A level of the cycle: the assembled problem, its patches colour by colour,
   * and the matrix of prolongation from the next coarser one. */
  template <int dim>
  class DenseLevel
  {
  public:
    using Coordinates = std::array<int, dim>;

    DenseLevel(const GridDescription<dim> &box,
               const ReferenceCell        &cell,
               const MultigridOptions     &options)
      : problem(box, cell, options.reaction)
    {
      // Bits of the number of a colour: whether vertices are of the second
      // parity, x in the last bit.
      const int first = options.colour_order == ColourOrder::odd_first ? 1 : 0;
      for (int colour = 0; colour < (1 << dim); ++colour)
        for_each_in({}, box.n_cells, [&](const Coordinates &vertex) {
          for (int d = 0; d < dim; ++d)
            if (vertex[d] % 2 != (first ^ ((colour >> d) & 1)))
              return;
          add_patch(vertex);
        });
    }

    /** $u \leftarrow$ one sweep. */
    void
    sweep(Vector &u, const Vector &b, const bool reversed) const
    {
      for (std::size_t i = 0; i < patches.size(); ++i)
        {
          const Patch &patch = patches[reversed ? patches.size() - 1 - i : i];
          const Vector correction =
            patch.A.solve(entries(problem.residual(b, u), patch.nodes));
          for (std::size_t k = 0; k < patch.nodes.size(); ++k)
            u[patch.nodes[k]] += correction[k];
        }
    }

    /** $P u$ of the coarser level, or $P^T u$ of this one. */
    Vector
    transfer(const DenseLevel &coarse,
             const Vector     &u,
             const bool        transpose) const
    {
      const ReferenceCell &cell = problem.cell;
      Vector result(transpose ? coarse.problem.n_nodes : problem.n_nodes, 0.);
      // Each node of the fine level in one of its cells.
      std::vector<bool> is_done(problem.n_nodes, false);
      for (CellIndex child = 0; child < problem.grid.n_local(); ++child)
        {
          Coordinates parent = problem.grid.coordinates(child), half;
          for (int d = 0; d < dim; ++d)
            {
              half[d] = parent[d] % 2;
              parent[d] /= 2;
            }
          const CellIndex c = coarse.problem.grid.find(parent);
          for (int i = 0; i < power(cell.n_nodes, dim); ++i)
            {
              const int node = problem.node(child, i);
              if (is_done[node])
                continue;
              is_done[node] = true;
              for (int j = 0; j < power(cell.n_nodes, dim); ++j)
                {
                  double weight = 1.;
                  for (int d = 0, k = i, l = j; d < dim; ++d)
                    {
                      weight *= cell.embedding[half[d]](k % cell.n_nodes,
                                                        l % cell.n_nodes);
                      k /= cell.n_nodes;
                      l /= cell.n_nodes;
                    }
                  const int coarse_node = coarse.problem.node(c, j);
                  if (transpose)
                    result[coarse_node] += weight * u[node];
                  else
                    result[node] += weight * u[coarse_node];
                }
            }
        }
      return result;
    }

    const AssembledProblem<dim> problem;

  private:
    struct Patch
    {
      std::vector<int> nodes;
      Cholesky         A;
    };

    /** All points of a lattice, bounds included. */
    template <typename Action>
    static void
    for_each_in(const Coordinates &lower,
                const Coordinates &upper,
                const Action      &action)
    {
      Coordinates point = lower;
      while (true)
        {
          action(point);
          int d = 0;
          while (d < dim && point[d] == upper[d])
            {
              point[d] = lower[d];
              ++d;
            }
          if (d == dim)
            return;
          ++point[d];
        }
    }

    /** The nodes in the open box of the cells around a vertex; on the boundary
     * of the domain as well, where it is a Neumann boundary. */
    void
    add_patch(const Coordinates &vertex)
    {
      const int   p = problem.degree;
      Coordinates center, lower, upper;
      for (int d = 0; d < dim; ++d)
        {
          center[d] = vertex[d] * p;
          lower[d]  = std::max(center[d] - p + 1, 0);
          upper[d]  = std::min(center[d] + p - 1, problem.extents[d] - 1);
        }
      if (problem.is_dirichlet(problem.node_at(center)))
        return;
      std::vector<int> nodes;
      for_each_in(lower, upper, [&](const Coordinates &place) {
        nodes.push_back(problem.node_at(place));
        CHECK(!problem.is_dirichlet(nodes.back()));
      });
      patches.push_back({nodes, Cholesky(problem.matrix(nodes))});
    }

    std::vector<Patch> patches;
  };



  template <int dim>
  class DenseCycle
  {
  public:
    DenseCycle(GridDescription<dim>    box,
               const ReferenceCell    &cell,
               const MultigridOptions &multigrid_options,
               const unsigned int      n_levels)
      : options(multigrid_options)
    {
      for (unsigned int l = 0; l < n_levels; ++l)
        {
          levels.emplace_back(box, cell, options);
          for (int d = 0; d < dim; ++d)
            {
              box.n_cells[d] /= 2;
              box.cell_size[d] *= 2.;
            }
        }
    }

    /** $C b$ or $C^T b$; level 0 is the finest. */
    Vector
    operator()(const Vector      &b,
               const bool         adjoint,
               const unsigned int l = 0) const
    {
      const DenseLevel<dim> &level = levels[l];
      Vector                 u(b.size(), 0.);
      if (l + 1 == levels.size())
        {
          const auto  &nodes = level.problem.free_nodes;
          const Vector x =
            Cholesky(level.problem.matrix(nodes)).solve(entries(b, nodes));
          for (std::size_t i = 0; i < nodes.size(); ++i)
            u[nodes[i]] = x[i];
          return u;
        }
      const bool forward = options.post_smoothing == PostSmoothing::forward;
      level.sweep(u, b, adjoint && forward);
      const Vector z          = (*this)(level.transfer(levels[l + 1],
                                              level.problem.residual(b, u),
                                              true),
                               adjoint,
                               l + 1);
      const Vector correction = level.transfer(levels[l + 1], z, false);
      for (std::size_t i = 0; i < u.size(); ++i)
        u[i] += correction[i];
      level.sweep(u, b, adjoint || !forward);
      return u;
    }

  private:
    const MultigridOptions       options;
    std::vector<DenseLevel<dim>> levels;
  };



  /** Compare with cycles in float and double. */
  template <int dim>
  class CycleTest
  {
  public:
    CycleTest(const GridDescription<dim> &box,
              const int                   degree,
              const MultigridOptions     &multigrid_options,
              const unsigned int          number_of_levels)
      : options(multigrid_options)
      , n_levels(number_of_levels)
      , problem(box, ReferenceCell(degree))
      , n(power(degree + 1, dim))
      , field(problem.grid.n_local(), n)
    {
      Vector r = Random(31).vector(problem.n_nodes);
      for (int i = 0; i < problem.n_nodes; ++i)
        if (problem.is_dirichlet(i))
          r[i] = 0.;
      const Vector n_copies =
        problem.assemble(Vector(std::size_t(problem.grid.n_local()) * n, 1.));
      for (CellIndex c = 0; c < problem.grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          field(c, k) = r[problem.node(c, k)] / n_copies[problem.node(c, k)];

      const DenseCycle<dim> cycle(box, problem.cell, options, n_levels);
      expected = {{cycle(r, false), cycle(r, true)}};
    }

    void
    check()
    {
      check<float>(1e-5);
      check<double>(1e-12);
    }

  private:
    template <typename Number>
    void
    check(const double tolerance)
    {
      Multigrid<dim, Number> multigrid(cellwise::DistributedGrid<dim>(
                                         problem.grid.description()),
                                       problem.cell,
                                       options);
      CHECK_EQUAL(multigrid.n_levels(), n_levels);
      for (const bool adjoint : {false, true})
        {
          const double factor = multigrid.cycle(field, 1., adjoint);
          CHECK(problem.is_continuous(multigrid.correction()));
          Vector z = problem.values(multigrid.correction());
          for (double &x : z)
            x *= factor;
          const double error = relative_error(z, expected[adjoint]);
          CHECK(error < tolerance);
          std::printf("dim %d, degree %d, c = %.0e, %s: error %.1e\n",
                      dim,
                      problem.degree,
                      options.reaction,
                      sizeof(Number) == 4 ? "float" : "double",
                      error);
        }
    }

    const MultigridOptions      options;
    const unsigned int          n_levels;
    const AssembledProblem<dim> problem;
    const int                   n;
    cellwise::DualField<double> field;
    std::array<Vector, 2>       expected;
  };
} // namespace



int
main()
{
  const std::array<double, 2> h2       = {{0.5, 0.4}};
  const std::array<double, 3> h3       = {{0.5, 0.4, 0.65}};
  const GridDescription<2>    square2  = {{{8, 8}}, h2, {}};
  const GridDescription<2>    small2   = {{{4, 4}}, h2, {}};
  const GridDescription<2>    mixed2   = {{{8, 4}}, h2, {{{{D, N}}, {{N, N}}}}};
  const GridDescription<2>    neumann2 = {{{4, 8}}, h2, {{{{N, N}}, {{N, N}}}}};
  const GridDescription<3>    cube3    = {{{4, 4, 4}}, h3, {}};
  const GridDescription<3>    neumann3 = {{{4, 4, 4}},
                                          h3,
                                          {{{{N, N}}, {{N, N}}, {{N, N}}}}};

  MultigridOptions options;
  // No reaction, as much of it as diffusion, and more.
  for (const double reaction : {0., 5., 1e4})
    for (const bool variant : {false, true})
      {
        options.reaction = reaction;
        options.colour_order =
          variant ? ColourOrder::even_first : ColourOrder::odd_first;
        options.post_smoothing =
          variant ? PostSmoothing::reversed : PostSmoothing::forward;
        for (const int degree : {1, 3})
          {
            CycleTest<2>(mixed2, degree, options, 2).check();
            if (reaction > 0.)
              CycleTest<2>(neumann2, degree, options, 2).check();
          }
        CycleTest<2>(square2, 2, options, 3).check();
        if (variant)
          CycleTest<2>(small2, 7, options, 2).check();
        else
          CycleTest<3>(cube3, 2, options, 2).check();
        if (reaction > 0.)
          CycleTest<3>(neumann3, 1, options, 2).check();
      }
  return check::result();
}
