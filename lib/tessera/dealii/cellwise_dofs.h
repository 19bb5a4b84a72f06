// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_cellwise_dofs_h
#define tessera_dealii_cellwise_dofs_h

#include <tessera/cellwise/field.h>
#include <tessera/dealii/box_mesh.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * The element of a DoFHandler, if cell-wise fields can hold its values: FE_Q
   * of degree 1 to 7 with Gauss-Lobatto nodes. Local.
   *
   * @throws InputError on all ranks for other elements, for collections of
   * them, and where no degrees of freedom are distributed.
   */
  template <int dim>
  const dealii::FE_Q<dim> &
  lagrange_element(const dealii::DoFHandler<dim> &dof_handler);



  /**
   * The degrees of freedom of a deal.II DoFHandler and the copies of them that
   * cell-wise fields hold: the operator G with
   * $(G v)_{K,i} = v_{\mathrm{dof}(K,i)}$, i running through the nodes of the
   * cell in the lexicographic order of the box (x fastest), whatever the
   * orientation of the cell in the mesh.
   *
   * For FE_Q of degree 1 to 7 on the active mesh of a BoxMesh. The numbering of
   * the degrees of freedom does not matter. Describes the DoFHandler as it was
   * at construction. Memory: 4 bytes a value of the owned cells of a field
   * (with deal.II's 32-bit indices).
   */
  template <int dim>
  class CellwiseDoFs
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    /**
     * Local.
     *
     * @param[in] mesh That of @p dof_handler.
     * @param[in] grid The cells of the fields. This rank owns those that it
     * owns in the mesh, or part of them; ghosts may be any.
     *
     * @throws InputError as lagrange_element() does.
     */
    CellwiseDoFs(const dealii::DoFHandler<dim> &dof_handler,
                 const BoxMesh<dim>            &mesh,
                 const cellwise::CellGrid<dim> &grid);

    int
    degree() const;

    /** Of a field, ghosts included. */
    cellwise::CellIndex
    n_cells() const;

    /** Values a cell, $(p+1)^{dim}$. */
    int
    n_nodes() const;

    /** Indices of the n_nodes() degrees of freedom of an owned cell; those of
     * the next one follow. */
    const dealii::types::global_dof_index *
    dof_indices(const cellwise::CellIndex cell) const;

    /**
     * $u = G v$ in the owned cells; u gets its size here, and zeros in the
     * ghost cells (see cellwise::GhostValues). Local; v has the ghost values
     * that owned cells need.
     */
    void
    gather(cellwise::PrimalField<double> &u, const VectorType &v) const;

    /**
     * $v = G^{-1} u$: every locally owned entry becomes that of (any of) its
     * copies in owned cells, which are equal. Local; ghost values of v are not
     * touched.
     */
    void
    scatter(VectorType &v, const cellwise::PrimalField<double> &u) const;

    /**
     * $b_K \leftarrow b_K + e$ for an owned cell K and its element vector.
     *
     * @param[in] element_vector n_nodes() values in the order of FEEvaluation:
     * lexicographic in the coordinates of the reference cell.
     */
    void
    add_element_vector(cellwise::DualField<double>     &b,
                       const dealii::CellAccessor<dim> &cell,
                       const double                    *element_vector) const;

  private:
    /** Its position in the list, where it is entered if it is new. */
    unsigned char
    number_of_orientation(const CellOrientation<dim> &orientation);

    int                 degree_of_element;
    int                 nodes_of_cell;
    cellwise::CellIndex n_owned;
    cellwise::CellIndex n_local;

    /** Of the owned cells, one after the other. */
    std::vector<dealii::types::global_dof_index> indices;

    /** By the index of the active cell; no_cell where it is not an owned one of
     * the grid. */
    std::vector<cellwise::CellIndex> cell_of_mesh;

    /** Position of the orientation of an active cell in the lists below, which
     * have one entry unless the mesh has rotated cells. */
    std::vector<unsigned char>        orientation_of_mesh;
    std::vector<CellOrientation<dim>> orientations;
    /** Node of the box for each node of the reference cell. */
    std::vector<std::vector<int>> nodes_of_orientations;
  };
} // namespace tessera::dealii_adapters

#endif
