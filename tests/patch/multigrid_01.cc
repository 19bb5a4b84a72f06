// SPDX-License-Identifier: LGPL-2.1-or-later
// The hierarchy of grids, and the V-cycle: exact on one level, convergent on
// several, symmetric if post-smoothing is reversed, with equal copies, and
// independent of units.
#include <tessera/base/exceptions.h>
#include <tessera/patch/hierarchy.h>
#include <tessera/patch/multigrid.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "assembled_problem.h"
#include "check.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;
using cellwise::DistributedGrid;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  void
  check_hierarchy()
  {
    const GridDescription<2> box = {{{12, 8}},
                                    {{1., 2.}},
                                    {{{{D, N}}, {{N, N}}}}};
    const auto grids             = make_hierarchy(DistributedGrid<2>(box), 100);
    CHECK_EQUAL(grids.size(), 3u);
    for (int l = 0; l < 3; ++l)
      {
        const GridDescription<2> &level = grids[l].description();
        CHECK_EQUAL(level.n_cells[0], 3 << l);
        CHECK_EQUAL(level.n_cells[1], 2 << l);
        CHECK_EQUAL(level.cell_size[0], 4. / (1 << l));
        CHECK_EQUAL(level.cell_size[1], 8. / (1 << l));
        CHECK(level.boundary == box.boundary);
        CHECK_EQUAL(std::uint64_t(grids[l].cells().n_owned()),
                    grids[l].cells().n_global());
      }
    const auto n_levels = [](const std::array<int, 3> &n_cells) {
      return make_hierarchy(DistributedGrid<3>({n_cells, {{1., 1., 1.}}, {}}),
                            100)
        .size();
    };
    CHECK_EQUAL(n_levels({{2, 2, 2}}), 1u);
    CHECK_EQUAL(n_levels({{16, 16, 16}}), 4u);
    CHECK_EQUAL(n_levels({{16, 16, 2}}), 1u);
    CHECK_EQUAL(n_levels({{16, 12, 20}}), 3u);
    CHECK_EQUAL(n_levels({{9, 4, 4}}), 1u);
    const std::string message = CHECK_THROWS(InputError, n_levels({{4, 1, 4}}));
    CHECK(message.find("two cells") != std::string::npos);
  }

  /** A problem and its V-cycle. */
  template <int dim, typename Number>
  class CycleTest
  {
  public:
    CycleTest(const GridDescription<dim> &box,
              const int                   degree,
              const MultigridOptions     &options = {})
      : cell(degree)
      , problem(box, cell, options.reaction)
      , multigrid(DistributedGrid<dim>(box), cell, options)
      , n_copies(problem.assemble(
          Vector(std::size_t(problem.grid.n_local()) * power(degree + 1, dim),
                 1.)))
    {}

    /** Balanced, and zero at Dirichlet nodes. */
    cellwise::DualField<double>
    distribute(const Vector &r) const
    {
      const int                   n = power(cell.n_nodes, dim);
      cellwise::DualField<double> field(problem.grid.n_local(), n);
      for (CellIndex c = 0; c < problem.grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          {
            const int node = problem.node(c, k);
            field(c, k) =
              problem.is_dirichlet(node) ? 0. : r[node] / n_copies[node];
          }
      return field;
    }

    /** $C r$, or $C^T r$; its copies must be equal. */
    Vector
    cycle(const Vector &r, const bool adjoint = false)
    {
      const auto   field = distribute(r);
      const double factor =
        multigrid.cycle(field,
                        cellwise::max_abs(field, problem.grid.n_local()),
                        adjoint);
      CHECK(problem.is_continuous(multigrid.correction()));
      Vector z = problem.values(multigrid.correction());
      for (int i = 0; i < problem.n_nodes; ++i)
        {
          z[i] *= factor;
          if (problem.is_dirichlet(i))
            CHECK_EQUAL(z[i], 0.);
        }
      return z;
    }

    Vector
    random_vector()
    {
      Vector v = random.vector(problem.n_nodes);
      for (int i = 0; i < problem.n_nodes; ++i)
        if (problem.is_dirichlet(i))
          v[i] = 0.;
      return v;
    }

    const ReferenceCell         cell;
    const AssembledProblem<dim> problem;
    Multigrid<dim, Number>      multigrid;
    const Vector                n_copies;
    Random                      random{29};
  };

  /** One level: the solution, up to round-off. */
  template <int dim, typename Number>
  void
  check_one_level(const GridDescription<dim> &box, const int degree)
  {
    CycleTest<dim, Number> test(box, degree);
    CHECK_EQUAL(test.multigrid.n_levels(), 1u);
    const Vector solution = test.random_vector();
    Vector       b =
      test.problem.residual(Vector(test.problem.n_nodes, 0.), solution);
    for (double &x : b)
      x = -x;
    // Rounding b to float is amplified by the condition number of A.
    CHECK(relative_error(test.cycle(b), solution) <
          (sizeof(Number) == 4 ? 1e-5 : 1e-13));
  }

  /** The iteration u <- u + C (b - A u) from zero: largest factor by which a
   * cycle reduces the error in the energy norm. */
  template <int dim, typename Number>
  void
  check_convergence(const GridDescription<dim> &box,
                    const int                   degree,
                    const MultigridOptions     &options,
                    const double                bound)
  {
    CycleTest<dim, Number> test(box, degree, options);
    CHECK(test.multigrid.n_levels() >= 2);
    const Vector zero(test.problem.n_nodes, 0.);

    Vector error  = test.random_vector();
    double factor = 0.;
    Vector r      = test.problem.residual(zero, error);
    double energy = -dot(r, error);
    for (int cycle = 0; cycle < 4; ++cycle)
      {
        const Vector z = test.cycle(r);
        for (std::size_t i = 0; i < error.size(); ++i)
          error[i] += z[i];
        r                     = test.problem.residual(zero, error);
        const double previous = energy;
        energy                = -dot(r, error);
        factor                = std::fmax(factor, std::sqrt(energy / previous));
      }
    CHECK(factor < bound);
    std::printf("dim %d, degree %d, %s, %s: factor %.4f\n",
                dim,
                degree,
                sizeof(Number) == 4 ? "float" : "double",
                options.post_smoothing == PostSmoothing::reversed ? "reversed" :
                                                                    "forward",
                factor);
  }

  /** $\langle r_1, C r_2 \rangle = \langle r_2, C r_1 \rangle$, and positive.
   */
  template <int dim>
  void
  check_symmetry(const GridDescription<dim> &box, const int degree)
  {
    for (const PostSmoothing post_smoothing :
         {PostSmoothing::reversed, PostSmoothing::forward})
      {
        MultigridOptions options;
        options.post_smoothing = post_smoothing;
        CycleTest<dim, double> test(box, degree, options);
        const Vector           r1 = test.random_vector();
        const Vector           r2 = test.random_vector();
        const Vector           z1 = test.cycle(r1);
        const Vector           z2 = test.cycle(r2);
        CHECK(dot(r1, z1) > 0.);
        const double scale      = std::sqrt(dot(r1, z1) * dot(r2, z2));
        const double difference = std::abs(dot(r1, z2) - dot(r2, z1)) / scale;
        if (post_smoothing == PostSmoothing::reversed)
          CHECK(difference < 1e-13);
        else
          CHECK(difference > 1e-8);

        // The adjoint cycle is the adjoint of either.
        const Vector z1_adjoint = test.cycle(r1, true);
        CHECK(std::abs(dot(r1, z2) - dot(r2, z1_adjoint)) < 1e-13 * scale);
      }
  }

  /** Units are powers of two here: nothing is rounded differently. */
  template <int dim, typename Number>
  void
  check_units(const GridDescription<dim> &box,
              const int                   degree,
              const double                reaction = 0.)
  {
    MultigridOptions options;
    options.reaction = reaction;
    CycleTest<dim, Number> test(box, degree, options);
    const Vector           r = test.random_vector();
    const Vector           z = test.cycle(r);

    // So small or large that float could not hold them.
    for (const int exponent : {-200, 200})
      {
        Vector scaled = r;
        for (double &x : scaled)
          x = std::ldexp(x, exponent);
        const Vector found = test.cycle(scaled);
        for (std::size_t i = 0; i < z.size(); ++i)
          CHECK_EQUAL(found[i], std::ldexp(z[i], exponent));
      }

    // Twice as large cells have weights 2^(dim-2) times as large, the mass
    // matrix one 2^dim times.
    GridDescription<dim> larger = box;
    for (double &h : larger.cell_size)
      h = std::ldexp(h, 100);
    options.reaction = std::ldexp(reaction, -200);
    CycleTest<dim, Number> large(larger, degree, options);
    const Vector           found = large.cycle(r);
    for (std::size_t i = 0; i < z.size(); ++i)
      CHECK_EQUAL(found[i], std::ldexp(z[i], -100 * (dim - 2)));

    for (const double x : test.cycle(Vector(r.size(), 0.)))
      CHECK_EQUAL(x, 0.);
  }

  template <int dim>
  void
  check_levels(const GridDescription<dim> &box)
  {
    const DistributedGrid<dim> grid(box);
    MultigridOptions           options;
    options.reaction = 0.7;
    const Multigrid<dim, float> multigrid(grid, ReferenceCell(2), options);
    std::size_t                 bytes = 0;
    for (unsigned int l = 0; l < multigrid.n_levels(); ++l)
      {
        const Level<dim, float> &level = multigrid.level(l);
        bytes += level.memory_consumption();
        CHECK(level.grid().description().n_cells ==
              make_hierarchy(grid, 100)[l].description().n_cells);
        CHECK(level.memory_consumption() > 2 * sizeof(float) * level.u.size());
        CHECK(!level.is_single_patch());
        const auto &weights = level.element_weights();
        if (l > 0)
          {
            const auto &coarse = multigrid.level(l - 1).element_weights();
            CHECK_EQUAL(weights.stiffness[0],
                        coarse.stiffness[0] / (1 << (dim - 2)));
            CHECK_EQUAL(weights.mass, coarse.mass / (1 << dim));
          }
        const double volume =
          level.grid().cells().stiffness_weights()[0] *
          std::pow(level.grid().description().cell_size[0], 2);
        CHECK_NEAR(weights.mass / weights.stiffness[0],
                   0.7 * volume / level.grid().cells().stiffness_weights()[0],
                   1e-14);
      }
    CHECK(multigrid.memory_consumption() > bytes);
    CHECK_EQUAL(multigrid.partition_efficiency(), 1.);
  }
} // namespace

int
main()
{
  check_hierarchy();

  const std::array<double, 2> h2     = {{0.5, 0.4}};
  const std::array<double, 3> h3     = {{0.5, 0.4, 0.65}};
  const GridDescription<2>    box2   = {{{6, 4}}, h2, {{{{D, D}}, {{D, D}}}}};
  const GridDescription<2>    mixed2 = {{{8, 4}}, h2, {{{{D, N}}, {{N, N}}}}};
  const GridDescription<3>    box3   = {{{4, 4, 4}},
                                        h3,
                                        {{{{D, D}}, {{D, D}}, {{D, D}}}}};
  const GridDescription<3>    mixed3 = {{{4, 6, 4}},
                                        h3,
                                        {{{{N, D}}, {{D, N}}, {{N, N}}}}};

  GridDescription<2> neumann2 = mixed2;
  GridDescription<3> neumann3 = mixed3;
  neumann2.boundary.fill({{N, N}});
  neumann3.boundary.fill({{N, N}});

  MultigridOptions forward, reversed;
  reversed.post_smoothing = PostSmoothing::reversed;
  reversed.colour_order   = ColourOrder::even_first;

  for (int degree = cellwise::min_degree; degree <= cellwise::max_degree;
       ++degree)
    {
      check_one_level<2, float>({{{2, 2}}, h2, {}}, degree);
      check_one_level<2, double>({{{2, 2}}, h2, {}}, degree);
      check_one_level<2, double>({{{2, 2}}, h2, {{{{N, D}}, {{D, D}}}}},
                                 degree);
      check_one_level<2, double>({{{5, 2}}, h2, {}}, degree);
      check_one_level<3, float>({{{2, 2, 2}}, h3, {}}, degree);
      check_one_level<3, double>({{{2, 2, 2}}, h3, {}}, degree);
      check_one_level<3, double>({{{3, 2, 2}}, h3, {}}, degree);

      check_convergence<2, float>(box2, degree, forward, 0.07 / degree);
      check_convergence<2, double>(mixed2, degree, forward, 0.07 / degree);
      check_convergence<2, float>(mixed2, degree, reversed, 0.2 / degree);
      check_symmetry<2>(box2, degree);
      check_symmetry<2>(mixed2, degree);
      check_units<2, float>(mixed2, degree);
      if (degree <= 4)
        {
          check_convergence<3, float>(box3, degree, forward, 0.07 / degree);
          check_convergence<3, double>(mixed3, degree, forward, 0.07 / degree);
          check_convergence<3, float>(mixed3, degree, reversed, 0.2 / degree);
          check_symmetry<3>(box3, degree);
          check_symmetry<3>(mixed3, degree);
        }
      check_units<3, float>(box3, degree);
    }
  check_units<3, double>(mixed3, 2);

  for (const double reaction : {0.1, 3., 1e3, 1e8})
    {
      // The mass matrix alone is less of a matter for patches.
      forward.reaction = reversed.reaction = reaction;
      check_convergence<2, float>(box2, 3, forward, 0.2);
      check_convergence<2, float>(neumann2, 4, reversed, 0.2);
      check_convergence<3, float>(mixed3, 3, reversed, 0.2);
      check_convergence<3, double>(neumann3, 2, forward, 0.2);
      check_units<2, float>(neumann2, 2, reaction);
      check_units<3, float>(mixed3, 3, reaction);
    }
  check_levels<2>(mixed2);
  check_levels<3>(mixed3);
  return check::result();
}
