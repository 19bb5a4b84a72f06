// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_boundary_table_h
#define tessera_apps_elasticity_boundary_table_h

#include <deal.II/fe/mapping.h>
#include <deal.II/grid/tria.h>

#include <string>

#include "elasticity/parameters.h"

namespace tessera::elasticity
{
  /**
   * The boundary ids of a mesh with the number of their faces, their area
   * (length in 2D) and the condition they get; and the material ids with
   * their cells, their volume (area) and material constants. For people, to
   * see whether the ids of the mesh are those they mean.
   *
   * @throws InputError, listing the ids there are, if an id of the mesh has no
   * section in the parameters, or a section no faces or cells.
   */
  template <int dim>
  std::string
  table_of_ids(const Parameters                 &parameters,
               const dealii::Mapping<dim>       &mapping,
               const dealii::Triangulation<dim> &triangulation);

  /** As in the parameter file: "clamped", ... */
  std::string
  name(const BoundaryType type);
} // namespace tessera::elasticity

#endif
