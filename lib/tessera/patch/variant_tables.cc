// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/patch_tables.h>
#include <tessera/patch/table_packer.h>
#include <tessera/patch/variant_tables.h>

namespace tessera
{
  namespace patch
  {
    VariantTablesOfLevel::VariantTablesOfLevel(
      const cellwise::ReferenceCell &cell,
      const PatchMatrices           &matrices,
      const std::array<double, 3>   &weights)
    {
      VariantTables<float> &t = variant_tables;
      TESSERA_ASSERT(cell.degree == 3, "the variants are of degree 3");
      TablePacker<float> packer(entries);
      add_patch_tables<3>(packer, t.patch, cell, matrices, weights);
      packer.add(t.transposed_eigenvectors, transpose(cell.eigenvectors));
      packer.add(t.mass, cell.mass);
      for (int d = 0; d < 3; ++d)
        {
          DenseMatrix scaled = cell.stiffness;
          for (int i = 0; i < cell.n_nodes; ++i)
            for (int j = 0; j < cell.n_nodes; ++j)
              scaled(i, j) *= weights[d];
          packer.add(t.scaled_stiffness[d], scaled);
        }
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          {
            packer.add(t.nodal_forward[a][b], matrices.nodal[a][b]);
            packer.add(t.modal_forward[a][b], matrices.modal[a][b]);
            packer.add(t.backward[b][a], transpose(matrices.nodal[a][b]));
          }
      packer.pack();
    }



    const VariantTables<float> &
    VariantTablesOfLevel::tables() const
    {
      return variant_tables;
    }
  } // namespace patch
} // namespace tessera
