// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/cell_storage.h>
#include <tessera/sipg/reference_operator.h>
#include <tessera/sipg/scalar_tensors.h>

#include <algorithm>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      /** y <- y + factor A u along an axis. */
      void
      add_product(const double        factor,
                  const DenseMatrix  &A,
                  const ScalarTensor &u,
                  const int           axis,
                  ScalarTensor       &y)
      {
        const ScalarTensor product = multiply_axis(A, u, axis);
        for (std::size_t i = 0; i < y.values.size(); ++i)
          y.values[i] += factor * product.values[i];
      }

      /** The tangential mass: M along all axes but one. */
      template <int dim>
      ScalarTensor
      multiply_tangential_mass(const DenseMatrix &M,
                               ScalarTensor       u,
                               const int          axis)
      {
        for (int d = 0; d < dim; ++d)
          if (d != axis)
            u = multiply_axis(M, u, d);
        return u;
      }
    } // namespace



    template <int dim, typename Number>
    void
    apply_reference(const LevelData<dim>  &level,
                    const ElementMatrices &matrices,
                    const CellSet          set,
                    const Number          *cells,
                    const Number          *shadows,
                    Number                *y_cells,
                    Number                *y_shadows)
    {
      const int              n = matrices.n;
      const CellStorage<dim> storage(matrices.degree, level.block_size);
      const std::size_t      N        = cellwise::power(n, dim);
      const std::size_t      N_shadow = 2 * cellwise::power(n, dim - 1);
      std::fill_n(y_cells, std::size_t(level.n_padded_cells) * N, Number());
      std::fill_n(y_shadows,
                  std::size_t(level.n_padded_shadow_cells) * N_shadow,
                  Number());
      const auto takes_part = [&](const CellIndex c) {
        return set == CellSet::level || level.active[c] == 1;
      };

      for (CellIndex c = 0; c < level.n_owned_cells; ++c)
        {
          if (!takes_part(c))
            continue;
          ScalarTensor y(std::vector<int>(dim, n));
          for (int a = 0; a < dim; ++a)
            {
              double scale = 1. / level.cell_size[a];
              for (int d = 0; d < dim; ++d)
                if (d != a)
                  scale *= level.cell_size[d];
              const ScalarTensor u =
                multiply_tangential_mass<dim>(matrices.mass,
                                              storage.cell(cells, c),
                                              a);
              add_product(
                scale * level.cell_coefficient(c), matrices.stiffness, u, a, y);
              for (int side = 0; side < 2; ++side)
                {
                  // This cell is below its upper face.
                  const int       own    = 1 - side;
                  const int       other  = side;
                  const Neighbour beyond = level.neighbour_of(c, a, side);
                  const double weight = scale * level.face_weight(c, a, side);
                  switch (beyond.kind)
                    {
                      case NeighbourKind::cell:
                        {
                          if (!takes_part(beyond.index))
                            break;
                          add_product(weight, matrices.face[own][own], u, a, y);
                          add_product(weight,
                                      matrices.face[own][other],
                                      multiply_tangential_mass<dim>(
                                        matrices.mass,
                                        storage.cell(cells, beyond.index),
                                        a),
                                      a,
                                      y);
                          break;
                        }
                      case NeighbourKind::shadow:
                        {
                          const int first =
                            first_shadow_layer(side, matrices.degree);
                          const ScalarTensor v = multiply_tangential_mass<dim>(
                            matrices.mass,
                            storage.shadow(shadows, beyond.index, a),
                            a);
                          add_product(weight, matrices.face[own][own], u, a, y);
                          add_product(weight,
                                      submatrix(matrices.face[own][other],
                                                0,
                                                n,
                                                first,
                                                2),
                                      v,
                                      a,
                                      y);
                          ScalarTensor flux(v.extents);
                          add_product(weight,
                                      submatrix(matrices.face[other][other],
                                                first,
                                                2,
                                                first,
                                                2),
                                      v,
                                      a,
                                      flux);
                          add_product(weight,
                                      submatrix(matrices.face[other][own],
                                                first,
                                                2,
                                                0,
                                                n),
                                      u,
                                      a,
                                      flux);
                          storage.set_shadow(y_shadows, beyond.index, a, flux);
                          break;
                        }
                      case NeighbourKind::dirichlet:
                        add_product(weight, matrices.nitsche[side], u, a, y);
                        break;
                      case NeighbourKind::neumann:
                        break;
                    }
                }
            }
          storage.set_cell(y_cells, c, y);
        }
    }



    template <int dim, typename Number>
    void
    apply_reference(const LevelHierarchy<dim> &levels,
                    const ElementMatrices     &matrices,
                    const PrimalField<Number> &u,
                    DualField<Number>         &y)
    {
      for (int l = 0; l < levels.n_levels(); ++l)
        apply_reference(levels.level(l),
                        matrices,
                        CellSet::active,
                        u.cells(l),
                        u.shadows(l),
                        y.cells(l),
                        y.shadows(l));
    }



#define TESSERA_INSTANTIATE(dim, Number)                     \
  template void apply_reference(const LevelData<dim> &,      \
                                const ElementMatrices &,     \
                                CellSet,                     \
                                const Number *,              \
                                const Number *,              \
                                Number *,                    \
                                Number *);                   \
  template void apply_reference(const LevelHierarchy<dim> &, \
                                const ElementMatrices &,     \
                                const PrimalField<Number> &, \
                                DualField<Number> &)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace sipg
} // namespace tessera
