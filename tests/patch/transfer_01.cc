// SPDX-License-Identifier: LGPL-2.1-or-later
// Transfers between levels: prolongation reproduces functions and keeps copies
// equal, restriction is its transpose and sees the assembled residual only.
// Families of any number, and with cells anywhere, are treated as if one by
// one.
#include <tessera/base/instruction_set.h>
#include <tessera/patch/level_transfer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "assembled_problem.h"
#include "call_kernels.h"
#include "check.h"
#include "fields.h"
#include "shuffled.h"

using namespace tessera;
using namespace tessera::patch;
using namespace reference;

namespace
{
  constexpr auto D = BoundaryCondition::dirichlet;
  constexpr auto N = BoundaryCondition::neumann;

  template <int dim>
  GridDescription<dim>
  halved(GridDescription<dim> box)
  {
    for (int d = 0; d < dim; ++d)
      {
        box.n_cells[d] *= 2;
        box.cell_size[d] *= 0.5;
      }
    return box;
  }

  /** Two levels, and all that there is to know of them. */
  template <int dim, typename T>
  class TwoLevels
  {
  public:
    TwoLevels(const GridDescription<dim> &box, const int degree)
      : cell(degree)
      , n(power(cell.n_nodes, dim))
      , coarse_problem(box, cell)
      , fine_problem(halved(box), cell)
      , coarse(cellwise::DistributedGrid<dim>(box),
               cell,
               PatchMatrices(cell),
               coarse_problem.grid.stiffness_weights(),
               MultigridOptions())
      , fine(cellwise::DistributedGrid<dim>(halved(box)),
             cell,
             PatchMatrices(cell),
             fine_problem.grid.stiffness_weights(),
             MultigridOptions())
      , transfer(fine, coarse)
      , fine_tables(cell,
                    PatchMatrices(cell),
                    fine_problem.grid.stiffness_weights())
    {
      for (CellIndex parent = 0; parent < coarse_problem.grid.n_local();
           ++parent)
        {
          parents.push_back(parent);
          for (int child = 0; child < (1 << dim); ++child)
            {
              auto c = coarse_problem.grid.coordinates(parent);
              for (int d = 0; d < dim; ++d)
                c[d] = 2 * c[d] + ((child >> d) & 1);
              children.push_back(fine_problem.grid.find(c));
            }
        }
    }

    void
    check()
    {
      check_interpolation();
      check_polynomials();
      check_transpose();
      check_residual();
      check_distribution();
      check_dirichlet();
    }

  private:
    static constexpr double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-13;

    /** Prolongate; the same bits from all instruction sets. */
    void
    prolongate()
    {
      const Primal<T> start = copy_of(fine.u);
      transfer.prolongate_and_add(steps);
      for (const InstructionSet set : available_instruction_sets())
        {
          Primal<T> u = copy_of(start);
          prolongate_and_add_on<dim>(set,
                                     cell.degree,
                                     u.data(),
                                     coarse.u.data(),
                                     parents.data(),
                                     children.data(),
                                     coarse_problem.grid.n_local(),
                                     fine_tables.transfer());
          CHECK(same_bits(u, fine.u));
        }
    }

    void
    restrict_residual()
    {
      poison(coarse.b);
      transfer.restrict_residual(steps);
      for (const InstructionSet set : available_instruction_sets())
        {
          DualModalField<T> b(coarse.b.n_cells(), n);
          poison(b);
          restrict_residual_on<dim>(set,
                                    cell.degree,
                                    b.data(),
                                    fine.u.data(),
                                    fine.b.data(),
                                    parents.data(),
                                    children.data(),
                                    coarse_problem.grid.n_local(),
                                    fine_tables.transfer());
          CHECK(same_bits(b, coarse.b));
        }
    }

    template <typename Field>
    static void
    poison(Field &field)
    {
      std::fill(field.data(),
                field.data() + field.size(),
                std::numeric_limits<T>::quiet_NaN());
    }

    Vector
    random_cell_values(const AssembledProblem<dim> &problem)
    {
      return random.vector(std::size_t(problem.grid.n_local()) * n);
    }

    /** The values at all fine nodes of a coarse function. */
    Vector
    interpolate(const Vector &u) const
    {
      const int p = cell.degree;
      // Values of the coarse basis at the nodes of lower and upper child.
      DenseMatrix values[2];
      for (int c = 0; c < 2; ++c)
        {
          std::vector<double> points;
          for (const double x : cell.nodes)
            points.push_back(0.5 * (x + c));
          values[c] = cellwise::lagrange_values(cell.nodes, points);
        }
      Vector fine_values(fine_problem.n_nodes, 0.);
      for (int i = 0; i < fine_problem.n_nodes; ++i)
        {
          // A parent that contains the node, and the node in its child.
          const auto           place = fine_problem.place_of(i);
          std::array<int, dim> parent, child, node;
          for (int d = 0; d < dim; ++d)
            {
              int fine_cell = place[d] / p;
              if (fine_cell == fine_problem.grid.description().n_cells[d])
                --fine_cell;
              parent[d] = fine_cell / 2;
              child[d]  = fine_cell % 2;
              node[d]   = place[d] - fine_cell * p;
            }
          const CellIndex c = coarse_problem.grid.find(parent);
          for (int k = 0; k < n; ++k)
            {
              double basis = 1.;
              for (int d = 0, rest = k; d < dim; ++d, rest /= p + 1)
                basis *= values[child[d]](node[d], rest % (p + 1));
              fine_values[i] += basis * u[coarse_problem.node(c, k)];
            }
        }
      return fine_values;
    }

    void
    check_interpolation()
    {
      coarse.u = coarse_problem.template copy_to_cells<T>(
        random.vector(coarse_problem.n_nodes));
      fine.u = fine_problem.template copy_to_cells<T>(
        random.vector(fine_problem.n_nodes));
      Vector       expected     = fine_problem.values(fine.u);
      const Vector interpolated = interpolate(coarse_problem.values(coarse.u));
      for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += interpolated[i];
      prolongate();
      CHECK(fine_problem.is_continuous(fine.u));
      CHECK(relative_error(fine_problem.values(fine.u), expected) < tolerance);
    }

    /** A polynomial of full degree in every direction, given by a formula. */
    Vector
    polynomial(const AssembledProblem<dim> &problem) const
    {
      Vector values(problem.n_nodes);
      for (int i = 0; i < problem.n_nodes; ++i)
        {
          values[i]        = 1.;
          const auto place = problem.place_of(i);
          for (int d = 0; d < dim; ++d)
            {
              const int    n_cells = problem.grid.description().n_cells[d];
              const int    p       = cell.degree;
              const double x =
                (place[d] / p + cell.nodes[place[d] % p]) / n_cells;
              values[i] *= std::pow(x - 0.3, p - d % 2) + 0.5 * (d + 1);
            }
        }
      return values;
    }

    void
    check_polynomials()
    {
      coarse.u =
        coarse_problem.template copy_to_cells<T>(polynomial(coarse_problem));
      fine.u.set_zero();
      prolongate();
      CHECK(fine_problem.is_continuous(fine.u));
      CHECK(relative_error(fine_problem.values(fine.u),
                           polynomial(fine_problem)) < tolerance);
    }

    /** $\langle R b, e \rangle = \langle b, P e \rangle$ for fields that need
     * not be continuous, cell by cell. */
    void
    check_transpose()
    {
      for (std::size_t i = 0; i < coarse.u.size(); ++i)
        coarse.u.data()[i] = T(random());
      fine.u.set_zero();
      fine.b = to_modal<dim, T>(random_cell_values(fine_problem), cell);
      restrict_residual();
      prolongate();
      const Vector restricted = to_nodal<dim>(coarse.b, cell);
      const Vector residual   = to_nodal<dim>(fine.b, cell);
      for (CellIndex parent = 0; parent < coarse_problem.grid.n_local();
           ++parent)
        {
          double left = 0., right = 0., scale = 0.;
          for (int k = 0; k < n; ++k)
            left += restricted[std::size_t(parent) * n + k] *
                    double(coarse.u(parent, k));
          for (int child = 0; child < (1 << dim); ++child)
            for (int k = 0; k < n; ++k)
              {
                const CellIndex c = children[parent * (1 << dim) + child];
                const double    term =
                  residual[std::size_t(c) * n + k] * double(fine.u(c, k));
                right += term;
                scale += std::abs(term);
              }
          CHECK(std::abs(left - right) < tolerance * scale);
        }
    }

    /** $\langle R (b - A u), e \rangle = \langle b - A u, P e \rangle$ for
     * continuous functions. */
    void
    check_residual()
    {
      fine.u = fine_problem.template copy_to_cells<T>(
        random.vector(fine_problem.n_nodes));
      fine.b = to_modal<dim, T>(random_cell_values(fine_problem), cell);
      restrict_residual();
      const Vector restricted = coarse_problem.assemble(coarse.b);
      const Vector residual =
        fine_problem.residual(fine_problem.assemble(fine.b),
                              fine_problem.values(fine.u));
      for (int i = 0; i < 4; ++i)
        {
          const Vector e           = random.vector(coarse_problem.n_nodes);
          const Vector prolongated = interpolate(e);
          CHECK(std::abs(dot(restricted, e) - dot(residual, prolongated)) <
                tolerance * std::sqrt(dot(residual, residual) *
                                      dot(prolongated, prolongated)));
        }
    }

    /** Another distribution among the copies, the same assembled result. */
    void
    check_distribution()
    {
      const Vector b = random_cell_values(fine_problem);
      // What is added has the mean of its copies subtracted.
      Vector other = random_cell_values(fine_problem);
      Vector n_copies(b.size(), 1.);
      n_copies         = fine_problem.assemble(n_copies);
      const Vector sum = fine_problem.assemble(other);
      for (CellIndex c = 0; c < fine_problem.grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          {
            const int node = fine_problem.node(c, k);
            double   &x    = other[std::size_t(c) * n + k];
            x = b[std::size_t(c) * n + k] + x - sum[node] / n_copies[node];
          }

      fine.u = fine_problem.template copy_to_cells<T>(
        random.vector(fine_problem.n_nodes));
      fine.b = to_modal<dim, T>(b, cell);
      restrict_residual();
      const Vector            assembled = coarse_problem.assemble(coarse.b);
      const DualModalField<T> first     = copy_of(coarse.b);
      fine.b                            = to_modal<dim, T>(other, cell);
      restrict_residual();
      CHECK(relative_error(coarse_problem.assemble(coarse.b), assembled) <
            tolerance);
      CHECK(!same_bits(first, coarse.b));
    }

    /** Residuals at Dirichlet nodes reach Dirichlet nodes only. */
    void
    check_dirichlet()
    {
      Vector b = random_cell_values(fine_problem);
      for (CellIndex c = 0; c < fine_problem.grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          if (!fine_problem.is_dirichlet(fine_problem.node(c, k)))
            b[std::size_t(c) * n + k] = 0.;
      fine.u.set_zero();
      fine.b = to_modal<dim, T>(b, cell);
      restrict_residual();
      const Vector restricted   = to_nodal<dim>(coarse.b, cell);
      double       on_dirichlet = 0., elsewhere = 0.;
      for (CellIndex c = 0; c < coarse_problem.grid.n_local(); ++c)
        for (int k = 0; k < n; ++k)
          {
            const double x = restricted[std::size_t(c) * n + k];
            (coarse_problem.is_dirichlet(coarse_problem.node(c, k)) ?
               on_dirichlet :
               elsewhere) += x * x;
          }
      CHECK(on_dirichlet > 0.1);
      CHECK(std::sqrt(elsewhere) < tolerance * std::sqrt(on_dirichlet));
    }

    const ReferenceCell         cell;
    const int                   n;
    const AssembledProblem<dim> coarse_problem, fine_problem;
    Level<dim, T>               coarse, fine;
    LevelTransfer<dim, T>       transfer;
    HostSteps                   steps;
    const LevelTables<dim, T>   fine_tables;
    std::vector<CellIndex>      parents, children;
    Random                      random{23};
  };
  /** Families whose cells have any numbers, as many together as there are:
   * the same bits as one by one, and nothing else is touched. */
  template <int dim, typename T>
  void
  check_families(const int degree)
  {
    constexpr int           n_children = 1 << dim;
    constexpr CellIndex     n_families = 21;
    const ReferenceCell     cell(degree);
    const int               n = power(cell.n_nodes, dim);
    std::array<double, dim> weights;
    weights.fill(1.);
    const LevelTables<dim, T> tables(cell, PatchMatrices(cell), weights);
    Random                    random(37);

    // In order, or pieces of it put together at random.
    for (const CellIndex length : {1, 3, 1000})
      for (const CellIndex n_parents : {1, 2, 5, 8, 9, 17, 21})
        {
          const std::vector<CellIndex> parents = shuffled(n_families, length);
          // Two rows of children, as in a grid, then those above.
          std::vector<CellIndex>       children;
          const std::vector<CellIndex> number =
            shuffled(n_families * n_children, length);
          for (CellIndex i = 0; i < n_families; ++i)
            for (int c = 0; c < n_children; ++c)
              children.push_back(number[(c / 2 * n_families + i) * 2 + c % 2]);

          constexpr T nan = std::numeric_limits<T>::quiet_NaN();
          Primal<T>   u(n_families * n_children, n), coarse_u(n_families, n);
          DualModalField<T> b(n_families * n_children, n),
            coarse_b(n_families, n);
          for (std::size_t i = 0; i < u.size(); ++i)
            u.data()[i] = b.data()[i] = nan;
          for (std::size_t i = 0; i < coarse_u.size(); ++i)
            coarse_u.data()[i] = coarse_b.data()[i] = nan;
          for (CellIndex i = 0; i < n_parents; ++i)
            for (int k = 0; k < n; ++k)
              {
                coarse_u(parents[i], k) = T(random());
                for (int c = 0; c < n_children; ++c)
                  {
                    u(children[i * n_children + c], k) = T(random());
                    b(children[i * n_children + c], k) = T(random());
                  }
              }

          Primal<T>         expected_u = copy_of(u);
          DualModalField<T> expected_b = copy_of(coarse_b);
          for (CellIndex i = 0; i < n_parents; ++i)
            {
              restrict_residual_on<dim>(InstructionSet::generic,
                                        degree,
                                        expected_b.data(),
                                        u.data(),
                                        b.data(),
                                        parents.data() + i,
                                        children.data() + i * n_children,
                                        1,
                                        tables.transfer());
              prolongate_and_add_on<dim>(InstructionSet::generic,
                                         degree,
                                         expected_u.data(),
                                         coarse_u.data(),
                                         parents.data() + i,
                                         children.data() + i * n_children,
                                         1,
                                         tables.transfer());
            }
          CHECK(!same_bits(expected_u, u));
          for (const InstructionSet set : available_instruction_sets())
            {
              Primal<T>         result_u = copy_of(u);
              DualModalField<T> result_b = copy_of(coarse_b);
              restrict_residual_on<dim>(set,
                                        degree,
                                        result_b.data(),
                                        u.data(),
                                        b.data(),
                                        parents.data(),
                                        children.data(),
                                        n_parents,
                                        tables.transfer());
              prolongate_and_add_on<dim>(set,
                                         degree,
                                         result_u.data(),
                                         coarse_u.data(),
                                         parents.data(),
                                         children.data(),
                                         n_parents,
                                         tables.transfer());
              CHECK(same_bits(result_u, expected_u));
              CHECK(same_bits(result_b, expected_b));
            }
        }
  }
  /** Children are added in the order that is promised. */
  template <int dim, typename T>
  void
  check_order_of_sum(const int degree)
  {
    constexpr int           n_children = 1 << dim;
    const ReferenceCell     cell(degree);
    const int               n = power(cell.n_nodes, dim);
    std::array<double, dim> weights;
    weights.fill(1.);
    const LevelTables<dim, T>    tables(cell, PatchMatrices(cell), weights);
    const CellIndex              parent   = 0;
    const std::vector<CellIndex> children = [] {
      std::vector<CellIndex> numbers(n_children);
      std::iota(numbers.begin(), numbers.end(), 0);
      return numbers;
    }();
    Random            random(41);
    Primal<T>         u(n_children, n);
    DualModalField<T> b(n_children, n);
    for (CellIndex c = 0; c < n_children; ++c)
      for (int k = 0; k < n; ++k)
        {
          u(c, k) = T(random());
          b(c, k) = T(random());
        }
    // Only one of them, or all.
    const auto restricted = [&](const InstructionSet set, const int only) {
      Primal<T>         some_u = copy_of(u);
      DualModalField<T> some_b = copy_of(b), result(1, n);
      for (CellIndex c = 0; c < n_children; ++c)
        if (only >= 0 && c != only)
          for (int k = 0; k < n; ++k)
            some_u(c, k) = some_b(c, k) = 0;
      restrict_residual_on<dim>(set,
                                degree,
                                result.data(),
                                some_u.data(),
                                some_b.data(),
                                &parent,
                                children.data(),
                                1,
                                tables.transfer());
      return result;
    };
    for (const InstructionSet set : available_instruction_sets())
      {
        std::vector<DualModalField<T>> terms;
        for (int c = 0; c < n_children; ++c)
          terms.push_back(restricted(set, c));
        const DualModalField<T> sum     = restricted(set, -1);
        bool                    is_same = true;
        for (int k = 0; k < n; ++k)
          {
            std::array<T, n_children> t;
            for (int c = 0; c < n_children; ++c)
              t[c] = terms[c](0, k);
            for (int distance = 1; distance < n_children; distance *= 2)
              for (int c = 0; c < n_children; c += 2 * distance)
                t[c] += t[c + distance];
            is_same = is_same && t[0] == sum(0, k);
          }
        CHECK(is_same);
      }
  }
} // namespace

int
main()
{
  // The number of parents is no multiple of those that are treated together.
  const GridDescription<2> box2 = {{{3, 2}},
                                   {{0.5, 0.4}},
                                   {{{{D, N}}, {{D, D}}}}};
  const GridDescription<3> box3 = {{{3, 1, 1}},
                                   {{0.5, 0.4, 0.65}},
                                   {{{{D, N}}, {{D, D}}, {{N, N}}}}};
  for (int degree = cellwise::min_degree; degree <= cellwise::max_degree;
       ++degree)
    {
      TwoLevels<2, float>(box2, degree).check();
      TwoLevels<2, double>(box2, degree).check();
      TwoLevels<3, float>(box3, degree).check();
      TwoLevels<3, double>(box3, degree).check();
      check_families<2, float>(degree);
      check_families<2, double>(degree);
      check_families<3, float>(degree);
      check_families<3, double>(degree);
      check_order_of_sum<2, float>(degree);
      check_order_of_sum<2, double>(degree);
      check_order_of_sum<3, float>(degree);
      check_order_of_sum<3, double>(degree);
    }
  return check::result();
}
