// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/dealii/problem_checks.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  template <int dim>
  void
  check_mapping(const Mapping<dim>    &mapping,
                const DoFHandler<dim> &dof_handler,
                const BoxMesh<dim>    &mesh,
                const Communicator    &communicator)
  {
    const auto       &fe = dof_handler.get_fe();
    const QGauss<dim> points(fe.degree + 1);
    const auto       &h = mesh.description().cell_size;
    communicator.collectively([&] {
      FEValues<dim> values(mapping, fe, points, update_quadrature_points);
      for (const auto &cell :
           dof_handler.get_triangulation().active_cell_iterators())
        if (cell->is_locally_owned())
          {
            values.reinit(cell);
            for (const unsigned int q : values.quadrature_point_indices())
              {
                const Point<dim> found    = values.quadrature_point(q);
                const Point<dim> expected = mesh.point(*cell, points.point(q));
                for (unsigned int d = 0; d < dim; ++d)
                  // Coordinates themselves are known up to rounding.
                  if (!(std::abs(found[d] - expected[d]) <=
                        1e-8 * h[d] + 1e-14 * std::abs(expected[d])))
                    {
                      std::ostringstream text;
                      text.precision(10);
                      text << "The mapping moves points away from where they "
                              "are in a mesh of boxes: ("
                           << found << ") should be (" << expected
                           << "). Patch multigrid is for undistorted cells: "
                              "use a mapping that leaves them as they are, "
                              "such as MappingQ1, or another preconditioner.";
                      throw InputError(text.str());
                    }
              }
          }
    });
  }



  template <int dim>
  void
  check_dirichlet_ids(const Triangulation<dim>           &triangulation,
                      const std::set<types::boundary_id> &ids,
                      const Communicator                 &communicator)
  {
    std::set<types::boundary_id> present;
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->is_locally_owned())
        for (const unsigned int face : cell->face_indices())
          if (cell->face(face)->at_boundary())
            present.insert(cell->face(face)->boundary_id());
    for (const types::boundary_id id : ids)
      if (communicator.max(std::uint32_t(present.count(id))) == 0)
        throw InputError(
          "AdditionalData::dirichlet_ids has " + std::to_string(id) +
          ", which is the boundary id of no face of the mesh. Give the ids "
          "of the faces with Dirichlet conditions, and none if there are no "
          "such faces.");
  }



  void
  check_reaction_coefficient(const double reaction_coefficient)
  {
    if (reaction_coefficient >= 0. && std::isfinite(reaction_coefficient))
      return;
    std::ostringstream text;
    text << "AdditionalData::reaction_coefficient is " << reaction_coefficient
         << "; it has to be a finite number from zero up.";
    throw InputError(text.str());
  }



  template <int dim>
  void
  check_definite(const cellwise::GridDescription<dim> &grid,
                 const double                          reaction_coefficient)
  {
    check_reaction_coefficient(reaction_coefficient);
    if (reaction_coefficient > 0.)
      return;
    for (const auto &ends : grid.boundary)
      for (const cellwise::BoundaryCondition condition : ends)
        if (condition == cellwise::BoundaryCondition::dirichlet)
          return;
    throw InputError(
      "No face of the box has Dirichlet conditions, so that the matrix is "
      "singular: constants are in its kernel. Name the boundary ids with "
      "Dirichlet conditions in AdditionalData::dirichlet_ids, or, if there "
      "is a reaction term, its coefficient in reaction_coefficient.");
  }



#define TESSERA_INSTANTIATE(dim)                                          \
  template void check_mapping(const Mapping<dim> &,                       \
                              const DoFHandler<dim> &,                    \
                              const BoxMesh<dim> &,                       \
                              const Communicator &);                      \
  template void check_dirichlet_ids(const Triangulation<dim> &,           \
                                    const std::set<types::boundary_id> &, \
                                    const Communicator &);                \
  template void check_definite(const cellwise::GridDescription<dim> &,    \
                               const double)
  TESSERA_INSTANTIATE(2);
  TESSERA_INSTANTIATE(3);
#undef TESSERA_INSTANTIATE
} // namespace tessera::dealii_adapters
