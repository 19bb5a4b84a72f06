// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_precondition_local_multigrid_h
#define tessera_dealii_precondition_local_multigrid_h

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/local_multigrid.h>

#include <deal.II/dofs/dof_handler.h>

#include <cstddef>
#include <memory>

namespace tessera::dealii_adapters
{
  /**
   * One local multigrid V-cycle as a preconditioner of deal.II,
   * $z = B r \approx A^{-1} r$, for a user's own symmetric interior penalty
   * operator on a locally refined Cartesian mesh; see sipg::LocalMultigrid.
   *
   * B is made from the mesh, the degree, and the penalty alone, and is a good
   * preconditioner for operators with another penalty, too, as long as their
   * ratio is moderate. Symmetric and positive definite; fit for SolverCG. One
   * process; one object serves one thread at a time.
   */
  template <int dim>
  class PreconditionLocalMultigrid : public dealii_compatibility::Subscriptor
  {
  public:
    struct AdditionalData
    {
      sipg::Penalty          penalty;
      sipg::MultigridOptions multigrid;
      BoundaryConditions     boundary_conditions;

      /** k of the active cells by active_cell_index(); empty: 1. */
      std::vector<double> coefficient;

      /** Levels in double instead of float. */
      bool double_precision = false;

      /** Cells in a block of the storage; a power of two. */
      int block_size = sipg::LevelHierarchy<dim>::default_block_size;
    };

    PreconditionLocalMultigrid();

    ~PreconditionLocalMultigrid() override;

    /** @throws InputError as CartesianForest, SipgFields, LevelHierarchy and
     * LocalMultigrid do. The object is not initialized then. */
    void
    initialize(const dealii::DoFHandler<dim> &dof_handler,
               const AdditionalData          &data = AdditionalData());

    void
    clear();

    /** $dst = B\,src$, for dealii::Vector<double> and
     * LinearAlgebra::distributed::Vector<double>; different objects.
     * @throws InputError before initialize(), or if sizes do not fit. */
    template <typename VectorType>
    void
    vmult(VectorType &dst, const VectorType &src) const;

    /** The same, since B is symmetric. */
    template <typename VectorType>
    void
    Tvmult(VectorType &dst, const VectorType &src) const;

    dealii::types::global_dof_index
    m() const;

    dealii::types::global_dof_index
    n() const;

    std::size_t
    memory_consumption() const;

  private:
    class Implementation;

    std::unique_ptr<Implementation> implementation;
  };
} // namespace tessera::dealii_adapters

#endif
