// SPDX-License-Identifier: LGPL-2.1-or-later
// The operator with shadow cells is the matrix that is assembled with
// FEInterfaceValues on random adaptive meshes, for all elements; fields and
// vectors are the same functions and functionals; what does not fit is refused.
#include <tessera/base/exceptions.h>
#include <tessera/dealii/sipg_fields.h>
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/hermite_like_basis.h>
#include <tessera/sipg/level_hierarchy.h>
#include <tessera/sipg/shadow_transfer.h>

#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/fe/fe_dgp.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/hp/fe_collection.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/vector_tools_interpolate.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "check.h"
#include "dealii/assembled_sipg.h"

using namespace dealii;
using namespace tessera::dealii_adapters;
using assembled_sipg::AssembledSIPG;
using assembled_sipg::Random;
using assembled_sipg::refine_randomly;
using tessera::InputError;
namespace sipg = tessera::sipg;

namespace
{
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  /** The coarse cells of a box; ids are those of the faces, 2 axis + side. */
  template <int dim>
  void
  make_box(Triangulation<dim>              &triangulation,
           const std::vector<unsigned int> &n_cells,
           const Point<dim>                &upper)
  {
    GridGenerator::subdivided_hyper_rectangle(
      triangulation, n_cells, Point<dim>(), upper, true);
  }

  template <typename VectorType>
  void
  fill(VectorType &v, const std::size_t n, const unsigned int seed)
  {
    Random random(seed);
    v.reinit(n);
    for (auto &value : v)
      value = typename VectorType::value_type(random());
  }

  template <typename Field>
  void
  poison(Field &field)
  {
    for (std::size_t i = 0; i < field.size(); ++i)
      field.data()[i] = nan;
  }



  /** E^T A_split E = A, entry by entry. */
  template <int dim>
  void
  check_operator(const Triangulation<dim> &triangulation,
                 const FiniteElement<dim> &fe,
                 const BoundaryConditions &conditions,
                 const bool                with_coefficient,
                 const int                 block_size)
  {
    DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);

    std::vector<double> k;
    if (with_coefficient)
      {
        Random random(7);
        for (unsigned int i = 0; i < triangulation.n_active_cells(); ++i)
          k.push_back(std::exp(2. * random()));
      }
    const sipg::Penalty      penalty;
    const AssembledSIPG<dim> assembled(dof_handler, penalty, conditions, k);

    const CartesianForest<dim> forest(triangulation, conditions);
    const SipgFields<dim>      fields(dof_handler, forest);
    CHECK_EQUAL(fields.degree(), int(fe.degree));
    std::vector<double> k_of_forest;
    if (with_coefficient)
      for (const unsigned int i : forest.active_cell_indices())
        k_of_forest.push_back(k[i]);
    const auto levels =
      std::make_shared<const sipg::LevelHierarchy<dim>>(forest.forest(),
                                                        block_size,
                                                        k_of_forest);
    const sipg::ElementMatrices    matrices(int(fe.degree), penalty);
    const sipg::FusedOperator<dim> A(levels, matrices);
    sipg::PrimalField<double>      u(A.layout());
    sipg::DualField<double>        y(A.layout());

    double         difference = 0., largest = 0.;
    Vector<double> e(dof_handler.n_dofs()), column(dof_handler.n_dofs());
    for (types::global_dof_index j = 0; j < e.size(); ++j)
      {
        e    = 0.;
        e(j) = 1.;
        fields.to_primal(*levels, matrices, e, u);
        A.apply(u, y);
        sipg::assemble_shadows(*levels, matrices, y);
        fields.from_dual(y, column);
        // The assembled matrix is symmetric up to round-off.
        for (auto entry = assembled.matrix().begin(j);
             entry != assembled.matrix().end(j);
             ++entry)
          {
            column(entry->column()) -= entry->value();
            largest = std::max(largest, std::abs(entry->value()));
          }
        for (const double value : column)
          difference =
            std::isnan(value) ? nan : std::max(difference, std::abs(value));
      }
    std::cout << dim << "D, " << fe.get_name() << ", "
              << triangulation.n_active_cells() << " cells of "
              << triangulation.n_levels() << " levels, " << levels->n_slots()
              << " shadow slots: difference " << difference / largest
              << " of the largest entry" << std::endl;
    CHECK(levels->n_slots() > 0);
    CHECK(difference <= 1e-12 * largest);
  }

  void
  check_operators()
  {
    const auto       neumann = sipg::BoundaryCondition::neumann;
    Triangulation<2> square;
    make_box<2>(square, {2, 3}, {1.3, 1.1});
    refine_randomly(square, 2, 0.3, 1);
    for (const unsigned int degree : {1, 2, 3, 4})
      {
        check_operator<2>(
          square, FE_DGQHermite<2>(degree), {{1, neumann}}, true, 32);
        check_operator<2>(
          square, FE_DGQ<2>(degree), {{1, neumann}, {2, neumann}}, true, 4);
      }
    check_operator<2>(square, FE_DGQLegendre<2>(3), {}, false, 8);
    check_operator<2>(
      square, FE_DGQArbitraryNodes<2>(QGauss<1>(4)), {}, true, 16);

    // A corner and p4est.
    parallel::distributed::Triangulation<2> corner(MPI_COMM_SELF);
    GridGenerator::hyper_L(corner, -1., 1.);
    refine_randomly(corner, 3, 0.2, 5);
    check_operator<2>(corner, FE_DGQ<2>(2), {}, true, 32);

    Triangulation<3> box;
    make_box<3>(box, {2, 2, 1}, {1.7, 1., 1.2});
    refine_randomly(box, 1, 0.1, 2);
    for (const unsigned int degree : {3, 4})
      {
        check_operator<3>(
          box, FE_DGQHermite<3>(degree), {{0, neumann}}, true, 8);
        check_operator<3>(
          box, FE_DGQ<3>(degree), {{1, neumann}, {4, neumann}}, true, 32);
      }
    refine_randomly(box, 1, 0.1, 3);
    for (const unsigned int degree : {1, 2})
      {
        check_operator<3>(
          box, FE_DGQHermite<3>(degree), {{0, neumann}}, true, 32);
        check_operator<3>(
          box, FE_DGQ<3>(degree), {{1, neumann}, {4, neumann}}, true, 8);
      }
    parallel::distributed::Triangulation<3> blocks(MPI_COMM_SELF);
    make_box<3>(blocks, {2, 2, 1}, {1., 1., 1.});
    refine_randomly(blocks, 1, 0.3, 4);
    check_operator<3>(blocks, FE_DGQ<3>(1), {}, true, 32);
  }



  /** A polynomial of full degree in each direction. */
  template <int dim>
  class ProductPolynomial : public Function<dim>
  {
  public:
    explicit ProductPolynomial(const int p)
      : degree(p)
    {}

    double
    value(const Point<dim> &x, const unsigned int = 0) const override
    {
      double result = 1.;
      for (unsigned int d = 0; d < dim; ++d)
        result *= std::pow(x[d] - 0.3, degree) + (d + 1.) * x[d] - 0.7;
      return result;
    }

  private:
    const int degree;
  };

  /** Names of cells are those of deal.II, wherever cells are numbered. */
  template <int dim>
  void
  check_cells(const Triangulation<dim>   &triangulation,
              const CartesianForest<dim> &forest)
  {
    const auto keys = forest.forest().active_cells();
    CHECK_EQUAL(keys.size(), std::size_t(triangulation.n_active_cells()));
    std::vector<typename Triangulation<dim>::cell_iterator> cells(keys.size());
    for (const auto &cell : triangulation.active_cell_iterators())
      cells[cell->active_cell_index()] = cell;
    for (std::size_t i = 0; i < keys.size(); ++i)
      {
        const auto cell = cells[forest.active_cell_indices()[i]];
        CHECK(forest.key(cell) == keys[i]);
        const auto corner = forest.forest().lower_corner(keys[i]);
        for (unsigned int d = 0; d < dim; ++d)
          CHECK_NEAR(corner[d], cell->vertex(0)[d], 1e-14);
        if (cell->level() > 0)
          CHECK(forest.key(cell->parent()) == sipg::parent<dim>(keys[i]));
        for (const unsigned int f : cell->face_indices())
          if (cell->at_boundary(f))
            CHECK_EQUAL(forest.boundary_id(keys[i].coarse_cell, int(f)),
                        cell->face(f)->boundary_id());
      }
  }

  template <int dim, typename VectorType>
  void
  check_fields(const FiniteElement<dim> &fe, const double tolerance)
  {
    parallel::distributed::Triangulation<dim> triangulation(MPI_COMM_SELF);
    if constexpr (dim == 2)
      make_box<2>(triangulation, {3, 2}, {1.5, 1.2});
    else
      make_box<3>(triangulation, {2, 1, 2}, {1., 0.6, 1.1});
    refine_randomly(triangulation, 2, 0.2, 11);
    DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    DoFRenumbering::random(dof_handler);

    const CartesianForest<dim> forest(triangulation);
    check_cells(triangulation, forest);
    const SipgFields<dim> fields(dof_handler, forest);
    CHECK_EQUAL(fields.n_dofs(), dof_handler.n_dofs());
    CHECK(fields.memory_consumption() > 4 * dof_handler.n_dofs());
    const sipg::LevelHierarchy<dim> levels(forest.forest(), 8);
    const int                       degree = int(fe.degree);
    const sipg::ElementMatrices     matrices(degree);
    const auto                      layout =
      std::make_shared<const sipg::FieldLayout>(levels, degree);
    sipg::PrimalField<double> u(layout), u_consistent(layout);
    sipg::DualField<double>   r(layout);

    // There and back; the product stays the same.
    VectorType v, w, back;
    fill(v, dof_handler.n_dofs(), 3);
    fill(w, dof_handler.n_dofs(), 4);
    back.reinit(dof_handler.n_dofs());
    poison(u);
    fields.to_primal(levels, matrices, v, u);
    std::fill(back.begin(), back.end(), nan);
    fields.from_primal(u, back);
    back -= v;
    CHECK(back.linfty_norm() < tolerance);
    poison(r);
    fields.to_dual(w, r);
    std::fill(back.begin(), back.end(), nan);
    fields.from_dual(r, back);
    back -= w;
    CHECK(back.linfty_norm() < tolerance);
    double product = 0.;
    for (std::size_t i = 0; i < dof_handler.n_dofs(); ++i)
      product += double(v(i)) * double(w(i));
    CHECK_NEAR(sipg::pairing(r, u), product, 1e-10);

    u_consistent.copy_from(u);
    for (int l = 0; l < levels.n_levels(); ++l)
      std::fill(u_consistent.shadows(l),
                u_consistent.data() + layout->levels[l].end,
                0.);
    sipg::refresh_shadows(levels, matrices, u_consistent);
    CHECK(std::equal(u.data(), u.data() + u.size(), u_consistent.data()));
  }

  /** Values at points of the field of an interpolated polynomial. */
  template <int dim>
  void
  check_interpolation(const int degree)
  {
    Triangulation<dim> triangulation;
    make_box<dim>(triangulation,
                  std::vector<unsigned int>(dim, 2),
                  dim == 2 ? Point<dim>(0.9, 1.1) : Point<dim>(0.9, 1.1, 1.));
    refine_randomly(triangulation, 1, 0.3, 13);
    const FE_DGQ<dim> fe(degree);
    DoFHandler<dim>   dof_handler(triangulation);
    dof_handler.distribute_dofs(fe);
    const ProductPolynomial<dim> polynomial(degree);
    Vector<double>               v(dof_handler.n_dofs());
    VectorTools::interpolate(dof_handler, polynomial, v);

    const CartesianForest<dim>      forest(triangulation);
    const SipgFields<dim>           fields(dof_handler, forest);
    const sipg::LevelHierarchy<dim> levels(forest.forest());
    sipg::PrimalField<double>       u(
      std::make_shared<const sipg::FieldLayout>(levels, degree));
    fields.to_primal(levels, sipg::ElementMatrices(degree), v, u);

    const Point<dim> unit =
      dim == 2 ? Point<dim>(0.21, 0.83) : Point<dim>(0.21, 0.83, 0.47);
    const sipg::HermiteLikeBasis basis(degree);
    double                       error = 0.;
    for (int l = 0; l < levels.n_levels(); ++l)
      for (sipg::CellIndex c = 0; c < levels.level(l).n_cells; ++c)
        {
          const auto &key = forest.forest().level(l).keys[c];
          double      sum = 0.;
          Point<dim>  x;
          for (int k = 0; k < u.layout().n_cell_values; ++k)
            {
              double value = u(l, c, k);
              for (unsigned int d = 0, rest = k; d < dim;
                   ++d, rest /= degree + 1)
                {
                  value *= basis.values(
                    std::vector<double>{unit[d]})(0, rest % (degree + 1));
                  x[d] = forest.forest().lower_corner(key)[d] +
                         unit[d] * forest.forest().cell_size(l)[d];
                }
              sum += value;
            }
          const double expected =
            levels.level(l).active[c] ? polynomial.value(x) : 0.;
          error = std::max(error, std::abs(sum - expected));
        }
    CHECK(error < 1e-12);
  }

  void
  check_all_fields()
  {
    for (const unsigned int degree : {1, 2, 3, 5, 7})
      {
        check_fields<2, Vector<double>>(FE_DGQHermite<2>(degree), 1e-15);
        check_fields<2, LinearAlgebra::distributed::Vector<double>>(
          FE_DGQ<2>(degree), 1e-12);
      }
    check_fields<2, Vector<double>>(FE_DGQLegendre<2>(4), 1e-12);
    check_fields<2, Vector<float>>(FE_DGQ<2>(3), 1e-5);
    check_fields<3, Vector<double>>(FE_DGQ<3>(3), 1e-12);
    check_fields<3, LinearAlgebra::distributed::Vector<float>>(
      FE_DGQHermite<3>(2), 1e-7);
    check_fields<3, Vector<double>>(
      FE_DGQArbitraryNodes<3>(QGaussLobatto<1>(3)), 1e-12);
    for (const int degree : {1, 3, 6})
      {
        check_interpolation<2>(degree);
        check_interpolation<3>(degree);
      }
  }



  void
  check_message(const std::string &message, const std::string &why)
  {
    CHECK(message.find(why) != std::string::npos);
    if (message.find(why) == std::string::npos)
      std::cerr << message << std::endl;
  }

  template <int dim>
  void
  check_refused(const Triangulation<dim> &triangulation,
                const std::string        &why,
                const BoundaryConditions &conditions = {})
  {
    check_message(CHECK_THROWS(InputError,
                               CartesianForest<dim>(triangulation, conditions)),
                  why);
  }

  template <int dim>
  void
  make_mesh(Triangulation<dim>                           &triangulation,
            const std::vector<Point<dim>>                &vertices,
            const std::vector<std::vector<unsigned int>> &cells)
  {
    std::vector<CellData<dim>> data(cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c)
      data[c].vertices = cells[c];
    triangulation.create_triangulation(vertices, data, SubCellData());
  }

  void
  check_meshes()
  {
    const auto neumann = sipg::BoundaryCondition::neumann;
    {
      Triangulation<2> mesh;
      check_refused(mesh, "no cells");
    }
    {
      Triangulation<2> mesh;
      GridGenerator::subdivided_hyper_cube_with_simplices(mesh, 2);
      check_refused(mesh, "simplices");
    }
    {
      Triangulation<3> mesh;
      make_box<3>(mesh, {2, 2, 2}, {1., 1., 1.});
      std::vector<GridTools::PeriodicFacePair<Triangulation<3>::cell_iterator>>
        pairs;
      GridTools::collect_periodic_faces(mesh, 2, 3, 1, pairs);
      mesh.add_periodicity(pairs);
      check_refused(mesh, "is periodic. Periodic faces are not supported");
    }
    {
      Triangulation<2> mesh;
      GridGenerator::hyper_ball(mesh);
      check_refused(mesh, "is not an axis-aligned box");
    }
    {
      // A manifold, or who else moves vertices of refined cells only.
      Triangulation<3> mesh;
      make_box<3>(mesh, {1, 1, 1}, {1., 1., 1.});
      mesh.refine_global(1);
      mesh.begin_active()->vertex(7)[1] += 1e-4;
      check_refused(mesh, "of the cell 0_1:0 with the centre");
    }
    {
      Triangulation<2>                       mesh;
      const std::vector<std::vector<double>> sizes = {{0.5, 0.4}, {0.5, 0.5}};
      GridGenerator::subdivided_hyper_rectangle(mesh,
                                                sizes,
                                                Point<2>(),
                                                Point<2>(0.9, 1.));
      check_refused(mesh, "All coarse cells must be of one size");
    }
    {
      Triangulation<2> mesh;
      make_mesh<2>(mesh,
                   {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}},
                   {{0, 1, 3, 4}, {2, 5, 1, 4}});
      check_refused(mesh, "rotated");
    }
    {
      Triangulation<3> mesh;
      make_mesh<3>(mesh,
                   {{0, 0, 0},
                    {0, 1, 0},
                    {0, 0, 1},
                    {0, 1, 1},
                    {1, 0, 0},
                    {1, 1, 0},
                    {1, 0, 1},
                    {1, 1, 1}},
                   {{0, 1, 2, 3, 4, 5, 6, 7}});
      check_refused(mesh, "rotated");
    }
    {
      Triangulation<2> mesh;
      make_mesh<2>(mesh,
                   {{0, 0},
                    {1, 0},
                    {0, 1},
                    {1, 1},
                    {1.5, 0},
                    {2.5, 0},
                    {1.5, 1},
                    {2.5, 1}},
                   {{0, 1, 2, 3}, {4, 5, 6, 7}});
      check_refused(mesh, "not at a place of the lattice");
    }
    {
      // One side of the slit is refined more often, too.
      Triangulation<2> mesh;
      make_mesh<2>(
        mesh,
        {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {1, 1}, {2, 1}},
        {{0, 1, 2, 3}, {4, 5, 6, 7}});
      check_refused(mesh, "has a slit");
      for (int i = 0; i < 2; ++i)
        {
          mesh.last_active()->set_refine_flag();
          mesh.execute_coarsening_and_refinement();
        }
      check_refused(mesh, "has a slit");
    }
    {
      Triangulation<2> mesh;
      make_box<2>(mesh, {2, 2}, {1., 1.});
      mesh.begin_active()->set_refine_flag(RefinementCase<2>::cut_x);
      mesh.execute_coarsening_and_refinement();
      check_refused(mesh, "is anisotropic");
    }
    {
      Triangulation<2> mesh;
      make_box<2>(mesh, {1, 1}, {1., 1.});
      mesh.refine_global(1);
      check_refused(mesh, "boundary id 7, which no face", {{7, neumann}});
      check_refused(mesh, "periodic", {{1, sipg::BoundaryCondition::periodic}});
      mesh.begin_active()->face(0)->set_boundary_id(5);
      check_refused(mesh, "boundary conditions differ", {{5, neumann}});
      // One condition for both ids will do.
      const auto condition_at_0 = [&](const BoundaryConditions &conditions) {
        return CartesianForest<2>(mesh, conditions)
          .forest()
          .boundary_condition({}, 0, 0);
      };
      CHECK(condition_at_0({{0, neumann}, {5, neumann}}) == neumann);
      CHECK(condition_at_0({}) == sipg::BoundaryCondition::dirichlet);
    }
    {
      // A mesh that deal.II balances across faces only is fine.
      Triangulation<2> mesh(Triangulation<2>::none);
      make_box<2>(mesh, {2, 2}, {1., 1.});
      for (int i = 0; i < 4; ++i)
        {
          for (const auto &cell : mesh.active_cell_iterators())
            if (cell->center().distance({0.5, 0.5}) < cell->diameter() * 0.6 &&
                cell->center()[0] < 0.5 && cell->center()[1] < 0.5)
              cell->set_refine_flag();
          mesh.execute_coarsening_and_refinement();
        }
      CHECK_EQUAL(mesh.n_levels(), 5U);
      check_cells(mesh, CartesianForest<2>(mesh));
    }
  }



  void
  check_elements()
  {
    Triangulation<2> mesh;
    make_box<2>(mesh, {2, 2}, {1., 1.});
    const CartesianForest<2> forest(mesh);
    const auto check = [&](const FiniteElement<2> &fe, const std::string &why) {
      DoFHandler<2> dof_handler(mesh);
      dof_handler.distribute_dofs(fe);
      check_message(CHECK_THROWS(InputError,
                                 SipgFields<2>(dof_handler, forest)),
                    why);
    };
    check(FE_Q<2>(2), "FE_Q<2>(2) is not one of discontinuous");
    check(FE_DGP<2>(2), "FE_DGP<2>(2) is not one of discontinuous");
    check(FESystem<2>(FE_DGQ<2>(1), 2), "has 2 components");
    check(FE_DGQ<2>(0), "has degree 0; degrees 1 to 7");
    check(FE_DGQ<2>(8), "has degree 8; degrees 1 to 7");

    DoFHandler<2> dof_handler(mesh);
    check_message(CHECK_THROWS(InputError, SipgFields<2>(dof_handler, forest)),
                  "no degrees of freedom");
    {
      DoFHandler<2> hp(mesh);
      hp.distribute_dofs(hp::FECollection<2>(FE_DGQ<2>(1), FE_DGQ<2>(2)));
      check_message(CHECK_THROWS(InputError, SipgFields<2>(hp, forest)), "hp");
    }
    {
      Triangulation<2> refined;
      make_box<2>(refined, {2, 2}, {1., 1.});
      DoFHandler<2> old(refined);
      old.distribute_dofs(FE_DGQ<2>(1));
      refined.refine_global(1);
      check_message(CHECK_THROWS(InputError,
                                 SipgFields<2>(old,
                                               CartesianForest<2>(refined))),
                    "has 16 degrees of freedom, its mesh 16 active cells of 4");
    }
    {
      // The same number of cells, but others.
      Triangulation<2> other;
      make_box<2>(other, {2, 2}, {1., 1.});
      DoFHandler<2> others(other);
      other.refine_global(1);
      others.distribute_dofs(FE_DGQ<2>(1));
      check_message(CHECK_THROWS(InputError, SipgFields<2>(others, forest)),
                    "16 active cells, the forest 4");
      Triangulation<2> once, twice;
      make_box<2>(once, {2, 1}, {1., 1.});
      make_box<2>(twice, {2, 1}, {1., 1.});
      once.begin_active()->set_refine_flag();
      once.execute_coarsening_and_refinement();
      twice.last_active()->set_refine_flag();
      twice.execute_coarsening_and_refinement();
      DoFHandler<2> of_once(once);
      of_once.distribute_dofs(FE_DGQ<2>(1));
      check_message(CHECK_THROWS(InputError,
                                 SipgFields<2>(of_once,
                                               CartesianForest<2>(twice))),
                    "that the forest does not have");
    }

    dof_handler.distribute_dofs(FE_DGQ<2>(2));
    const SipgFields<2>           fields(dof_handler, forest);
    const sipg::LevelHierarchy<2> levels(forest.forest());
    const auto                    field = [&](const int degree) {
      return sipg::DualField<double>(
        std::make_shared<const sipg::FieldLayout>(levels, degree));
    };
    sipg::DualField<double> r = field(2), other = field(3), none;
    Vector<double>          v(dof_handler.n_dofs()), w(5);
    fields.to_dual(v, r);
    check_message(CHECK_THROWS(InputError, fields.to_dual(w, r)),
                  "5 entries; the DoFHandler of SipgFields has 36");
    check_message(CHECK_THROWS(InputError, fields.from_dual(other, v)),
                  "not one of degree 2");
    check_message(CHECK_THROWS(InputError, fields.from_dual(none, v)),
                  "not one of degree 2");
    Triangulation<2> smaller;
    make_box<2>(smaller, {10, 10}, {1., 1.});
    const sipg::LevelHierarchy<2> other_levels(
      CartesianForest<2>(smaller).forest());
    sipg::DualField<double> of_other_mesh(
      std::make_shared<const sipg::FieldLayout>(other_levels, 2));
    check_message(CHECK_THROWS(InputError, fields.from_dual(of_other_mesh, v)),
                  "on the mesh of SipgFields");
  }



  void
  check_several_processes()
  {
    parallel::distributed::Triangulation<2> mesh(MPI_COMM_WORLD);
    GridGenerator::hyper_cube(mesh);
    mesh.refine_global(2);
    check_refused(mesh, "distributed over 2 processes");

    // A mesh of one process, a vector of all.
    Triangulation<2> own_mesh;
    make_box<2>(own_mesh, {2, 2}, {1., 1.});
    DoFHandler<2> dof_handler(own_mesh);
    dof_handler.distribute_dofs(FE_DGQ<2>(1));
    const CartesianForest<2> forest(own_mesh);
    const SipgFields<2>      fields(dof_handler, forest);
    sipg::DualField<double>  r(std::make_shared<const sipg::FieldLayout>(
      sipg::LevelHierarchy<2>(forest.forest()), 1));
    const unsigned int rank = Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
    const unsigned int n    = dof_handler.n_dofs();
    IndexSet           owned(n);
    owned.add_range(rank * n / 2, (rank + 1) * n / 2);
    LinearAlgebra::distributed::Vector<double> v(owned, MPI_COMM_WORLD);
    check_message(CHECK_THROWS(InputError, fields.to_dual(v, r)),
                  "16 entries, 8 of them on this rank");
    check_message(CHECK_THROWS(InputError, fields.from_dual(r, v)),
                  "16 entries, 8 of them on this rank");
  }
} // namespace

int
main(int argc, char **argv)
{
  const Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  if (Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
    {
      check_several_processes();
      return check::result();
    }
  check_meshes();
  check_elements();
  check_all_fields();
  check_operators();
  return check::result();
}
