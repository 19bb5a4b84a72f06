// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/communication_mpi.h>
#include <tessera/dealii/balanced_copies.h>
#include <tessera/dealii/precondition_patch_multigrid.h>
#include <tessera/patch/multigrid.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <variant>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    /** Throw on all ranks if the mapping moves points of owned cells away from
     * where they are in the box. */
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
                  const Point<dim> found = values.quadrature_point(q);
                  const Point<dim> expected =
                    mesh.point(*cell, points.point(q));
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

    /** Throw on all ranks if no face of the boundary has one of the ids. */
    template <int dim>
    void
    check_ids(const Triangulation<dim>           &triangulation,
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

    /** Throw unless the matrix is positive definite. */
    template <int dim>
    void
    check_definite(const cellwise::GridDescription<dim> &grid,
                   const double                          reaction_coefficient)
    {
      if (!(reaction_coefficient >= 0. && std::isfinite(reaction_coefficient)))
        {
          std::ostringstream text;
          text << "AdditionalData::reaction_coefficient is "
               << reaction_coefficient
               << "; it has to be a finite number from zero up.";
          throw InputError(text.str());
        }
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
  } // namespace



  template <int dim>
  class PreconditionPatchMultigrid<dim>::Implementation
  {
  public:
    Implementation(const Mapping<dim>    *mapping,
                   const DoFHandler<dim> &dof_handler,
                   const AdditionalData  &data)
      : communicator(make_communicator(
          dealii_compatibility::get_mpi_communicator(dof_handler)))
    {
      lagrange_element(dof_handler);
      const BoxMesh<dim> mesh(dof_handler.get_triangulation(),
                              data.dirichlet_ids);
      check_ids(dof_handler.get_triangulation(),
                data.dirichlet_ids,
                communicator);
      check_definite(mesh.description(), data.reaction_coefficient);
      if (mapping != nullptr)
        check_mapping(*mapping, dof_handler, mesh, communicator);

      const cellwise::DistributedGrid<dim> grid =
        mesh.distributed_grid(communicator);
      copies =
        std::make_unique<BalancedCopies<dim>>(dof_handler, mesh, grid.cells());
      const cellwise::ReferenceCell cell(copies->degree());
      r.reinit(grid.cells().n_local(),
               cellwise::power(copies->degree() + 1, dim));

      patch::MultigridOptions options;
      options.post_smoothing = data.symmetric ? patch::PostSmoothing::reversed :
                                                patch::PostSmoothing::forward;
      options.colour_order   = data.colour_order;
      options.reaction       = data.reaction_coefficient;
      options.min_cells_per_rank = data.min_cells_per_rank;
      if (data.level_precision == patch::LevelPrecision::single_precision)
        multigrid =
          std::make_unique<patch::Multigrid<dim, float>>(grid, cell, options);
      else
        multigrid =
          std::make_unique<patch::Multigrid<dim, double>>(grid, cell, options);
    }

    template <typename VectorType>
    void
    apply(VectorType &dst, const VectorType &src, const bool adjoint)
    {
      // One reduction for the ranks to agree on an error and on the magnitude
      // of the residual.
      const std::string     error             = mismatch(dst, src);
      std::array<double, 2> has_error_and_max = {
        {error.empty() ? 0. : 1., error.empty() ? copies->read(src) : 0.}};
      communicator.max(has_error_and_max.data(), has_error_and_max.size());
      if (has_error_and_max[0] != 0.)
        communicator.throw_collectively(error);

      copies->distribute(r);
      std::visit(
        [&](const auto &cycle) {
          const double factor = cycle->cycle(r, has_error_and_max[1], adjoint);
          copies->collect(dst, factor, cycle->correction(), src);
        },
        multigrid);
    }

    types::global_dof_index
    n_dofs() const
    {
      return copies->n_dofs();
    }

    std::size_t
    memory_consumption() const
    {
      return copies->memory_consumption() + r.memory_consumption() +
             std::visit(
               [](const auto &cycle) { return cycle->memory_consumption(); },
               multigrid);
    }

  private:
    /** What keeps vectors from being a source and its image, in words. */
    template <typename VectorType>
    std::string
    mismatch(const VectorType &dst, const VectorType &src) const
    {
      if (&dst == &src)
        return "PreconditionPatchMultigrid cannot overwrite its argument: dst "
               "and src have to be different vectors.";
      for (const VectorType *const v :
           {&src, static_cast<const VectorType *>(&dst)})
        if (v->size() != n_dofs() ||
            v->locally_owned_elements() != copies->locally_owned_dofs())
          {
            std::ostringstream text;
            text << (v == &src ? "The source" : "The destination")
                 << " vector has " << v->size() << " entries, "
                 << v->locally_owned_elements().n_elements()
                 << " of them on this rank; the DoFHandler that "
                    "PreconditionPatchMultigrid was initialized with has "
                 << n_dofs() << ", "
                 << copies->locally_owned_dofs().n_elements()
                 << " of them on this rank. Make vectors of the locally owned "
                    "degrees of freedom, and call initialize() again when they "
                    "have changed.";
            return text.str();
          }
      return {};
    }

    Communicator                         communicator;
    std::unique_ptr<BalancedCopies<dim>> copies;
    cellwise::DualField<double>          r;

    std::variant<std::unique_ptr<patch::Multigrid<dim, float>>,
                 std::unique_ptr<patch::Multigrid<dim, double>>>
      multigrid;
  };



  template <int dim>
  PreconditionPatchMultigrid<dim>::PreconditionPatchMultigrid() = default;



  template <int dim>
  PreconditionPatchMultigrid<dim>::~PreconditionPatchMultigrid() = default;



  template <int dim>
  void
  PreconditionPatchMultigrid<dim>::initialize(
    const DoFHandler<dim> &dof_handler,
    const AdditionalData  &data)
  {
    clear();
    implementation =
      std::make_unique<Implementation>(nullptr, dof_handler, data);
  }



  template <int dim>
  void
  PreconditionPatchMultigrid<dim>::initialize(
    const Mapping<dim>    &mapping,
    const DoFHandler<dim> &dof_handler,
    const AdditionalData  &data)
  {
    clear();
    implementation =
      std::make_unique<Implementation>(&mapping, dof_handler, data);
  }



  template <int dim>
  void
  PreconditionPatchMultigrid<dim>::clear()
  {
    implementation.reset();
  }



  template <int dim>
  typename PreconditionPatchMultigrid<dim>::Implementation &
  PreconditionPatchMultigrid<dim>::initialized() const
  {
    if (!implementation)
      throw InputError("PreconditionPatchMultigrid is used before it is "
                       "initialized: call initialize() first.");
    return *implementation;
  }



  template <int dim>
  template <typename VectorType>
  void
  PreconditionPatchMultigrid<dim>::vmult(VectorType       &dst,
                                         const VectorType &src) const
  {
    initialized().apply(dst, src, false);
  }



  template <int dim>
  template <typename VectorType>
  void
  PreconditionPatchMultigrid<dim>::Tvmult(VectorType       &dst,
                                          const VectorType &src) const
  {
    initialized().apply(dst, src, true);
  }



  template <int dim>
  types::global_dof_index
  PreconditionPatchMultigrid<dim>::m() const
  {
    return implementation ? implementation->n_dofs() : 0;
  }



  template <int dim>
  types::global_dof_index
  PreconditionPatchMultigrid<dim>::n() const
  {
    return m();
  }



  template <int dim>
  std::size_t
  PreconditionPatchMultigrid<dim>::memory_consumption() const
  {
    return sizeof(*this) +
           (implementation ? implementation->memory_consumption() : 0);
  }



  template class PreconditionPatchMultigrid<2>;
  template class PreconditionPatchMultigrid<3>;

#define TESSERA_INSTANTIATE(dim, VectorType)                                \
  template void PreconditionPatchMultigrid<dim>::vmult(VectorType &,        \
                                                       const VectorType &)  \
    const;                                                                  \
  template void PreconditionPatchMultigrid<dim>::Tvmult(VectorType &,       \
                                                        const VectorType &) \
    const;
  TESSERA_INSTANTIATE(2, Vector<double>)
  TESSERA_INSTANTIATE(2, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(2, LinearAlgebra::distributed::Vector<float>)
  TESSERA_INSTANTIATE(3, Vector<double>)
  TESSERA_INSTANTIATE(3, LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(3, LinearAlgebra::distributed::Vector<float>)
#undef TESSERA_INSTANTIATE
} // namespace tessera::dealii_adapters
