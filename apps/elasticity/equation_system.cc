// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/equation_system.h"

#include <tessera/amg/inactive_components.h>
#include <tessera/amg/matrix_kernel.h>
#include <tessera/amg/spectrum.h>
#include <tessera/base/timer.h>

#include <deal.II/dofs/dof_tools.h>

#include <cmath>
#include <sstream>
#include <utility>

#include "common/text_of_numbers.h"
#include "elasticity/constraints.h"
#include "elasticity/loose_part.h"
#include "elasticity/nodal_forces.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** Loads are integrated numerically, and rarely in equilibrium to the last
     * digit. */
    constexpr double equilibrium_tolerance = 1e-6;



    std::string
    motions_left(const std::uint64_t n)
    {
      return "the boundary conditions leave the body " +
             apps::counted(n, "rigid motion");
    }



    /** Rigid-body modes; translations only of so few nodes, in a point or on a
     * line, that there are no three rotations. */
    amg::NearNullSpace
    modes_of_nodes(const sparse::IndexLayout &layout,
                   const int                  dim,
                   const std::vector<double> &points)
    {
      try
        {
          return amg::rigid_body_modes(layout, dim, points);
        }
      catch (const InputError &)
        {
          return amg::constant_modes(layout, dim);
        }
    }
  } // namespace



  template <int dim>
  EquationSystem<dim>::EquationSystem(const Parameters       &param,
                                      const ProblemData<dim> &data,
                                      const Body<dim>        &discrete_body,
                                      const Communicator     &comm)
    : parameters(param)
    , problem(data)
    , body(discrete_body)
    , communicator(comm)
    , homogeneous(make_constraints(parameters,
                                   problem,
                                   body.mapping,
                                   body.dof_handler,
                                   0.,
                                   warnings_of_constraints))
    , nodes(body.mapping, body.dof_handler, homogeneous)
    , assembly(nodes, body.dof_handler, homogeneous)
    , assembler(body)
    , modes(modes_of_nodes(nodes.layout(), dim, nodes.coordinates()))
    , matrix(assembly.matrix())
    , right_hand_side(nodes.vector())
  {
    problem.check_finite(communicator);
    constraints.copy_from(homogeneous);
    DoFTools::make_hanging_node_constraints(body.dof_handler, hanging_nodes);
    hanging_nodes.close();
  }



  template <int dim>
  typename EquationSystem<dim>::VectorType
  EquationSystem<dim>::vector() const
  {
    return VectorType(body.dof_handler.n_dofs());
  }



  template <int dim>
  void
  EquationSystem<dim>::assemble(const VectorType &displacement,
                                const double      load_factor,
                                const double      increment_factor)
  {
    const double start = wall_clock();
    if (increment_factor == 0.)
      constraints.copy_from(homogeneous);
    else
      {
        std::vector<std::string> known_warnings;
        constraints.copy_from(make_constraints(parameters,
                                               problem,
                                               body.mapping,
                                               body.dof_handler,
                                               increment_factor,
                                               known_warnings));
      }
    assembly.set_inhomogeneities(constraints);
    matrix.set_zero();
    right_hand_side.set_zero();
    assembler.for_each_cell(
      displacement,
      load_factor,
      [&](const FullMatrix<double>                   &cell_matrix,
          const Vector<double>                       &cell_forces,
          const std::vector<types::global_dof_index> &dofs) {
        assembly.distribute_local_to_global(
          cell_matrix, cell_forces, dofs, matrix, right_hand_side);
      });
    problem.check_finite(communicator);
    if (parameters.model == MaterialModel::neo_hookean)
      modes = modes_of_displaced_nodes(displacement);
    assemble_seconds = wall_clock() - start;
  }



  template <int dim>
  bool
  EquationSystem<dim>::solve(SolveSequence &solves, VectorType &displacement)
  {
    if (solves.records().empty())
      {
        amg::NearNullSpace free_modes = modes.copy();
        amg::remove_inactive(amg::find_inactive_components(matrix), free_modes);
        refuse_loose_part(free_modes);
        if (parameters.solver.preconditioner != PreconditionerType::block_amg)
          refuse_kernel(free_modes);
      }
    solves.setup(matrix, modes, nodes.keys(), assemble_seconds);
    check_kernel(solves);
    sparse::BlockVector<double> x         = nodes.vector();
    const bool                  converged = solves.solve(right_hand_side, x);

    VectorType increment(displacement.size());
    nodes.copy(x, constraints, increment);
    displacement += increment;
    return converged;
  }



  template <int dim>
  amg::NearNullSpace
  EquationSystem<dim>::modes_of_displaced_nodes(
    const VectorType &displacement) const
  {
    std::vector<double> points = nodes.coordinates();
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] += displacement(nodes.dof_of_entry(i));
    return modes_of_nodes(nodes.layout(), dim, points);
  }



  template <int dim>
  void
  EquationSystem<dim>::refuse_loose_part(
    const amg::NearNullSpace &free_modes) const
  {
    const std::optional<LoosePart> part =
      find_loose_part(matrix, dim, nodes.coordinates(), free_modes);
    if (!part)
      return;
    std::ostringstream text;
    text << "the body has " << part->n_parts
         << " parts that are not connected, and the boundary conditions leave "
         << apps::counted(part->n_motions, "rigid motion")
         << " to the one about the point (";
    for (unsigned int d = 0; d < dim; ++d)
      text << (d > 0 ? " " : "") << part->centre[d];
    text
      << "), of " << apps::counted(part->n_nodes, "node")
      << ". Support it, or connect the parts: cells are connected where they "
         "share nodes, and not where they have nodes of their own in the "
         "same place (in Gmsh: 'Coherence')";
    throw InputError(text.str());
  }



  template <int dim>
  void
  EquationSystem<dim>::refuse_kernel(const amg::NearNullSpace &free_modes) const
  {
    const std::size_t n =
      amg::kernel_coefficients(matrix,
                               amg::inverse_scalar_diagonal(matrix),
                               free_modes)
        .n_columns();
    if (n > 0)
      throw InputError(motions_left(n) + ", which 'Solver/Preconditioner = " +
                       name(parameters.solver.preconditioner) +
                       "' cannot do with. Add supports ('Type = clamped', "
                       "'displacement' or 'symmetry' of a boundary id), or use "
                       "block amg");
  }



  template <int dim>
  void
  EquationSystem<dim>::check_kernel(const SolveSequence &solves)
  {
    const int n = solves.solver().kernel_dimension();
    if (n == 0)
      return;
    const std::string found = motions_left(n);
    if (parameters.model == MaterialModel::neo_hookean)
      throw InputError(found +
                       "; 'Model = neo-hookean' needs supports that leave "
                       "none, since rotations of a loaded body change the "
                       "forces. Clamp a part, or hold components by 'Type = "
                       "displacement' or 'symmetry'");
    const double part = solves.solver().part_in_kernel(right_hand_side);
    if (part <= equilibrium_tolerance)
      {
        solves.solver().remove_kernel(right_hand_side);
        return;
      }
    const Resultant<dim> resultant =
      compute_resultant(body.mapping, body.dof_handler, loads());
    std::ostringstream text;
    text << found << ", and the load is not in equilibrium with respect to "
         << (n == 1 ? "it" : "them") << ": its resultants are the force ("
         << resultant.force << ") and the moment (" << resultant.moment
         << ") about the origin, and the part of the load in rigid motions is "
         << apps::short_number(part)
         << " of it. Add supports ('Type = clamped', 'displacement' or "
            "'symmetry' of a boundary id), or make the load balanced";
    throw InputError(text.str());
  }



  template <int dim>
  double
  EquationSystem<dim>::norm_of_right_hand_side() const
  {
    double sum = 0.;
    for (std::size_t i = 0; i < right_hand_side.n_owned_values(); ++i)
      sum += right_hand_side.data()[i] * right_hand_side.data()[i];
    return std::sqrt(sum);
  }



  template <int dim>
  double
  EquationSystem<dim>::residual_norm(const VectorType &displacement,
                                     const double      load_factor) const
  {
    VectorType forces;
    assembler.residual(displacement, load_factor, homogeneous, forces);
    return forces.l2_norm();
  }



  template <int dim>
  typename EquationSystem<dim>::VectorType
  EquationSystem<dim>::nodal_forces(const VectorType &displacement,
                                    const double      load_factor) const
  {
    VectorType forces;
    assembler.residual(displacement, load_factor, hanging_nodes, forces);
    return forces;
  }



  template <int dim>
  typename EquationSystem<dim>::VectorType
  EquationSystem<dim>::loads() const
  {
    VectorType forces;
    assembler.external_forces(hanging_nodes, forces);
    return forces;
  }



  template <int dim>
  double
  EquationSystem<dim>::strain_energy(const VectorType &displacement) const
  {
    return assembler.strain_energy(displacement);
  }



  template <int dim>
  const std::vector<std::string> &
  EquationSystem<dim>::warnings() const
  {
    return warnings_of_constraints;
  }



  template <int dim>
  const dealii_adapters::NodeBlocks<dim> &
  EquationSystem<dim>::node_blocks() const
  {
    return nodes;
  }



  template <int dim>
  std::uint64_t
  EquationSystem<dim>::n_blocks() const
  {
    return matrix.pattern().n_blocks();
  }



  template class EquationSystem<2>;
  template class EquationSystem<3>;
} // namespace tessera::elasticity
