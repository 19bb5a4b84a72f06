// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_mesh_h
#define tessera_apps_elasticity_mesh_h

#include <deal.II/grid/tria.h>

#include "elasticity/parameters.h"
#include "elasticity/problem_data.h"

namespace tessera::elasticity
{
  /**
   * The mesh of the first cycle: beam, box, or file, refined globally
   * Parameters::n_refinements times, with the material ids of
   * ProblemData::regions_of_materials().
   *
   * Boundary ids: of beam and box, 0 and 1 at the lower and upper end in x, 2
   * and 3 in y, 4 and 5 in z; of a file, its physical ids, 0 where a face has
   * none.
   *
   * @param[out] triangulation Empty before.
   * @throws InputError naming the file: missing, unreadable, of an unknown
   * format, without cells, of another dimension, with triangles, tetrahedra or
   * other cells that are no quadrilaterals or hexahedra, with inverted cells.
   */
  template <int dim>
  void
  make_mesh(const Parameters           &parameters,
            const ProblemData<dim>     &problem,
            dealii::Triangulation<dim> &triangulation);

  /** Check what can be known of Mesh/File without reading it all: it exists,
   * can be read, and has a known format. @throws InputError */
  void
  check_mesh_file(const std::string &file);
} // namespace tessera::elasticity

#endif
