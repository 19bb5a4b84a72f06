// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_elasticity_assembler_h
#define tessera_apps_elasticity_elasticity_assembler_h

#include <tessera/base/communication.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <functional>

#include "elasticity/loads.h"
#include "elasticity/material.h"

namespace tessera::elasticity
{
  /**
   * The discrete equations of a body: internal forces f(u), loads b and the
   * tangent $K(u) = \partial f / \partial u$, by loops over locally owned
   * cells with CellIntegrals. For the linear law f(u) = K u.
   *
   * Displacements have ghost values; forces come out without. Collective.
   */
  template <int dim>
  class ElasticityAssembler
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /** Takes the matrix and the vector of a cell with its degrees of freedom;
     * AffineConstraints::distribute_local_to_global() is meant. */
    using CellConsumer =
      std::function<void(const dealii::FullMatrix<double> &,
                         const dealii::Vector<double> &,
                         const std::vector<dealii::types::global_dof_index> &)>;

    ElasticityAssembler(const dealii::Mapping<dim>    &mapping,
                        const dealii::DoFHandler<dim> &dof_handler,
                        const MaterialModel            model,
                        const MaterialTable           &materials,
                        const Loads<dim>              &loads,
                        const Communicator            &communicator);

    void
    set_modulus_factor(const ModulusFactor &factor);

    const ModulusFactor &
    modulus_factor() const;

    /**
     * Give for every cell K(u) and $s\, b - f(u)$ with the load factor s.
     *
     * @throws InvertedCell after the loop has been left, on all ranks.
     */
    void
    for_each_cell(const VectorType   &displacement,
                  const double        load_factor,
                  const CellConsumer &consume) const;

    /**
     * Write $s\, b - f(u)$, assembled under @p constraints: homogeneous,
     * entries of constrained degrees of freedom are zero. With the constraints
     * of hanging nodes alone these are out-of-balance nodal forces, minus
     * reactions at supports.
     *
     * @throws InvertedCell
     */
    void
    residual(const VectorType                        &displacement,
             const double                             load_factor,
             const dealii::AffineConstraints<double> &constraints,
             VectorType                              &residual) const;

    /** Write b, assembled under @p constraints. */
    void
    external_forces(const dealii::AffineConstraints<double> &constraints,
                    VectorType                              &forces) const;

    /** $\int \psi(u)$. @throws InvertedCell */
    double
    strain_energy(const VectorType &displacement) const;

  private:
    const dealii::Mapping<dim>    &mapping;
    const dealii::DoFHandler<dim> &dof_handler;
    const MaterialModel            model;
    const MaterialTable            materials;
    const Loads<dim>               loads;
    const Communicator             communicator;
    ModulusFactor                  factor;
  };
} // namespace tessera::elasticity

#endif
