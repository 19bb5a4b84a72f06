// SPDX-License-Identifier: LGPL-2.1-or-later
// The preconditioner of local multigrid in deal.II's SolverCG: the iterates of
// the method without deal.II, and its numbers of iterations, for assembled
// matrices in two bases; a symmetric linear operator; and what it refuses.
#include <tessera/base/exceptions.h>
#include <tessera/dealii/precondition_local_multigrid.h>
#include <tessera/dealii/sipg_fields.h>
#include <tessera/sipg/conjugate_gradients.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/shadow_transfer.h>

#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/vector_tools_rhs.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "check.h"
#include "dealii/assembled_sipg.h"

using namespace dealii;
using namespace tessera::dealii_adapters;
using assembled_sipg::AssembledSIPG;
using assembled_sipg::Random;
using assembled_sipg::refine_randomly;
using assembled_sipg::refine_shell;
using tessera::InputError;
namespace sipg = tessera::sipg;

namespace
{
  template <int dim>
  using Data = typename PreconditionLocalMultigrid<dim>::AdditionalData;

  template <typename VectorType>
  VectorType
  random_vector(const std::size_t n, const unsigned int seed)
  {
    Random     random(seed);
    VectorType v(n);
    for (auto &value : v)
      value = typename VectorType::value_type(random());
    return v;
  }

  template <int dim>
  Vector<double>
  right_hand_side(const DoFHandler<dim> &dof_handler)
  {
    class Source : public Function<dim>
    {
      double
      value(const Point<dim> &x, const unsigned int = 0) const override
      {
        double result = dim * numbers::PI * numbers::PI;
        for (unsigned int d = 0; d < dim; ++d)
          result *= std::sin(numbers::PI * x[d]);
        return result;
      }
    };
    Vector<double> b(dof_handler.n_dofs());
    VectorTools::create_right_hand_side(MappingQ1<dim>(),
                                        dof_handler,
                                        QGauss<dim>(
                                          dof_handler.get_fe().degree + 3),
                                        Source(),
                                        b);
    return b;
  }

  /** The operator with shadow cells in the place of a matrix. */
  template <int dim>
  class ShadowOperator
  {
  public:
    explicit ShadowOperator(const DoFHandler<dim> &dof_handler)
      : forest(dof_handler.get_triangulation())
      , fields(dof_handler, forest)
      , levels(
          std::make_shared<const sipg::LevelHierarchy<dim>>(forest.forest()))
      , matrices(fields.degree())
      , A(levels, matrices)
      , u(A.layout())
      , y(A.layout())
    {}

    void
    vmult(Vector<double> &dst, const Vector<double> &src) const
    {
      fields.to_primal(*levels, matrices, src, u);
      A.apply(u, y);
      sipg::assemble_shadows(*levels, matrices, y);
      fields.from_dual(y, dst);
    }

    /** $\sqrt{r^T B r}$ of conjugate gradients on fields. */
    std::vector<double>
    shadowed_history(const Vector<double> &b) const
    {
      sipg::LocalMultigrid<dim, double> B(levels, matrices);
      sipg::DualField<double>           right(A.layout());
      sipg::PrimalField<double>         x(A.layout());
      fields.to_dual(b, right);
      return sipg::solve_conjugate_gradients(
               [&](const sipg::PrimalField<double> &v,
                   sipg::DualField<double>         &r) { A.apply(v, r); },
               [&](const sipg::DualField<double> &r,
                   sipg::PrimalField<double>     &z) { B.apply(r, z); },
               right,
               x)
        .residuals;
    }

  private:
    CartesianForest<dim>                             forest;
    SipgFields<dim>                                  fields;
    std::shared_ptr<const sipg::LevelHierarchy<dim>> levels;
    sipg::ElementMatrices                            matrices;
    sipg::FusedOperator<dim>                         A;
    mutable sipg::PrimalField<double>                u;
    mutable sipg::DualField<double>                  y;
  };

  /** Notes $\sqrt{r^T B r}$. */
  template <int dim>
  class Recorder
  {
  public:
    explicit Recorder(const PreconditionLocalMultigrid<dim> &preconditioner)
      : B(preconditioner)
    {}

    template <typename VectorType>
    void
    vmult(VectorType &dst, const VectorType &src) const
    {
      B.vmult(dst, src);
      history.push_back(std::sqrt(dst * src));
    }

    /** Until it is 1e-10 of its first value. */
    int
    n_iterations() const
    {
      for (std::size_t i = 0; i < history.size(); ++i)
        if (history[i] <= 1e-10 * history[0])
          return int(i);
      return -1;
    }

    mutable std::vector<double> history;

  private:
    const PreconditionLocalMultigrid<dim> &B;
  };

  /** SolverCG far enough; the solution has to be one. */
  template <int dim, typename Matrix>
  Recorder<dim>
  solve(const Matrix          &A,
        const DoFHandler<dim> &dof_handler,
        const Data<dim>       &data)
  {
    PreconditionLocalMultigrid<dim> B;
    B.initialize(dof_handler, data);
    const Vector<double>     b = right_hand_side(dof_handler);
    Vector<double>           x(b.size()), residual(b.size());
    ReductionControl         control(1000, 1e-100, 1e-11);
    SolverCG<Vector<double>> solver(control);
    const Recorder<dim>      recorder(B);
    solver.solve(A, x, b, recorder);
    A.vmult(residual, x);
    residual -= b;
    CHECK(residual.l2_norm() < 1e-10 * b.l2_norm());
    std::cout << dim << "D, " << dof_handler.get_fe().get_name() << ", "
              << dof_handler.get_triangulation().n_active_cells() << " cells, "
              << (data.double_precision ? "double" : "float") << ": "
              << recorder.n_iterations() << " iterations" << std::endl;
    return recorder;
  }

  template <int dim>
  Data<dim>
  in_double()
  {
    Data<dim> data;
    data.double_precision = true;
    return data;
  }



  /** The histories of conjugate gradients on assembled matrices in two bases
   * and on fields agree, and so do numbers of iterations in float. */
  template <int dim>
  void
  check_assembled(const Triangulation<dim> &triangulation,
                  const int                 degree,
                  const int                 n_iterations)
  {
    DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(FE_DGQHermite<dim>(degree));
    const std::vector<double> expected =
      ShadowOperator<dim>(dof_handler)
        .shadowed_history(right_hand_side(dof_handler));
    CHECK_EQUAL(int(expected.size()) - 1, n_iterations);
    for (const bool hermite : {true, false})
      {
        if (!hermite)
          {
            dof_handler.distribute_dofs(FE_DGQ<dim>(degree));
            DoFRenumbering::random(dof_handler);
          }
        const AssembledSIPG<dim> A(dof_handler);
        const auto recorder = solve(A.matrix(), dof_handler, in_double<dim>());
        CHECK_EQUAL(recorder.n_iterations(), n_iterations);
        CHECK_EQUAL(solve(A.matrix(), dof_handler, Data<dim>()).n_iterations(),
                    n_iterations);
        for (std::size_t i = 0;
             i < std::min(expected.size(), recorder.history.size());
             ++i)
          CHECK(std::abs(recorder.history[i] - expected[i]) <=
                1e-6 * expected[i] + 1e-12 * expected[0]);
      }
  }

  /** The same without a matrix. */
  template <int dim>
  void
  check_matrix_free(const Triangulation<dim> &triangulation,
                    const int                 n_iterations)
  {
    DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(FE_DGQ<dim>(3));
    CHECK_EQUAL(solve(ShadowOperator<dim>(dof_handler),
                      dof_handler,
                      Data<dim>())
                  .n_iterations(),
                n_iterations);
  }

  void
  check_iterations()
  {
    Triangulation<2> square;
    GridGenerator::subdivided_hyper_cube(square, 2);
    square.refine_global(3);
    check_assembled(square, 3, 9);
    refine_shell(square, 1);
    check_assembled(square, 3, 10);

    Triangulation<2> larger_square;
    GridGenerator::subdivided_hyper_cube(larger_square, 2);
    larger_square.refine_global(4);
    refine_shell(larger_square, 3);
    check_matrix_free(larger_square, 10);

    parallel::distributed::Triangulation<3> cube(MPI_COMM_SELF);
    GridGenerator::subdivided_hyper_cube(cube, 2);
    cube.refine_global(1);
    check_assembled(cube, 3, 9);
    cube.refine_global(1);
    check_matrix_free(cube, 10);
    refine_shell(cube, 1);
    check_matrix_free(cube, 12);
  }



  /** Coefficients and conditions get to where they belong: materials with a
   * contrast of 10 on coarse cells. Elsewhere they spoil the iterations. */
  void
  check_coefficient()
  {
    parallel::distributed::Triangulation<2> mesh(MPI_COMM_SELF);
    GridGenerator::subdivided_hyper_cube(mesh, 4, 0., 1., true);
    refine_randomly(mesh, 3, 0.4, 5);
    DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(FE_DGQ<2>(2));
    Data<2> data;
    data.boundary_conditions = {{0, sipg::BoundaryCondition::neumann},
                                {3, sipg::BoundaryCondition::neumann}};
    data.penalty.factor      = 1.5;
    for (const auto &cell : mesh.active_cell_iterators())
      {
        const auto center = cell->center();
        data.coefficient.push_back(
          (int(4. * center[0]) + 2 * int(4. * center[1])) % 3 == 0 ? 10. : 1.);
      }
    const AssembledSIPG<2> A(dof_handler,
                             data.penalty,
                             data.boundary_conditions,
                             data.coefficient);
    const int              n_iterations =
      solve(A.matrix(), dof_handler, data).n_iterations();
    CHECK(n_iterations > 0 && n_iterations <= 16);
    Data<2> turned = data;
    std::reverse(turned.coefficient.begin(), turned.coefficient.end());
    CHECK(solve(A.matrix(), dof_handler, turned).n_iterations() >
          2 * n_iterations);
    Data<2> dirichlet             = data;
    dirichlet.boundary_conditions = {};
    CHECK(solve(A.matrix(), dof_handler, dirichlet).n_iterations() >
          n_iterations);
  }



  template <int dim, typename VectorType>
  void
  check_linear(const bool double_precision, const double tolerance)
  {
    Triangulation<dim> mesh;
    GridGenerator::subdivided_hyper_cube(mesh, 2);
    refine_randomly(mesh, 2, 0.3, 3);
    DoFHandler<dim> dof_handler(mesh);
    dof_handler.distribute_dofs(FE_DGQ<dim>(2));
    Data<dim> data;
    data.double_precision = double_precision;
    data.block_size       = 8;
    PreconditionLocalMultigrid<dim> B;
    CHECK_EQUAL(B.m(), 0U);
    B.initialize(dof_handler, data);
    CHECK_EQUAL(B.m(), dof_handler.n_dofs());
    CHECK_EQUAL(B.n(), dof_handler.n_dofs());
    CHECK(B.memory_consumption() > 3 * 4 * dof_handler.n_dofs());

    const VectorType x = random_vector<VectorType>(B.m(), 1),
                     y = random_vector<VectorType>(B.m(), 2);
    VectorType     Bx(B.m()), By(B.m()), z(B.m());
    constexpr auto nan =
      std::numeric_limits<typename VectorType::value_type>::quiet_NaN();
    std::fill(Bx.begin(), Bx.end(), nan);
    std::fill(By.begin(), By.end(), nan);
    B.vmult(Bx, x);
    B.Tvmult(By, y);
    const double scale = std::sqrt((x * Bx) * (y * By));
    CHECK(x * Bx > 0. && y * By > 0.);
    CHECK(std::abs(x * By - y * Bx) < tolerance * scale);

    // Also where numbers are too small for the precision of levels.
    for (const double factor : {3e-37, 5e36})
      {
        VectorType small = x;
        small *= typename VectorType::value_type(factor);
        B.vmult(z, small);
        z /= typename VectorType::value_type(factor);
        z -= Bx;
        CHECK(z.linfty_norm() < tolerance * Bx.linfty_norm());
      }

    if (std::is_same<typename VectorType::value_type, double>::value)
      {
        VectorType small = x;
        small *= 1e-300;
        B.vmult(z, small);
        z *= 1e300;
        z -= Bx;
        CHECK(z.linfty_norm() < tolerance * Bx.linfty_norm());
      }

    // For another mesh, and not at all any more.
    mesh.refine_global(1);
    dof_handler.distribute_dofs(FE_DGQ<dim>(1));
    B.initialize(dof_handler, data);
    CHECK_EQUAL(B.m(), dof_handler.n_dofs());
    B.clear();
    CHECK_EQUAL(B.m(), 0U);
    CHECK(B.memory_consumption() < 1000);
  }



  void
  check_message(const std::string &message, const std::string &why)
  {
    CHECK(message.find(why) != std::string::npos);
    if (message.find(why) == std::string::npos)
      std::cerr << message << std::endl;
  }

  void
  check_errors()
  {
    Triangulation<2> mesh;
    GridGenerator::subdivided_hyper_cube(mesh, 2, 0., 1., true);
    refine_randomly(mesh, 1, 0., 1);
    DoFHandler<2> dof_handler(mesh);
    dof_handler.distribute_dofs(FE_DGQ<2>(2));
    PreconditionLocalMultigrid<2> B;
    Vector<double> x(dof_handler.n_dofs()), y(dof_handler.n_dofs()), z(5);
    check_message(CHECK_THROWS(InputError, B.vmult(x, y)),
                  "before it is initialized");
    B.initialize(dof_handler);
    B.vmult(x, y);
    CHECK_EQUAL(x.linfty_norm(), 0.);
    check_message(CHECK_THROWS(InputError, B.vmult(x, z)),
                  "The source vector has 5 entries");
    check_message(CHECK_THROWS(InputError, B.Tvmult(z, x)),
                  "The destination vector has 5 entries");
    check_message(CHECK_THROWS(InputError, B.vmult(x, x)),
                  "cannot overwrite its argument");

    const auto refused = [&](const Data<2> &data, const std::string &why) {
      check_message(CHECK_THROWS(InputError, B.initialize(dof_handler, data)),
                    why);
      CHECK_EQUAL(B.m(), 0U);
    };
    Data<2> data;
    data.coefficient = {1., 2.};
    refused(data, "AdditionalData::coefficient has 2 entries, the mesh 7");
    data.coefficient.assign(7, 1.);
    data.coefficient[3] = -1.;
    refused(data, "-1");
    data                = Data<2>();
    data.penalty.factor = 0.;
    refused(data, "enalty");
    data            = Data<2>();
    data.block_size = 5;
    refused(data, "power of two");
    data                             = Data<2>();
    data.multigrid.n_smoothing_steps = 0;
    refused(data, "smoothing steps is 0");
    data                     = Data<2>();
    data.boundary_conditions = {{9, sipg::BoundaryCondition::neumann}};
    refused(data, "boundary id 9");
    for (const types::boundary_id id : {0, 1, 2, 3})
      data.boundary_conditions[id] = sipg::BoundaryCondition::neumann;
    data.boundary_conditions.erase(9);
    refused(data, "Dirichlet");

    data                = Data<2>();
    data.penalty.factor = 0.01;
    CHECK_THROWS(std::exception, B.initialize(dof_handler, data));
    CHECK_EQUAL(B.m(), 0U);

    dof_handler.distribute_dofs(FE_Q<2>(2));
    refused(Data<2>(), "not one of discontinuous");
  }
} // namespace

int
main(int argc, char **argv)
{
  const Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  using Distributed = LinearAlgebra::distributed::Vector<double>;
  check_errors();
  check_linear<2, Vector<double>>(true, 1e-12);
  check_linear<2, Vector<float>>(false, 1e-5);
  check_linear<3, Distributed>(true, 1e-12);
  check_linear<3, Distributed>(false, 1e-5);
  check_linear<3, LinearAlgebra::distributed::Vector<float>>(false, 1e-5);
  check_coefficient();
  check_iterations();
  return check::result();
}
