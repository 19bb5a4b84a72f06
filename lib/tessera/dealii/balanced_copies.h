// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_balanced_copies_h
#define tessera_dealii_balanced_copies_h

#include <tessera/base/communication.h>
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/dof_copies.h>
#include <tessera/cellwise/field.h>
#include <tessera/dealii/box_mesh.h>
#include <tessera/dealii/cellwise_dofs.h>

#include <deal.II/base/index_set.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <cstddef>
#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * The way of an assembled residual into a multigrid cycle on cell-wise
   * fields, and of the correction out of it.
   *
   * With G and D of CellwiseDoFs (copies of the degrees of freedom, and how
   * many cells share them) and Z, which sets rows of Dirichlet nodes to zero:
   * - into: $r = D^{-1} G Z v$. Every copy gets an equal share, so that
   *   $G^T r = Z v$, and r is balanced;
   * - out: $z_i = a\,u_{K,k}$ for any copy (K, k) of i, and $z_i = v_i$ in
   *   rows of Dirichlet nodes.
   *
   * For vectors dealii::Vector<double>, LinearAlgebra::distributed::Vector
   * of double or float, with any ghost entries: only the locally owned ones
   * are read and written.
   *
   * Memory: a vector of doubles with the ghost entries that owned cells need,
   * and 4 bytes a value of the field. Deterministic; r and z do not depend on
   * the numbering of the degrees of freedom and the partition.
   */
  template <int dim>
  class BalancedCopies
  {
  public:
    /**
     * Collective over the ranks of the triangulation of the DoFHandler.
     *
     * @param[in] mesh That of @p dof_handler.
     * @param[in] cells Owned cells are those of this rank in the mesh; ghosts
     * do not matter.
     * @throws InputError as CellwiseDoFs does.
     */
    BalancedCopies(const dealii::DoFHandler<dim> &dof_handler,
                   const BoxMesh<dim>            &mesh,
                   const cellwise::CellGrid<dim> &cells);

    int
    degree() const;

    dealii::types::global_dof_index
    n_dofs() const;

    const dealii::IndexSet &
    locally_owned_dofs() const;

    /** The first half of the way into the cycle: keep $Z v$. Local.
     * @return $\max_i |(Z v)_i|$ over the locally owned degrees of freedom. */
    template <typename VectorType>
    double
    read(const VectorType &v);

    /**
     * The second half: $r = D^{-1} G Z v$ in the owned cells; other cells are
     * not touched. One exchange of ghost values, collective.
     * @param[out] r Has at least the owned cells.
     */
    void
    distribute(cellwise::DualField<double> &r);

    /** The way out: $z_i = a\,u_{K,k}$, and $z_i = v_i$ in rows of Dirichlet
     * nodes. Local; afterwards z has no ghost values. */
    template <typename VectorType, typename Number>
    void
    collect(VectorType                          &z,
            const double                         a,
            const cellwise::PrimalField<Number> &u,
            const VectorType                    &v) const;

    /**
     * The same relation as lists, for devices (see
     * cellwise::DeviceDoFCopies). Collective.
     * @param[in] communicator The ranks of the triangulation.
     * @throws InputError on all ranks if one of them has more than $2^{32} - 1$
     * copies.
     */
    cellwise::DoFCopies
    lists(const Communicator &communicator) const;

    std::size_t
    memory_consumption() const;

  private:
    int                 degree_of_element;
    int                 nodes_of_cell;
    cellwise::CellIndex n_cells; ///< owned

    /** Z v, with ghost values. */
    dealii::LinearAlgebra::distributed::Vector<double> residual;

    /** Of the owned cells one after the other: local indices of this vector. */
    std::vector<unsigned int> indices;

    /** $1/D$ of the nodes of a cell for each set of faces beyond which there is
     * another cell, in sets that occur: bit 2d, the lower, 2d+1, the upper face
     * of direction d. */
    std::vector<std::vector<double>> shares;
    std::vector<unsigned char>       inner_faces; ///< of the owned cells

    /** Locally owned ones on Dirichlet faces, and ghosts: local indices. */
    std::vector<unsigned int> dirichlet_dofs, dirichlet_ghosts;
  };
} // namespace tessera::dealii_adapters

#endif
