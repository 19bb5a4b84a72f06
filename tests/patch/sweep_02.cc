// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole sweeps: against a multiplicative Schwarz method with dense matrices, in
// all orders and instruction sets; the adjoint; and copies that stay equal.
#include <tessera/base/instruction_set.h>
#include <tessera/patch/level.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "check.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  /** One patch after the other: solve on the nodes around a vertex. */
  template <int dim>
  class Schwarz
  {
  public:
    explicit Schwarz(const AssembledProblem<dim> &assembled)
      : problem(assembled)
    {}

    /** A sweep over all vertices that are not on a Dirichlet face. */
    void
    sweep(Vector           &u,
          const Vector     &b,
          const ColourOrder order,
          const bool        reversed)
    {
      for (int i = 0; i < (1 << dim); ++i)
        {
          const int colour = reversed ? (1 << dim) - 1 - i : i;
          for (int node = 0; node < problem.n_nodes; ++node)
            {
              auto place        = problem.place_of(node);
              bool is_of_colour = !problem.is_dirichlet(node);
              for (int d = 0; d < dim; ++d)
                {
                  if (place[d] % problem.degree != 0)
                    is_of_colour = false;
                  const bool is_odd = place[d] / problem.degree % 2 == 1;
                  const bool odd_wanted =
                    ((colour >> d) & 1) ==
                    (order == ColourOrder::odd_first ? 0 : 1);
                  if (is_odd != odd_wanted)
                    is_of_colour = false;
                }
              if (is_of_colour)
                update(u, b, place);
            }
        }
    }

  private:
    /** @param[in] centre In the lattice of nodes. */
    void
    update(Vector &u, const Vector &b, const std::array<int, dim> &centre)
    {
      std::vector<int> nodes;
      const int        width = 2 * problem.degree - 1;
      for (int i = 0; i < power(width, dim); ++i)
        {
          auto place     = centre;
          bool is_inside = true;
          for (int d = 0, rest = i; d < dim; ++d, rest /= width)
            {
              place[d] += rest % width - (problem.degree - 1);
              if (place[d] < 0 || place[d] >= problem.extents[d])
                is_inside = false;
            }
          if (is_inside)
            nodes.push_back(problem.node_at(place));
        }

      Vector r = b;
      for (int lane = 0; lane < (1 << dim); ++lane)
        {
          auto c = centre;
          for (int d = 0; d < dim; ++d)
            c[d] = c[d] / problem.degree - 1 + ((lane >> d) & 1);
          const CellIndex cell = problem.grid.find(c);
          if (cell != cellwise::no_cell)
            problem.subtract_product(r, cell, u);
        }

      // Patches at the same faces have the same matrix.
      int faces = 0;
      for (int d = 0; d < dim; ++d)
        faces = 3 * faces + (centre[d] == 0                      ? 1 :
                             centre[d] == problem.extents[d] - 1 ? 2 :
                                                                   0);
      auto inverse = inverses.find(faces);
      if (inverse == inverses.end())
        inverse =
          inverses.emplace(faces, Cholesky(problem.matrix(nodes))).first;

      const Vector correction = inverse->second.solve(entries(r, nodes));
      for (std::size_t i = 0; i < nodes.size(); ++i)
        u[nodes[i]] += correction[i];
    }

    const AssembledProblem<dim> &problem;
    std::map<int, Cholesky>      inverses;
  };

  template <int dim, typename T>
  DualModalField<T>
  random_right_hand_side(const AssembledProblem<dim> &problem, Random &random)
  {
    return to_modal<dim, T>(random.vector(std::size_t(problem.grid.n_local()) *
                                          power(problem.degree + 1, dim)),
                            problem.cell);
  }

  template <int dim, typename T>
  void
  check_against_dense(const GridDescription<dim> &box, const int degree)
  {
    const ReferenceCell         cell(degree);
    const AssembledProblem<dim> problem(box, cell);
    const LevelTables<dim, T>   tables(cell,
                                     PatchMatrices(cell),
                                     problem.grid.stiffness_weights());
    Schwarz<dim>                schwarz(problem);
    Random                      random(11);

    // Values at Dirichlet nodes, too.
    const Primal<T> start =
      problem.template copy_to_cells<T>(random.vector(problem.n_nodes));
    const DualModalField<T> b = random_right_hand_side<dim, T>(problem, random);
    const Vector            before = problem.values(start);

    double largest_error = 0.;
    for (const ColourOrder order :
         {ColourOrder::odd_first, ColourOrder::even_first})
      for (const bool reversed : {false, true})
        {
          Primal<T> first;
          for (const Traversal traversal :
               {Traversal::by_colour, Traversal::wavefront})
            for (const InstructionSet set : available_instruction_sets())
              {
                const PatchSchedule<dim> schedule(problem.grid,
                                                  order,
                                                  traversal);
                Primal<T>                u = copy_of(start);
                sweep_on<dim>(set,
                              degree,
                              u.data(),
                              b.data(),
                              {schedule.cells().data(),
                               schedule.runs().data(),
                               schedule.runs().size(),
                               reversed},
                              tables.patch());
                if (first.size() == 0)
                  first.swap(u);
                else
                  CHECK(same_bits(u, first));
              }

          CHECK(problem.is_continuous(first));
          Vector expected = before;
          schwarz.sweep(expected, problem.assemble(b), order, reversed);
          const Vector after = problem.values(first);
          for (int i = 0; i < problem.n_nodes; ++i)
            if (problem.is_dirichlet(i))
              CHECK_EQUAL(after[i], before[i]);
          largest_error =
            std::fmax(largest_error,
                      relative_error(entries(after, problem.free_nodes),
                                     entries(expected, problem.free_nodes)));
        }
    CHECK(largest_error <= (sizeof(T) == 4 ? 5e-7 : 1e-13));
    std::printf("dim %d, degree %d, %s: error %.1e\n",
                dim,
                degree,
                sizeof(T) == 4 ? "float" : "double",
                largest_error);
  }

  /** With S the map from b to u by a sweep from zero, the reversed sweep is
   * its adjoint: $\langle b_1, S b_2 \rangle = \langle b_2, S^T b_1 \rangle$.
   */
  template <int dim>
  void
  check_adjoint(const GridDescription<dim> &box,
                const int                   degree,
                const ColourOrder           order,
                const Traversal             traversal)
  {
    const ReferenceCell         cell(degree);
    const AssembledProblem<dim> problem(box, cell);
    MultigridOptions            options;
    options.colour_order = order;
    options.traversal    = traversal;
    Level<dim, double> level(cellwise::DistributedGrid<dim>(box),
                             cell,
                             PatchMatrices(cell),
                             problem.grid.stiffness_weights(),
                             options);
    HostSteps          steps;
    Random             random(13);
    Vector             b[2], forward[2], reversed[2];
    for (int i = 0; i < 2; ++i)
      {
        level.b = random_right_hand_side<dim, double>(problem, random);
        b[i]    = problem.assemble(level.b);
        level.u.set_zero();
        level.sweep(false, true, steps);
        forward[i] = problem.values(level.u);
        level.u.set_zero();
        level.sweep(true, true, steps);
        reversed[i] = problem.values(level.u);
      }
    const double scale =
      std::sqrt(dot(b[0], b[0]) * dot(forward[1], forward[1]));
    CHECK(std::abs(dot(b[0], forward[1]) - dot(b[1], reversed[0])) <
          1e-13 * scale);
    CHECK(std::abs(dot(b[0], reversed[1]) - dot(b[1], forward[0])) <
          1e-13 * scale);
    // It is not symmetric by itself.
    CHECK(std::abs(dot(b[0], forward[1]) - dot(b[1], forward[0])) >
          1e-6 * scale);
  }

  template <int dim, typename T>
  void
  check_copies(const GridDescription<dim> &box, const int degree)
  {
    const ReferenceCell         cell(degree);
    const AssembledProblem<dim> problem(box, cell);
    Level<dim, T>               level(cellwise::DistributedGrid<dim>(box),
                        cell,
                        PatchMatrices(cell),
                        problem.grid.stiffness_weights(),
                        MultigridOptions());
    HostSteps                   steps;
    Random                      random(17);
    const Vector                start = random.vector(problem.n_nodes);
    level.u = problem.template copy_to_cells<T>(start);
    level.b = random_right_hand_side<dim, T>(problem, random);
    for (int sweep = 0; sweep < 12; ++sweep)
      level.sweep(sweep % 3 == 2, true, steps);
    CHECK(problem.is_continuous(level.u));
    const Vector u = problem.values(level.u);
    for (int i = 0; i < problem.n_nodes; ++i)
      if (problem.is_dirichlet(i))
        CHECK_EQUAL(u[i], double(T(start[i])));
      else
        CHECK(u[i] != double(T(start[i])));
  }
} // namespace

int
main()
{
  const std::array<double, 2>           h2     = {{0.5, 0.4}};
  const std::vector<GridDescription<2>> boxes2 = {
    {{{3, 5}}, h2, {{{{D, D}}, {{D, D}}}}},
    {{{4, 3}}, h2, {{{{N, D}}, {{D, D}}}}},
    {{{2, 4}}, h2, {{{{D, N}}, {{N, N}}}}}};
  const std::array<double, 3>           h3     = {{0.5, 0.4, 0.65}};
  const std::vector<GridDescription<3>> boxes3 = {
    {{{3, 4, 3}}, h3, {{{{D, D}}, {{D, D}}, {{D, D}}}}},
    {{{2, 3, 3}}, h3, {{{{N, D}}, {{D, N}}, {{N, D}}}}},
    {{{3, 2, 2}}, h3, {{{{N, N}}, {{D, D}}, {{N, N}}}}}};

  for (int degree = cellwise::min_degree; degree <= cellwise::max_degree;
       ++degree)
    {
      for (const auto &box : boxes2)
        {
          check_against_dense<2, float>(box, degree);
          check_against_dense<2, double>(box, degree);
          check_copies<2, float>(box, degree);
          check_copies<2, double>(box, degree);
        }
      for (const auto &box : boxes3)
        {
          if (degree <= 3)
            {
              check_against_dense<3, float>(box, degree);
              check_against_dense<3, double>(box, degree);
            }
          check_copies<3, float>(box, degree);
          check_copies<3, double>(box, degree);
        }
      const ColourOrder order =
        degree % 2 == 0 ? ColourOrder::odd_first : ColourOrder::even_first;
      check_adjoint<2>(boxes2[0], degree, order, Traversal::wavefront);
      check_adjoint<2>(boxes2[2], degree, order, Traversal::by_colour);
      check_adjoint<3>(boxes3[1], degree, order, Traversal::wavefront);
      check_adjoint<3>(boxes3[0], degree, order, Traversal::by_colour);
    }
  return check::result();
}
