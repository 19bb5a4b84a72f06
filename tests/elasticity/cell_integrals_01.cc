// SPDX-License-Identifier: LGPL-2.1-or-later
// Material laws at a point and integrals over one cell: analytic states,
// derivatives against differences, and numbers of an independent program.
#include <tessera/base/exceptions.h>

#include <deal.II/base/numbers.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "elasticity/cell_integrals.h"
#include "elasticity/constitutive_law.h"

using namespace dealii;
using namespace tessera;
using namespace tessera::elasticity;

namespace
{
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  constexpr MaterialModel models[] = {MaterialModel::linear,
                                      MaterialModel::neo_hookean};

  bool
  contains(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }



  void
  test_material()
  {
    const Material beam = Material::from_engineering_constants(1., 0.25);
    CHECK_NEAR(beam.lambda, 0.4, 1e-15);
    CHECK_NEAR(beam.mu, 0.4, 1e-15);
    const Material steel =
      Material::from_engineering_constants(210e9, 0.3, "steel");
    CHECK_NEAR(steel.youngs_modulus(), 210e9, 1e-14);
    CHECK_NEAR(steel.poissons_ratio(), 0.3, 1e-14);
    CHECK_NEAR(steel.mu, 210e9 / 2.6, 1e-14);

    const auto message =
      CHECK_THROWS(InputError,
                   Material::from_engineering_constants(1., 0.5, "rubber"));
    CHECK(contains(message, "rubber: Poisson's ratio is 0.5"));
    CHECK_THROWS(InputError, Material::from_engineering_constants(1., -1.));
    CHECK_THROWS(InputError, Material::from_engineering_constants(1., nan));
    CHECK_THROWS(InputError, Material::from_engineering_constants(0., 0.3));
    CHECK_THROWS(InputError, Material::from_engineering_constants(nan, 0.3));
    CHECK_THROWS(InputError,
                 Material::from_engineering_constants(
                   std::numeric_limits<double>::infinity(), 0.3));

    const MaterialTable one(beam), two({{3, beam}, {7, steel}});
    CHECK_EQUAL(one[42].mu, beam.mu);
    CHECK_EQUAL(two[7].mu, steel.mu);
    CHECK(contains(CHECK_THROWS(InputError, two[4]),
                   "material id 4, for which there is no material. Ids with a "
                   "material: 3 7."));

    const ModulusFactor one_everywhere, waves{0.2, 8.};
    CHECK_EQUAL(one_everywhere(Point<2>(3., 1.)), 1.);
    CHECK_NEAR(waves(Point<2>(2., 1.)), 1.2, 1e-15);
    CHECK_NEAR(waves(Point<3>(6., 1., 2.)), 0.8, 1e-15);
    CHECK_NEAR(waves(Point<3>(1., 5., 2.)), 1. + 0.2 * std::sqrt(0.5), 1e-15);
  }



  template <int dim>
  Tensor<2, dim>
  random_tensor(const double size, const unsigned int seed)
  {
    std::mt19937                           generator(seed);
    std::uniform_real_distribution<double> uniform(-size, size);
    Tensor<2, dim>                         H;
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int j = 0; j < dim; ++j)
        H[i][j] = uniform(generator);
    return H;
  }



  Tensor<2, 2>
  rotation(const Tensor<2, 2> &)
  {
    Tensor<2, 2> Q;
    Q[0][0] = Q[1][1] = std::cos(1.1);
    Q[1][0]           = std::sin(1.1);
    Q[0][1]           = -Q[1][0];
    return Q;
  }



  Tensor<2, 3>
  rotation(const Tensor<2, 3> &)
  {
    // About (1,2,2)/3, by Rodrigues' formula.
    const double       c = std::cos(1.1), s = std::sin(1.1);
    const Tensor<1, 3> n{{1. / 3, 2. / 3, 2. / 3}};
    Tensor<2, 3>       Q = (1. - c) * outer_product(n, n);
    for (unsigned int i = 0; i < 3; ++i)
      {
        Q[i][i] += c;
        Q[(i + 1) % 3][i] += s * n[(i + 2) % 3];
        Q[i][(i + 1) % 3] -= s * n[(i + 2) % 3];
      }
    return Q;
  }



  template <int dim>
  Tensor<2, dim>
  identity()
  {
    return Tensor<2, dim>(unit_symmetric_tensor<dim>());
  }



  template <int dim>
  void
  test_laws()
  {
    Material material;
    material.lambda = 0.7;
    material.mu     = 0.4;
    const auto state =
      [&](const MaterialModel model, const Tensor<2, dim> &H, double f = 1.) {
        return evaluate_stress(model, material, f, H);
      };
    const Tensor<2, dim> H = random_tensor<dim>(0.2, 1), I = identity<dim>();

    // P is the derivative of the energy, and moduli are multiplied by the
    // factor.
    for (const MaterialModel model : models)
      {
        const auto at_H = state(model, H);
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int J = 0; J < dim; ++J)
            {
              Tensor<2, dim> step;
              step[i][J] = 1e-5;
              CHECK_NEAR(at_H.first_piola[i][J],
                         (state(model, H + step).energy_density -
                          state(model, H - step).energy_density) /
                           2e-5,
                         1e-9);
            }
        const auto twice = state(model, H, 2.);
        CHECK_NEAR(twice.energy_density, 2. * at_H.energy_density, 1e-15);
        CHECK_NEAR((twice.first_piola - 2. * at_H.first_piola).norm(),
                   0.,
                   1e-15);
        CHECK_NEAR((twice.cauchy - 2. * at_H.cauchy).norm(), 0., 1e-15);
      }

    // The linear law is the limit of small strains. Relative differences are
    // of first order, down to where H is lost in 1 + H.
    double previous = 0.;
    for (const double size : {1e-2, 1e-3, 1e-6, 1e-10})
      {
        const auto   small  = state(MaterialModel::neo_hookean, size * H);
        const auto   linear = state(MaterialModel::linear, size * H);
        const double stress_difference =
          (small.first_piola - linear.first_piola).norm() /
          linear.first_piola.norm();
        CHECK(stress_difference < 2. * size + 1e-15);
        CHECK((small.cauchy - linear.cauchy).norm() <
              (2. * size + 1e-15) * linear.cauchy.norm());
        CHECK(std::abs(small.energy_density - linear.energy_density) <
              (2. * size + 1e-15) * linear.energy_density);
        if (size == 1e-3)
          CHECK_NEAR(stress_difference / previous, 0.1, 0.01);
        previous = stress_difference;
      }

    // Rotations: no stress from one alone, and objectivity.
    const Tensor<2, dim> Q       = rotation(I);
    const auto           rotated = state(MaterialModel::neo_hookean, Q - I);
    CHECK_NEAR(rotated.first_piola.norm(), 0., 1e-15);
    CHECK_NEAR(rotated.cauchy.norm(), 0., 1e-15);
    CHECK_NEAR(rotated.energy_density, 0., 1e-15);
    CHECK_NEAR(rotated.determinant, 1., 1e-15);
    CHECK(state(MaterialModel::linear, Q - I).energy_density > 0.1);

    const auto before = state(MaterialModel::neo_hookean, H);
    const auto after  = state(MaterialModel::neo_hookean, Q * (I + H) - I);
    CHECK_NEAR(after.energy_density, before.energy_density, 1e-14);
    CHECK_NEAR((after.first_piola - Q * before.first_piola).norm(), 0., 1e-14);
    CHECK_NEAR(von_mises_stress(after.cauchy),
               von_mises_stress(before.cauchy),
               1e-14);

    // Stretch s in one direction: J = s.
    const double   s = 1.7;
    Tensor<2, dim> stretch;
    stretch[0][0]         = s - 1.;
    const auto   uniaxial = state(MaterialModel::neo_hookean, stretch);
    const double lateral  = 0.7 * std::log(s) / s;
    const double axial    = 0.4 * (s * s - 1.) / s + lateral;
    CHECK_NEAR(uniaxial.determinant, s, 1e-15);
    CHECK_NEAR(uniaxial.cauchy[0][0], axial, 1e-15);
    CHECK_NEAR(uniaxial.cauchy[1][1], lateral, 1e-15);
    CHECK_NEAR(uniaxial.cauchy[2][2], lateral, 1e-15);
    CHECK_NEAR(uniaxial.cauchy[0][1], 0., 1e-15);
    CHECK_NEAR(uniaxial.first_piola[0][0], axial, 1e-15);
    CHECK_NEAR(uniaxial.first_piola[1][1], s * lateral, 1e-15);
    CHECK_NEAR(von_mises_stress(uniaxial.cauchy), axial - lateral, 1e-14);
    CHECK_NEAR(uniaxial.energy_density,
               0.2 * (s * s - 1.) - 0.4 * std::log(s) +
                 0.35 * std::log(s) * std::log(s),
               1e-15);
    const auto small_stretch = state(MaterialModel::linear, stretch);
    CHECK_NEAR(small_stretch.cauchy[0][0], 1.5 * 0.7, 1e-15);
    CHECK_NEAR(small_stretch.cauchy[1][1], 0.7 * 0.7, 1e-15);
    CHECK_NEAR(small_stretch.cauchy[2][2], 0.7 * 0.7, 1e-15);

    // Simple shear: no change of volume, and normal stress.
    const double   gamma = 0.6;
    Tensor<2, dim> shear;
    shear[0][1]        = gamma;
    const auto sheared = state(MaterialModel::neo_hookean, shear);
    CHECK_NEAR(sheared.determinant, 1., 1e-15);
    CHECK_NEAR(sheared.cauchy[0][1], 0.4 * gamma, 1e-15);
    CHECK_NEAR(sheared.cauchy[0][0], 0.4 * gamma * gamma, 1e-15);
    CHECK_NEAR(sheared.cauchy[1][1], 0., 1e-15);
    CHECK_NEAR(sheared.cauchy[2][2], 0., 1e-15);
    const auto linearly_sheared = state(MaterialModel::linear, shear);
    CHECK_NEAR(linearly_sheared.cauchy[0][1], 0.4 * gamma, 1e-15);
    CHECK_NEAR(von_mises_stress(linearly_sheared.cauchy),
               std::sqrt(3.) * 0.4 * gamma,
               1e-15);

    // No stress where there is no deformation gradient.
    stretch[0][0] = -1.;
    CHECK(!state(MaterialModel::neo_hookean, stretch).is_valid());
    stretch[0][0] = -1.5;
    CHECK(!state(MaterialModel::neo_hookean, stretch).is_valid());
    stretch[0][0] = nan;
    CHECK(!state(MaterialModel::neo_hookean, stretch).is_valid());
    stretch[0][0] = -1.5;
    CHECK(state(MaterialModel::linear, stretch).is_valid());
  }



  /** The divergence of stresses of u_i = x A_i x + a_i x against differences.
   */
  template <int dim>
  void
  test_divergence(const MaterialModel model)
  {
    Constitution         law{model,
                     MaterialTable(
                       Material::from_engineering_constants(1., 0.3)),
                     {0.3, 1.7}};
    const Tensor<2, dim> a = random_tensor<dim>(0.1, 4);
    Tensor<3, dim>       A;
    for (unsigned int i = 0; i < dim; ++i)
      A[i] = symmetrize(random_tensor<dim>(0.1, 5 + i));
    const auto gradient = [&](const Point<dim> &x) {
      Tensor<2, dim> H = a;
      for (unsigned int i = 0; i < dim; ++i)
        H[i] += 2. * (A[i] * Tensor<1, dim>(x));
      return H;
    };
    Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = 0.4 - 0.3 * d;

    const auto     found = stress_divergence(law, 0, x, gradient(x), 2. * A);
    Tensor<1, dim> expected;
    for (unsigned int J = 0; J < dim; ++J)
      {
        Point<dim> forward(x), backward(x);
        forward[J] += 1e-5;
        backward[J] -= 1e-5;
        const auto difference =
          evaluate_stress(law, 0, forward, gradient(forward)).first_piola -
          evaluate_stress(law, 0, backward, gradient(backward)).first_piola;
        for (unsigned int i = 0; i < dim; ++i)
          expected[i] += difference[i][J] / 2e-5;
      }
    CHECK(expected.norm() > 0.01);
    CHECK_NEAR((found - expected).norm(), 0., 1e-9);
  }



  template <int dim>
  void
  make_distorted_cell(Triangulation<dim> &triangulation)
  {
    GridGenerator::hyper_cube(triangulation, 0., 1.5);
    std::mt19937                           generator(7);
    std::uniform_real_distribution<double> uniform(-0.2, 0.2);
    for (const unsigned int v : GeometryInfo<dim>::vertex_indices())
      for (unsigned int d = 0; d < dim; ++d)
        triangulation.begin_active()->vertex(v)[d] += uniform(generator);
  }



  template <int dim>
  Vector<double>
  random_displacement(const unsigned int n, const double size)
  {
    std::mt19937                           generator(3);
    std::uniform_real_distribution<double> uniform(-size, size);
    Vector<double>                         u(n);
    for (double &value : u)
      value = uniform(generator);
    return u;
  }



  template <int dim>
  void
  test_cell(const unsigned int degree, const MaterialModel model)
  {
    Triangulation<dim> triangulation;
    make_distorted_cell(triangulation);
    const FESystem<dim> fe(FE_Q<dim>(degree), dim);
    DoFHandler<dim>     dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    const MappingQ1<dim> mapping;
    CellIntegrals<dim>   integrals(mapping, fe, model);
    const Material material = Material::from_engineering_constants(2., 0.3);
    const ModulusFactor factor{0.5, 2.};
    const auto          cell = dof_handler.begin_active();
    integrals.reinit(cell, material, factor);
    const unsigned int n = integrals.n_dofs();
    CHECK_EQUAL(n, dof_handler.n_dofs());

    const auto forces = [&](const Vector<double> &u) {
      CHECK(integrals.set_displacement(u) > 0.);
      Vector<double> f(n);
      f = nan;
      integrals.internal_forces(f);
      return f;
    };
    const auto energy = [&](const Vector<double> &u) {
      CHECK(integrals.set_displacement(u) > 0.);
      return integrals.strain_energy();
    };

    // Without a displacement: the law's linear part, whatever the law.
    FullMatrix<double> at_rest(n, n), K(n, n);
    at_rest = nan;
    integrals.tangent(at_rest);
    CHECK_EQUAL(integrals.strain_energy(), 0.);

    const Vector<double> u = random_displacement<dim>(n, 0.1 / degree);
    const Vector<double> f = forces(u);
    K                      = nan;
    integrals.tangent(K);
    for (unsigned int i = 0; i < n; ++i)
      {
        Vector<double> forward(u), backward(u);
        forward[i] += 1e-5;
        backward[i] -= 1e-5;
        CHECK_NEAR(f[i], (energy(forward) - energy(backward)) / 2e-5, 1e-8);
        const Vector<double> f_forward  = forces(forward),
                             f_backward = forces(backward);
        for (unsigned int j = 0; j < n; ++j)
          {
            CHECK_NEAR(K(j, i), (f_forward[j] - f_backward[j]) / 2e-5, 1e-7);
            CHECK_EQUAL(K(i, j), K(j, i));
          }
      }

    // A new cell is at rest.
    integrals.reinit(cell, material, factor);
    CHECK_EQUAL(integrals.strain_energy(), 0.);
    Vector<double> no_forces(n);
    no_forces = nan;
    integrals.internal_forces(no_forces);
    CHECK_EQUAL(no_forces.linfty_norm(), 0.);
    FullMatrix<double> again(n, n);
    integrals.tangent(again);
    again.add(-1., at_rest);
    CHECK_EQUAL(again.frobenius_norm(), 0.);

    // Rigid displacements.
    Vector<double>                 rigid(n), product(n);
    const std::vector<Point<dim>> &points = fe.get_unit_support_points();
    for (unsigned int i = 0; i < n; ++i)
      {
        const unsigned int c = fe.system_to_component_index(i).first;
        const Point<dim>   x =
          mapping.transform_unit_to_real_cell(cell, points[i]);
        rigid[i] = c == 0 ? 3. - 2. * x[1] : (c == 1 ? 2. * x[0] : 1.);
      }
    at_rest.vmult(product, rigid);
    CHECK_NEAR(product.linfty_norm(), 0., 1e-13);
    double force_sum = 0.;
    for (unsigned int i = 0; i < n; ++i)
      if (fe.system_to_component_index(i).first == 1)
        force_sum += f[i];
    CHECK_NEAR(force_sum, 0., 1e-14);

    if (model == MaterialModel::linear)
      {
        K.vmult(product, u);
        CHECK_NEAR(energy(u), 0.5 * (u * product), 1e-14);
        product -= f;
        CHECK_NEAR(product.linfty_norm(), 0., 1e-14);
        K.add(-1., at_rest);
        CHECK_EQUAL(K.frobenius_norm(), 0.);
      }
    else
      {
        CellIntegrals<dim> linear(mapping, fe, MaterialModel::linear);
        linear.reinit(cell, material, factor);
        linear.tangent(K);
        K.add(-1., at_rest);
        CHECK_EQUAL(K.frobenius_norm(), 0.);

        // The tangent is continuous there.
        integrals.reinit(cell, material, factor);
        integrals.set_displacement(Vector<double>(n));
        integrals.tangent(K);
        K.add(-1., at_rest);
        CHECK_NEAR(K.frobenius_norm(), 0., 1e-13);

        // Mirrored: the determinant is -1 and there is no energy.
        for (unsigned int i = 0; i < n; ++i)
          rigid[i] =
            fe.system_to_component_index(i).first == 0 ?
              -2. * mapping.transform_unit_to_real_cell(cell, points[i])[0] :
              0.;
        CHECK_NEAR(integrals.set_displacement(rigid), -1., 1e-12);
        rigid[0] = nan;
        CHECK(!(integrals.set_displacement(rigid) > 0.));
      }
  }



  /** Numbers of another program, whose nodes are numbered lexicographically;
   * the matrix of a cube of size 1/4, E = 1 and nu = 1/4. */
  void
  test_cube(const unsigned int degree,
            const double       norm,
            const double       wKw,
            const double       wKv,
            const double       first,
            const double       second,
            const double       corners)
  {
    Triangulation<3> triangulation;
    GridGenerator::hyper_cube(triangulation, 1., 1.25);
    const FE_Q<3>     scalar(degree);
    const FESystem<3> fe(scalar, 3);
    DoFHandler<3>     dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    const MappingQ1<3> mapping;
    CellIntegrals<3>   integrals(mapping, fe, MaterialModel::linear);
    integrals.reinit(dof_handler.begin_active(),
                     Material::from_engineering_constants(1., 0.25),
                     ModulusFactor());
    const unsigned int n = fe.n_dofs_per_cell();
    FullMatrix<double> K(n, n);
    integrals.tangent(K);
    CHECK_NEAR(K.frobenius_norm() / norm, 1., 1e-13);

    const auto numbers =
      FETools::lexicographic_to_hierarchic_numbering<3>(degree);
    Vector<double> w(n), v(n);
    for (unsigned int a = 0; a < n / 3; ++a)
      for (unsigned int c = 0; c < 3; ++c)
        {
          const unsigned int dof = fe.component_to_system_index(c, numbers[a]);
          w[dof]                 = std::sin(1. + 3. * a + c);
          v[dof]                 = std::cos(2. * (3. * a + c));
        }
    CHECK_NEAR(K.matrix_norm_square(w) / wKw, 1., 1e-13);
    CHECK_NEAR(K.matrix_scalar_product(w, v) / wKv, 1., 1e-13);
    CHECK_NEAR(K(0, 0) / first, 1., 1e-13);
    CHECK_NEAR(K(0, fe.component_to_system_index(1, 0)) / second, 1., 1e-13);
    CHECK_NEAR(K(fe.component_to_system_index(2, 0),
                 fe.component_to_system_index(1, numbers[n / 3 - 1])) /
                 corners,
               1.,
               1e-12);
  }



  template <int dim>
  class LinearLoad : public Function<dim>
  {
  public:
    LinearLoad()
      : Function<dim>(dim)
    {}

    double
    value(const Point<dim> &point, const unsigned int component) const override
    {
      return component + 2. * point[0];
    }

    void
    vector_value(const Point<dim> &point, Vector<double> &values) const override
    {
      for (unsigned int i = 0; i < dim; ++i)
        values[i] = value(point, i);
    }
  };



  template <int dim>
  void
  test_loads(const unsigned int degree)
  {
    // [0,2]^dim; a load of i + 2 x in direction i, 2^dim (i + 2) in total.
    Triangulation<dim> triangulation;
    GridGenerator::hyper_cube(triangulation, 0., 2., true);
    const FESystem<dim> fe(FE_Q<dim>(degree), dim);
    DoFHandler<dim>     dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    const MappingQ1<dim> mapping;
    CellIntegrals<dim>   integrals(mapping, fe, MaterialModel::linear);
    integrals.reinit(dof_handler.begin_active(), Material(), ModulusFactor());

    const auto load = std::make_shared<LinearLoad<dim>>();
    Loads<dim> body, face;
    body.body_force   = load;
    face.tractions[1] = load; // where x = 2
    face.tractions[9] = load; // nowhere
    Vector<double> forces(fe.n_dofs_per_cell());
    for (const Loads<dim> *loads : {&body, &face})
      {
        forces = nan;
        integrals.external_forces(*loads, forces);
        Tensor<1, dim> sum, moment; // of x
        for (unsigned int k = 0; k < forces.size(); ++k)
          {
            const unsigned int i = fe.system_to_component_index(k).first;
            sum[i] += forces[k];
            moment[i] += forces[k] * 2. * fe.unit_support_point(k)[0];
          }
        const double area = std::pow(2., dim - 1);
        for (unsigned int i = 0; i < dim; ++i)
          if (loads == &body)
            {
              CHECK_NEAR(sum[i], 2. * area * (i + 2.), 1e-14);
              CHECK_NEAR(moment[i], area * (2. * i + 16. / 3.), 1e-14);
            }
          else
            {
              CHECK_NEAR(sum[i], area * (i + 4.), 1e-14);
              CHECK_NEAR(moment[i], 2. * area * (i + 4.), 1e-14);
            }
      }
    integrals.external_forces(Loads<dim>(), forces);
    CHECK_EQUAL(forces.l2_norm(), 0.);
  }



  void
  test_elements()
  {
    const MappingQ1<2> mapping;
    const auto         make = [&](const FiniteElement<2> &fe) {
      return CellIntegrals<2>(mapping, fe, MaterialModel::linear).n_dofs();
    };
    CHECK_EQUAL(make(FESystem<2>(FE_Q<2>(3), 2)), 32u);
    CHECK(contains(CHECK_THROWS(InputError, make(FE_Q<2>(1))),
                   "FESystem(FE_Q(p), 2)"));
    CHECK_THROWS(InputError, make(FESystem<2>(FE_Q<2>(1), 3)));
    CHECK_THROWS(InputError, make(FESystem<2>(FE_DGQ<2>(1), 2)));
    CHECK_THROWS(InputError, make(FESystem<2>(FE_Q<2>(1), 1, FE_Q<2>(2), 1)));
  }
} // namespace



int
main()
{
  test_material();
  test_laws<2>();
  test_laws<3>();
  for (const MaterialModel model : models)
    {
      test_divergence<2>(model);
      test_divergence<3>(model);
      test_cell<2>(1, model);
      test_cell<2>(2, model);
      test_cell<2>(3, model); // not node by node
      test_cell<3>(1, model);
      test_cell<3>(2, model);
    }
  test_cube(1,
            3.8490017945975069e-01,
            7.9013907177046017e-01,
            1.2680080534895163e-01,
            5.5555555555555566e-02,
            1.6666666666666666e-02,
            -8.3333333333333350e-03);
  test_cube(2,
            1.9888703661458860e+00,
            4.8502774266522639e+00,
            -4.6367882957212042e-01,
            2.0740740740740761e-02,
            6.6666666666666740e-03,
            1.8518518518518537e-04);
  test_loads<2>(1);
  test_loads<3>(2);
  test_elements();
  return check::result();
}
