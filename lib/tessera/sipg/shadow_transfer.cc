// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/shadow_transfer.h>
#include <tessera/sipg/shadow_transfer_kernels.h>

#include <algorithm>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      template <int dim>
      SlotView
      view_of(const LevelData<dim> &level)
      {
        SlotView view              = {};
        view.n_slots               = level.n_slots;
        view.n_padded_shadow_cells = level.n_padded_shadow_cells;
        view.block_size            = level.block_size;
        view.slot_parent           = level.slot_parent.data();
        std::copy(level.slot_begin.begin(),
                  level.slot_begin.end(),
                  view.slot_begin);
        return view;
      }

      template <typename Number>
      SlotMatrices<Number>
      slot_matrices(const ElementMatrices &matrices)
      {
        SlotMatrices<Number> result = {};
        const int            n      = matrices.n;
        for (int c = 0; c < 2; ++c)
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              result.tangential[(c * n + i) * n + j] =
                Number(matrices.child[c](i, j));
        // The children lie at the side of the large cell that is opposite to
        // the side of the group.
        for (int side = 0; side < 2; ++side)
          {
            const int first = first_shadow_layer(side, matrices.degree);
            for (int i = 0; i < 2; ++i)
              for (int j = 0; j < 2; ++j)
                result.normal[side][i][j] =
                  Number(matrices.child[1 - side](first + i, first + j));
          }
        return result;
      }
    } // namespace



    template <int dim, typename Number>
    void
    prolong_to_shadows(const LevelData<dim>  &level,
                       const ElementMatrices &matrices,
                       const Number          *coarse,
                       Number                *shadows)
    {
      TESSERA_CALL_SIMD(prolong_slots<dim>(matrices.degree,
                                           view_of(level),
                                           slot_matrices<Number>(matrices),
                                           coarse,
                                           shadows));
    }



    template <int dim, typename Number>
    void
    restrict_from_shadows(const LevelData<dim>  &level,
                          const ElementMatrices &matrices,
                          const Number           factor,
                          const Number          *shadows,
                          Number                *coarse)
    {
      TESSERA_CALL_SIMD(restrict_slots<dim>(matrices.degree,
                                            view_of(level),
                                            slot_matrices<Number>(matrices),
                                            factor,
                                            shadows,
                                            coarse));
    }



    template <int dim, typename Number>
    void
    refresh_shadows(const LevelHierarchy<dim> &levels,
                    const ElementMatrices     &matrices,
                    PrimalField<Number>       &u)
    {
      for (int l = 1; l < levels.n_levels(); ++l)
        prolong_to_shadows(levels.level(l),
                           matrices,
                           u.cells(l - 1),
                           u.shadows(l));
    }



    template <int dim, typename Number>
    void
    assemble_shadows(const LevelHierarchy<dim> &levels,
                     const ElementMatrices     &matrices,
                     DualField<Number>         &y)
    {
      for (int l = 1; l < levels.n_levels(); ++l)
        {
          restrict_from_shadows(levels.level(l),
                                matrices,
                                Number(1),
                                static_cast<const Number *>(y.shadows(l)),
                                y.cells(l - 1));
          const FieldLayout::Part &part = y.layout().levels[l];
          std::fill(y.shadows(l),
                    y.shadows(l) + (part.end - part.shadows),
                    Number());
        }
    }



#define TESSERA_INSTANTIATE(dim, Number)                       \
  template void prolong_to_shadows(const LevelData<dim> &,     \
                                   const ElementMatrices &,    \
                                   const Number *,             \
                                   Number *);                  \
  template void restrict_from_shadows(const LevelData<dim> &,  \
                                      const ElementMatrices &, \
                                      Number,                  \
                                      const Number *,          \
                                      Number *);               \
  template void refresh_shadows(const LevelHierarchy<dim> &,   \
                                const ElementMatrices &,       \
                                PrimalField<Number> &);        \
  template void assemble_shadows(const LevelHierarchy<dim> &,  \
                                 const ElementMatrices &,      \
                                 DualField<Number> &)

    TESSERA_INSTANTIATE(2, float);
    TESSERA_INSTANTIATE(2, double);
    TESSERA_INSTANTIATE(3, float);
    TESSERA_INSTANTIATE(3, double);
  } // namespace sipg
} // namespace tessera
