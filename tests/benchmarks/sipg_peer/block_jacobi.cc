// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/sipg_peer/block_jacobi.h"

#include <tessera/sipg/element_matrices.h>

#include <deal.II/base/array_view.h>
#include <deal.II/base/table.h>
#include <deal.II/base/vectorization.h>
#include <deal.II/matrix_free/fe_evaluation.h>

#include <array>
#include <map>
#include <tuple>

namespace benchmark::sipg_peer
{
  using namespace dealii;

  namespace
  {
    constexpr unsigned int n = degree + 1;

    enum class FaceKind
    {
      regular, ///< neighbour of the same size, or larger
      finer,   ///< smaller neighbours: their penalty
      boundary
    };

    /** All that the block of a cell depends on. */
    struct CellKind
    {
      int                           level;
      std::array<FaceKind, 2 * dim> faces;

      friend bool
      operator<(const CellKind &a, const CellKind &b)
      {
        return std::tie(a.level, a.faces) < std::tie(b.level, b.faces);
      }
    };

    CellKind
    kind_of(const typename Triangulation<dim>::cell_iterator &cell,
            const bool                                        is_of_active_mesh)
    {
      CellKind kind;
      kind.level = cell->level();
      for (unsigned int face = 0; face < 2 * dim; ++face)
        kind.faces[face] =
          cell->at_boundary(face) ? FaceKind::boundary :
          is_of_active_mesh && cell->neighbor(face)->has_children() ?
                                    FaceKind::finer :
                                    FaceKind::regular;
      return kind;
    }

    /** Entry (i, j) of the matrix of one axis, without the factor 1/h. */
    double
    entry(const tessera::sipg::ElementMatrices &matrices,
          const std::array<FaceKind, 2>        &ends,
          const unsigned int                    i,
          const unsigned int                    j)
    {
      double value = matrices.stiffness(i, j);
      for (unsigned int end = 0; end < 2; ++end)
        {
          const FaceKind kind = ends[end];
          const auto    &e    = matrices.end_value[end];
          const auto    &d    = matrices.end_derivative[end];
          const double   penalty =
            matrices.gamma * (kind == FaceKind::finer    ? 2. :
                              kind == FaceKind::boundary ? boundary_factor :
                                                           1.);
          const double slope =
            (end == 0 ? 1. : -1.) * (kind == FaceKind::boundary ? 1. : 0.5);
          value += penalty * e[i] * e[j] + slope * (e[i] * d[j] + d[i] * e[j]);
        }
      return value;
    }
  } // namespace



  template <typename Number>
  BlockJacobi<Number>::BlockJacobi(const PeerOperator<Number> &the_operator)
    : A(the_operator)
  {
    const MatrixFree<dim, Number>       &data = A.get_matrix_free();
    const tessera::sipg::ElementMatrices matrices(degree,
                                                  {penalty_factor,
                                                   boundary_factor});
    const bool                           is_of_active_mesh =
      data.get_mg_level() == numbers::invalid_unsigned_int;

    std::map<std::vector<CellKind>, unsigned int> known;
    for (unsigned int batch = 0; batch < data.n_cell_batches(); ++batch)
      {
        std::vector<CellKind>   kinds;
        std::vector<Point<dim>> sizes;
        for (unsigned int v = 0;
             v < data.n_active_entries_per_cell_batch(batch);
             ++v)
          {
            const auto cell = data.get_cell_iterator(batch, v);
            kinds.push_back(kind_of(cell, is_of_active_mesh));
            sizes.emplace_back();
            for (unsigned int a = 0; a < dim; ++a)
              sizes.back()[a] = cell->extent_in_direction(a);
          }
        // Matrices of lanes without a cell have to be regular, too.
        kinds.resize(Lanes::size(), kinds.front());
        sizes.resize(Lanes::size(), sizes.front());
        const auto place = known.emplace(kinds, inverses.size());
        inverse_of_batch.push_back(place.first->second);
        if (!place.second)
          continue;

        std::array<Table<2, Lanes>, dim> mass, laplace;
        for (unsigned int a = 0; a < dim; ++a)
          {
            mass[a].reinit(n, n);
            laplace[a].reinit(n, n);
            for (unsigned int v = 0; v < Lanes::size(); ++v)
              {
                const double h = sizes[v][a];
                for (unsigned int i = 0; i < n; ++i)
                  for (unsigned int j = 0; j < n; ++j)
                    {
                      mass[a](i, j)[v]    = h * matrices.mass(i, j);
                      laplace[a](i, j)[v] = entry(matrices,
                                                  {kinds[v].faces[2 * a],
                                                   kinds[v].faces[2 * a + 1]},
                                                  i,
                                                  j) /
                                            h;
                    }
              }
          }
        inverses.emplace_back(mass, laplace);
      }
  }



  template <typename Number>
  void
  BlockJacobi<Number>::vmult(VectorType &dst, const VectorType &src) const
  {
    FEEvaluation<dim, degree, n, 1, Number> cell(A.get_matrix_free());
    for (unsigned int batch = 0; batch < inverse_of_batch.size(); ++batch)
      {
        cell.reinit(batch);
        cell.read_dof_values(src);
        const ArrayView<Lanes> values(cell.begin_dof_values(),
                                      cell.dofs_per_cell);
        inverses[inverse_of_batch[batch]].apply_inverse(values, values);
        cell.set_dof_values(dst);
      }
  }



  template class BlockJacobi<float>;
} // namespace benchmark::sipg_peer
