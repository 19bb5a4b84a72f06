// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/variant_tables.h>

namespace tessera
{
  namespace patch
  {
    void
    add_variant_tables(TablePacker<float>            &packer,
                       VariantTables<float>          &tables,
                       const cellwise::ReferenceCell &cell,
                       const PatchMatrices           &matrices,
                       const std::array<double, 3>   &weights)
    {
      TESSERA_ASSERT(cell.degree == 3, "the variants are of degree 3");
      add_patch_tables(packer, tables.patch, cell, matrices, weights);
      packer.add(tables.transposed_eigenvectors, transpose(cell.eigenvectors));
      packer.add(tables.mass, cell.mass);
      for (int d = 0; d < 3; ++d)
        {
          DenseMatrix scaled = cell.stiffness;
          for (int i = 0; i < cell.n_nodes; ++i)
            for (int j = 0; j < cell.n_nodes; ++j)
              scaled(i, j) *= weights[d];
          packer.add(tables.scaled_stiffness[d], scaled);
        }
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          {
            packer.add(tables.nodal_forward[a][b], matrices.nodal[a][b]);
            packer.add(tables.modal_forward[a][b], matrices.modal[a][b]);
            packer.add(tables.backward[b][a], transpose(matrices.nodal[a][b]));
          }
    }
  } // namespace patch
} // namespace tessera
