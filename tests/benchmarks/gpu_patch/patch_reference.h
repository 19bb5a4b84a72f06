// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_gpu_patch_patch_reference_h
#define tessera_tests_benchmarks_gpu_patch_patch_reference_h

#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/patch_matrices.h>
#include <tessera/patch/patch_schedule.h>

#include <cstddef>
#include <vector>

namespace benchmark
{
  /**
   * Cells and patches of degree 3 in three dimensions by their definitions:
   * sums over all pairs of nodes, in double, on the host. What kernels are
   * compared with. Values of a cell are x fastest.
   */
  class PatchReference
  {
  public:
    static constexpr int p       = 3;
    static constexpr int q       = 4;
    static constexpr int n_nodes = 64;
    static constexpr int n_modes = 27; ///< and nodes that are not on the rim

    /** @param[in] s The weight of the element matrix, in all directions. */
    explicit PatchReference(const double s)
      : weight(s)
      , cell(p)
      , matrices(cell)
    {}

    /** $A_K u$. */
    std::vector<double>
    apply_laplacian(const double *u) const
    {
      const tessera::DenseMatrix &M = cell.mass, &K = cell.stiffness;
      std::vector<double>         v(n_nodes, 0.);
      for (int k = 0; k < n_nodes; ++k)
        for (int l = 0; l < n_nodes; ++l)
          {
            const int x = k % q, y = k / q % q, z = k / (q * q);
            const int i = l % q, j = l / q % q, m = l / (q * q);
            v[k] += weight *
                    (M(z, m) * M(y, j) * K(x, i) + M(z, m) * K(y, j) * M(x, i) +
                     K(z, m) * M(y, j) * M(x, i)) *
                    u[l];
          }
      return v;
    }

    /** Nodal values of a functional from those in the eigenbasis of the cell,
     * $(S^{-T})^{\otimes} \hat b$. */
    std::vector<double>
    to_nodes(const double *modes) const
    {
      const tessera::DenseMatrix &S = cell.inverse_eigenvectors;
      std::vector<double>         b(n_nodes, 0.);
      for (int k = 0; k < n_nodes; ++k)
        for (int l = 0; l < n_nodes; ++l)
          b[k] += S(l % q, k % q) * S(l / q % q, k / q % q) *
                  S(l / (q * q), k / (q * q)) * modes[l];
      return b;
    }

    /** The node of a cell that is number m of those not on the rim: 1 ... 3 of
     * lower, 0 ... 2 of upper cells.
     * @param[in] lane Of the cell in the patch, bit d for direction d. */
    static int
    inner_node(const int lane, const int m)
    {
      int node = 0;
      for (int d = 0, stride = 1, i = m; d < 3; ++d, stride *= q, i /= p)
        node += (i % p + ((lane >> d & 1) != 0 ? 0 : 1)) * stride;
      return node;
    }

    /** $A_v^{-1} R r$.
     * @param[in] r [8][64] residuals of the cells.
     * @return [8][27]. */
    std::vector<double>
    correction(const std::vector<double> &r) const
    {
      // Of mode i of the group a, at node j of the cell b.
      const auto F = [&](const int a, const int i, const int b, const int j) {
        double product = 1.;
        for (int d = 0, k = 1; d < 3; ++d, k *= p)
          product *=
            matrices.nodal[a >> d & 1][b >> d & 1](i / k % p, j / k % p);
        return product;
      };
      std::vector<double> c(8 * n_modes, 0.);
      for (int a = 0; a < 8; ++a)
        for (int i = 0; i < n_modes; ++i)
          {
            double mode = 0., eigenvalue = 0.;
            for (int b = 0; b < 8; ++b)
              for (int j = 0; j < n_modes; ++j)
                mode += F(a, i, b, j) * r[b * n_nodes + inner_node(b, j)];
            for (int d = 0, k = 1; d < 3; ++d, k *= p)
              eigenvalue +=
                weight * matrices.eigenvalues[(a >> d & 1) * p + i / k % p];
            for (int b = 0; b < 8; ++b)
              for (int j = 0; j < n_modes; ++j)
                c[b * n_modes + j] += F(a, i, b, j) * mode / eigenvalue;
          }
      return c;
    }

    /** Update patches one after the other.
     * @param[in,out] u [cell][64].
     * @param[in] b [cell][64], nodal.
     * @param[in] cells [patch][8]. */
    void
    update(std::vector<double>                             &u,
           const std::vector<double>                       &b,
           const std::vector<tessera::cellwise::CellIndex> &cells) const
    {
      for (std::size_t first = 0; first < cells.size(); first += 8)
        {
          std::vector<double> r;
          for (int c = 0; c < 8; ++c)
            {
              const std::size_t begin = std::size_t(cells[first + c]) * n_nodes;
              const std::vector<double> Au = apply_laplacian(u.data() + begin);
              for (int k = 0; k < n_nodes; ++k)
                r.push_back(b[begin + k] - Au[k]);
            }
          const std::vector<double> x = correction(r);
          for (int c = 0; c < 8; ++c)
            for (int m = 0; m < n_modes; ++m)
              u[std::size_t(cells[first + c]) * n_nodes + inner_node(c, m)] +=
                x[c * n_modes + m];
        }
    }

    double                           weight;
    tessera::cellwise::ReferenceCell cell;
    tessera::patch::PatchMatrices    matrices;
  };
} // namespace benchmark

#endif
