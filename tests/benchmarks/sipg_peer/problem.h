// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sipg_peer_problem_h
#define tessera_tests_benchmarks_sipg_peer_problem_h

// What is solved: the mesh of both sides, and quantities that do not depend on
// who solved.

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/dealii/sipg_fields.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/vector.h>

#include <memory>
#include <string>

namespace benchmark::sipg_peer
{
  constexpr int dim = 3, degree = 3;

  /** Weights of the penalty, see sipg::ElementMatrices; the boundary factor 2
   * is that of mirrored values. */
  constexpr double penalty_factor = 2., boundary_factor = 2.;

  /** Degrees of freedom of FE_DGQHermite, as its DoFHandler numbers them. */
  using Coefficients = dealii::Vector<double>;

  /** The unit cube: n^3 cells, n a power of two from 2, of which those that
   * meet a sphere are refined again and again. */
  struct MeshDescription
  {
    int n_cells_per_direction;
    int n_passes;

    std::string
    name() const;
  };

  /**
   * -Laplace u = f, u = product of sin(pi x), zero at the boundary, on a mesh:
   * one triangulation, seen by deal.II and by our method.
   */
  class Problem
  {
  public:
    explicit Problem(const MeshDescription &description);

    const dealii::Triangulation<dim> &
    triangulation() const
    {
      return mesh;
    }

    const dealii::Mapping<dim> &
    mapping() const
    {
      return cartesian;
    }

    /** Of FE_DGQHermite; solvers that need another one number its degrees of
     * freedom in the same way, since deal.II's numbering is deterministic. */
    const dealii::DoFHandler<dim> &
    dof_handler() const
    {
      return dofs;
    }

    const tessera::dealii_adapters::CartesianForest<dim> &
    forest() const
    {
      return *cells;
    }

    const tessera::dealii_adapters::SipgFields<dim> &
    fields() const
    {
      return *converter;
    }

    /** (f, v), by deal.II. */
    const Coefficients &
    right_hand_side() const
    {
      return rhs;
    }

    /** $\|u - u_h\|_{L_2}$. */
    double
    L2_error(const Coefficients &solution) const;

  private:
    dealii::Triangulation<dim>                                      mesh;
    dealii::MappingQ1<dim>                                          cartesian;
    dealii::FE_DGQHermite<dim>                                      element;
    dealii::DoFHandler<dim>                                         dofs;
    std::unique_ptr<tessera::dealii_adapters::CartesianForest<dim>> cells;
    std::unique_ptr<tessera::dealii_adapters::SipgFields<dim>>      converter;
    Coefficients                                                    rhs;
  };

  /** f of the problem. */
  double
  source(const tessera::sipg::Point<dim> &x);
} // namespace benchmark::sipg_peer

#endif
