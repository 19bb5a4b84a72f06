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
      : tables(std::move(hierarchy), matrices)
    {}



    template <int dim, typename Number>
    void
    FusedOperator<dim, Number>::apply(const PrimalField<Number> &u,
                                      DualField<Number>         &y) const
    {
      TESSERA_ASSERT(u.size() == tables.layout->size &&
                       y.size() == tables.layout->size,
                     "fields of the layout of this operator");
      for (int l = 0; l < tables.levels->n_levels(); ++l)
        {
          const LevelView            level    = tables.flags[l].view();
          const MatricesView<Number> matrices = tables.matrices[l].view();
          TESSERA_CALL_SIMD(apply_own_side<dim>(tables.layout->degree,
                                                FaceTerms::active,
                                                level,
                                                matrices,
                                                u.cells(l),
                                                u.shadows(l),
                                                y.cells(l)));
          if (level.n_shadow_cells > 0)
            TESSERA_CALL_SIMD(apply_to_shadows<dim>(tables.layout->degree,
                                                    level,
                                                    matrices,
                                                    u.cells(l),
                                                    u.shadows(l),
                                                    y.shadows(l)));
        }
    }



    template class FusedOperator<2, float>;
    template class FusedOperator<2, double>;
    template class FusedOperator<3, float>;
    template class FusedOperator<3, double>;
  } // namespace sipg
} // namespace tessera
