// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/near_null_space.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/compatibility.h>
#include <tessera/dealii/node_blocks.h>
#include <tessera/sparse/block_shape.h>
#include <tessera/sparse/vector_sizes.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <limits>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    /** @throws InputError for what NodeBlocks does not describe. */
    template <int dim>
    void
    check(const DoFHandler<dim> &dof_handler)
    {
      if (!dof_handler.has_active_dofs())
        throw InputError("The DoFHandler has no degrees of freedom; call "
                         "distribute_dofs() first.");
      if (dof_handler.has_hp_capabilities())
        throw InputError(
          "The DoFHandler has a collection of elements (hp), where one "
          "FESystem(FE_Q(p), b) or FE_Q on all cells is needed. Distribute one "
          "element.");
      const FiniteElement<dim> &fe = dof_handler.get_fe();
      if (fe.n_base_elements() != 1 ||
          fe.n_components() > sparse::max_block_size ||
          fe.element_multiplicity(0) != fe.n_components() ||
          dynamic_cast<const FE_Q<dim> *>(&fe.base_element(0)) == nullptr)
        throw InputError(
          "Degrees of freedom are taken together by nodes for "
          "FESystem(FE_Q(p), b) with 1 to " +
          std::to_string(sparse::max_block_size) +
          " components b, and for FE_Q; the element is " + fe.get_name() +
          ". Use one of these (meshes of quadrilaterals or hexahedra).");
      const unsigned int n_ranks = Utilities::MPI::n_mpi_processes(
        dealii_compatibility::get_mpi_communicator(dof_handler));
      if (n_ranks != 1)
        throw InputError("The mesh is distributed over " +
                         std::to_string(n_ranks) +
                         " MPI ranks; matrices of blocks of a deal.II mesh are "
                         "for one rank so far. Start the program without "
                         "mpirun, or with -np 1.");
      if (dof_handler.n_dofs() >
          types::global_dof_index(std::numeric_limits<std::int32_t>::max()))
        throw InputError("The DoFHandler has " +
                         std::to_string(dof_handler.n_dofs()) +
                         " degrees of freedom; one process can have 2^31 - 1.");
    }



    /** The nodes of all cells, constrained or not, in the order in which cells
     * come to them. */
    template <int dim>
    struct AllNodes
    {
      AllNodes(const Mapping<dim> &mapping, const DoFHandler<dim> &dof_handler);

      std::size_t n_nodes = 0;

      /** [n_dofs] */
      std::vector<std::int32_t>  node_of_dof;
      std::vector<unsigned char> component_of_dof;

      /** [n_nodes][dim] */
      std::vector<double> points;

      /** [n_cells][nodes_per_cell] */
      std::vector<std::int32_t> nodes_of_cells;
      unsigned int              nodes_per_cell;
    };

    template <int dim>
    AllNodes<dim>::AllNodes(const Mapping<dim>    &mapping,
                            const DoFHandler<dim> &dof_handler)
      : node_of_dof(dof_handler.n_dofs(), -1)
      , component_of_dof(dof_handler.n_dofs())
    {
      const FiniteElement<dim> &fe = dof_handler.get_fe();
      const unsigned int        b  = fe.n_components();
      nodes_per_cell               = fe.n_dofs_per_cell() / b;

      // local[node][component]
      std::vector<unsigned int> local(fe.n_dofs_per_cell());
      for (unsigned int i = 0; i < fe.n_dofs_per_cell(); ++i)
        {
          const auto [component, node] = fe.system_to_component_index(i);
          local[node * b + component]  = i;
        }

      FEValues<dim>                        values(mapping,
                           fe,
                           Quadrature<dim>(
                             fe.base_element(0).get_unit_support_points()),
                           update_quadrature_points);
      std::vector<types::global_dof_index> dofs(fe.n_dofs_per_cell());
      nodes_of_cells.reserve(
        std::size_t(dof_handler.get_triangulation().n_active_cells()) *
        nodes_per_cell);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          cell->get_dof_indices(dofs);
          for (unsigned int node = 0; node < nodes_per_cell; ++node)
            {
              const types::global_dof_index first = dofs[local[node * b]];
              if (node_of_dof[first] < 0)
                {
                  for (unsigned int c = 0; c < b; ++c)
                    {
                      const types::global_dof_index dof =
                        dofs[local[node * b + c]];
                      node_of_dof[dof]      = std::int32_t(n_nodes);
                      component_of_dof[dof] = static_cast<unsigned char>(c);
                    }
                  const Point<dim> point = values.quadrature_point(node);
                  for (unsigned int d = 0; d < dim; ++d)
                    points.push_back(point[d]);
                  ++n_nodes;
                }
              nodes_of_cells.push_back(node_of_dof[first]);
            }
        }
    }
  } // namespace



  template <int dim>
  NodeBlocks<dim>::NodeBlocks(const Mapping<dim>              &mapping,
                              const DoFHandler<dim>           &dof_handler,
                              const AffineConstraints<double> &constraints)
  {
    check(dof_handler);
    if (!constraints.is_closed())
      throw InputError("The constraints are not closed: call close() before "
                       "degrees of freedom are taken together by nodes.");
    size_of_block = int(dof_handler.get_fe().n_components());
    const AllNodes<dim>           all(mapping, dof_handler);
    const types::global_dof_index n_dofs = dof_handler.n_dofs();
    const int                     b      = size_of_block;

    // Nodes in the order of their lowest degrees of freedom, without those that
    // are constrained in all components.
    std::vector<std::int32_t> n_free(all.n_nodes, 0);
    for (types::global_dof_index dof = 0; dof < n_dofs; ++dof)
      if (!constraints.is_constrained(dof))
        ++n_free[all.node_of_dof[dof]];
    std::vector<std::int32_t> row_of_node(all.n_nodes, -1);
    std::int32_t              n_rows = 0;
    for (types::global_dof_index dof = 0; dof < n_dofs; ++dof)
      {
        const std::int32_t node = all.node_of_dof[dof];
        if (n_free[node] > 0 && row_of_node[node] < 0)
          row_of_node[node] = n_rows++;
      }
    if (n_rows == 0)
      throw InputError("All " + std::to_string(n_dofs) +
                       " degrees of freedom are constrained; there is nothing "
                       "to solve for.");

    nodes = sparse::IndexLayout(std::uint64_t(n_rows));
    points.resize(std::size_t(n_rows) * dim);
    for (std::size_t node = 0; node < all.n_nodes; ++node)
      if (row_of_node[node] >= 0)
        for (unsigned int d = 0; d < dim; ++d)
          points[std::size_t(row_of_node[node]) * dim + d] =
            all.points[node * dim + d];
    node_keys = amg::keys_of_coordinates(nodes, dim, points);

    entries.resize(n_dofs);
    dofs.resize(std::size_t(n_rows) * b);
    constrained.resize(dofs.size());
    for (types::global_dof_index dof = 0; dof < n_dofs; ++dof)
      {
        const std::int32_t row = row_of_node[all.node_of_dof[dof]];
        entries[dof] = row < 0 ? -1 : row * b + all.component_of_dof[dof];
        if (row >= 0)
          {
            dofs[entries[dof]]        = dof;
            constrained[entries[dof]] = constraints.is_constrained(dof);
            if (constrained[entries[dof]])
              ++n_constrained;
          }
      }
  }



  template <int dim>
  int
  NodeBlocks<dim>::block_size() const
  {
    return size_of_block;
  }



  template <int dim>
  const sparse::IndexLayout &
  NodeBlocks<dim>::layout() const
  {
    return nodes;
  }



  template <int dim>
  const std::vector<double> &
  NodeBlocks<dim>::coordinates() const
  {
    return points;
  }



  template <int dim>
  const std::vector<std::uint64_t> &
  NodeBlocks<dim>::keys() const
  {
    return node_keys;
  }



  template <int dim>
  types::global_dof_index
  NodeBlocks<dim>::n_dofs() const
  {
    return entries.size();
  }



  template <int dim>
  std::int64_t
  NodeBlocks<dim>::entry_of_dof(const types::global_dof_index dof) const
  {
    TESSERA_ASSERT(dof < entries.size(), "no such degree of freedom");
    return entries[dof];
  }



  template <int dim>
  types::global_dof_index
  NodeBlocks<dim>::dof_of_entry(const std::int64_t entry) const
  {
    TESSERA_ASSERT(entry >= 0 && std::size_t(entry) < dofs.size(),
                   "no such entry");
    return dofs[entry];
  }



  template <int dim>
  bool
  NodeBlocks<dim>::is_constrained(const std::int64_t entry) const
  {
    TESSERA_ASSERT(entry >= 0 && std::size_t(entry) < dofs.size(),
                   "no such entry");
    return constrained[entry];
  }



  template <int dim>
  std::uint64_t
  NodeBlocks<dim>::n_constrained_components() const
  {
    return n_constrained;
  }



  template <int dim>
  sparse::BlockVector<double>
  NodeBlocks<dim>::vector() const
  {
    return sparse::BlockVector<double>(nodes, size_of_block);
  }



  template <int dim>
  template <typename VectorType>
  void
  NodeBlocks<dim>::copy(const VectorType            &from,
                        sparse::BlockVector<double> &to) const
  {
    check_sizes(from.size(), to);
    double *const       values = to.data();
    const double *const source = from.begin();
    for (std::size_t i = 0; i < dofs.size(); ++i)
      values[i] = constrained[i] ? 0. : source[dofs[i]];
  }



  template <int dim>
  template <typename VectorType>
  void
  NodeBlocks<dim>::copy(const sparse::BlockVector<double> &from,
                        const AffineConstraints<double>   &constraints,
                        VectorType                        &to) const
  {
    check_sizes(to.size(), from);
    to                         = 0.;
    const double *const values = from.data();
    double *const       target = to.begin();
    for (std::size_t i = 0; i < dofs.size(); ++i)
      target[dofs[i]] = values[i];
    constraints.distribute(to);
  }



  template <int dim>
  void
  NodeBlocks<dim>::check_sizes(const std::size_t                  n_of_vector,
                               const sparse::BlockVector<double> &blocks) const
  {
    if (n_of_vector != entries.size())
      throw InputError("A vector has " + std::to_string(n_of_vector) +
                       " entries; the DoFHandler has " +
                       std::to_string(entries.size()) +
                       " degrees of freedom. Make it with n_dofs() entries.");
    sparse::check_owned_vector("of blocks", blocks, nodes, size_of_block);
  }



  template <int dim>
  std::size_t
  NodeBlocks<dim>::memory_consumption() const
  {
    return sizeof(*this) + nodes.memory_consumption() +
           points.capacity() * sizeof(points[0]) +
           node_keys.capacity() * sizeof(node_keys[0]) +
           entries.capacity() * sizeof(entries[0]) +
           dofs.capacity() * sizeof(dofs[0]) + constrained.capacity() / 8;
  }



  template <int dim>
  std::vector<double>
  node_coordinates(const Mapping<dim>    &mapping,
                   const DoFHandler<dim> &dof_handler)
  {
    check(dof_handler);
    const AllNodes<dim>           all(mapping, dof_handler);
    const types::global_dof_index b = dof_handler.get_fe().n_components();
    std::vector<double>           result(all.n_nodes * dim);
    for (types::global_dof_index dof = 0; dof < dof_handler.n_dofs(); ++dof)
      {
        const std::int32_t node = all.node_of_dof[dof];
        if (node != all.node_of_dof[dof - dof % b] ||
            all.component_of_dof[dof] != dof % b)
          throw InputError(
            "The degrees of freedom of a node are not numbered one after the "
            "other: number " +
            std::to_string(dof) + " is component " +
            std::to_string(int(all.component_of_dof[dof])) +
            " of a node, and should be component " + std::to_string(dof % b) +
            (all.component_of_dof[dof] == dof % b ? " of another one" : "") +
            ". Call DoFRenumbering::support_point_wise(dof_handler) after "
            "distribute_dofs().");
        for (unsigned int d = 0; d < dim; ++d)
          result[dof / b * dim + d] = all.points[std::size_t(node) * dim + d];
      }
    return result;
  }



  template <int dim>
  std::vector<Vector<double>>
  rigid_body_modes(const Mapping<dim>    &mapping,
                   const DoFHandler<dim> &dof_handler)
  {
    check(dof_handler);
    if (dof_handler.get_fe().n_components() != dim)
      throw InputError(
        "Rigid-body modes are displacements, of " + std::to_string(dim) +
        " components; the element " + dof_handler.get_fe().get_name() +
        " has " + std::to_string(dof_handler.get_fe().n_components()) + ".");
    const AllNodes<dim>      all(mapping, dof_handler);
    const amg::NearNullSpace B =
      amg::rigid_body_modes(sparse::IndexLayout(all.n_nodes), dim, all.points);
    std::vector<Vector<double>> result(B.n_modes(),
                                       Vector<double>(
                                         static_cast<Vector<double>::size_type>(
                                           dof_handler.n_dofs())));
    for (types::global_dof_index dof = 0; dof < dof_handler.n_dofs(); ++dof)
      for (int mode = 0; mode < B.n_modes(); ++mode)
        result[mode][dof] = B.data()[(std::size_t(all.node_of_dof[dof]) * dim +
                                      all.component_of_dof[dof]) *
                                       B.n_modes() +
                                     mode];
    return result;
  }



#define TESSERA_INSTANTIATE_COPIES(dim, VectorType)                         \
  template void NodeBlocks<dim>::copy(const VectorType &,                   \
                                      sparse::BlockVector<double> &) const; \
  template void NodeBlocks<dim>::copy(const sparse::BlockVector<double> &,  \
                                      const AffineConstraints<double> &,    \
                                      VectorType &) const;
#define TESSERA_INSTANTIATE(dim)                                                  \
  template class NodeBlocks<dim>;                                                 \
  TESSERA_INSTANTIATE_COPIES(dim, Vector<double>)                                 \
  TESSERA_INSTANTIATE_COPIES(dim, LinearAlgebra::distributed::Vector<double>)     \
  template std::vector<double>         node_coordinates(const Mapping<dim> &,     \
                                                        const DoFHandler<dim> &); \
  template std::vector<Vector<double>> rigid_body_modes(                          \
    const Mapping<dim> &, const DoFHandler<dim> &);
  TESSERA_INSTANTIATE(2)
  TESSERA_INSTANTIATE(3)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_COPIES
} // namespace tessera::dealii_adapters
