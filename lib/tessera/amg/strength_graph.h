// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_strength_graph_h
#define tessera_amg_strength_graph_h

#include <tessera/amg/inactive_components.h>
#include <tessera/amg/options.h>
#include <tessera/sparse/block_matrix.h>

#include <cstdint>
#include <vector>

namespace tessera
{
  namespace amg
  {
    /**
     * The nodes that are strongly connected: compressed rows, neighbours
     * ascending, each node with itself and only with itself where it is in no
     * aggregate.
     */
    struct StrengthGraph
    {
      sparse::IndexLayout             nodes;
      std::vector<std::int64_t>       begin;      ///< [n_owned + 1]
      std::vector<sparse::LocalIndex> neighbours; ///< local indices
      std::vector<float>              weights;    ///< $g_{ij}$, scaled

      sparse::LocalIndex
      n_nodes() const
      {
        return nodes.n_owned();
      }
    };

    /**
     * $g_{ij} = \sum_{rc} |(A_{ij})_{rc}|$ over components that are not
     * inactive, divided by $\sqrt{g_{ii} g_{jj}}$; neighbours are those with
     * $g_{ij} > \theta (1 + 10^{-10})$ (symmetric meshes have many ties), or
     * $g_{ji}$, so that the graph is symmetric where the pattern of A is.
     *
     * Or the same with $g_{ij} = c_{ij} / \max_{k \ne i} c_{ik}$,
     * $c_{ij} = \max(0, -\sum_r (A_{ij})_{rr})$, see StrengthMeasure.
     *
     * Cost: one pass over A.
     */
    StrengthGraph
    strength_graph(const sparse::BlockMatrix<double> &A,
                   const InactiveComponents          &inactive,
                   double                             threshold,
                   StrengthMeasure measure = StrengthMeasure::block_norms);
  } // namespace amg
} // namespace tessera

#endif
