// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/local_multigrid.h>
#include <tessera/sipg/operator_kernels.h>
#include <tessera/sipg/shadow_transfer.h>
#include <tessera/sipg/smoother_kernels.h>
#include <tessera/sipg/transfer_kernels.h>
#include <tessera/sipg/vector_kernels.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

namespace tessera
{
  namespace sipg
  {
    namespace
    {
      void
      check(const MultigridOptions &options)
      {
        if (options.n_smoothing_steps < 1 || options.n_smoothing_steps > 10)
          throw InputError("The number of smoothing steps is " +
                           std::to_string(options.n_smoothing_steps) +
                           "; it has to be from 1 to 10. Use 3.");
        if (!(options.smoothing_range > 1.) ||
            !std::isfinite(options.smoothing_range))
          throw InputError("The smoothing range is " +
                           std::to_string(options.smoothing_range) +
                           "; it has to be a number above 1. Use 15.");
      }

      /** A power of two that brings a residual into the middle of the range of
       * float; 1 if it is there, and for zero or what is not finite. */
      double
      scale_for_float(const double largest_entry)
      {
        if (!(largest_entry > 0.) || !std::isfinite(largest_entry) ||
            (largest_entry > 1e-15 && largest_entry < 1e15))
          return 1.;
        // Of the smallest numbers it would be infinite.
        return std::ldexp(1., std::min(1000, -std::ilogb(largest_entry)));
      }
    } // namespace



    template <int dim, typename Number>
    LocalMultigrid<dim, Number>::LocalMultigrid(
      std::shared_ptr<const LevelHierarchy<dim>> hierarchy,
      const ElementMatrices                     &element_matrices,
      const MultigridOptions                    &multigrid_options)
      : matrices(element_matrices)
      , options((check(multigrid_options), multigrid_options))
      , tables(std::move(hierarchy), matrices)
      , coarse_solver(tables.levels->level(0), matrices)
      , is_in_v(tables.levels->n_levels(), 0)
    {
      const double upper = 2., lower = upper / options.smoothing_range;
      for (int k = 1; k <= options.n_smoothing_steps; ++k)
        omega.push_back(Number(
          1. /
          ((upper + lower) / 2. +
           (upper - lower) / 2. *
             std::cos(M_PI * (2 * k - 1) / (2 * options.n_smoothing_steps)))));
      for (int l = 0; l < tables.levels->n_levels(); ++l)
        modes.emplace_back(tables.levels->level(l), matrices);
      b                       = DualField<Number>(tables.layout);
      u                       = PrimalField<Number>(tables.layout);
      v                       = PrimalField<Number>(tables.layout);
      std::size_t n_assembled = 0;
      for (int l = 0; l + 1 < tables.levels->n_levels(); ++l)
        if (tables.levels->level(l + 1).n_slots > 0)
          n_assembled = std::max(n_assembled,
                                 tables.layout->levels[l].shadows -
                                   tables.layout->levels[l].cells);
      assembled.resize_without_initialization(n_assembled);
    }



    template <int dim, typename Number>
    void
    LocalMultigrid<dim, Number>::apply(const DualField<double> &r,
                                       PrimalField<double>     &z)
    {
      TESSERA_ASSERT(r.size() == b.size() && z.size() == b.size(),
                     "fields of the layout of this hierarchy");
      double scale = 1.;
      if (std::is_same<Number, float>::value)
        scale = scale_for_float(
          TESSERA_CALL_SIMD(largest_magnitude(r.data(), r.size())));
      for (int l = 0; l < tables.levels->n_levels(); ++l)
        {
          const FieldLayout::Part &part   = b.layout().levels[l];
          const std::size_t        n      = part.shadows - part.cells;
          const double            *values = r.cells(l);
          if (l + 1 < tables.levels->n_levels() &&
              tables.levels->level(l + 1).n_slots > 0)
            {
              std::copy(values, values + n, assembled.data());
              restrict_from_shadows(tables.levels->level(l + 1),
                                    matrices,
                                    1.,
                                    r.shadows(l + 1),
                                    assembled.data());
              values = assembled.data();
            }
          TESSERA_CALL_SIMD(convert<Number>(scale, values, b.cells(l), n));
        }

      cycle(tables.levels->n_levels() - 1);

      const FieldLayout &layout = b.layout();
      for (int l = 0; l < tables.levels->n_levels(); ++l)
        TESSERA_CALL_SIMD(convert_active<Number>(
          1. / scale,
          iterate(l),
          tables.levels->level(l).active.data(),
          std::size_t(tables.levels->level(l).n_padded_cells),
          std::size_t(layout.n_cell_values),
          std::size_t(layout.block_size),
          z.cells(l)));
      if (tables.levels->n_slots() > 0)
        refresh_shadows(*tables.levels, matrices, z);
    }



    template <int dim, typename Number>
    void
    LocalMultigrid<dim, Number>::cycle(const int l)
    {
      if (l == 0)
        {
          is_in_v[0] = 0;
          coarse_solver.solve(b.cells(0), u.cells(0));
          return;
        }
      const LevelData<dim>      &level = tables.levels->level(l);
      const LevelView            view  = tables.flags[l].view();
      const MatricesView<Number> mat   = tables.matrices[l].view();
      const ModesView<Number>    mod   = modes[l].view();
      const int                  p     = matrices.degree;
      const Number              *zeros = v.shadows(l);

      is_in_v[l] = 0;
      TESSERA_CALL_SIMD(
        smooth_first<dim>(p, view, mat, mod, omega[0], b.cells(l), u.cells(l)));
      for (std::size_t k = 1; k < omega.size(); ++k)
        smooth(l, zeros, omega[k]);

      TESSERA_CALL_SIMD(
        restrict_residual<dim>(p,
                               view,
                               mat,
                               mod,
                               static_cast<const Number *>(b.cells(l)),
                               static_cast<const Number *>(iterate(l)),
                               zeros,
                               b.cells(l - 1)));
      // The residual in the shadows, whose part of R has been assembled.
      if (level.n_slots > 0 && options.edge_flux)
        {
          Number *flux = b.shadows(l);
          TESSERA_CALL_SIMD(
            apply_to_shadows<dim>(p,
                                  view,
                                  mat,
                                  static_cast<const Number *>(iterate(l)),
                                  zeros,
                                  flux));
          restrict_from_shadows(level,
                                matrices,
                                Number(-1),
                                static_cast<const Number *>(flux),
                                b.cells(l - 1));
        }

      cycle(l - 1);

      const Number *coarse = iterate(l - 1);
      TESSERA_CALL_SIMD(prolong_and_add<dim>(p, view, mod, coarse, iterate(l)));
      const Number *shadows = zeros;
      if (level.n_slots > 0 && options.frozen_shadows)
        {
          prolong_to_shadows(level, matrices, coarse, u.shadows(l));
          shadows = u.shadows(l);
        }
      for (const Number weight : omega)
        smooth(l, shadows, weight);
    }



    template <int dim, typename Number>
    void
    LocalMultigrid<dim, Number>::smooth(const int     l,
                                        const Number *shadows,
                                        const Number  weight)
    {
      const Number *old = iterate(l);
      is_in_v[l]        = !is_in_v[l];
      TESSERA_CALL_SIMD(
        smooth_step<dim>(matrices.degree,
                         tables.flags[l].view(),
                         tables.matrices[l].view(),
                         modes[l].view(),
                         weight,
                         static_cast<const Number *>(b.cells(l)),
                         old,
                         shadows,
                         iterate(l)));
    }



    template <int dim, typename Number>
    Number *
    LocalMultigrid<dim, Number>::iterate(const int l)
    {
      return is_in_v[l] ? v.cells(l) : u.cells(l);
    }



    template <int dim, typename Number>
    std::size_t
    LocalMultigrid<dim, Number>::memory_consumption() const
    {
      std::size_t bytes = coarse_solver.memory_consumption() +
                          b.memory_consumption() + u.memory_consumption() +
                          v.memory_consumption() + assembled.size_in_bytes() +
                          tables.memory_consumption();
      for (const LevelModes<dim, Number> &level : modes)
        bytes += level.memory_consumption();
      return bytes;
    }



    template class LocalMultigrid<2, float>;
    template class LocalMultigrid<2, double>;
    template class LocalMultigrid<3, float>;
    template class LocalMultigrid<3, double>;
  } // namespace sipg
} // namespace tessera
