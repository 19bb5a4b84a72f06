// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_precondition_local_multigrid_h
#define tessera_dealii_precondition_local_multigrid_h

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/level_hierarchy.h>
#include <tessera/sipg/local_multigrid.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * One local multigrid V-cycle as a preconditioner of deal.II,
   * $z = B r \approx A^{-1} r$, for a user's own symmetric interior penalty
   * operator A on a locally refined Cartesian mesh; see sipg::LocalMultigrid.
   *
   * A may be assembled or matrix-free, in any of the bases of SipgFields; it is
   * not seen. B is made from the mesh, the degree, the coefficient and the
   * penalty, for the form of sipg::ElementMatrices. If those of A are others,
   * the condition number of BA is larger by the ratio of the forms.
   * Levels are those of the mesh: the triangulation needs no multigrid
   * hierarchy, and the DoFHandler no level degrees of freedom. Its coarse cells
   * are solved exactly, and should be few.
   *
   * B is symmetric and positive definite up to rounding of the level precision,
   * and fit for SolverCG. One process; one object serves one thread at a time.
   */
  template <int dim>
  class PreconditionLocalMultigrid : public dealii_compatibility::Subscriptor
  {
  public:
    struct AdditionalData
    {
      sipg::Penalty          penalty;
      sipg::MultigridOptions multigrid;

      /** Dirichlet conditions on the parts that are not listed. */
      BoundaryConditions boundary_conditions;

      /** k of the active cells by active_cell_index(); empty: 1. */
      std::vector<double> coefficient;

      /** Levels in double instead of float; vectors are in double. */
      bool double_precision = false;

      /** Cells in a block of the storage; a power of two. */
      int block_size = sipg::LevelHierarchy<dim>::default_block_size;
    };

    /** Without a use before initialize(). */
    PreconditionLocalMultigrid();

    ~PreconditionLocalMultigrid() override;

    /**
     * Make everything for a mesh and an element. They are not referred to
     * afterwards: call again when the mesh or the numbering of the degrees of
     * freedom has changed.
     *
     * @throws InputError as CartesianForest, SipgFields, sipg::LevelHierarchy
     * and sipg::LocalMultigrid do, and for a coefficient of another length.
     * @throws SolverBreakdown if the penalty is too small and this is noticed.
     * The object is not initialized after an error.
     */
    void
    initialize(const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data = AdditionalData());

    /** Give back all memory; the state after construction. */
    void
    clear();

    /** $dst = B\,src$, for dealii::Vector and
     * LinearAlgebra::distributed::Vector, of double and float; different
     * objects.
     * @throws InputError before initialize(), or if sizes do not fit. */
    template <typename VectorType>
    void
    vmult(VectorType &dst, const VectorType &src) const;

    /** The same, since B is symmetric. */
    template <typename VectorType>
    void
    Tvmult(VectorType &dst, const VectorType &src) const;

    /** Number of degrees of freedom; zero before initialize(). @{ */
    dealii::types::global_dof_index
    m() const;

    dealii::types::global_dof_index
    n() const;
    /** @} */

    /** Bytes. */
    std::size_t
    memory_consumption() const;

  private:
    class Implementation;

    Implementation &
    initialized() const;

    std::unique_ptr<Implementation> implementation;
  };
} // namespace tessera::dealii_adapters

#endif
