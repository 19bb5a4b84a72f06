// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/level_tables.h>
#include <tessera/patch/patch_tables.h>
#include <tessera/patch/table_packer.h>

namespace tessera
{
  namespace patch
  {
    template <int dim, typename Number>
    LevelTables<dim, Number>::LevelTables(
      const cellwise::ReferenceCell       &cell,
      const PatchMatrices                 &patch_matrices,
      const cellwise::ElementWeights<dim> &weights)
    {
      TablePacker<Number> packer(entries);
      add_patch_tables<dim>(
        packer, patch_tables, cell, patch_matrices, weights);
      for (int c = 0; c < 2; ++c)
        {
          packer.add(transfer_tables.modal_embedding[c],
                     cell.modal_embedding[c]);
          packer.add(transfer_tables.embedding[c], cell.embedding[c]);
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
