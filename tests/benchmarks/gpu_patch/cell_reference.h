// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_cell_reference_h
#define tessera_tests_benchmarks_gpu_patch_cell_reference_h

#include <tessera/cellwise/reference_cell.h>

#include <vector>

namespace benchmark
{
  /** $A_K u$ of a cell with equal weights s in three dimensions, by the
   * definition: sums over all pairs of nodes, in double.
   * @param[in] u (degree+1)^3 values. */
  inline std::vector<double>
  apply_cell_laplacian_densely(const tessera::cellwise::ReferenceCell &cell,
                               const double                            s,
                               const double                           *u)
  {
    const tessera::DenseMatrix &M = cell.mass, &K = cell.stiffness;
    const int                   q = cell.n_nodes, n_nodes = q * q * q;
    std::vector<double>         v(n_nodes, 0.);
    for (int k = 0; k < n_nodes; ++k)
      for (int l = 0; l < n_nodes; ++l)
        {
          const int x = k % q, y = k / q % q, z = k / (q * q);
          const int i = l % q, j = l / q % q, m = l / (q * q);
          v[k] += s *
                  (M(z, m) * M(y, j) * K(x, i) + M(z, m) * K(y, j) * M(x, i) +
                   K(z, m) * M(y, j) * M(x, i)) *
                  u[l];
        }
    return v;
  }
} // namespace benchmark

#endif
