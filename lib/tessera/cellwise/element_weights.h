// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_element_weights_h
#define tessera_cellwise_element_weights_h

#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/reference_cell.h>

#include <array>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    /**
     * The weights of the element matrix of $-\Delta u + c\,u$ on a box cell,
     * $$ A_K = s_z\, K \otimes M \otimes M + s_y\, M \otimes K \otimes M
     *        + s_x\, M \otimes M \otimes K + m\, M \otimes M \otimes M, $$
     * with the matrices of ReferenceCell, $s_d = \prod_e h_e / h_d^2$ and
     * $m = c \prod_e h_e$. In the eigenbasis of a cell, and in that of a patch
     * or of a row of cells, the mass matrix is the identity: m is added to all
     * eigenvalues.
     */
    template <int dim>
    struct ElementWeights
    {
      /** Of the Laplacian alone, if mass is left out. */
      ElementWeights(const std::array<double, dim> &stiffness_weights,
                     const double                   mass_weight = 0.)
        : stiffness(stiffness_weights)
        , mass(mass_weight)
      {}

      std::array<double, dim> stiffness; ///< $s_d$
      double                  mass;      ///< m
    };

    /** Those of the cells of a grid; @p reaction is c. */
    template <int dim>
    ElementWeights<dim>
    element_weights(const CellGrid<dim> &grid, const double reaction)
    {
      ElementWeights<dim> weights(grid.stiffness_weights(), reaction);
      for (const double h : grid.description().cell_size)
        weights.mass *= h;
      return weights;
    }

    /** The diagonal of $\Lambda_K$, sums over directions for all q^dim modes of
     * a cell and the weight of the mass matrix. */
    template <int dim>
    std::vector<double>
    cell_eigenvalues(const ReferenceCell       &cell,
                     const ElementWeights<dim> &weights)
    {
      const int           q = cell.n_nodes;
      std::vector<double> sums(power(q, dim), weights.mass);
      for (int k = 0; k < power(q, dim); ++k)
        for (int d = 0, rest = k; d < dim; ++d, rest /= q)
          sums[k] += weights.stiffness[d] * cell.eigenvalues[rest % q];
      return sums;
    }
  } // namespace cellwise
} // namespace tessera

#endif
