// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_equation_system_h
#define tessera_apps_elasticity_equation_system_h

#include <tessera/amg/near_null_space.h>
#include <tessera/base/communication.h>
#include <tessera/dealii/block_matrix_assembly.h>
#include <tessera/dealii/node_blocks.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <string>
#include <vector>

#include "elasticity/body.h"
#include "elasticity/elasticity_assembler.h"
#include "elasticity/parameters.h"
#include "elasticity/problem_data.h"
#include "elasticity/solve_sequence.h"

namespace tessera::elasticity
{
  /**
   * The linear systems on one mesh,
   * $$ K(u)\, \delta u = s\, b - f(u), \qquad
   *    \delta u = c\, \bar u \text{ on supports}, $$
   * in blocks of nodes: linearisations of the balance of loads s b and internal
   * forces f(u), for increments of given displacements.
   *
   * Displacements and forces are vectors of all degrees of freedom.
   */
  template <int dim>
  class EquationSystem
  {
  public:
    using VectorType = dealii::Vector<double>;

    /**
     * @param[in] body With degrees of freedom. It, problem and parameters have
     * to live as long as this object; moduli may change between assemblies.
     * @throws InputError see make_constraints(), NodeBlocks, and where an
     * expression is not finite.
     */
    EquationSystem(const Parameters       &parameters,
                   const ProblemData<dim> &problem,
                   const Body<dim>        &body,
                   const Communicator     &communicator);

    /** A displacement of zero. */
    VectorType
    vector() const;

    /**
     * Assemble K(u) and the right-hand side.
     *
     * @param[in] load_factor s
     * @param[in] increment_factor c
     * @throws InvertedCell
     */
    void
    assemble(const VectorType &displacement,
             const double      load_factor,
             const double      increment_factor);

    /**
     * Solve what was assembled, and add the increment to the displacement.
     * @return whether the solver converged.
     * @throws InputError if the matrix is singular and the right-hand side has
     * a part in its kernel: a body without supports whose loads are not in
     * equilibrium, or where this is to be refused.
     */
    bool
    solve(SolveSequence &solves, VectorType &displacement);

    /** Norm of the right-hand side that was assembled. */
    double
    norm_of_right_hand_side() const;

    /** Euclidean norm of $s\, b - f(u)$ over degrees of freedom without
     * constraints. @throws InvertedCell */
    double
    residual_norm(const VectorType &displacement,
                  const double      load_factor) const;

    /** $s\, b - f(u)$ under the constraints of hanging nodes alone. */
    VectorType
    nodal_forces(const VectorType &displacement,
                 const double      load_factor) const;

    /** b under the constraints of hanging nodes alone. */
    VectorType
    loads() const;

    double
    strain_energy(const VectorType &displacement) const;

    /** What is probably not meant; see make_constraints(). */
    const std::vector<std::string> &
    warnings() const;

    const dealii_adapters::NodeBlocks<dim> &
    node_blocks() const;

    std::uint64_t
    n_blocks() const;

  private:
    dealii::AffineConstraints<double>
    constraints_of_increment(const double factor);

    /** Rigid-body modes of the nodes where the displacement takes them: what
     * the tangent of a body without stress maps to zero. */
    amg::NearNullSpace
    modes_of_displaced_nodes(const VectorType &displacement) const;

    /** See find_loose_part(). @throws InputError */
    void
    refuse_loose_part(const amg::NearNullSpace &free_modes) const;

    /** For solvers that do not look for a kernel, and cannot do with one.
     * Cost: six products with the matrix.
     * @param[in] free_modes Rigid-body modes, zero in constrained components.
     * @throws InputError */
    void
    refuse_kernel(const amg::NearNullSpace &free_modes) const;

    /** Remove the rounding errors in the kernel from the right-hand side.
     * @throws InputError if they are none. */
    void
    check_kernel(const SolveSequence &solves);

    const Parameters       &parameters;
    const ProblemData<dim> &problem;
    const Body<dim>        &body;
    const Communicator      communicator;

    std::vector<std::string>          warnings_of_constraints;
    dealii::AffineConstraints<double> hanging_nodes;

    /** Of zero increments, and of the present one. */
    dealii::AffineConstraints<double> homogeneous, constraints;

    dealii_adapters::NodeBlocks<dim>          nodes;
    dealii_adapters::BlockMatrixAssembly<dim> assembly;
    ElasticityAssembler<dim>                  assembler;

    amg::NearNullSpace          modes;
    sparse::BlockMatrix<double> matrix;
    sparse::BlockVector<double> right_hand_side;
    double                      assemble_seconds = 0.;
  };
} // namespace tessera::elasticity

#endif
