// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_elasticity_amg_solver_h
#define tessera_tests_benchmarks_elasticity_amg_solver_h

// What is compared: our multigrid method and those of others, each with the
// method of conjugate gradients of its library.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/elasticity_amg/problem.h"
#include "benchmarks/process_clock.h"

namespace benchmark
{
  /** Figures by name. */
  using Figures = std::map<std::string, double>;

  constexpr double       solve_tolerance      = 1e-8;
  constexpr unsigned int solve_max_iterations = 200;

  /** A method for one problem, of which it keeps a copy in its own format. */
  class Solver
  {
  public:
    virtual ~Solver() = default;

    /** Everything from the matrix. */
    virtual void
    set_up_cold() = 0;

    /** From now on with the changed matrix, or with the first one. */
    virtual void
    use_changed(bool changed) = 0;

    /** Values of the matrix are others, interpolation is kept. */
    virtual void
    set_up_hot() = 0;

    /** $A x = b$ from x = 0 until $\|r\| \le 10^{-8} \|b\|$.
     * @return The number of iterations, 0 if it did not converge. */
    virtual unsigned int
    solve() = 0;

    virtual std::vector<double>
    solution() const = 0;

    /** Seconds of the Galerkin products of the last set-up "galerkin seconds",
     * of the processor or by the clock on the wall, numbers of levels "levels",
     * "operator complexity", bytes of the matrix "matrix bytes", and what else
     * the method tells. */
    virtual Figures
    figures() = 0;
  };

  /** A method that can be chosen. */
  struct SolverKind
  {
    std::string name;
    bool        is_ours;

    /** How it is configured, for the record. */
    std::string configuration;

    std::function<std::unique_ptr<Solver>(Problem)> make;
  };

  /** Ours: filters 0 and 0.03, levels in float and double. */
  std::vector<SolverKind>
  our_solvers();

  /** Trilinos ML and PETSc GAMG; none where the build did not find them.
   * @{ */
  std::vector<SolverKind>
  ml_solvers();

  std::vector<SolverKind>
  gamg_solvers();
  /** @} */
} // namespace benchmark

#endif
