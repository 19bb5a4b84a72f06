// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_node_blocks_h
#define tessera_dealii_node_blocks_h

#include <tessera/sparse/block_vector.h>
#include <tessera/sparse/index_layout.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::dealii_adapters
{
  /**
   * The degrees of freedom of a vector-valued finite element by nodes: those at
   * one support point are a block of unknowns, however the DoFHandler numbers
   * them.
   *
   * For FESystem(FE_Q(p), b), 1 <= b <= 6, and FE_Q (b = 1). Nodes all of whose
   * components are constrained (clamped, hanging) are in no matrix: the others
   * are numbered without them, in the order of their lowest degrees of freedom,
   * and are the block rows. Nodes of which only some components are constrained
   * stay.
   *
   * The order of distribute_dofs() is a good one: on a long beam products with
   * the matrix run at the bandwidth of the memory, and no faster after
   * DoFRenumbering::Cuthill_McKee().
   *
   * Describes the DoFHandler and the constraints as they were at construction.
   * For one process: the layout owns all nodes and has no ghosts.
   *
   * Memory: 4 bytes a degree of freedom and 4 b + 8 dim + 9 a node.
   */
  template <int dim>
  class NodeBlocks
  {
  public:
    /**
     * @param[in] constraints Closed.
     * @throws InputError for other elements, meshes of more than one process,
     * DoFHandlers without degrees of freedom, constraints that are not closed;
     * and if all degrees of freedom are constrained.
     */
    NodeBlocks(const dealii::Mapping<dim>              &mapping,
               const dealii::DoFHandler<dim>           &dof_handler,
               const dealii::AffineConstraints<double> &constraints);

    /** b, the number of components. */
    int
    block_size() const;

    /** Of the nodes that are block rows. */
    const sparse::IndexLayout &
    layout() const;

    /** [n_owned][dim], in space. */
    const std::vector<double> &
    coordinates() const;

    /** [n_owned], from the coordinates: see amg::keys_of_coordinates(). */
    const std::vector<std::uint64_t> &
    keys() const;

    dealii::types::global_dof_index
    n_dofs() const;

    /** The place of a degree of freedom in the values of a BlockVector, node
     * * b + component; -1 if its node is not there. */
    std::int64_t
    entry_of_dof(dealii::types::global_dof_index dof) const;

    /** The way back. */
    dealii::types::global_dof_index
    dof_of_entry(std::int64_t entry) const;

    /** Whether the degree of freedom at an entry is constrained. */
    bool
    is_constrained(std::int64_t entry) const;

    /** Of the nodes that are block rows. */
    std::uint64_t
    n_constrained_components() const;

    /** A vector of zeros. */
    sparse::BlockVector<double>
    vector() const;

    /** The entries of the nodes that are block rows. Constrained ones become
     * zero: a right-hand side or an initial guess. For dealii::Vector<double>
     * and LinearAlgebra::distributed::Vector<double>.
     * @throws InputError if sizes do not fit. */
    template <typename VectorType>
    void
    copy(const VectorType &from, sparse::BlockVector<double> &to) const;

    /**
     * A solution in all degrees of freedom: entries of the nodes that are block
     * rows are copied, constrained degrees of freedom get what the constraints
     * say (with inhomogeneities) by AffineConstraints::distribute(). For the
     * same vectors, without ghost values afterwards.
     * @param[in] constraints With the same constrained degrees of freedom as
     * at construction; inhomogeneities may be others.
     * @throws InputError if sizes do not fit.
     */
    template <typename VectorType>
    void
    copy(const sparse::BlockVector<double>       &from,
         const dealii::AffineConstraints<double> &constraints,
         VectorType                              &to) const;

    std::size_t
    memory_consumption() const;

  private:
    void
    check_sizes(std::size_t                        n_of_vector,
                const sparse::BlockVector<double> &blocks) const;

    int                 size_of_block;
    sparse::IndexLayout nodes;
    std::vector<double> points;

    std::vector<std::uint64_t> node_keys;

    /** [n_dofs] and [n_owned * b] */
    std::vector<std::int32_t>                    entries;
    std::vector<dealii::types::global_dof_index> dofs;

    std::vector<bool> constrained;
    std::uint64_t     n_constrained = 0;
  };



  /** [n_dofs / dim][dim]: the support points of nodes whose degrees of freedom
   * are numbered one after the other, for
   * PreconditionBlockAMG::AdditionalData::coordinates.
   * @throws InputError, which names DoFRenumbering::support_point_wise(), if
   * they are not numbered so; for elements as above. */
  template <int dim>
  std::vector<double>
  node_coordinates(const dealii::Mapping<dim>    &mapping,
                   const dealii::DoFHandler<dim> &dof_handler);



  /** Rigid-body displacements of all nodes, for any numbering of the degrees of
   * freedom: in 3D six vectors, in 2D three, orthonormal (see
   * amg::rigid_body_modes()).
   * @throws InputError unless the element is FESystem(FE_Q(p), dim). */
  template <int dim>
  std::vector<dealii::Vector<double>>
  rigid_body_modes(const dealii::Mapping<dim>    &mapping,
                   const dealii::DoFHandler<dim> &dof_handler);
} // namespace tessera::dealii_adapters

#endif
