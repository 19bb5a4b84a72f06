// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/level.h>

namespace tessera
{
  namespace patch
  {
    using cellwise::BoundaryCondition;
    using cellwise::no_cell;
    using cellwise::power;

    namespace
    {
      /** Children of all cells of the grid with half as many cells a
       * direction; empty if there is none. */
      template <int dim>
      std::vector<CellIndex>
      find_children(const cellwise::CellGrid<dim> &fine)
      {
        cellwise::GridDescription<dim> box = fine.description();
        for (int d = 0; d < dim; ++d)
          {
            if (box.n_cells[d] % 2 != 0)
              return {};
            box.n_cells[d] /= 2;
          }
        const cellwise::CellGrid<dim> coarse(box);
        std::vector<CellIndex>        children;
        children.reserve(std::size_t(coarse.n_local()) << dim);
        for (CellIndex parent = 0; parent < coarse.n_local(); ++parent)
          for (int child = 0; child < (1 << dim); ++child)
            {
              auto c = coarse.coordinates(parent);
              for (int d = 0; d < dim; ++d)
                c[d] = 2 * c[d] + ((child >> d) & 1);
              children.push_back(fine.find(c));
              TESSERA_ASSERT(children.back() != no_cell,
                             "all children are here");
            }
        return children;
      }
    } // namespace



    template <int dim, typename Number>
    Level<dim, Number>::Level(const cellwise::CellGrid<dim> &grid,
                              const cellwise::ReferenceCell &cell,
                              const PatchMatrices           &patch_matrices,
                              const std::array<double, dim> &s,
                              const ColourOrder              order,
                              const Traversal                traversal)
      : u(grid.n_local(), power(cell.n_nodes, dim))
      , b(grid.n_local(), power(cell.n_nodes, dim))
      , degree(cell.degree)
      , cells(grid)
      , weights(s)
      , schedule(grid, order, traversal)
      , tables(cell, patch_matrices, weights)
      , children(find_children(grid))
    {}



    template <int dim, typename Number>
    void
    Level<dim, Number>::sweep(const bool reversed)
    {
      const PatchList patches = {schedule.cells().data(),
                                 schedule.runs().data(),
                                 schedule.runs().size(),
                                 reversed};
      TESSERA_CALL_SIMD(
        sweep<dim>(degree, u.data(), b.data(), patches, tables.patch()));
    }



    template <int dim, typename Number>
    void
    Level<dim, Number>::restrict_residual_to(Level &coarse) const
    {
      TESSERA_ASSERT(children.size() ==
                       (std::size_t(coarse.cells.n_local()) << dim),
                     "the other level is the next coarser one");
      TESSERA_CALL_SIMD(restrict_residual<dim>(degree,
                                               coarse.b.data(),
                                               u.data(),
                                               b.data(),
                                               children.data(),
                                               coarse.cells.n_local(),
                                               tables.transfer()));
    }



    template <int dim, typename Number>
    void
    Level<dim, Number>::prolongate_and_add_from(const Level &coarse)
    {
      TESSERA_ASSERT(children.size() ==
                       (std::size_t(coarse.cells.n_local()) << dim),
                     "the other level is the next coarser one");
      TESSERA_CALL_SIMD(prolongate_and_add<dim>(degree,
                                                u.data(),
                                                coarse.u.data(),
                                                children.data(),
                                                coarse.cells.n_local(),
                                                tables.transfer()));
    }



    template <int dim, typename Number>
    const cellwise::CellGrid<dim> &
    Level<dim, Number>::grid() const
    {
      return cells;
    }



    template <int dim, typename Number>
    const std::array<double, dim> &
    Level<dim, Number>::stiffness_weights() const
    {
      return weights;
    }



    template <int dim, typename Number>
    std::size_t
    Level<dim, Number>::n_patches() const
    {
      return schedule.n_patches();
    }



    template <int dim, typename Number>
    bool
    Level<dim, Number>::is_single_patch() const
    {
      const auto &box = cells.description();
      for (int d = 0; d < dim; ++d)
        for (int end = 0; end < 2; ++end)
          if (box.n_cells[d] != 2 ||
              box.boundary[d][end] != BoundaryCondition::dirichlet)
            return false;
      return true;
    }



    template <int dim, typename Number>
    std::size_t
    Level<dim, Number>::memory_consumption() const
    {
      return u.memory_consumption() + b.memory_consumption() +
             schedule.memory_consumption() + tables.memory_consumption() +
             children.capacity() * sizeof(CellIndex);
    }



    template class Level<2, float>;
    template class Level<2, double>;
    template class Level<3, float>;
    template class Level<3, double>;
  } // namespace patch
} // namespace tessera
