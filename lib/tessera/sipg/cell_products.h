// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_cell_products_h
#define tessera_sipg_cell_products_h

#include <tessera/sipg/face_gather.h>
#include <tessera/sipg/lane_cells.h>
#include <tessera/sipg/own_side.h>
#include <tessera/sipg/tensor_contractions.h>

namespace tessera
{
  namespace sipg
  {
    namespace TESSERA_SIMD_NAMESPACE
    {
      // The steps that kernels share, as functions: for the cells of all lanes
      // each takes hundreds of instructions, and kernels of all degrees would
      // take long to compile if they contained them.

      /** See contract(). */
      template <int dim, int n, typename L, typename Matrix>
      __attribute__((noinline)) void
      contract_cells(const Matrix *A, typename L::V *u)
      {
        contract<dim, n, L>(A, u);
      }

      /**
       * What cells c, ..., c + W - 1 and their neighbours give: all of t of
       * OwnSide, or the part of the neighbours with weights $\kappa_F / k$.
       *
       * @param[out] own The values of the cells.
       */
      template <int dim, int degree, typename L>
      __attribute__((noinline)) void
      evaluate_all(const LevelView                   &level,
                   const MatricesView<typename L::T> &matrices,
                   const FaceTerms                    terms,
                   const CellIndex                    c,
                   const typename L::T               *cells,
                   const typename L::T               *shadows,
                   typename L::V                     *t)
      {
        constexpr int              n_values = cellwise::power(degree + 1, dim);
        typename L::V              own[n_values];
        FaceLayers<dim, degree, L> layers;
        load_cells<n_values, L>(cells, level, c, own);
        gather_layers<dim, degree, L>(
          level, matrices, terms, true, c, cells, shadows, own, layers);
        OwnSide<dim, degree, L>(matrices.own, matrices.coupling)
          .evaluate(own, layers, t);
      }

      template <int dim, int degree, typename L>
      __attribute__((noinline)) void
      evaluate_neighbours(const LevelView                   &level,
                          const MatricesView<typename L::T> &matrices,
                          const CellIndex                    c,
                          const typename L::T               *cells,
                          const typename L::T               *shadows,
                          typename L::V                     *own,
                          typename L::V                     *t)
      {
        constexpr int              n_values = cellwise::power(degree + 1, dim);
        FaceLayers<dim, degree, L> layers;
        load_cells<n_values, L>(cells, level, c, own);
        gather_layers<dim, degree, L>(level,
                                      matrices,
                                      FaceTerms::level,
                                      false,
                                      c,
                                      cells,
                                      shadows,
                                      own,
                                      layers);
        OwnSide<dim, degree, L>(matrices.own, matrices.coupling)
          .evaluate_neighbours(layers, t);
      }
    } // namespace TESSERA_SIMD_NAMESPACE
  }   // namespace sipg
} // namespace tessera

#endif
