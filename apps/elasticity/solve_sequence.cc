// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/solve_sequence.h"

#include <tessera/base/exceptions.h>

namespace tessera::elasticity
{
  SolveSequence::SolveSequence(const LinearSolverOptions &solver_options,
                               Progress                  &where)
    : options(solver_options)
    , progress(where)
    , linear_solver(make_linear_solver(options))
  {}



  void
  SolveSequence::start_again()
  {
    linear_solver = make_linear_solver(options);
    solves.clear();
    is_worn_out = false;
  }



  void
  SolveSequence::setup_cold()
  {
    // A new solver has nothing to use again.
    linear_solver = make_linear_solver(options);
    current.kind =
      linear_solver->setup(*matrix, *modes_of_nodes, *keys_of_nodes);
    is_worn_out = false;
  }



  void
  SolveSequence::setup(const sparse::BlockMatrix<double> &A,
                       const amg::NearNullSpace          &modes,
                       const std::vector<std::uint64_t>  &keys,
                       const double                       assemble_seconds)
  {
    matrix                   = &A;
    modes_of_nodes           = &modes;
    keys_of_nodes            = &keys;
    current                  = SolveRecord();
    current.assemble_seconds = assemble_seconds;
    if (is_worn_out)
      setup_cold();
    else
      current.kind = linear_solver->setup(A, modes, keys);
    current.setup_seconds    = linear_solver->seconds_of_setup();
    current.galerkin_seconds = linear_solver->seconds_of_galerkin();
  }



  LinearSolverResult
  SolveSequence::iterate(const sparse::BlockVector<double> &b,
                         sparse::BlockVector<double>       &x)
  {
    ProgressPhase phase(progress, "Solve", 0, "iterations");
    return linear_solver->solve(b, x, [&](const unsigned int step, double) {
      phase.update(step);
    });
  }



  bool
  SolveSequence::solve(const sparse::BlockVector<double> &b,
                       sparse::BlockVector<double>       &x)
  {
    const bool                  is_hot = current.kind == SetupKind::hot;
    sparse::BlockVector<double> start;
    if (is_hot)
      start = x.copy();

    bool is_done = false;
    try
      {
        current.result = iterate(b, x);
        is_done        = current.result.converged || !is_hot;
      }
    catch (const SolverBreakdown &)
      {
        if (!is_hot)
          throw;
      }
    if (!is_done)
      {
        const double seconds_so_far = current.setup_seconds;
        x                           = std::move(start);
        setup_cold();
        current.setup_seconds =
          seconds_so_far + linear_solver->seconds_of_setup();
        current.galerkin_seconds += linear_solver->seconds_of_galerkin();
        current.result = iterate(b, x);
      }

    if (current.kind == SetupKind::cold)
      n_iterations_of_cold = current.result.n_iterations;
    else
      is_worn_out =
        2 * current.result.n_iterations > 3 * n_iterations_of_cold + 10;
    solves.push_back(current);
    return current.result.converged;
  }



  const std::vector<SolveRecord> &
  SolveSequence::records() const
  {
    return solves;
  }



  const LinearSolver &
  SolveSequence::solver() const
  {
    return *linear_solver;
  }
} // namespace tessera::elasticity
