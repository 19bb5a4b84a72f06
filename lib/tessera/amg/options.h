// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_amg_options_h
#define tessera_amg_options_h

#include <tessera/sparse/product/product_algorithm.h>

#include <cstdint>

namespace tessera
{
  namespace amg
  {
    /** Of the numbers in the cycle. */
    enum class LevelPrecision
    {
      single_precision,
      double_precision
    };

    /** Which nodes become roots of aggregates first. */
    enum class AggregationOrder
    {
      hash,   ///< by a hash of their keys: a quarter fewer aggregates
      natural ///< as numbered
    };

    /** What makes the coupling of two nodes strong. */
    enum class StrengthMeasure
    {
      /** $g_{ij} > \theta \sqrt{g_{ii} g_{jj}}$, g being sums of
       * absolute values of blocks: that of GAMG. Cells should be close to
       * cubes. */
      block_norms,

      /** $c_{ij} > \theta \max_k c_{ik}$ or the same for j, with
       * $c_{ij} = \max(0, -\mathrm{tr} A_{ij})$. Finite elements on stretched
       * cells have couplings along the cells that are large but positive,
       * against which nothing smooths: aggregates then grow across the cells
       * only. With a threshold of 0.3 on all levels. */
      negative_couplings
    };

    /** What becomes of a matrix that maps modes of the near-null space to zero,
     * such as that of an elastic body without supports. */
    enum class SingularMatrix
    {
      refuse,    ///< an error that says so
      complement ///< solve in the orthogonal complement of the kernel
    };

    /** How a hierarchy is made, and what a cycle does. The level l counts from
     * 0, the finest. Defaults: those of PETSc's GAMG and of arXiv:2607.28891.
     */
    struct Options
    {
      StrengthMeasure strength_measure = StrengthMeasure::block_norms;

      /** $\theta$ on level 0, $\theta s_\theta^l$ on level l. At least 0,
       * below 1. */
      double strength_threshold = 0.05;

      /** $s_\theta$. */
      double threshold_scale = 0.5;

      /** On so many of the finest levels aggregates have neighbours of
       * neighbours of their root. */
      unsigned int aggressive_levels = 1;

      AggregationOrder aggregation_order = AggregationOrder::hash;

      /** $P = P_0 - \omega D^{-1} A P_0$; without, $P = P_0$. */
      bool prolongator_smoothing = true;

      /** $\omega \lambda_{max}(D^{-1} A)$. In (0, 2). */
      double smoothing_factor = 1.4;

      /** $\tau$: blocks of P with a Frobenius norm below $\tau s_\tau^l$
       * times that of their row are left out; 0: none. At least 0, below 1. */
      double prolongator_filter = 0.03;

      /** $s_\tau$. */
      double filter_scale = 0.5;

      /** Correct what a filter leaves so that it maps coarse modes as P did.
       * Without, cycles are much worse: to be seen, not used. */
      bool filter_projection = true;

      /** Chebyshev steps before and after the coarse correction. */
      unsigned int smoother_degree = 2;

      /** Parts of the estimated largest eigenvalue of $M A$ between which
       * the smoother damps, M being the inverse of the diagonal blocks. */
      double smoother_lower = 0.1;
      double smoother_upper = 1.1;

      /** Levels of no more equations are solved exactly. */
      std::uint64_t coarse_size_limit = 2000;

      unsigned int max_levels = 20;

      /** Equations a rank has to have on a level; ranks become fewer on coarser
       * ones. 0: no limit. One rank does all in any case. */
      std::uint64_t process_limit = 0;

      LevelPrecision level_precision = LevelPrecision::single_precision;

      SingularMatrix singular_matrix = SingularMatrix::refuse;

      /** Of the Galerkin products. */
      sparse::ProductOptions product;
    };

    /** @throws InputError naming the first option that is out of its range. */
    void
    check(const Options &options);
  } // namespace amg
} // namespace tessera

#endif
