// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_elasticity_assembler_h
#define tessera_apps_elasticity_elasticity_assembler_h

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <functional>
#include <vector>

#include "elasticity/body.h"

namespace tessera::elasticity
{
  /**
   * The discrete equations of a body: internal forces f(u), loads b and the
   * tangent $K(u) = \partial f / \partial u$, by loops over cells
   * with CellIntegrals. For the linear law f(u) = K u.
   */
  template <int dim>
  class ElasticityAssembler
  {
  public:
    /** Takes the matrix and the vector of a cell with its degrees of freedom;
     * AffineConstraints::distribute_local_to_global() is meant. */
    using CellConsumer =
      std::function<void(const dealii::FullMatrix<double> &,
                         const dealii::Vector<double> &,
                         const std::vector<dealii::types::global_dof_index> &)>;

    /** @param[in] discretization Has to live as long as this object; moduli may change
     * between assemblies. */
    explicit ElasticityAssembler(const Body<dim> &discretization);

    /**
     * Give for every cell K(u) and $s\, b - f(u)$ with the load factor s.
     *
     * @throws InvertedCell
     */
    void
    for_each_cell(const dealii::Vector<double> &displacement,
                  const double                  load_factor,
                  const CellConsumer           &consume) const;

    /**
     * Write $s\, b - f(u)$, assembled under @p constraints: homogeneous,
     * entries of constrained degrees of freedom are zero. With the constraints
     * of hanging nodes alone these are out-of-balance nodal forces, minus
     * reactions at supports.
     *
     * @throws InvertedCell
     */
    void
    residual(const dealii::Vector<double>            &displacement,
             const double                             load_factor,
             const dealii::AffineConstraints<double> &constraints,
             dealii::Vector<double>                  &residual) const;

    /** Write b, assembled under @p constraints. */
    void
    external_forces(const dealii::AffineConstraints<double> &constraints,
                    dealii::Vector<double>                  &forces) const;

    /** $\int \psi(u)$. @throws InvertedCell */
    double
    strain_energy(const dealii::Vector<double> &displacement) const;

  private:
    const Body<dim> &body;
  };
} // namespace tessera::elasticity

#endif
