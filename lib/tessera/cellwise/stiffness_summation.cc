// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/stiffness_summation.h>

#include <algorithm>
#include <utility>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      // Pairs are scheduled in pieces of so many: enough to be worth the
      // bookkeeping, few enough to stay in cache between axes.
      constexpr CellIndex max_length = cells_per_block;

      /** All pairs of cells of the process that are neighbours along an axis,
       * in pieces that are contiguous on both sides. */
      template <int dim>
      std::vector<CellPairs>
      neighbours(const CellGrid<dim> &grid, const int axis)
      {
        std::vector<CellPairs> pairs;
        for (CellIndex lower = 0; lower < grid.n_local(); ++lower)
          {
            auto position = grid.coordinates(lower);
            ++position[axis];
            const CellIndex upper = grid.find(position);
            if (upper == no_cell)
              continue;
            if (!pairs.empty() && pairs.back().length < max_length &&
                pairs.back().lower + pairs.back().length == lower &&
                pairs.back().upper + pairs.back().length == upper)
              ++pairs.back().length;
            else
              pairs.push_back({lower, upper, 1, axis});
          }
        return pairs;
      }

      /**
       * Order pieces, given axis by axis, so that the axes of a cell come one
       * after the other as soon as possible, while its values are in cache:
       * each piece is due when the cells in it are done with the axis before.
       */
      std::vector<CellPairs>
      schedule(const CellIndex                            n_cells,
               const std::vector<std::vector<CellPairs>> &axes)
      {
        std::vector<CellIndex> done(n_cells);
        for (CellIndex c = 0; c < n_cells; ++c)
          done[c] = c;
        std::vector<std::pair<CellIndex, CellPairs>> due;
        for (const std::vector<CellPairs> &axis : axes)
          {
            std::vector<CellIndex> done_next = done;
            for (const CellPairs &p : axis)
              {
                CellIndex time = 0;
                for (const CellIndex first : {p.lower, p.upper})
                  time = std::max(time,
                                  *std::max_element(done.begin() + first,
                                                    done.begin() + first +
                                                      p.length));
                due.emplace_back(time, p);
                for (const CellIndex first : {p.lower, p.upper})
                  for (CellIndex c = first; c < first + p.length; ++c)
                    done_next[c] = std::max(done_next[c], time);
              }
            done.swap(done_next);
          }
        // Stable: of what is due at the same time, the earlier axis is first.
        std::stable_sort(due.begin(),
                         due.end(),
                         [](const auto &a, const auto &b) {
                           return a.first < b.first;
                         });
        std::vector<CellPairs> pairs;
        for (const auto &[time, p] : due)
          pairs.push_back(p);
        return pairs;
      }
    } // namespace



    template <int dim>
    StiffnessSummation<dim>::StiffnessSummation(const CellGrid<dim> &grid,
                                                const int            degree)
      : n_nodes(power(degree + 1, dim))
    {
      const int                           q = degree + 1;
      std::vector<std::vector<CellPairs>> axes;
      for (int d = 0; d < dim; ++d)
        {
          const int stride = power(q, d);
          for (int k = 0; k < n_nodes; ++k)
            if (k / stride % q == 0)
              lower_face[d].push_back(k);
          face_distance[d] = degree * stride;
          axes.push_back(neighbours(grid, d));
        }
      pairs = schedule(grid.n_local(), axes);
    }



    template <int dim>
    void
    StiffnessSummation<dim>::combine(double *r, const double factor) const
    {
      std::array<FaceNodes, dim> faces;
      for (int d = 0; d < dim; ++d)
        faces[d] = {lower_face[d].data(),
                    int(lower_face[d].size()),
                    face_distance[d]};
      TESSERA_CALL_SIMD(combine_copies(
        r, n_nodes, factor, pairs.data(), pairs.size(), faces.data()));
    }



    template <int dim>
    void
    StiffnessSummation<dim>::rebalance(DualField<double> &r) const
    {
      TESSERA_ASSERT(r.n_nodes() == n_nodes, "a field of this degree");
      combine(r.data(), 0.5);
    }



    template <int dim>
    void
    StiffnessSummation<dim>::sum(DualField<double> &r) const
    {
      TESSERA_ASSERT(r.n_nodes() == n_nodes, "a field of this degree");
      combine(r.data(), 1.);
    }



    template <int dim>
    void
    StiffnessSummation<dim>::average(PrimalField<double> &u) const
    {
      TESSERA_ASSERT(u.n_nodes() == n_nodes, "a field of this degree");
      combine(u.data(), 0.5);
    }



    template class StiffnessSummation<2>;
    template class StiffnessSummation<3>;
  } // namespace cellwise
} // namespace tessera
