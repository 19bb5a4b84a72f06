// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/dealii/balanced_copies.h>
#include <tessera/dealii/compatibility.h>

#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;
  using cellwise::CellIndex;

  namespace
  {
    /** Call @p action for each face that node k of a cell is on and that is in
     * the set @p faces, where bit 2 d + end stands for an end of direction d.
     */
    template <int dim, typename Action>
    void
    for_each_face_of_node(const unsigned int faces,
                          const int          k,
                          const int          degree,
                          const Action      &action)
    {
      for (int d = 0, rest = k; d < dim; ++d, rest /= degree + 1)
        for (int end = 0; end < 2; ++end)
          if ((faces & (1U << (2 * d + end))) != 0 &&
              rest % (degree + 1) == end * degree)
            action();
    }

    /** $1/D$: every face that a node is on doubles the number of its copies if
     * there is a cell beyond it. */
    template <int dim>
    std::vector<double>
    shares_of_nodes(const unsigned int inner_faces, const int degree)
    {
      std::vector<double> shares(cellwise::power(degree + 1, dim), 1.);
      for (int k = 0; k < int(shares.size()); ++k)
        for_each_face_of_node<dim>(inner_faces, k, degree, [&] {
          shares[k] *= 0.5;
        });
      return shares;
    }

    template <typename Number>
    void
    forget_ghost_values(LinearAlgebra::distributed::Vector<Number> &vector)
    {
      vector.zero_out_ghost_values();
    }

    void
    forget_ghost_values(Vector<double> &)
    {}
  } // namespace



  template <int dim>
  BalancedCopies<dim>::BalancedCopies(const DoFHandler<dim> &dof_handler,
                                      const BoxMesh<dim>    &mesh,
                                      const cellwise::CellGrid<dim> &cells)
    : n_cells(cells.n_owned())
  {
    const CellwiseDoFs<dim> dofs(dof_handler, mesh, cells);
    degree_of_element = dofs.degree();
    nodes_of_cell     = dofs.n_nodes();

    std::vector<types::global_dof_index> wanted;
    wanted.reserve(std::size_t(n_cells) * nodes_of_cell);
    for (CellIndex cell = 0; cell < n_cells; ++cell)
      wanted.insert(wanted.end(),
                    dofs.dof_indices(cell),
                    dofs.dof_indices(cell) + nodes_of_cell);
    IndexSet relevant(dof_handler.n_dofs());
    {
      std::vector<types::global_dof_index> sorted = wanted;
      std::sort(sorted.begin(), sorted.end());
      relevant.add_indices(sorted.begin(),
                           std::unique(sorted.begin(), sorted.end()));
      relevant.compress();
    }
    residual.reinit(dof_handler.locally_owned_dofs(),
                    relevant,
                    dealii_compatibility::get_mpi_communicator(dof_handler));

    const auto &partitioner = *residual.get_partitioner();
    indices.reserve(wanted.size());
    for (const types::global_dof_index i : wanted)
      indices.push_back(partitioner.global_to_local(i));

    const auto &box = cells.description();
    shares.resize(1U << (2 * dim));
    inner_faces.resize(n_cells);
    for (CellIndex cell = 0; cell < n_cells; ++cell)
      {
        const auto   c     = cells.coordinates(cell);
        unsigned int inner = 0, dirichlet = 0;
        for (int d = 0; d < dim; ++d)
          for (int end = 0; end < 2; ++end)
            if (c[d] != (end == 0 ? 0 : box.n_cells[d] - 1))
              inner |= 1U << (2 * d + end);
            else if (box.boundary[d][end] ==
                     cellwise::BoundaryCondition::dirichlet)
              dirichlet |= 1U << (2 * d + end);
        inner_faces[cell] = static_cast<unsigned char>(inner);
        if (shares[inner].empty())
          shares[inner] = shares_of_nodes<dim>(inner, degree_of_element);
        if (dirichlet != 0)
          for (int k = 0; k < nodes_of_cell; ++k)
            for_each_face_of_node<dim>(dirichlet, k, degree_of_element, [&] {
              const unsigned int i =
                indices[std::size_t(cell) * nodes_of_cell + k];
              if (i < residual.locally_owned_size())
                dirichlet_dofs.push_back(i);
              else
                dirichlet_ghosts.push_back(i);
            });
      }
    for (auto *list : {&dirichlet_dofs, &dirichlet_ghosts})
      {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
      }
  }



  template <int dim>
  int
  BalancedCopies<dim>::degree() const
  {
    return degree_of_element;
  }



  template <int dim>
  types::global_dof_index
  BalancedCopies<dim>::n_dofs() const
  {
    return residual.size();
  }



  template <int dim>
  const IndexSet &
  BalancedCopies<dim>::locally_owned_dofs() const
  {
    return residual.get_partitioner()->locally_owned_range();
  }



  template <int dim>
  template <typename VectorType>
  double
  BalancedCopies<dim>::read(const VectorType &v)
  {
    TESSERA_ASSERT(v.locally_owned_elements() == locally_owned_dofs(),
                   "a vector of this DoFHandler");
    const std::size_t n      = residual.locally_owned_size();
    const auto *const source = v.begin();
    double *const     target = residual.begin();
    for (std::size_t i = 0; i < n; ++i)
      target[i] = source[i];
    for (const unsigned int i : dirichlet_dofs)
      target[i] = 0.;
    double max = 0.;
    for (std::size_t i = 0; i < n; ++i)
      max = std::max(max, std::abs(target[i]));
    return max;
  }



  template <int dim>
  void
  BalancedCopies<dim>::distribute(cellwise::DualField<double> &r)
  {
    TESSERA_ASSERT(r.n_cells() >= n_cells && r.n_nodes() == nodes_of_cell,
                   "a field of these cells");
    residual.update_ghost_values();
    const double *const v = residual.begin();
    for (CellIndex cell = 0; cell < n_cells; ++cell)
      {
        const unsigned int *const index =
          indices.data() + std::size_t(cell) * nodes_of_cell;
        const double *const share = shares[inner_faces[cell]].data();
        for (int k = 0; k < nodes_of_cell; ++k)
          r(cell, k) = share[k] * v[index[k]];
      }
    residual.zero_out_ghost_values();
  }



  template <int dim>
  template <typename VectorType, typename Number>
  void
  BalancedCopies<dim>::collect(VectorType                          &z,
                               const double                         a,
                               const cellwise::PrimalField<Number> &u,
                               const VectorType                    &v) const
  {
    TESSERA_ASSERT(u.n_cells() >= n_cells && u.n_nodes() == nodes_of_cell,
                   "a field of these cells");
    using Target = typename VectorType::value_type;
    forget_ghost_values(z);
    const std::size_t   n_owned = residual.locally_owned_size();
    Target *const       target  = z.begin();
    const unsigned int *index   = indices.data();
    for (CellIndex cell = 0; cell < n_cells; ++cell)
      for (int k = 0; k < nodes_of_cell; ++k, ++index)
        if (*index < n_owned)
          target[*index] = Target(a * double(u(cell, k)));
    for (const unsigned int i : dirichlet_dofs)
      target[i] = v.begin()[i];
  }



  template <int dim>
  cellwise::DoFCopies
  BalancedCopies<dim>::lists(const Communicator &communicator) const
  {
    communicator.collectively([&] {
      if (indices.size() > cellwise::no_copy)
        throw InputError(
          "A rank has cells with " + std::to_string(indices.size()) +
          " values, more than a device is given: " +
          std::to_string(cellwise::no_copy) + ". Use more ranks.");
    });

    cellwise::DoFCopies result;
    result.degree  = degree_of_element;
    result.n_nodes = nodes_of_cell;
    result.n_cells = n_cells;

    const auto &partitioner = *residual.get_partitioner();
    const auto  n_owned     = residual.locally_owned_size();
    // deal.II numbers the degrees of freedom of a rank after those of the
    // previous one.
    std::vector<std::uint64_t> first_of_ranks = {0};
    for (const std::uint64_t n :
         communicator.all_gather(std::uint64_t(n_owned)))
      first_of_ranks.push_back(first_of_ranks.back() + n);
    std::vector<std::uint64_t> ghosts;
    for (const types::global_dof_index i : partitioner.ghost_indices())
      ghosts.push_back(i);
    result.plan =
      ExchangePlan(communicator, n_owned, locate_items(first_of_ranks, ghosts));

    result.inner_faces = inner_faces;
    result.dof_of_copy = indices;
    result.copy_of_dof.resize(n_owned);
    std::vector<char> is_dirichlet(n_owned + ghosts.size(), 0);
    for (const auto *list : {&dirichlet_dofs, &dirichlet_ghosts})
      for (const unsigned int i : *list)
        is_dirichlet[i] = 1;
    for (std::size_t copy = 0; copy < indices.size(); ++copy)
      {
        const unsigned int i = indices[copy];
        if (is_dirichlet[i])
          result.dof_of_copy[copy] = cellwise::no_dof;
        if (i < n_owned)
          result.copy_of_dof[i] =
            is_dirichlet[i] ? cellwise::no_copy : (unsigned int)(copy);
      }
    return result;
  }



  template <int dim>
  std::size_t
  BalancedCopies<dim>::memory_consumption() const
  {
    std::size_t bytes =
      residual.memory_consumption() + indices.capacity() * sizeof(indices[0]) +
      inner_faces.capacity() +
      (dirichlet_dofs.capacity() + dirichlet_ghosts.capacity()) *
        sizeof(dirichlet_dofs[0]);
    for (const auto &values : shares)
      bytes += sizeof(values) + values.capacity() * sizeof(double);
    return bytes;
  }



  template class BalancedCopies<2>;
  template class BalancedCopies<3>;

#define TESSERA_INSTANTIATE_COLLECT(dim, VectorType, Number) \
  template void BalancedCopies<dim>::collect(                \
    VectorType &,                                            \
    double,                                                  \
    const cellwise::PrimalField<Number> &,                   \
    const VectorType &) const;
#define TESSERA_INSTANTIATE(dim, VectorType)                     \
  template double BalancedCopies<dim>::read(const VectorType &); \
  TESSERA_INSTANTIATE_COLLECT(dim, VectorType, float)            \
  TESSERA_INSTANTIATE_COLLECT(dim, VectorType, double)
  TESSERA_INSTANTIATE(2, Vector<double>)
  TESSERA_INSTANTIATE(2, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(2, LinearAlgebra::distributed::Vector<float>)
  TESSERA_INSTANTIATE(3, Vector<double>)
  TESSERA_INSTANTIATE(3, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(3, LinearAlgebra::distributed::Vector<float>)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_COLLECT
} // namespace tessera::dealii_adapters
