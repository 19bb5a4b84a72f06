// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_sipg_fields_h
#define tessera_dealii_sipg_fields_h

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/sipg/field.h>

#include <deal.II/dofs/dof_handler.h>

namespace tessera::dealii_adapters
{
  /**
   * Vectors of discontinuous elements of tensor product polynomials
   * (FE_DGQHermite, FE_DGQ, FE_DGQArbitraryNodes, ...) to and from fields of
   * sipg, whose basis is that of FE_DGQHermite.
   *
   * With $\psi_j = \sum_i S_{ij} \phi_i$ for the functions $\psi$ of the
   * element in one dimension and T = S x ... x S, functions change by $u^{sipg}
   * = T u$, functionals by $r = T^T r^{sipg}$; S is the identity for
   * FE_DGQHermite.
   *
   * Vectors: dealii::Vector<double>,
   * LinearAlgebra::distributed::Vector<double> (and float).
   */
  template <int dim>
  class SipgFields
  {
  public:
    /** @throws InputError for other elements, several components, a degree
     * that is not 1 to 7, or a mesh other than that of @p forest. */
    SipgFields(const dealii::DoFHandler<dim> &dof_handler,
               const CartesianForest<dim>    &forest);

    int
    degree() const;

    /** u <- T v, with consistent shadows. */
    template <typename VectorType>
    void
    to_primal(const sipg::LevelHierarchy<dim> &levels,
              const sipg::ElementMatrices     &matrices,
              const VectorType                &v,
              sipg::PrimalField<double>       &u) const;

    /** v <- T^{-1} u; shadows are not read. */
    template <typename VectorType>
    void
    from_primal(const sipg::PrimalField<double> &u, VectorType &v) const;

    /** r <- T^{-T} v, with shadows of zero. */
    template <typename VectorType>
    void
    to_dual(const VectorType &v, sipg::DualField<double> &r) const;

    /** v <- T^T r; r is assembled: its shadows are zero or not meant. */
    template <typename VectorType>
    void
    from_dual(const sipg::DualField<double> &r, VectorType &v) const;
  };
} // namespace tessera::dealii_adapters

#endif
