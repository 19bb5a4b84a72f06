// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_domain_h
#define tessera_apps_sipg_adaptive_domain_h

#include <deal.II/grid/tria.h>

#include <string>

#include "sipg_adaptive/parameters.h"

namespace tessera::sipg_adaptive
{
  /** "box", "l shape", "fichera corner" */
  std::string
  name(const Domain domain);

  /** In how many directions, from the first, the missing corner is above the
   * middle: 0 for the box, which is whole. */
  unsigned int
  n_halved_axes(const Domain domain);

  /** Volume of the domain over that of the box. */
  double
  filled_part(const Domain domain);

  /** Boundary ids are 0, ..., n - 1; see make_coarse_mesh(). */
  unsigned int
  n_boundary_ids(const Domain domain, const unsigned int dim);

  /**
   * The coarse mesh of the domain: the cells of the box but for those above the
   * middle in all of the first n_halved_axes() directions.
   *
   * Boundary ids are 2 d + s at the lower (s = 0) and upper (s = 1) end of the
   * box in direction d, and 2 dim + d on faces normal to d at the missing
   * corner.
   */
  template <int dim>
  void
  make_coarse_mesh(const Parameters           &parameters,
                   dealii::Triangulation<dim> &triangulation);
} // namespace tessera::sipg_adaptive

#endif
