// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/sipg/coarse_solver.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/level_tables.h>
#include <tessera/sipg/operator_kernels.h>
#include <tessera/sipg/vector_kernels.h>

#include <cmath>
#include <string>
#include <vector>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** Constants on a part of the mesh without a Dirichlet face are in the
       * kernel of the operator. The pivots alone do not tell: that of a large
       * contrast of coefficients can be as small as round-off. */
      template <int dim>
      void
      check_dirichlet_faces(const LevelData<dim> &level)
      {
        std::vector<char>      is_reached(level.n_cells, 0);
        std::vector<CellIndex> to_visit;
        for (CellIndex first = 0; first < level.n_cells; ++first)
          {
            if (is_reached[first])
              continue;
            bool has_dirichlet_face = false;
            is_reached[first]       = 1;
            to_visit.push_back(first);
            while (!to_visit.empty())
              {
                const CellIndex c = to_visit.back();
                to_visit.pop_back();
                for (int axis = 0; axis < dim; ++axis)
                  for (int side = 0; side < 2; ++side)
                    {
                      const Neighbour beyond =
                        level.neighbour_of(c, axis, side);
                      if (beyond.kind == NeighbourKind::dirichlet)
                        has_dirichlet_face = true;
                      else if (beyond.kind == NeighbourKind::cell &&
                               !is_reached[beyond.index])
                        {
                          is_reached[beyond.index] = 1;
                          to_visit.push_back(beyond.index);
                        }
                    }
              }
            if (!has_dirichlet_face)
              throw InputError(
                "The part of the mesh with coarse cell " +
                std::to_string(first) +
                " has Neumann faces only: the solution is not unique. Give one "
                "of its faces a Dirichlet condition.");
          }
      }
    } // namespace



    template <int dim>
    CoarseSolver<dim>::CoarseSolver(const LevelData<dim>  &level,
                                    const ElementMatrices &matrices)
      : n_unknowns(std::size_t(level.n_cells) *
                   cellwise::power(matrices.n, dim))
      , n_cell_values(cellwise::power(matrices.n, dim))
      , block_size(level.block_size)
      , n_padded_cells(level.n_padded_cells)
    {
      if (n_unknowns > max_unknowns)
        throw InputError(
          "The coarse mesh has " + std::to_string(level.n_cells) +
          " cells of degree " + std::to_string(matrices.degree) + ": " +
          std::to_string(n_unknowns) +
          " unknowns, where the exact solver of "
          "the coarsest level takes " +
          std::to_string(max_unknowns) +
          " at most. Use fewer coarse cells and refine them more often.");
      check_dirichlet_faces(level);

      // Column by column, of which the lower part is kept.
      const LevelFlags<dim>            flags(level);
      const LevelMatrices<dim, double> rounded(level, matrices);
      AlignedVector<double>            unit(n_padded_cells * n_cell_values),
        column(n_padded_cells * n_cell_values);
      factor.resize_without_initialization(n_unknowns * (n_unknowns + 1) / 2);
      for (std::size_t j = 0; j < n_unknowns; ++j)
        {
          unit[position(j)] = 1.;
          TESSERA_CALL_SIMD(
            apply_own_side<dim>(matrices.degree,
                                FaceTerms::level,
                                flags.view(),
                                rounded.view(),
                                unit.data(),
                                static_cast<const double *>(nullptr),
                                column.data()));
          unit[position(j)] = 0.;
          for (std::size_t i = j; i < n_unknowns; ++i)
            factor[i * (i + 1) / 2 + j] = column[position(i)];
        }

      for (std::size_t i = 0; i < n_unknowns; ++i)
        {
          double *row_i = factor.data() + i * (i + 1) / 2;
          for (std::size_t j = 0; j <= i; ++j)
            {
              const double *row_j = factor.data() + j * (j + 1) / 2;
              const double  rest =
                row_i[j] - TESSERA_CALL_SIMD(dot(row_i, row_j, j));
              if (j < i)
                row_i[j] = rest * row_j[j];
              else if (rest > 1e-14 * row_i[i])
                row_i[i] = 1. / std::sqrt(rest);
              else if (!std::isfinite(rest))
                throw SolverBreakdown(
                  "The matrix of the coarsest level has numbers that are not "
                  "finite: cells or coefficients are too small or too large. "
                  "Use other units.");
              else
                throw SolverBreakdown(
                  "The matrix of the coarsest level is not positive definite "
                  "(pivot " +
                  std::to_string(rest) + " of unknown " + std::to_string(i) +
                  "): the penalty is too small. Use a penalty factor of 2.");
            }
        }
    }



    template <int dim>
    std::size_t
    CoarseSolver<dim>::position(const std::size_t unknown) const
    {
      return blocked_position(unknown / n_cell_values,
                              unknown % n_cell_values,
                              n_cell_values,
                              block_size);
    }



    template <int dim>
    template <typename T>
    void
    CoarseSolver<dim>::solve(const T *b, T *x) const
    {
      std::vector<double> y(n_unknowns);
      for (std::size_t i = 0; i < n_unknowns; ++i)
        {
          const double *row = factor.data() + i * (i + 1) / 2;
          y[i]              = (double(b[position(i)]) -
                  TESSERA_CALL_SIMD(dot(row, y.data(), i))) *
                 row[i];
        }
      for (std::size_t i = n_unknowns; i-- > 0;)
        {
          const double *row = factor.data() + i * (i + 1) / 2;
          y[i] *= row[i];
          for (std::size_t j = 0; j < i; ++j)
            y[j] -= row[j] * y[i];
        }
      for (std::size_t i = 0; i < n_padded_cells * n_cell_values; ++i)
        x[i] = T();
      for (std::size_t i = 0; i < n_unknowns; ++i)
        x[position(i)] = T(y[i]);
    }



    template class CoarseSolver<2>;
    template class CoarseSolver<3>;
    template void
    CoarseSolver<2>::solve(const float *, float *) const;
    template void
    CoarseSolver<2>::solve(const double *, double *) const;
    template void
    CoarseSolver<3>::solve(const float *, float *) const;
    template void
    CoarseSolver<3>::solve(const double *, double *) const;
  } // namespace sipg
} // namespace tessera
