// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/split_kernels.h>
#include <tessera/sipg/split_operator.h>

#include <utility>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      // The names of the kernels are those of members of the class, too.

      template <int dim, typename Number>
      void
      volume_terms(const int                   degree,
                   const FaceTerms             terms,
                   const LevelView            &level,
                   const MatricesView<Number> &matrices,
                   const Number               *cells,
                   Number                     *y,
                   Number                     *y_shadows)
      {
        TESSERA_CALL_SIMD(apply_volume_terms<dim>(
          degree, terms, level, matrices, cells, y, y_shadows));
      }

      template <int dim, typename Number>
      void
      face_terms(const int                   degree,
                 const int                   axis,
                 const FaceTerms             terms,
                 const LevelView            &level,
                 const MatricesView<Number> &matrices,
                 const Number               *cells,
                 const Number               *shadows,
                 Number                     *y,
                 Number                     *y_shadows)
      {
        TESSERA_CALL_SIMD(add_face_terms<dim>(
          degree, axis, terms, level, matrices, cells, shadows, y, y_shadows));
      }
    } // namespace



    template <int dim, typename Number>
    SplitOperator<dim, Number>::SplitOperator(
      std::shared_ptr<const LevelHierarchy<dim>> hierarchy,
      const ElementMatrices                     &matrices)
      : tables(std::move(hierarchy), matrices)
    {}



    template <int dim, typename Number>
    void
    SplitOperator<dim, Number>::apply(const PrimalField<Number> &u,
                                      DualField<Number>         &y) const
    {
      apply_volume_terms(u, y);
      for (int axis = 0; axis < dim; ++axis)
        add_face_terms(axis, u, y);
    }



    template <int dim, typename Number>
    void
    SplitOperator<dim, Number>::apply_volume_terms(const PrimalField<Number> &u,
                                                   DualField<Number> &y) const
    {
      check(u, y);
      for (int l = 0; l < tables.levels->n_levels(); ++l)
        volume_terms<dim, Number>(tables.layout->degree,
                                  FaceTerms::active,
                                  tables.flags[l].view(),
                                  tables.matrices[l].view(),
                                  u.cells(l),
                                  y.cells(l),
                                  y.shadows(l));
    }



    template <int dim, typename Number>
    void
    SplitOperator<dim, Number>::add_face_terms(const int                  axis,
                                               const PrimalField<Number> &u,
                                               DualField<Number> &y) const
    {
      check(u, y);
      TESSERA_ASSERT(0 <= axis && axis < dim, "an axis");
      for (int l = 0; l < tables.levels->n_levels(); ++l)
        face_terms<dim, Number>(tables.layout->degree,
                                axis,
                                FaceTerms::active,
                                tables.flags[l].view(),
                                tables.matrices[l].view(),
                                u.cells(l),
                                u.shadows(l),
                                y.cells(l),
                                y.shadows(l));
    }



    template <int dim, typename Number>
    void
    SplitOperator<dim, Number>::apply_level(const int       l,
                                            const FaceTerms terms,
                                            const Number   *cells,
                                            const Number   *shadows,
                                            Number         *y,
                                            Number         *y_shadows) const
    {
      TESSERA_ASSERT(0 <= l && l < tables.levels->n_levels(), "a level");
      const LevelView            level    = tables.flags[l].view();
      const MatricesView<Number> matrices = tables.matrices[l].view();
      volume_terms<dim, Number>(
        tables.layout->degree, terms, level, matrices, cells, y, y_shadows);
      for (int axis = 0; axis < dim; ++axis)
        face_terms<dim, Number>(tables.layout->degree,
                                axis,
                                terms,
                                level,
                                matrices,
                                cells,
                                shadows,
                                y,
                                y_shadows);
    }



    template <int dim, typename Number>
    void
    SplitOperator<dim, Number>::check(const PrimalField<Number> &u,
                                      const DualField<Number>   &y) const
    {
      TESSERA_ASSERT(u.size() == tables.layout->size &&
                       y.size() == tables.layout->size,
                     "fields of the layout of this operator");
      (void)u;
      (void)y;
    }



    template class SplitOperator<2, float>;
    template class SplitOperator<2, double>;
    template class SplitOperator<3, float>;
    template class SplitOperator<3, double>;
  } // namespace sipg
} // namespace tessera
