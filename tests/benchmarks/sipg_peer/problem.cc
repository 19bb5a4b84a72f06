// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/sipg_peer/problem.h"

#include <tessera/base/exceptions.h>

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/numerics/vector_tools_integrate_difference.h>
#include <deal.II/numerics/vector_tools_rhs.h>

#include <cmath>

namespace benchmark::sipg_peer
{
  using namespace dealii;

  namespace
  {
    /** Points a direction that integrate the product of sines to more digits
     * than the comparison of solutions asks for, as ours does. */
    constexpr unsigned int n_points = degree + 3;

    class ExactSolution : public Function<dim>
    {
    public:
      double
      value(const Point<dim> &x, unsigned int) const override
      {
        double product = 1.;
        for (unsigned int d = 0; d < dim; ++d)
          product *= std::sin(numbers::PI * x[d]);
        return product;
      }
    };

    class Source : public Function<dim>
    {
    public:
      double
      value(const Point<dim> &x, unsigned int) const override
      {
        return dim * numbers::PI * numbers::PI * ExactSolution().value(x, 0);
      }
    };

    /** Whether a cell meets the sphere |x - c| = 0.3 about the middle. */
    bool
    meets_sphere(const CellAccessor<dim> &cell)
    {
      constexpr double radius = 0.3;
      const Point<dim> lower = cell.vertex(0), upper = cell.vertex(7);
      double           nearest = 0., farthest = 0.;
      for (unsigned int d = 0; d < dim; ++d)
        {
          const double a = lower[d] - 0.5, b = upper[d] - 0.5;
          const double near = a > 0. ? a : b < 0. ? -b : 0.;
          const double far  = std::max(std::abs(a), std::abs(b));
          nearest += near * near;
          farthest += far * far;
        }
      return std::sqrt(nearest) <= radius && std::sqrt(farthest) >= radius;
    }

    unsigned int
    logarithm(const int n)
    {
      unsigned int result = 0;
      while ((1 << result) < n)
        ++result;
      TESSERA_ASSERT((1 << result) == n && n >= 2, "a power of two");
      return result;
    }
  } // namespace



  std::string
  MeshDescription::name() const
  {
    const std::string base = std::to_string(n_cells_per_direction) + "^3";
    return n_passes == 0 ? base : base + " + " + std::to_string(n_passes);
  }



  Problem::Problem(const MeshDescription &description)
    : mesh(Triangulation<dim>::limit_level_difference_at_vertices)
    , element(degree)
    , dofs(mesh)
  {
    // The coarsest level of both sides has 2^3 cells.
    GridGenerator::subdivided_hyper_cube(mesh, 2);
    mesh.refine_global(logarithm(description.n_cells_per_direction) - 1);
    for (int pass = 0; pass < description.n_passes; ++pass)
      {
        const int finest = mesh.n_levels() - 1;
        for (const auto &cell : mesh.active_cell_iterators())
          if (cell->level() == finest && meets_sphere(*cell))
            cell->set_refine_flag();
        mesh.execute_coarsening_and_refinement();
      }
    dofs.distribute_dofs(element);
    cells =
      std::make_unique<tessera::dealii_adapters::CartesianForest<dim>>(mesh);
    converter =
      std::make_unique<tessera::dealii_adapters::SipgFields<dim>>(dofs, *cells);

    rhs.reinit(dofs.n_dofs());
    VectorTools::create_right_hand_side(
      cartesian, dofs, QGauss<dim>(n_points), Source(), rhs);
  }



  double
  Problem::L2_error(const Coefficients &solution) const
  {
    Vector<float> of_cells(mesh.n_active_cells());
    VectorTools::integrate_difference(cartesian,
                                      dofs,
                                      solution,
                                      ExactSolution(),
                                      of_cells,
                                      QGauss<dim>(n_points),
                                      VectorTools::L2_norm);
    return of_cells.l2_norm();
  }



  double
  source(const tessera::sipg::Point<dim> &x)
  {
    return Source().value(Point<dim>(x[0], x[1], x[2]), 0);
  }
} // namespace benchmark::sipg_peer
