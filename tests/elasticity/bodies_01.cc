// SPDX-License-Identifier: LGPL-2.1-or-later
// Bodies solved with a direct solver: patch tests, equilibrium of reactions and
// loads, the beam, error estimates, probes and output.
#include <tessera/base/exceptions.h>

#include <deal.II/base/function.h>
#include <deal.II/base/numbers.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "check.h"
#include "elasticity/constitutive_law.h"
#include "elasticity/elasticity_assembler.h"
#include "elasticity/error_estimator.h"
#include "elasticity/nodal_forces.h"
#include "elasticity/probe.h"
#include "elasticity/stress_output.h"

using namespace dealii;
using namespace tessera;
using namespace tessera::elasticity;

namespace
{
  bool
  contains(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }



  /** A vector field from a lambda. */
  template <int dim>
  class Field : public Function<dim>
  {
  public:
    using Expression = std::function<Tensor<1, dim>(const Point<dim> &)>;

    explicit Field(Expression function)
      : Function<dim>(dim)
      , expression(std::move(function))
    {}

    double
    value(const Point<dim> &point, const unsigned int component) const override
    {
      return expression(point)[component];
    }

    void
    vector_value(const Point<dim> &point, Vector<double> &values) const override
    {
      for (unsigned int i = 0; i < dim; ++i)
        values[i] = expression(point)[i];
    }

  private:
    const Expression expression;
  };

  template <int dim>
  std::shared_ptr<const Field<dim>>
  field(typename Field<dim>::Expression function)
  {
    return std::make_shared<const Field<dim>>(std::move(function));
  }



  /** A mesh with a body on it and a Newton iteration. */
  template <int dim>
  struct Problem
  {
    explicit Problem(const unsigned int  degree,
                     const MaterialModel model = MaterialModel::linear)
      : fe(FE_Q<dim>(degree), dim)
      , dof_handler(triangulation)
      , body{mapping,
             dof_handler,
             {model,
              MaterialTable(Material::from_engineering_constants(1., 0.25)),
              {}},
             {}}
    {}

    /** Number degrees of freedom and find hanging nodes; supports follow. */
    void
    distribute_dofs()
    {
      dof_handler.distribute_dofs(fe);
      hanging_nodes.clear();
      DoFTools::make_hanging_node_constraints(dof_handler, hanging_nodes);
      hanging_nodes.close();
      constraints.clear();
      constraints.merge(hanging_nodes);
      displacement.reinit(dof_handler.n_dofs());
      supports.clear();
    }

    void
    hold(const types::boundary_id boundary,
         const Function<dim>     &values = Functions::ZeroFunction<dim>(dim),
         const ComponentMask      components = ComponentMask(dim, true))
    {
      VectorTools::interpolate_boundary_values(
        mapping, dof_handler, boundary, values, constraints, components);
      supports.push_back({boundary, components});
    }

    /** @return the number of linear systems solved. */
    unsigned int
    solve(const double load_factor = 1.)
    {
      constraints.close();
      constraints.distribute(displacement);
      AffineConstraints<double> homogeneous;
      homogeneous.copy_from(constraints);
      for (types::global_dof_index i = 0; i < dof_handler.n_dofs(); ++i)
        if (homogeneous.is_constrained(i))
          homogeneous.set_inhomogeneity(i, 0.);

      DynamicSparsityPattern dynamic_pattern(dof_handler.n_dofs());
      DoFTools::make_sparsity_pattern(dof_handler,
                                      dynamic_pattern,
                                      homogeneous,
                                      false);
      SparsityPattern pattern;
      pattern.copy_from(dynamic_pattern);
      SparseMatrix<double>           matrix(pattern);
      Vector<double>                 residual(dof_handler.n_dofs());
      const ElasticityAssembler<dim> assembler(body);
      for (unsigned int n = 0; n < 20; ++n)
        {
          assembler.residual(displacement, load_factor, homogeneous, residual);
          if (n > 0 && residual.l2_norm() <= 1e-11)
            return n;
          matrix   = 0.;
          residual = 0.;
          assembler.for_each_cell(
            displacement,
            load_factor,
            [&](const FullMatrix<double> &cell_matrix,
                const Vector<double>     &cell_residual,
                const auto               &dofs) {
              homogeneous.distribute_local_to_global(
                cell_matrix, cell_residual, dofs, matrix, residual);
            });
          SparseDirectUMFPACK inverse;
          inverse.initialize(matrix);
          inverse.solve(residual);
          homogeneous.distribute(residual);
          displacement += residual;
        }
      return std::numeric_limits<unsigned int>::max();
    }

    /** Nodal forces that are not in equilibrium: minus reactions. */
    Vector<double>
    out_of_balance(const double load_factor = 1.) const
    {
      Vector<double> residual;
      ElasticityAssembler<dim>(body).residual(displacement,
                                              load_factor,
                                              hanging_nodes,
                                              residual);
      return residual;
    }

    std::vector<Tensor<1, dim>>
    reactions(const double load_factor = 1.) const
    {
      return compute_reactions(mapping,
                               dof_handler,
                               supports,
                               out_of_balance(load_factor));
    }

    Vector<double>
    loads() const
    {
      Vector<double> forces;
      ElasticityAssembler<dim>(body).external_forces(hanging_nodes, forces);
      return forces;
    }

    ProbeValue<dim>
    probe(const Point<dim> &point) const
    {
      return evaluate_at_point(body, displacement, point);
    }

    Triangulation<dim>        triangulation;
    const MappingQ1<dim>      mapping;
    const FESystem<dim>       fe;
    DoFHandler<dim>           dof_handler;
    Body<dim>                 body;
    AffineConstraints<double> hanging_nodes, constraints;
    std::vector<Support>      supports;
    Vector<double>            displacement;
  };



  /** A linear displacement on the boundary is one inside, on distorted cells
   * with hanging nodes, and the stress is constant; for any law. */
  template <int dim>
  void
  patch_test(const unsigned int degree, const MaterialModel model)
  {
    Problem<dim> problem(degree, model);
    GridGenerator::subdivided_hyper_cube(problem.triangulation, 2);
    GridTools::distort_random(0.25, problem.triangulation, false, 5);
    problem.triangulation.begin_active()->set_refine_flag();
    problem.triangulation.execute_coarsening_and_refinement();
    problem.distribute_dofs();
    CHECK(problem.hanging_nodes.n_constraints() > 0);

    Tensor<2, dim> H;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        H[i][j] = 0.1 * std::sin(1. + 2. * i + 5. * j);
    const auto linear =
      field<dim>([H](const Point<dim> &x) { return H * Tensor<1, dim>(x); });
    problem.hold(0, *linear);
    const unsigned int n_solves = problem.solve();
    CHECK(n_solves == 1 ||
          (model == MaterialModel::neo_hookean && n_solves < 8));

    Vector<double> exact(problem.displacement);
    VectorTools::interpolate(problem.mapping,
                             problem.dof_handler,
                             *linear,
                             exact);
    exact -= problem.displacement;
    CHECK_NEAR(exact.linfty_norm(), 0., 2e-11);

    const StressState<dim> state =
      evaluate_stress(problem.body.constitution, 0, Point<dim>(), H);
    for (const double s : {0.2, 0.45, 0.8})
      {
        Point<dim> point;
        for (unsigned int d = 0; d < dim; ++d)
          point[d] = s + 0.1 * d;
        const auto value = problem.probe(point);
        CHECK_NEAR((value.stress - state.cauchy).norm(), 0., 2e-11);
        CHECK_NEAR((value.displacement - H * Tensor<1, dim>(point)).norm(),
                   0.,
                   2e-11);
      }

    double volume = GridTools::volume(problem.triangulation, problem.mapping);
    CHECK_NEAR(ElasticityAssembler<dim>(problem.body)
                 .strain_energy(problem.displacement),
               volume * state.energy_density,
               1e-12);
    CHECK_NEAR(global_estimate(estimate_error(
                 problem.body, problem.displacement, 1., problem.supports)),
               0.,
               1e-10);
  }



  /** Pulled along x between planes of symmetry: exact solution, reactions in
   * single components, and an estimator that sees free boundaries. */
  template <int dim>
  void
  test_symmetry(const unsigned int degree)
  {
    Problem<dim> problem(degree);
    GridGenerator::hyper_cube(problem.triangulation, 0., 1., true);
    problem.triangulation.refine_global(1);
    problem.triangulation.begin_active()->set_refine_flag();
    problem.triangulation.execute_coarsening_and_refinement();
    problem.distribute_dofs();
    for (unsigned int d = 0; d < dim; ++d)
      {
        ComponentMask mask(dim, false);
        mask.set(d, true);
        problem.hold(2 * d, Functions::ZeroFunction<dim>(dim), mask);
        problem.supports.back() = {2 * d, ComponentMask(dim, false), true};
      }
    Tensor<1, dim> pull;
    pull[0] = 3.;
    problem.body.loads.tractions[1] =
      field<dim>([pull](const Point<dim> &) { return pull; });
    CHECK_EQUAL(problem.solve(0.5), 1u);

    // Uniaxial stress 1.5; in plane strain sigma_zz = nu sigma_xx.
    const auto corner =
      problem.probe(dim == 2 ? Point<dim>(1., 1.) : Point<dim>() + pull / 3.);
    const auto value = problem.probe(Point<dim>() + 0.3 / 3. * pull);
    CHECK_NEAR(value.stress[0][0], 1.5, 1e-12);
    CHECK_NEAR(value.stress[1][1], 0., 1e-12);
    CHECK_NEAR(value.stress[0][1], 0., 1e-12);
    CHECK_NEAR(value.stress[2][2], dim == 2 ? 0.375 : 0., 1e-12);
    CHECK_NEAR(corner.displacement[0],
               dim == 2 ? 1.5 * (1. - 0.0625) : 1.5,
               1e-12);
    if (dim == 2)
      CHECK_NEAR(corner.displacement[1], -1.5 * (0.25 + 0.0625), 1e-12);

    const auto reactions = problem.reactions(0.5);
    CHECK_EQUAL(reactions.size(), std::size_t(dim));
    CHECK_NEAR((reactions[0] + 0.5 * pull).norm(), 0., 1e-12);
    CHECK_NEAR(reactions[1].norm(), 0., 1e-12);
    CHECK_NEAR(global_estimate(estimate_error(
                 problem.body, problem.displacement, 0.5, problem.supports)),
               0.,
               1e-10);

    // With a load factor of one it is not in equilibrium: jumps of 1.5 on the
    // loaded face, whose cells have faces of size h; sum of h/(12 p mu) 1.5^2.
    const auto indicators =
      estimate_error(problem.body, problem.displacement, 1., problem.supports);
    CHECK_NEAR(global_estimate(indicators),
               std::sqrt(2.25 * 0.5 * (dim == 2 ? 1. : std::sqrt(2.)) /
                         (12. * degree * 0.4)),
               1e-6);
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      CHECK_EQUAL(indicators[cell->active_cell_index()] > 0.1,
                  cell->at_boundary(1));
    mark_for_refinement(problem.triangulation, indicators, 0.5);
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      CHECK_EQUAL(bool(cell->refine_flag_set()), cell->at_boundary(1));
  }



  /** Clamped, with all kinds of loads: reactions balance them. */
  template <int dim>
  void
  test_balance(const unsigned int degree, const MaterialModel model)
  {
    Problem<dim> problem(degree, model);
    GridGenerator::subdivided_hyper_cube(
      problem.triangulation, 2, 1., 2., true);
    GridTools::distort_random(0.2, problem.triangulation, false, 3);
    problem.triangulation.begin_active()->set_refine_flag();
    problem.triangulation.execute_coarsening_and_refinement();
    problem.distribute_dofs();
    const double size = model == MaterialModel::linear ? 1. : 0.05;
    problem.body.constitution.factor = {0.2, 1.3};
    problem.body.loads.body_force    = field<dim>([size](const Point<dim> &x) {
      Tensor<1, dim> f;
      f[0] = size * x[1];
      f[1] = -size;
      return f;
    });
    problem.body.loads.tractions[1]  = field<dim>([size](const Point<dim> &x) {
      Tensor<1, dim> t;
      t[dim - 1] = size * x[0] * x[1];
      return t;
    });
    problem.body.loads.tractions[3]  = problem.body.loads.tractions[1];
    problem.hold(0);
    // One component of a neighbouring face, given and not zero.
    ComponentMask mask(dim, false);
    mask.set(1, true);
    problem.hold(2, Functions::ConstantFunction<dim>(0.01, dim), mask);
    const double load_factor = 0.8;
    CHECK(problem.solve(load_factor) < 10);

    const Vector<double> residual = problem.out_of_balance(load_factor);
    const auto           loads =
      compute_resultant(problem.mapping, problem.dof_handler, problem.loads());
    const auto unbalanced = compute_resultant(problem.mapping,
                                              problem.dof_handler,
                                              residual,
                                              &problem.displacement);
    const auto reactions  = problem.reactions(load_factor);
    CHECK_EQUAL(reactions.size(), 2u);
    CHECK(reactions[0].norm() > 0.1 * size && reactions[1].norm() > 1e-3);
    CHECK_NEAR((reactions[0] + reactions[1] + load_factor * loads.force).norm(),
               0.,
               1e-12);
    CHECK_NEAR((unbalanced.force + reactions[0] + reactions[1]).norm(),
               0.,
               1e-12);
    for (unsigned int i = 0; i < dim; ++i)
      if (i != 1)
        CHECK_EQUAL(reactions[1][i], 0.);

    // Force and moment of stresses vanish, about displaced nodes where
    // deformations are finite.
    Vector<double> internal(residual);
    internal.sadd(-1., load_factor, problem.loads());
    const bool is_linear = model == MaterialModel::linear;
    const auto stresses =
      compute_resultant(problem.mapping,
                        problem.dof_handler,
                        internal,
                        is_linear ? nullptr : &problem.displacement);
    CHECK_NEAR(stresses.force.norm(), 0., 1e-13 * internal.l1_norm());
    CHECK_NEAR(stresses.moment.norm(), 0., 1e-12 * internal.l1_norm());
    if (!is_linear)
      CHECK(compute_resultant(problem.mapping, problem.dof_handler, internal)
              .moment.norm() > 1e-6);

    // In the linear law half of the work of all forces is stored.
    if (is_linear)
      CHECK_NEAR(ElasticityAssembler<dim>(problem.body)
                   .strain_energy(problem.displacement),
                 0.5 * (internal * problem.displacement),
                 1e-12);
  }



  /** The beam of 20 x 2 x 2 cubes, clamped at x = 0 and loaded by a transverse
   * force and a torque at x = 10, against numbers of other programs. */
  void
  test_beam()
  {
    Problem<3> problem(2);
    GridGenerator::subdivided_hyper_rectangle(problem.triangulation,
                                              {20, 2, 2},
                                              Point<3>(0., -0.5, -0.5),
                                              Point<3>(10., 0.5, 0.5),
                                              true);
    problem.distribute_dofs();
    problem.hold(0);
    problem.body.loads.tractions[1] = field<3>([](const Point<3> &x) {
      return Tensor<1, 3>{{0., -6. * x[2], 1. + 6. * x[1]}};
    });
    CHECK_EQUAL(problem.solve(), 1u);
    const auto tip = problem.probe(Point<3>(10., 0., 0.));
    CHECK(std::abs(tip.displacement[2] - 4005.052) < 5e-4);

    const Vector<double> forces = problem.loads();
    CHECK_NEAR(
      ElasticityAssembler<3>(problem.body).strain_energy(problem.displacement),
      0.5 * (forces * problem.displacement),
      1e-10);

    const auto loads =
      compute_resultant(problem.mapping, problem.dof_handler, forces);
    CHECK_NEAR((loads.force - Tensor<1, 3>{{0., 0., 1.}}).norm(), 0., 1e-13);
    CHECK_NEAR((loads.moment - Tensor<1, 3>{{1., -10., 0.}}).norm(), 0., 1e-12);
    const auto reactions = problem.reactions();
    CHECK_NEAR((reactions[0] + loads.force).norm(), 0., 1e-10);
    const auto clamp = compute_resultant(problem.mapping,
                                         problem.dof_handler,
                                         problem.out_of_balance());
    CHECK_NEAR((clamp.moment - loads.moment).norm(), 0., 1e-8);

    const auto message =
      CHECK_THROWS(InputError, problem.probe(Point<3>(10.001, 0., 0.)));
    CHECK(contains(message, "10.001 0 0"));
    CHECK(contains(message, "(0 -0.5 -0.5) and (10 0.5 0.5)"));
    CHECK_THROWS(InputError, problem.probe(Point<3>(-1., 7., 0.)));
  }



  /** Force and moment of loads that are in equilibrium, and of others. */
  template <int dim>
  void
  test_resultants()
  {
    Problem<dim> problem(2);
    GridGenerator::hyper_cube(problem.triangulation, 1., 2., true);
    problem.triangulation.refine_global(1);
    problem.triangulation.begin_active()->set_refine_flag();
    problem.triangulation.execute_coarsening_and_refinement();
    problem.distribute_dofs();
    const auto resultant = [&] {
      return compute_resultant(problem.mapping,
                               problem.dof_handler,
                               problem.loads());
    };
    auto      &tractions = problem.body.loads.tractions;
    const auto normal    = [](const double size) {
      return field<dim>([size](const Point<dim> &) {
        Tensor<1, dim> t;
        t[0] = size;
        return t;
      });
    };

    tractions[0] = normal(-1.);
    tractions[1] = normal(1.);
    CHECK_NEAR(resultant().force.norm(), 0., 1e-13);
    CHECK_NEAR(resultant().moment.norm(), 0., 1e-13);

    tractions[0] = normal(-1. + 1e-6);
    CHECK_NEAR(resultant().force[0], 1e-6, 1e-13);

    // A couple.
    tractions.clear();
    tractions[2]      = normal(-1.);
    tractions[3]      = normal(1.);
    const auto couple = resultant();
    CHECK_NEAR(couple.force.norm(), 0., 1e-14);
    CHECK_NEAR(couple.moment[dim == 2 ? 0 : 2], -1., 1e-13);
  }



  /** Each term of the estimator, of u = |x - 1/2| e_x and a body force on
   * squares or cubes of size 1/2; those with x > 1/2 may be refined. */
  template <int dim>
  void
  test_estimator_terms(const unsigned int degree, const bool refine)
  {
    Problem<dim> problem(degree);
    GridGenerator::subdivided_hyper_cube(problem.triangulation, 2);
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      if (cell->center()[0] < 0.5)
        cell->set_material_id(1);
      else if (refine)
        cell->set_refine_flag();
    problem.triangulation.execute_coarsening_and_refinement();
    problem.distribute_dofs();
    problem.body.constitution.materials =
      MaterialTable({{0, Material::from_engineering_constants(1., 0.25)},
                     {1, Material::from_engineering_constants(0.5, 0.25)}});
    VectorTools::interpolate(problem.dof_handler,
                             *field<dim>([](const Point<dim> &x) {
                               Tensor<1, dim> u;
                               u[0] = std::abs(x[0] - 0.5);
                               return u;
                             }),
                             problem.displacement);
    const std::vector<Support> supports = {{0, ComponentMask(dim, true)}};

    // Stresses are 1.2 on one, -0.6 on the other side in x; across, equal.
    const double size = (refine ? 0.25 : 0.5) * std::sqrt(dim - 1.);
    const auto   indicators =
      estimate_error(problem.body, problem.displacement, 1., supports);
    CHECK_NEAR(global_estimate(indicators),
               std::sqrt(size / (12. * degree * 0.4) * 1.8 * 1.8),
               1e-6);
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      CHECK_EQUAL(indicators[cell->active_cell_index()] > 0.01,
                  std::abs(cell->center()[0] - 0.5) < 0.3);

    problem.displacement          = 0.;
    problem.body.loads.body_force = field<dim>([](const Point<dim> &) {
      Tensor<1, dim> f;
      f[1] = 3.;
      return f;
    });
    // h^2 = dim/4 with mu = 0.2, and dim/4 or dim/16 with mu = 0.4.
    CHECK_NEAR(
      global_estimate(
        estimate_error(problem.body, problem.displacement, 0.5, supports)),
      1.5 / (numbers::PI * degree) *
        std::sqrt(0.5 * dim * (0.25 / 0.2 + (refine ? 0.0625 : 0.25) / 0.4)),
      1e-6);
  }



  /** Two materials one after the other, without lateral contraction: tractions
   * do not jump, gradients do. */
  void
  test_two_materials()
  {
    Problem<2> problem(1);
    GridGenerator::subdivided_hyper_cube(
      problem.triangulation, 4, 0., 1., true);
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      cell->set_material_id(cell->center()[0] < 0.5 ? 8 : 2);
    problem.body.constitution.materials =
      MaterialTable({{8, Material::from_engineering_constants(10., 0.)},
                     {2, Material::from_engineering_constants(1., 0.)}});
    problem.distribute_dofs();
    problem.hold(0);
    problem.body.loads.tractions[1] = field<2>([](const Point<2> &) {
      return Tensor<1, 2>{{1., 0.}};
    });
    problem.solve();
    CHECK_NEAR(problem.probe(Point<2>(1., 0.3)).displacement[0],
               0.05 + 0.5,
               1e-13);
    CHECK_NEAR(global_estimate(estimate_error(
                 problem.body, problem.displacement, 1., problem.supports)),
               0.,
               1e-6);

    // Bend it: at the interface the stress is that of material 2.
    problem.body.loads.tractions[1] = field<2>([](const Point<2> &) {
      return Tensor<1, 2>{{0., 1.}};
    });
    problem.solve();
    const Point<2> vertex(0.5, 0.5);
    const auto     at_interface = problem.probe(vertex);
    CHECK_EQUAL(at_interface.material_id, types::material_id(2));
    const double step  = 1e-6;
    const auto   below = problem.probe(vertex + Tensor<1, 2>{{step, -step}});
    const auto   above = problem.probe(vertex + Tensor<1, 2>{{step, step}});
    CHECK((above.stress - below.stress).norm() > 0.01);
    CHECK_NEAR(
      (at_interface.stress - 0.5 * (above.stress + below.stress)).norm(),
      0.,
      1e-4);
    CHECK_EQUAL(problem.probe(Point<2>(0.49, 0.5)).material_id,
                types::material_id(8));

    problem.body.constitution.materials =
      MaterialTable({{8, Material::from_engineering_constants(10., 0.)}});
    CHECK(contains(CHECK_THROWS(InputError, problem.loads()), "material id 2"));
  }



  /** A clamped square under its weight: the estimate goes down with the order
   * of the element, which corners limit to about one for the higher. */
  void
  test_convergence()
  {
    for (const unsigned int degree : {1u, 2u})
      {
        // With a body force that makes u = sin(pi x) sin(pi y) (1, 1)
        // the solution for lambda = mu = 0.4.
        Problem<2> problem(degree);
        GridGenerator::hyper_cube(problem.triangulation);
        problem.triangulation.refine_global(2);
        problem.body.loads.body_force = field<2>([](const Point<2> &x) {
          const double pi = numbers::PI;
          const double s  = std::sin(pi * x[0]) * std::sin(pi * x[1]);
          const double c  = std::cos(pi * x[0]) * std::cos(pi * x[1]);
          // -(lambda + mu) grad div u - mu Laplace u
          const double f = pi * pi * (0.8 * (s - c) + 0.8 * s);
          return Tensor<1, 2>{{f, f}};
        });
        const auto exact              = field<2>([](const Point<2> &x) {
          const double s =
            std::sin(numbers::PI * x[0]) * std::sin(numbers::PI * x[1]);
          return Tensor<1, 2>{{s, s}};
        });
        // 1/2 int lambda (div u)^2 + 2 mu |eps|^2
        const double exact_energy = 0.4 * numbers::PI * numbers::PI;
        double       estimates[3], errors[3];
        for (unsigned int cycle = 0; cycle < 3; ++cycle)
          {
            if (cycle > 0)
              problem.triangulation.refine_global(1);
            problem.distribute_dofs();
            problem.hold(0);
            problem.solve();
            estimates[cycle] = global_estimate(estimate_error(
              problem.body, problem.displacement, 1., problem.supports));
            errors[cycle] =
              std::sqrt(exact_energy - ElasticityAssembler<2>(problem.body)
                                         .strain_energy(problem.displacement));
          }
        const double factor = std::pow(2., degree);
        CHECK_NEAR(errors[1] / errors[2] / factor, 1., 0.05);
        CHECK_NEAR(estimates[1] / estimates[2] / factor, 1., 0.1);
        // The constant between them.
        for (unsigned int cycle = 0; cycle < 3; ++cycle)
          CHECK(estimates[cycle] > errors[cycle] &&
                estimates[cycle] < 6. * errors[cycle]);
      }
  }



  /** Adaptive refinement goes to the re-entrant corner and lowers the estimate
   * faster than refinement everywhere. */
  void
  test_adaptivity()
  {
    Problem<2> problem(2);
    GridGenerator::hyper_L(problem.triangulation);
    problem.triangulation.refine_global(1);
    problem.body.loads.tractions[2] = field<2>([](const Point<2> &) {
      return Tensor<1, 2>{{1., 0.}};
    });
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        if (cell->at_boundary(f) && cell->face(f)->center()[1] > 0.999)
          cell->face(f)->set_boundary_id(1);
        else if (cell->at_boundary(f) && cell->face(f)->center()[0] > 0.999)
          cell->face(f)->set_boundary_id(2);
    double previous = std::numeric_limits<double>::max();
    for (unsigned int cycle = 0; cycle < 8; ++cycle)
      {
        problem.distribute_dofs();
        problem.hold(1);
        problem.solve();
        const auto   indicators = estimate_error(problem.body,
                                               problem.displacement,
                                               1.,
                                               problem.supports);
        const double estimate   = global_estimate(indicators);
        CHECK(estimate < 0.85 * previous);
        previous = estimate;
        mark_for_refinement(problem.triangulation, indicators, 0.5);
        problem.triangulation.execute_coarsening_and_refinement();
      }
    for (const auto &cell : problem.triangulation.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        {
          if (cell->vertex(v).norm() < 1e-12) // the re-entrant corner
            CHECK(cell->level() >= 4);
          if (cell->vertex(v).distance(Point<2>(1., -1.)) < 1e-12)
            CHECK_EQUAL(cell->level(), 1);
        }
    CHECK(problem.triangulation.n_active_cells() < 500);
  }



  void
  test_modulus_factor()
  {
    // Half a wave over [0, 1/2]: the mean of the factor is 1 + 2 a / pi.
    Problem<2> problem(2);
    GridGenerator::hyper_cube(problem.triangulation, 0., 0.5);
    problem.triangulation.refine_global(2);
    problem.distribute_dofs();
    VectorTools::interpolate(problem.dof_handler,
                             *field<2>([](const Point<2> &x) {
                               return Tensor<1, 2>{{x[0], 2. * x[0]}};
                             }),
                             problem.displacement);
    const auto energy = [&] {
      return ElasticityAssembler<2>(problem.body)
        .strain_energy(problem.displacement);
    };
    const double without             = energy();
    problem.body.constitution.factor = {0.2, 1.};
    CHECK_NEAR(energy() / without, 1. + 0.4 / numbers::PI, 1e-7);
    const double stress = problem.probe(Point<2>(0.25, 0.1)).stress[0][0];
    CHECK_NEAR(stress, 1.2 * 1.2, 1e-13);
  }



  void
  test_large_steps()
  {
    Problem<3> problem(1, MaterialModel::neo_hookean);
    GridGenerator::hyper_cube(problem.triangulation, 0., 1., true);
    problem.distribute_dofs();
    VectorTools::interpolate(problem.dof_handler,
                             *field<3>([](const Point<3> &x) {
                               return Tensor<1, 3>{{-1.5 * x[0], 0., 0.}};
                             }),
                             problem.displacement);
    const auto message = CHECK_THROWS(InvertedCell, problem.out_of_balance());
    CHECK(contains(message, "-0.5 in the cell about the point (0.5 0.5 0.5)"));
    CHECK_THROWS(SolverBreakdown, problem.probe(Point<3>(0.5, 0.5, 0.5)));
    CHECK_THROWS(InvertedCell,
                 estimate_error(problem.body, problem.displacement, 1., {}));
    problem.body.constitution.model = MaterialModel::linear;
    problem.out_of_balance();
  }



  template <int dim>
  void
  test_output()
  {
    Problem<dim> problem(1);
    GridGenerator::hyper_cube(problem.triangulation);
    problem.triangulation.begin_active()->set_material_id(5);
    problem.distribute_dofs();
    VectorTools::interpolate(problem.dof_handler,
                             *field<dim>([](const Point<dim> &x) {
                               Tensor<1, dim> u;
                               u[0] = 2. * x[0] + x[1];
                               return u;
                             }),
                             problem.displacement);
    const StressOutput<dim> postprocessor(problem.body.constitution);
    DataOut<dim>            data_out;
    data_out.attach_dof_handler(problem.dof_handler);
    data_out.add_data_vector(problem.displacement, postprocessor);
    data_out.build_patches();

    // Coordinates of a point, then the values there.
    std::ostringstream text_file;
    data_out.write_gnuplot(text_file);
    std::istringstream  lines(text_file.str());
    std::string         line;
    std::vector<double> numbers;
    while (std::getline(lines, line))
      if (!line.empty() && line[0] != '#')
        {
          std::istringstream words(line);
          for (double value; words >> value;)
            numbers.push_back(value);
          if (numbers[0] == 1. && numbers[1] == 0.)
            break;
          numbers.clear();
        }
    const unsigned int n_scalars = dim == 2 ? 3 : 2;
    CHECK_EQUAL(numbers.size(), dim + dim + dim * dim + n_scalars);
    CHECK_EQUAL(postprocessor.get_names().size(), numbers.size() - dim);
    if (numbers.size() == dim + dim + dim * dim + n_scalars)
      {
        const double *displacement = numbers.data() + dim;
        CHECK_NEAR(displacement[0], 2., 1e-5);
        CHECK_NEAR(displacement[1], 0., 1e-5);
        const double *stress = displacement + dim;
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int j = 0; j < dim; ++j)
            CHECK_NEAR(stress[dim * i + j],
                       i == j ? (i == 0 ? 2.4 : 0.8) : (i + j == 1 ? 0.4 : 0.),
                       1e-5);
        const double *scalars = stress + dim * dim;
        if (dim == 2)
          CHECK_NEAR(scalars[0], 0.8, 1e-5);
        CHECK_NEAR(scalars[n_scalars - 2],
                   std::sqrt(1.6 * 1.6 + 3. * 0.16),
                   1e-5);
        CHECK_EQUAL(scalars[n_scalars - 1], 5.);
      }

    std::ostringstream vtu_file;
    data_out.write_vtu(vtu_file);
    for (const std::string name :
         {"displacement", "stress", "von_mises_stress", "material"})
      CHECK(contains(vtu_file.str(), "Name=\"" + name + '"'));
  }
} // namespace



int
main()
{
  for (const MaterialModel model :
       {MaterialModel::linear, MaterialModel::neo_hookean})
    {
      patch_test<2>(1, model);
      patch_test<2>(2, model);
      patch_test<3>(1, model);
      patch_test<3>(2, model);
      test_balance<2>(2, model);
      test_balance<3>(1, model);
    }
  test_symmetry<2>(2);
  test_symmetry<3>(1);
  test_beam();
  test_resultants<2>();
  test_resultants<3>();
  for (const bool refine : {false, true})
    {
      test_estimator_terms<2>(2, refine);
      test_estimator_terms<3>(1, refine);
    }
  test_two_materials();
  test_convergence();
  test_adaptivity();
  test_modulus_factor();
  test_large_steps();
  test_output<2>();
  test_output<3>();
  return check::result();
}
