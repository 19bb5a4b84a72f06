// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_dealii_precondition_patch_multigrid_templates_h
#define tessera_dealii_precondition_patch_multigrid_templates_h

// Definitions of precondition_patch_multigrid.h, for the sources that
// instantiate them.

#include <tessera/base/communication_mpi.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/device/supported_degrees.h>
#include <tessera/cellwise/types.h>
#include <tessera/dealii/balanced_copies.h>
#include <tessera/dealii/device_balanced_copies.h>
#include <tessera/dealii/precondition_patch_multigrid.h>
#include <tessera/dealii/problem_checks.h>
#include <tessera/dealii/vector_mismatch.h>
#include <tessera/patch/multigrid.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  inline constexpr const char *name_of_preconditioner =
    "PreconditionPatchMultigrid";

  template <int dim, typename Execution>
  class PreconditionPatchMultigrid<dim, Execution>::Implementation
  {
  public:
    Implementation(const Mapping<dim>    *mapping,
                   const DoFHandler<dim> &dof_handler,
                   const AdditionalData  &data,
                   const Queue           &work_queue)
      : communicator(make_communicator(
          dealii_compatibility::get_mpi_communicator(dof_handler)))
      , queue(work_queue)
    {
      const int degree = int(lagrange_element(dof_handler).degree);
      if constexpr (is_on_device)
        cellwise::check_device_degree(degree);
      const BoxMesh<dim> mesh(dof_handler.get_triangulation(),
                              data.dirichlet_ids);
      check_dirichlet_ids(dof_handler.get_triangulation(),
                          data.dirichlet_ids,
                          communicator);
      check_definite(mesh.description(), data.reaction_coefficient);
      if (mapping != nullptr)
        check_mapping(*mapping, dof_handler, mesh, communicator);

      const cellwise::DistributedGrid<dim> grid =
        mesh.distributed_grid(communicator);
      if constexpr (is_on_device)
        copies = std::make_unique<Copies>(
          dof_handler, mesh, grid.cells(), communicator, queue);
      else
        copies = std::make_unique<Copies>(dof_handler, mesh, grid.cells());
      const cellwise::ReferenceCell cell(degree);
      r = Residual(grid.cells().n_local(),
                   cellwise::power(degree + 1, dim),
                   queue);

      patch::MultigridOptions options;
      options.post_smoothing = data.symmetric ? patch::PostSmoothing::reversed :
                                                patch::PostSmoothing::forward;
      options.colour_order   = data.colour_order;
      options.reaction       = data.reaction_coefficient;
      options.min_cells_per_rank = data.min_cells_per_rank;
      if (data.level_precision == patch::LevelPrecision::single_precision)
        multigrid =
          std::make_unique<Multigrid<float>>(grid, cell, options, queue);
      else
        multigrid =
          std::make_unique<Multigrid<double>>(grid, cell, options, queue);
    }

    template <typename VectorType>
    void
    apply(VectorType &dst, const VectorType &src, const bool adjoint)
    {
      // One reduction for the ranks to agree on an error and on the magnitude
      // of the residual, of which maxima must not lose NaN.
      const std::string error = vector_mismatch(
        name_of_preconditioner, dst, src, copies->locally_owned_dofs(), queue);
      const double          max_of_rank = error.empty() ? read(src) : 0.;
      const bool            is_nan      = std::isnan(max_of_rank);
      std::array<double, 3> agreed      = {
             {error.empty() ? 0. : 1., is_nan ? 1. : 0., is_nan ? 0. : max_of_rank}};
      communicator.max(agreed.data(), agreed.size());
      if (agreed[0] != 0.)
        communicator.throw_collectively(error);
      const double max =
        agreed[1] == 0. ? agreed[2] : std::numeric_limits<double>::quiet_NaN();

      if constexpr (is_on_device)
        copies->distribute(r, src);
      else
        copies->distribute(r);
      std::visit(
        [&](const auto &cycle) {
          const double factor = cycle->cycle(r, max, adjoint);
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
    static constexpr bool is_on_device =
      std::is_same<Execution, execution::Device>::value;

    using Copies   = std::conditional_t<is_on_device,
                                      DeviceBalancedCopies<dim>,
                                      BalancedCopies<dim>>;
    using Residual = typename cellwise::Types<Execution>::template Dual<double>;
    template <typename Number>
    using Multigrid = patch::Multigrid<dim, Number, Execution>;

    /** The largest entry, without those of Dirichlet nodes. The host keeps a
     * copy for what follows. */
    template <typename VectorType>
    double
    read(const VectorType &src)
    {
      if constexpr (is_on_device)
        return copies->max_abs(src);
      else
        return copies->read(src);
    }

    Communicator            communicator;
    const Queue            &queue;
    std::unique_ptr<Copies> copies;
    Residual                r;

    std::variant<std::unique_ptr<Multigrid<float>>,
                 std::unique_ptr<Multigrid<double>>>
      multigrid;
  };



  template <int dim, typename Execution>
  PreconditionPatchMultigrid<dim, Execution>::PreconditionPatchMultigrid(
    const Queue &work_queue)
    : queue(work_queue)
  {}



  template <int dim, typename Execution>
  PreconditionPatchMultigrid<dim, Execution>::~PreconditionPatchMultigrid() =
    default;



  template <int dim, typename Execution>
  void
  PreconditionPatchMultigrid<dim, Execution>::initialize(
    const DoFHandler<dim> &dof_handler,
    const AdditionalData  &data)
  {
    clear();
    implementation =
      std::make_unique<Implementation>(nullptr, dof_handler, data, queue);
  }



  template <int dim, typename Execution>
  void
  PreconditionPatchMultigrid<dim, Execution>::initialize(
    const Mapping<dim>    &mapping,
    const DoFHandler<dim> &dof_handler,
    const AdditionalData  &data)
  {
    clear();
    implementation =
      std::make_unique<Implementation>(&mapping, dof_handler, data, queue);
  }



  template <int dim, typename Execution>
  void
  PreconditionPatchMultigrid<dim, Execution>::clear()
  {
    implementation.reset();
  }



  template <int dim, typename Execution>
  typename PreconditionPatchMultigrid<dim, Execution>::Implementation &
  PreconditionPatchMultigrid<dim, Execution>::initialized() const
  {
    if (!implementation)
      throw InputError(std::string(name_of_preconditioner) +
                       " is used before it is initialized: call initialize() "
                       "first.");
    return *implementation;
  }



  template <int dim, typename Execution>
  template <typename VectorType>
  void
  PreconditionPatchMultigrid<dim, Execution>::vmult(VectorType       &dst,
                                                    const VectorType &src) const
  {
    initialized().apply(dst, src, false);
  }



  template <int dim, typename Execution>
  template <typename VectorType>
  void
  PreconditionPatchMultigrid<dim, Execution>::Tvmult(
    VectorType       &dst,
    const VectorType &src) const
  {
    initialized().apply(dst, src, true);
  }



  template <int dim, typename Execution>
  types::global_dof_index
  PreconditionPatchMultigrid<dim, Execution>::m() const
  {
    return implementation ? implementation->n_dofs() : 0;
  }



  template <int dim, typename Execution>
  types::global_dof_index
  PreconditionPatchMultigrid<dim, Execution>::n() const
  {
    return m();
  }



  template <int dim, typename Execution>
  std::size_t
  PreconditionPatchMultigrid<dim, Execution>::memory_consumption() const
  {
    return sizeof(*this) +
           (implementation ? implementation->memory_consumption() : 0);
  }
} // namespace tessera::dealii_adapters

#endif
