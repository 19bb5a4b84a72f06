// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/shadow_transfer.h>
#include <tessera/sipg/solution_transfer.h>
#include <tessera/sipg/tensor_products.h>
#include <tessera/sipg/text.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      template <int dim>
      void
      check_coarse_meshes(const CoarseMesh<dim> &a, const CoarseMesh<dim> &b)
      {
        if (a.origin != b.origin || a.cell_size != b.cell_size ||
            a.positions != b.positions)
          throw InputError("A solution is to be transferred from a mesh to one "
                           "that has other coarse cells.");
      }

      /** The active cell of a forest that a cell is or descends from. */
      template <int dim>
      CellKey
      active_ancestor(const Forest<dim> &forest, const CellKey &key)
      {
        CellKey   ancestor = key;
        CellIndex c        = forest.find(ancestor);
        while (c == no_cell)
          {
            ancestor = parent<dim>(ancestor);
            c        = forest.find(ancestor);
          }
        if (forest.level(int(ancestor.level)).refined[c])
          throw InputError("The mesh was coarsened at " +
                           text<dim>(forest.lower_corner(ancestor)) + ": " +
                           text<dim>(ancestor) +
                           " is active and was refined before" +
                           how_to_name_cells +
                           "; solutions can be transferred to refined meshes "
                           "only.");
        return ancestor;
      }
    } // namespace



    template <int dim>
    void
    transfer_to_refined(const LevelHierarchy<dim> &from,
                        const PrimalField<double> &u,
                        const LevelHierarchy<dim> &to,
                        const ElementMatrices     &matrices,
                        PrimalField<double>       &result)
    {
      TESSERA_ASSERT(u.layout().degree == matrices.degree &&
                       u.layout().block_size == from.block_size() &&
                       result.layout().degree == matrices.degree &&
                       result.layout().block_size == to.block_size(),
                     "fields of these hierarchies");
      TESSERA_ASSERT(&u != &result, "two fields");
      check_coarse_meshes(from.forest().coarse_mesh(),
                          to.forest().coarse_mesh());
      const int           N = u.layout().n_cell_values;
      std::vector<double> values(N), child_values(N);
      TensorProducts      products;
      result.set_zero();
      for (int l = 0; l < to.n_levels(); ++l)
        {
          const LevelData<dim> &level = to.level(l);
          for (CellIndex c = 0; c < level.n_owned_cells; ++c)
            {
              if (level.active[c] == 0)
                continue;
              const CellKey  &key      = to.forest().level(l).keys[c];
              const CellKey   ancestor = active_ancestor(from.forest(), key);
              const CellIndex source   = from.forest().find(ancestor);
              for (int k = 0; k < N; ++k)
                values[k] = u(int(ancestor.level), source, k);
              for (int m = int(ancestor.level) + 1; m <= l; ++m)
                {
                  const int number = int(key.morton >> (dim * (l - m)));
                  std::array<const DenseMatrix *, dim> P;
                  for (int d = 0; d < dim; ++d)
                    P[d] = &matrices.child[(number >> d) & 1];
                  products.multiply(P, 1, values.data(), child_values.data());
                  values.swap(child_values);
                }
              for (int k = 0; k < N; ++k)
                result(l, c, k) = values[k];
            }
        }
      refresh_shadows(to, matrices, result);
    }



#define TESSERA_INSTANTIATE(dim)                                 \
  template void transfer_to_refined(const LevelHierarchy<dim> &, \
                                    const PrimalField<double> &, \
                                    const LevelHierarchy<dim> &, \
                                    const ElementMatrices &,     \
                                    PrimalField<double> &)

    TESSERA_INSTANTIATE(2);
    TESSERA_INSTANTIATE(3);
  } // namespace sipg
} // namespace tessera
