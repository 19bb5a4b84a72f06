// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sipg_peer_solver_h
#define tessera_tests_benchmarks_sipg_peer_solver_h

// What is compared: conjugate gradients with a multigrid cycle on levels of
// float, ours and deal.II's.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/sipg_peer/problem.h"

namespace benchmark::sipg_peer
{
  /** Called with the iterate after each iteration. */
  using Observer = std::function<void(int, const Coefficients &)>;

  /** A method, set up for the mesh of a problem by its constructor. */
  class Solver
  {
  public:
    virtual ~Solver() = default;

    /** Compute the right-hand side, or take that of the problem. */
    virtual void
    assemble() = 0;

    /**
     * Conjugate gradients from zero, until the norm that the method looks at
     * has fallen by @p tolerance, or for @p max_iterations. With an observer
     * it is slower.
     *
     * @return The number of iterations.
     */
    virtual int
    solve(double          tolerance,
          int             max_iterations,
          const Observer &observe = Observer()) = 0;

    /** Of the last solve. */
    virtual Coefficients
    solution() const = 0;
  };

  struct SolverKind
  {
    std::string name;
    bool        is_ours;

    /** How it is configured, for the record. */
    std::string configuration;

    /** Whether it serves meshes with hanging nodes. */
    bool is_adaptive;

    std::function<std::unique_ptr<Solver>(const Problem &)> make;
  };

  SolverKind
  our_solver();

  /** Geometric multigrid of deal.II on the levels of a uniform mesh. */
  SolverKind
  uniform_multigrid();

  /** Global coarsening of deal.II, for all meshes. */
  SolverKind
  global_coarsening();
} // namespace benchmark::sipg_peer

#endif
