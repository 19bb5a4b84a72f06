// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_linear_solver_h
#define tessera_apps_elasticity_linear_solver_h

#include <tessera/amg/conjugate_gradients.h>
#include <tessera/amg/hierarchy_record.h>
#include <tessera/amg/near_null_space.h>
#include <tessera/amg/options.h>
#include <tessera/sparse/block_matrix.h>
#include <tessera/sparse/block_vector.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::elasticity
{
  enum class PreconditionerType
  {
    block_amg,   ///< amg::BlockAMG
    trilinos_ml, ///< smoothed aggregation of Trilinos, with rigid-body modes
    jacobi,      ///< the diagonal
    direct       ///< no iteration: UMFPACK
  };

  /** As parameter files have it: "block amg", ... */
  std::string
  name(PreconditionerType preconditioner);

  struct LinearSolverOptions
  {
    PreconditionerType preconditioner = PreconditionerType::block_amg;

    /** $\|b - A x\|_2 \le \tau \|b\|_2$ */
    double tolerance = 1e-8;

    unsigned int max_iterations = 500;

    amg::Options block_amg;
  };

  /** What a set-up could use of the one before. */
  enum class SetupKind
  {
    cold, ///< nothing
    hot   ///< all but what depends on the values of the matrix
  };

  /** "cold" or "hot", as run.json has it. */
  std::string
  name(SetupKind kind);

  /** Of solve(); a direct solver has one iteration. */
  struct LinearSolverResult : amg::SolveResult
  {
    double seconds = 0;
  };

  /**
   * Solves $A x = b$ with a symmetric positive definite matrix of blocks by
   * conjugate gradients and one of several preconditioners, which are all
   * called in the same way by the same iteration, or directly. One process.
   */
  class LinearSolver
  {
  public:
    virtual ~LinearSolver() = default;

    /**
     * Make the preconditioner. Hot if A has the pattern and block size of the
     * matrix before and as many modes are given, and the preconditioner can
     * make use of it; otherwise cold.
     *
     * @param[in] A Has to live, with unchanged values, until the last solve()
     * with it.
     * @param[in] modes Rigid-body modes of the nodes, see
     * amg::rigid_body_modes(). Rows of constrained components, of which A has
     * only diagonal entries, do not matter.
     * @param[in] keys Of the nodes, see amg::BlockAMG::initialize().
     * @throws InputError, SolverBreakdown see amg::BlockAMG; SolverBreakdown
     * where A is singular or not positive definite and this is noticed.
     */
    SetupKind
    setup(const sparse::BlockMatrix<double> &A,
          const amg::NearNullSpace          &modes,
          const std::vector<std::uint64_t>  &keys);

    /**
     * From the given x. Where the matrix has a kernel, b must have no part in
     * it, and x gets none. See amg::solve().
     *
     * The residual of iterations is that of a recurrence, which goes to zero
     * also where A is singular to working precision, while x becomes so large
     * that A x is made of rounding errors. So $\|b - A x\|$ is computed in the
     * end, at the cost of one product.
     * @param[in] report Called after each iteration with its number and
     * $\|r\| / \|b\|$.
     * @throws InputError before setup(), or if sizes do not fit, or b has a part
     * in the kernel; SolverBreakdown if a residual is not
     * finite, A or the preconditioner turns out not to be positive definite, or
     * the solver has converged and x does not solve the equations.
     */
    LinearSolverResult
    solve(const sparse::BlockVector<double>               &b,
          sparse::BlockVector<double>                     &x,
          const std::function<void(unsigned int, double)> &report = {});

    /** Seconds of the last setup(), and of the Galerkin products in it (0
     * where there are none, or they are not known). @{ */
    double
    seconds_of_setup() const;

    virtual double
    seconds_of_galerkin() const;
    /** @} */

    /** Of the last setup(); null where there is no hierarchy, as after a
     * setup() that failed, or it is not ours. */
    virtual const amg::HierarchyRecord *
    hierarchy() const;

    /** Dimension of the kernel of A as found by setup(). Only block AMG looks
     * for it, and only with amg::SingularMatrix::complement it is not an error.
     */
    virtual int
    kernel_dimension() const;

    /** See amg::BlockAMG; 0 where there is no kernel. */
    virtual double
    part_in_kernel(const sparse::BlockVector<double> &b) const;

    /** Remove it. */
    virtual void
    remove_kernel(sparse::BlockVector<double> &x) const;

    /** Bytes of the preconditioner, as far as it is known. */
    virtual std::size_t
    memory_consumption() const = 0;

    /** A line for the log: what it is, and its version and options. */
    virtual std::string
    description() const = 0;

  protected:
    explicit LinearSolver(const LinearSolverOptions &options);

    const LinearSolverOptions &
    get_options() const;

    const sparse::BlockMatrix<double> &
    matrix() const;

  private:
    virtual void
    initialize(const sparse::BlockMatrix<double> &A,
               const amg::NearNullSpace          &modes,
               const std::vector<std::uint64_t>  &keys) = 0;

    /** @return whether it could; if not, initialize() is called. */
    virtual bool
    update(const sparse::BlockMatrix<double> &A);

    virtual amg::SolveResult
    solve_system(const sparse::BlockVector<double> &b,
                 sparse::BlockVector<double>       &x,
                 const amg::SolveOptions           &solve_options) = 0;

    const LinearSolverOptions          all_options;
    const sparse::BlockMatrix<double> *system_matrix = nullptr;
    sparse::BlockPattern               pattern;
    sparse::BlockShape                 shape;
    int                                n_modes       = 0;
    double                             setup_seconds = 0;
  };

  /** @throws InputError if the library that it needs is not there. */
  std::unique_ptr<LinearSolver>
  make_linear_solver(const LinearSolverOptions &options);
} // namespace tessera::elasticity

#endif
