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
      /** Digit d of k in base n. */
      int
      digit(int k, const int n, int d)
      {
        while (d-- > 0)
          k /= n;
        return k % n;
      }

      std::vector<double>
      entries_of(const DenseMatrix &A)
      {
        return {A.data(), A.data() + A.n_rows() * A.n_columns()};
      }

      /** $\Lambda_K$: sums over directions for all modes of a cell. */
      template <int dim>
      std::vector<double>
      cell_eigenvalues(const cellwise::ReferenceCell &cell,
                       const std::array<double, dim> &weights)
      {
        const int           q = cell.n_nodes;
        std::vector<double> sums(power(q, dim), 0.);
        for (std::size_t k = 0; k < sums.size(); ++k)
          for (int d = 0; d < dim; ++d)
            sums[k] += weights[d] * cell.eigenvalues[digit(int(k), q, d)];
        return sums;
      }

      /** See PatchTables::inverse_eigenvalues. */
      template <int dim>
      std::vector<double>
      inverse_patch_eigenvalues(const PatchMatrices           &matrices,
                                const int                      degree,
                                const std::array<double, dim> &weights)
      {
        std::vector<double> inverses;
        for (int mode = 0; mode < power(degree, dim); ++mode)
          for (int lane = 0; lane < (1 << dim); ++lane)
            {
              double sum = 0.;
              for (int d = 0; d < dim; ++d)
                sum +=
                  weights[d] * matrices.eigenvalues[((lane >> d) & 1) * degree +
                                                    digit(mode, degree, d)];
              inverses.push_back(1. / sum);
            }
        return inverses;
      }

      /** Tables one after the other in one array, each aligned. */
      template <typename Number>
      class TablePacker
      {
      public:
        explicit TablePacker(AlignedVector<Number> &packed)
          : entries(packed)
        {}

        /** Queue a table; @p place will point to it after pack(). */
        void
        add(const Number *&place, const std::vector<double> &table)
        {
          places.push_back({&place, values.size()});
          values.insert(values.end(), table.begin(), table.end());
          constexpr std::size_t alignment = memory_alignment / sizeof(Number);
          values.resize((values.size() + alignment - 1) / alignment *
                        alignment);
        }

        void
        pack()
        {
          entries.resize(values.size());
          for (std::size_t i = 0; i < values.size(); ++i)
            entries[i] = Number(values[i]);
          for (const auto &[place, offset] : places)
            *place = entries.data() + offset;
        }

      private:
        AlignedVector<Number>                               &entries;
        std::vector<double>                                  values;
        std::vector<std::pair<const Number **, std::size_t>> places;
      };

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
      , children(find_children(grid))
    {
      TablePacker<Number> packer(entries);
      packer.add(patch_tables.inverse_eigenvectors,
                 entries_of(cell.inverse_eigenvectors));
      packer.add(patch_tables.cell_eigenvalues,
                 cell_eigenvalues<dim>(cell, weights));
      packer.add(patch_tables.inverse_eigenvalues,
                 inverse_patch_eigenvalues<dim>(patch_matrices,
                                                degree,
                                                weights));
      for (int a = 0; a < 2; ++a)
        {
          packer.add(patch_tables.forward[a],
                     entries_of(patch_matrices.modal[a][a]));
          packer.add(patch_tables.backward[a],
                     entries_of(transpose(patch_matrices.nodal[a][a])));
          packer.add(transfer_tables.modal_embedding[a],
                     entries_of(cell.modal_embedding[a]));
          packer.add(transfer_tables.embedding[a],
                     entries_of(cell.embedding[a]));
        }
      packer.pack();
      transfer_tables.inverse_eigenvectors = patch_tables.inverse_eigenvectors;
      transfer_tables.cell_eigenvalues     = patch_tables.cell_eigenvalues;
    }



    template <int dim, typename Number>
    void
    Level<dim, Number>::sweep(const bool reversed)
    {
      const PatchList patches = {schedule.cells().data(),
                                 schedule.runs().data(),
                                 schedule.runs().size(),
                                 reversed};
      TESSERA_CALL_SIMD(
        sweep<dim>(degree, u.data(), b.data(), patches, patch_tables));
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
                                               transfer_tables));
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
                                                transfer_tables));
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
             schedule.memory_consumption() + entries.size_in_bytes() +
             children.capacity() * sizeof(CellIndex);
    }



    template class Level<2, float>;
    template class Level<2, double>;
    template class Level<3, float>;
    template class Level<3, double>;
  } // namespace patch
} // namespace tessera
