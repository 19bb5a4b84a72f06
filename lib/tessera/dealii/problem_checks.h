// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_problem_checks_h
#define tessera_dealii_problem_checks_h

#include <tessera/base/communication.h>
#include <tessera/dealii/box_mesh.h>

#include <deal.II/base/types.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/grid/tria.h>

#include <set>

namespace tessera::dealii_adapters
{
  /** Throw on all ranks if the mapping moves points of owned cells away from
   * where they are in the box. Collective. */
  template <int dim>
  void
  check_mapping(const dealii::Mapping<dim>    &mapping,
                const dealii::DoFHandler<dim> &dof_handler,
                const BoxMesh<dim>            &mesh,
                const Communicator            &communicator);

  /** Throw on all ranks if no face of the boundary has one of the ids.
   * Collective. */
  template <int dim>
  void
  check_dirichlet_ids(const dealii::Triangulation<dim>           &triangulation,
                      const std::set<dealii::types::boundary_id> &ids,
                      const Communicator                         &communicator);

  /** Throw if the reaction coefficient is not a number from zero up. */
  void
  check_reaction_coefficient(const double reaction_coefficient);

  /** Throw unless the matrix is positive definite. */
  template <int dim>
  void
  check_definite(const cellwise::GridDescription<dim> &grid,
                 const double                          reaction_coefficient);
} // namespace tessera::dealii_adapters

#endif
