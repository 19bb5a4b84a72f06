// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_right_hand_side_h
#define tessera_sipg_right_hand_side_h

#include <tessera/sipg/element_matrices.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/problem_data.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * The functional
     * $$ (f, v) + \int_{\Gamma_D} g\,(\beta\sigma_F v - k\,\partial_n v)
     *           + \int_{\Gamma_N} q\,v $$
     * on active cells; zero on shadows.
     *
     * Gauss formulas of @p n_points a direction; 0 stands for p+3. Functions
     * are called once for each quadrature point.
     *
     * @throws InputError if a function gives a value that is not finite; the
     *   message says which one and where.
     */
    template <int dim>
    void
    assemble_right_hand_side(const LevelHierarchy<dim> &levels,
                             const ElementMatrices     &matrices,
                             const ProblemData<dim>    &data,
                             DualField<double>         &b,
                             int                        n_points = 0);
  } // namespace sipg
} // namespace tessera

#endif
