// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_sipg_fields_h
#define tessera_dealii_sipg_fields_h

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>

#include <cstddef>
#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * Vectors of discontinuous elements of tensor product polynomials
   * (FE_DGQHermite, FE_DGQ, FE_DGQArbitraryNodes, FE_DGQLegendre) to and from
   * fields of sipg, whose basis is that of FE_DGQHermite.
   *
   * With $\psi_j = \sum_i S_{ij} \phi_i$ for the functions $\psi$ of the
   * element in one dimension and T = S x ... x S, functions change by $u^{sipg}
   * = T u$, functionals by $r = T^T r^{sipg}$, so that $r \cdot u$ stays the
   * same; S is the identity for FE_DGQHermite. The numbering of the degrees of
   * freedom does not matter.
   *
   * Vectors have the entries of the DoFHandler: dealii::Vector and
   * LinearAlgebra::distributed::Vector, of double and float. Fields may have
   * any block size; all functions throw InputError for vectors of another size
   * or with entries on other processes, and fields of another mesh or degree.
   *
   * Cost of a transformation: dim n multiply-adds a value in both directions,
   * none for FE_DGQHermite. Memory: 4 bytes a value (with deal.II's 32-bit
   * indices).
   */
  template <int dim>
  class SipgFields
  {
  public:
    /** @throws InputError for other elements, several components, a degree
     * that is not 1 to 7, no degrees of freedom or not those of the mesh as it
     * is, or a mesh other than that of @p forest. */
    SipgFields(const dealii::DoFHandler<dim> &dof_handler,
               const CartesianForest<dim>    &forest);

    int
    degree() const;

    /** Entries of a vector. */
    dealii::types::global_dof_index
    n_dofs() const;

    /** u <- T v, with consistent shadows.
     * @param[in] levels Of the forest, whose shadows u has. */
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

    std::size_t
    memory_consumption() const;

  private:
    /** n x n, row-major. */
    using Matrix = std::vector<double>;

    sipg::Forest<dim> cells;
    int               degree_of_element;
    bool              is_identity; ///< S
    Matrix            S, S_transposed, S_inverse, S_inverse_transposed;

    dealii::types::global_dof_index n_entries;

    /** Of the active cells in the order of the forest, n^dim each,
     * lexicographic. */
    std::vector<dealii::types::global_dof_index> dofs;

    /** field <- (A x ... x A) v on active cells, zero elsewhere. */
    template <typename VectorType, sipg::Space space>
    void
    read(const Matrix               &A,
         const VectorType           &v,
         sipg::Field<double, space> &field) const;

    /** v <- (A x ... x A) field. */
    template <typename VectorType, sipg::Space space>
    void
    write(const Matrix                     &A,
          const sipg::Field<double, space> &field,
          VectorType                       &v) const;

    template <typename VectorType, sipg::Space space>
    void
    check_sizes(const VectorType                 &v,
                const sipg::Field<double, space> &field) const;

    /** Call f(level, begin, end, first) for all blocks of cells [begin, end)
     * that have active ones; first is the number of the first of these among
     * all active cells. */
    template <typename F>
    void
    for_blocks(int block_size, const F &f) const;
  };
} // namespace tessera::dealii_adapters

#endif
