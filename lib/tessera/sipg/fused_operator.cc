// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/fused_operator.h>
#include <tessera/sipg/operator_kernels.h>

#include <utility>

namespace tessera
{
  namespace sipg
  {
    template <int dim, typename Number>
    FusedOperator<dim, Number>::FusedOperator(
      std::shared_ptr<const LevelHierarchy<dim>> hierarchy,
      const ElementMatrices                     &matrices)
      : levels(std::move(hierarchy))
      , place(std::make_shared<const FieldLayout>(*levels, matrices.degree))
    {
      for (int l = 0; l < levels->n_levels(); ++l)
        {
          flags.emplace_back(levels->level(l));
          matrices_of_levels.emplace_back(levels->level(l), matrices);
        }
    }



    template <int dim, typename Number>
    void
    FusedOperator<dim, Number>::apply(const PrimalField<Number> &u,
                                      DualField<Number>         &y) const
    {
      TESSERA_ASSERT(u.size() == place->size && y.size() == place->size,
                     "fields of the layout of this operator");
      for (int l = 0; l < levels->n_levels(); ++l)
        {
          const LevelView            level    = flags[l].view();
          const MatricesView<Number> matrices = matrices_of_levels[l].view();
          TESSERA_CALL_SIMD(apply_own_side<dim>(place->degree,
                                                FaceTerms::active,
                                                level,
                                                matrices,
                                                u.cells(l),
                                                u.shadows(l),
                                                y.cells(l)));
          if (level.n_shadow_cells > 0)
            TESSERA_CALL_SIMD(apply_to_shadows<dim>(place->degree,
                                                    level,
                                                    matrices,
                                                    u.cells(l),
                                                    u.shadows(l),
                                                    y.shadows(l)));
        }
    }



    template <int dim, typename Number>
    std::size_t
    FusedOperator<dim, Number>::memory_consumption() const
    {
      std::size_t bytes = 0;
      for (const LevelFlags<dim> &level : flags)
        bytes += level.memory_consumption();
      return bytes;
    }



    template class FusedOperator<2, float>;
    template class FusedOperator<2, double>;
    template class FusedOperator<3, float>;
    template class FusedOperator<3, double>;
  } // namespace sipg
} // namespace tessera
