// SPDX-License-Identifier: LGPL-2.1-or-later
// Patch multigrid as a preconditioner of deal.II's own solvers and operators:
// iteration counts that depend neither on the mesh size nor on the numbering of
// cells and vertices, and other uses: as a smoother, and within Chebyshev
// iterations.
#include <tessera/base/exceptions.h>
#include <tessera/dealii/precondition_patch_multigrid.h>

#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_in.h>
#include <deal.II/grid/grid_out.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/matrix_free/operators.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/numerics/vector_tools.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "check.h"
#include "dealii/shuffled_box.h"

using namespace tessera;
using dealii_adapters::PreconditionPatchMultigrid;
using mesh_generator::Box;
using mesh_generator::make_shuffled_box;
using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;
using Ids        = std::set<dealii::types::boundary_id>;

namespace
{
  /** $\prod_d \sin(\pi x_d)$, multiplied by a factor. */
  template <int dim>
  class ProductOfSines : public dealii::Function<dim>
  {
  public:
    explicit ProductOfSines(const double factor)
      : a(factor)
    {}

    double
    value(const dealii::Point<dim> &p, const unsigned int) const override
    {
      double value = a;
      for (unsigned int d = 0; d < dim; ++d)
        value *= std::sin(dealii::numbers::PI * p[d]);
      return value;
    }

  private:
    double a;
  };



  /** With parts of all frequencies. */
  template <int dim>
  class IrregularFunction : public dealii::Function<dim>
  {
  public:
    double
    value(const dealii::Point<dim> &p, const unsigned int) const override
    {
      double phase = 1.;
      for (unsigned int d = 0; d < dim; ++d)
        phase += (1000. + 300. * d) * p[d];
      return std::sin(phase);
    }
  };



  /** $-\Delta u = f$ with the solution above, by deal.II's matrix-free
   * operator. */
  template <int dim>
  class Problem
  {
  public:
    using Operator =
      dealii::MatrixFreeOperators::LaplaceOperator<dim, -1, 0, 1, VectorType>;

    Problem(const dealii::Triangulation<dim> &triangulation,
            const unsigned int                degree,
            const Ids                        &dirichlet)
      : fe(degree)
      , dof_handler(triangulation)
    {
      dof_handler.distribute_dofs(fe);
      const dealii::IndexSet relevant =
        dealii::DoFTools::extract_locally_relevant_dofs(dof_handler);
      dealii_compatibility::reinit_constraints(constraints,
                                               dof_handler.locally_owned_dofs(),
                                               relevant);
      for (const dealii::types::boundary_id id : dirichlet)
        dealii::DoFTools::make_zero_boundary_constraints(dof_handler,
                                                         id,
                                                         constraints);
      constraints.close();

      auto matrix_free = std::make_shared<dealii::MatrixFree<dim, double>>();
      matrix_free->reinit(mapping,
                          dof_handler,
                          constraints,
                          dealii::QGauss<1>(degree + 1));
      A.initialize(matrix_free);
      A.initialize_dof_vector(b);
      dealii::VectorTools::create_right_hand_side(
        mapping,
        dof_handler,
        dealii::QGauss<dim>(degree + 2),
        ProductOfSines<dim>(dim * dealii::numbers::PI * dealii::numbers::PI),
        b,
        constraints);
    }

    double
    error(const VectorType &solution) const
    {
      VectorType u(dof_handler.locally_owned_dofs(),
                   dealii::DoFTools::extract_locally_relevant_dofs(dof_handler),
                   b.get_mpi_communicator());
      u = solution;
      u.update_ghost_values();
      dealii::Vector<float> cells(
        dof_handler.get_triangulation().n_active_cells());
      dealii::VectorTools::integrate_difference(mapping,
                                                dof_handler,
                                                u,
                                                ProductOfSines<dim>(1.),
                                                cells,
                                                dealii::QGauss<dim>(fe.degree +
                                                                    3),
                                                dealii::VectorTools::L2_norm);
      return dealii::VectorTools::compute_global_error(
        dof_handler.get_triangulation(), cells, dealii::VectorTools::L2_norm);
    }

    const dealii::MappingQ1<dim>      mapping;
    const dealii::FE_Q<dim>           fe;
    dealii::DoFHandler<dim>           dof_handler;
    dealii::AffineConstraints<double> constraints;
    Operator                          A;
    VectorType                        b;
  };



  /** All that make_shuffled_box() gives. */
  const Ids all_faces = {0, 1, 2, 3, 4, 5};



  /** Iterations of conjugate gradients until
   * $\eta = \langle r, C r \rangle^{1/2}$ is small. The published criterion;
   * that of deal.II is the norm of the residual. */
  template <typename Operator, typename Preconditioner>
  unsigned int
  iterations_in_eta(const Operator       &A,
                    const Preconditioner &C,
                    const VectorType     &b,
                    const double          tolerance)
  {
    VectorType r(b), z(b), d(b), Ad(b);
    C.vmult(z, r);
    d           = z;
    double rz   = r * z;
    double last = rz;
    for (unsigned int n = 0; n < 50; ++n)
      {
        if (std::sqrt(last) <= tolerance * std::sqrt(rz))
          return n;
        A.vmult(Ad, d);
        r.add(-last / (d * Ad), Ad);
        C.vmult(z, r);
        const double next = r * z;
        d.sadd(next / last, 1., z);
        last = next;
      }
    return 50;
  }



  /** What is to come out of the published problem. */
  struct Expectation
  {
    double       error;
    unsigned int n_in_eta;
    unsigned int n_in_residual;
  };

  const Expectation published_results[] = {{7.586e-5, 5, 5},
                                           {4.811e-6, 5, 6},
                                           {3.018e-7, 5, 6}};

  /** Solve with conjugate gradients of deal.II. The residual that it believes
   * in must be the true one.
   * @return the number of iterations. */
  template <int dim>
  unsigned int
  solve(const Problem<dim>                    &problem,
        const PreconditionPatchMultigrid<dim> &C,
        VectorType                            &u)
  {
    u.reinit(problem.b);
    dealii::SolverControl        control(50, 1e-9 * problem.b.l2_norm());
    dealii::SolverCG<VectorType> solver(control);
    solver.solve(problem.A, u, problem.b, C);

    VectorType r(problem.b);
    problem.A.vmult(r, u);
    r -= problem.b;
    CHECK(r.l2_norm() < 1.01e-9 * problem.b.l2_norm());
    return control.last_step();
  }



  template <int dim>
  void
  check_published(const dealii::Triangulation<dim> &mesh,
                  const Ids                        &dirichlet,
                  typename PreconditionPatchMultigrid<dim>::AdditionalData data,
                  const Expectation &expected)
  {
    const Problem<dim>              problem(mesh, 3, dirichlet);
    PreconditionPatchMultigrid<dim> C;
    data.dirichlet_ids = dirichlet;
    C.initialize(problem.mapping, problem.dof_handler, data);
    CHECK_EQUAL(C.m(), problem.dof_handler.n_dofs());

    CHECK_EQUAL(iterations_in_eta(problem.A, C, problem.b, 1e-9),
                expected.n_in_eta);
    VectorType u;
    CHECK_EQUAL(solve(problem, C, u), expected.n_in_residual);
    CHECK_NEAR(problem.error(u) / expected.error, 1., 1e-3);
  }



  /** 4^3, 8^3, 16^3 cells. */
  void
  check_refinement()
  {
    dealii::parallel::distributed::Triangulation<3> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(1);
    for (const Expectation &expected : published_results)
      {
        triangulation.refine_global(1);
        check_published<3>(triangulation, {0}, {}, expected);
      }
  }



  /** As other programs number it, the ranks' cells scattered over the box. */
  void
  check_shuffled()
  {
    dealii::parallel::distributed::Triangulation<3> triangulation(
      MPI_COMM_WORLD);
    make_shuffled_box(triangulation,
                      Box<3>{{}, {{4, 4, 4}}, {{0.25, 0.25, 0.25}}},
                      false);
    PreconditionPatchMultigrid<3>::AdditionalData data;
    check_published<3>(triangulation, all_faces, data, published_results[0]);
    triangulation.refine_global(1);
    check_published<3>(triangulation, all_faces, data, published_results[1]);
    data.level_precision = patch::LevelPrecision::double_precision;
    check_published<3>(triangulation, all_faces, data, published_results[1]);
  }



  /** Written to a file and read back. */
  void
  check_file()
  {
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
    const std::string name =
      "precondition_patch_multigrid_01.np" + std::to_string(n_ranks) + ".msh";
    if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
      {
        dealii::Triangulation<3> mesh;
        make_shuffled_box(
          mesh, Box<3>{{}, {{6, 6, 6}}, {{1. / 6., 1. / 6., 1. / 6.}}}, false);
        dealii::GridOut out;
        out.set_flags(dealii::GridOutFlags::Msh(true));
        std::ofstream file(name);
        file.precision(17);
        out.write_msh(mesh, file);
      }
    MPI_Barrier(MPI_COMM_WORLD);

    dealii::parallel::distributed::Triangulation<3> triangulation(
      MPI_COMM_WORLD);
    dealii::GridIn<3> in(triangulation);
    std::ifstream     file(name);
    in.read_msh(file);
    check_published<3>(triangulation, all_faces, {}, {1.515e-5, 5, 5});
    triangulation.refine_global(1);
    check_published<3>(triangulation, all_faces, {}, {9.529e-7, 5, 6});
  }



  /** Other dimension, degrees, conditions. */
  void
  check_others()
  {
    dealii::parallel::distributed::Triangulation<2> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation, {2, 1}, {0., 0.}, {2., 1.}, true);
    triangulation.refine_global(1);
    using Data = PreconditionPatchMultigrid<2>::AdditionalData;
    Data all_dirichlet, even_first, mixed;
    all_dirichlet.dirichlet_ids = even_first.dirichlet_ids = {0, 1, 2, 3};
    even_first.colour_order       = patch::ColourOrder::even_first;
    even_first.min_cells_per_rank = 4;
    mixed.dirichlet_ids           = {2, 3};
    const auto check              = [&](const unsigned int degree, Data data) {
      Problem<2> problem(triangulation, degree, data.dirichlet_ids);
      dealii::VectorTools::interpolate(problem.mapping,
                                       problem.dof_handler,
                                       IrregularFunction<2>(),
                                       problem.b);
      problem.constraints.set_zero(problem.b);
      PreconditionPatchMultigrid<2> C;
      C.initialize(problem.dof_handler, data);
      VectorType         u;
      const unsigned int n = solve(problem, C, u);
      CHECK(n <= (degree == 1 ? 8 : 5));
    };
    for (unsigned int refinement = 0; refinement < 3; ++refinement)
      {
        triangulation.refine_global(1);
        check(1, all_dirichlet);
        check(4, even_first);
        check(7, mixed);
      }
  }



  /** One step of a smoother on a level is $u + C (b - A u)$; and two of them
   * are better than one. */
  void
  check_smoother()
  {
    dealii::parallel::distributed::Triangulation<3> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(2);
    Problem<3> problem(triangulation, 2, {0});

    using Smoother =
      dealii::MGSmootherPrecondition<Problem<3>::Operator,
                                     PreconditionPatchMultigrid<3>,
                                     VectorType>;
    PreconditionPatchMultigrid<3> C;
    C.initialize(problem.dof_handler);

    dealii::MGLevelObject<Problem<3>::Operator> matrices(0, 0);
    matrices[0].initialize(problem.A.get_matrix_free());
    Smoother smoother;
    smoother.initialize_matrices(matrices);
    smoother.smoothers.resize(0, 0);
    smoother.smoothers[0].initialize(problem.dof_handler);
    smoother.set_steps(2);

    VectorType u(problem.b), r(problem.b), z(problem.b), expected(problem.b);
    expected        = 0.;
    double norms[3] = {problem.b.l2_norm(), 0., 0.};
    for (unsigned int step = 0; step < 2; ++step)
      {
        problem.A.vmult(r, expected);
        r.sadd(-1., 1., problem.b);
        C.vmult(z, r);
        expected += z;
        problem.A.vmult(r, expected);
        r -= problem.b;
        norms[step + 1] = r.l2_norm();
        CHECK(norms[step + 1] < 0.1 * norms[step]);
      }
    u = 0.;
    smoother.smooth(0, u, problem.b);
    u -= expected;
    CHECK(u.l2_norm() < 1e-13 * expected.l2_norm());

    // Within Chebyshev iterations, the spectrum of which deal.II estimates.
    using Chebyshev =
      dealii::PreconditionChebyshev<Problem<3>::Operator,
                                    VectorType,
                                    PreconditionPatchMultigrid<3>>;
    Chebyshev::AdditionalData data;
    data.degree          = 3;
    data.smoothing_range = 2.;
    data.constraints.copy_from(problem.constraints);
    data.preconditioner = std::make_shared<PreconditionPatchMultigrid<3>>();
    data.preconditioner->initialize(problem.dof_handler);
    Chebyshev chebyshev;
    chebyshev.initialize(problem.A, data);
    u = 0.;
    dealii::SolverControl        control(10, 1e-9 * problem.b.l2_norm());
    dealii::SolverCG<VectorType> solver(control);
    solver.solve(problem.A, u, problem.b, chebyshev);
    VectorType         v;
    const unsigned int n_without = solve(problem, C, v);
    CHECK(control.last_step() < n_without);
    problem.A.vmult(r, u);
    r -= problem.b;
    CHECK(r.l2_norm() < 1.01e-9 * problem.b.l2_norm());
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  check_refinement();
  check_shuffled();
  check_file();
  check_others();
  check_smoother();
  return check::result();
}
