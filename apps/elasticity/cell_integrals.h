// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_cell_integrals_h
#define tessera_apps_elasticity_cell_integrals_h

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/vector.h>

#include <vector>

#include "elasticity/loads.h"
#include "elasticity/material.h"

namespace tessera::elasticity
{
  /**
   * Integrals over one quadrilateral or hexahedral cell for a displacement in
   * FESystem(FE_Q(p), dim): internal forces, their derivative, energy and
   * loads,
   * $$ f_{ai} = \int_K P_{iJ}\, \partial_J N_a, \quad
   *    K_{ai,bk} = \partial f_{ai} / \partial u_{bk}, \quad
   *    W = \int_K \psi, $$
   * with P and $\psi$ of constitutive_law.h. With $g_a = F^{-T} \nabla N_a$
   * (linear law: $g_a = \nabla N_a$),
   * $$ K_{ai,bk} = \int_K \lambda\, g_{a,i} g_{b,k}
   *    + (\mu - \lambda \ln J)\, g_{a,k} g_{b,i}
   *    + \mu\, \delta_{ik} \nabla N_a \cdot \nabla N_b . $$
   *
   * Vectors and matrices are in the order of cell->get_dof_indices(). Gauss
   * quadrature with p+1 points a direction, loads p+2; on cells that are not
   * parallelepipeds this is not exact, as usual.
   *
   * The upper half of node pairs is computed, the rest mirrored: matrices are
   * symmetric to the last bit. Cost of a matrix with n nodes and q points:
   * $q\, (dim\, n)^2$ flops for the linear law, twice as many for the other.
   */
  template <int dim>
  class CellIntegrals
  {
  public:
    using CellIterator = typename dealii::DoFHandler<dim>::cell_iterator;

    /**
     * @param[in] mapping, fe Have to live as long as this object. The element
     * is dim copies of one FE_Q.
     * @throws InputError for other elements.
     */
    CellIntegrals(const dealii::Mapping<dim>       &mapping,
                  const dealii::FiniteElement<dim> &fe,
                  const MaterialModel               model);

    unsigned int
    n_dofs() const;

    /** Go to a cell; what follows is about it. */
    void
    reinit(const CellIterator  &cell,
           const Material      &material,
           const ModulusFactor &factor);

    /**
     * Take the displacement that stresses are computed from, in the order of
     * cell->get_dof_indices(). Without a call after reinit() it is zero.
     *
     * @return The smallest determinant of the deformation gradient at the
     * quadrature points (1 for the linear law). Unless it is positive, the
     * functions below must not be called.
     */
    double
    set_displacement(const dealii::Vector<double> &displacement);

    /** Write K. */
    void
    tangent(dealii::FullMatrix<double> &matrix);

    /** Write f. */
    void
    internal_forces(dealii::Vector<double> &forces) const;

    /** W */
    double
    strain_energy() const;

    /** Write $\int_K b_i N_a + \int_{\partial K} t_i N_a$ over the cell and its
     * boundary faces. */
    void
    external_forces(const Loads<dim> &loads, dealii::Vector<double> &forces);

  private:
    /** Add $\int v_i N_a$ with the points and weights of @p values. */
    void
    add_load(const dealii::FEValuesBase<dim> &values,
             const dealii::Function<dim>     &load,
             dealii::Vector<double>          &forces);

    const MaterialModel law;
    const unsigned int  n_nodes;

    /** Degree of freedom of the cell of component i of node a is
     * dof_indices[i*n_nodes+a]. */
    std::vector<unsigned int> dof_indices;

    /** Of the scalar element. */
    dealii::FEValues<dim>     fe_values;
    dealii::FEValues<dim>     load_values;
    dealii::FEFaceValues<dim> face_values;
    const unsigned int        n_points;

    CellIterator current_cell;
    Material     moduli;

    /** Quadrature weight times modulus factor. [n_points] */
    std::vector<double> weights;

    /** $\partial_J N_a$. [n_points][dim][n_nodes] */
    std::vector<double> gradients;

    /** Whether set_displacement() was called for the cell. The rest is valid
     * only then. */
    bool has_displacement = false;

    std::vector<double> node_displacements; ///< [dim][n_nodes]

    /** $g_{a,i}$, where the law is not linear. [n_points][dim][n_nodes] */
    std::vector<double> spatial_gradients;

    /** $\ln J$, where the law is not linear. [n_points] */
    std::vector<double> log_determinants;

    /** Of the first kind, times weight. [n_points] */
    std::vector<dealii::Tensor<2, dim>> stresses;
    double                              energy = 0.;

    /** Work space of matrices: sums of products of gradients. @{ */
    std::vector<double> scaled_weights;
    std::vector<double> products;
    std::vector<double> second_products;
    std::vector<double> node_products;
    /** @} */
  };
} // namespace tessera::elasticity

#endif
