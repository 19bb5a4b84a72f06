// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/patch_tables.h>

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

      /** See PatchTables::inverse_eigenvalues. */
      template <int dim>
      std::vector<double>
      inverse_patch_eigenvalues(const PatchMatrices                 &matrices,
                                const int                            degree,
                                const cellwise::ElementWeights<dim> &weights)
      {
        std::vector<double> inverses;
        for (int mode = 0; mode < power(degree, dim); ++mode)
          for (int lane = 0; lane < (1 << dim); ++lane)
            {
              double sum = weights.mass;
              for (int d = 0; d < dim; ++d)
                sum += weights.stiffness[d] *
                       matrices.eigenvalues[((lane >> d) & 1) * degree +
                                            digit(mode, degree, d)];
              inverses.push_back(1. / sum);
            }
        return inverses;
      }
    } // namespace



    template <int dim, typename Number>
    void
    add_patch_tables(TablePacker<Number>                 &packer,
                     PatchTables<Number>                 &tables,
                     const cellwise::ReferenceCell       &cell,
                     const PatchMatrices                 &matrices,
                     const cellwise::ElementWeights<dim> &weights)
    {
      packer.add(tables.inverse_eigenvectors, cell.inverse_eigenvectors);
      packer.add(tables.cell_eigenvalues,
                 cellwise::cell_eigenvalues<dim>(cell, weights));
      packer.add(tables.inverse_eigenvalues,
                 inverse_patch_eigenvalues<dim>(matrices,
                                                cell.degree,
                                                weights));
      for (int a = 0; a < 2; ++a)
        {
          packer.add(tables.forward[a], matrices.modal[a][a]);
          packer.add(tables.backward[a], transpose(matrices.nodal[a][a]));
        }
    }



    template void
    add_patch_tables<2>(TablePacker<float> &,
                        PatchTables<float> &,
                        const cellwise::ReferenceCell &,
                        const PatchMatrices &,
                        const cellwise::ElementWeights<2> &);
    template void
    add_patch_tables<2>(TablePacker<double> &,
                        PatchTables<double> &,
                        const cellwise::ReferenceCell &,
                        const PatchMatrices &,
                        const cellwise::ElementWeights<2> &);
    template void
    add_patch_tables<3>(TablePacker<float> &,
                        PatchTables<float> &,
                        const cellwise::ReferenceCell &,
                        const PatchMatrices &,
                        const cellwise::ElementWeights<3> &);
    template void
    add_patch_tables<3>(TablePacker<double> &,
                        PatchTables<double> &,
                        const cellwise::ReferenceCell &,
                        const PatchMatrices &,
                        const cellwise::ElementWeights<3> &);
  } // namespace patch
} // namespace tessera
