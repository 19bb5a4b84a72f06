// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/dense_matrix.h>
#include <tessera/patch/level_tables.h>

#include <utility>
#include <vector>

namespace tessera
{
  namespace patch
  {
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
    } // namespace



    template <int dim, typename Number>
    LevelTables<dim, Number>::LevelTables(
      const cellwise::ReferenceCell &cell,
      const PatchMatrices           &patch_matrices,
      const std::array<double, dim> &weights)
    {
      TablePacker<Number> packer(entries);
      packer.add(patch_tables.inverse_eigenvectors,
                 entries_of(cell.inverse_eigenvectors));
      packer.add(patch_tables.cell_eigenvalues,
                 cell_eigenvalues<dim>(cell, weights));
      packer.add(patch_tables.inverse_eigenvalues,
                 inverse_patch_eigenvalues<dim>(patch_matrices,
                                                cell.degree,
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
    const PatchTables<Number> &
    LevelTables<dim, Number>::patch() const
    {
      return patch_tables;
    }



    template <int dim, typename Number>
    const TransferTables<Number> &
    LevelTables<dim, Number>::transfer() const
    {
      return transfer_tables;
    }



    template <int dim, typename Number>
    std::size_t
    LevelTables<dim, Number>::memory_consumption() const
    {
      return entries.size_in_bytes();
    }



    template class LevelTables<2, float>;
    template class LevelTables<2, double>;
    template class LevelTables<3, float>;
    template class LevelTables<3, double>;
  } // namespace patch
} // namespace tessera
