// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_elasticity_amg_measure_h
#define tessera_tests_benchmarks_elasticity_amg_measure_h

// All that is measured of a solver, in the order in which a user would call it.

#include <tessera/base/memory.h>
#include <tessera/sparse/matrix_vector.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "benchmarks/elasticity_amg/solver.h"
#include "benchmarks/process_memory.h"

namespace benchmark
{
  /** $\|b - A x\| / \|b\|$ and $b^T x$. */
  inline Figures
  verify(const Problem &problem, const std::vector<double> &solution)
  {
    using namespace tessera::sparse;
    const auto         &A = problem.A;
    BlockVector<double> x(A.pattern().columns(), A.shape().columns),
      r(A.pattern().rows(), A.shape().rows);
    std::copy(solution.begin(), solution.end(), x.data());
    MatrixVector<double>(A).multiply(A, x, r);
    double residual = 0., norm = 0., work = 0.;
    for (std::size_t i = 0; i < problem.b.size(); ++i)
      {
        residual += (problem.b[i] - r.data()[i]) * (problem.b[i] - r.data()[i]);
        norm += problem.b[i] * problem.b[i];
        work += problem.b[i] * solution[i];
      }
    return {{"residual", std::sqrt(residual / norm)},
            {"work", work},
            {"probe", solution[problem.probe]}};
  }

  /**
   * Cold set-up, two hot set-ups, the changed matrix and back, and a solve.
   * Memory is what comes on top of the matrices and vectors in the format of
   * the solver, at its peak.
   */
  inline Figures
  measure_solver(const SolverKind               &kind,
                 const std::function<Problem()> &make_problem)
  {
    Figures figures;
    {
      const std::unique_ptr<Solver> solver = kind.make(make_problem());
      restart_peak_resident_bytes();
      const double before = double(tessera::resident_bytes());
      const auto   time   = [](const auto &f) {
        const double start = process_seconds();
        f();
        return process_seconds() - start;
      };
      const double cold = time([&] { solver->set_up_cold(); });
      double       hot  = 0.;
      for (const bool changed : {true, false})
        {
          solver->use_changed(changed);
          hot += 0.5 * time([&] { solver->set_up_hot(); });
        }
      unsigned int n_iterations = 0;
      const double solve        = time([&] { n_iterations = solver->solve(); });
      const double peak         = double(tessera::peak_resident_bytes());
      figures                   = solver->figures();
      figures["cold seconds"]   = cold;
      figures["hot seconds"]    = hot;
      figures["solve seconds"]  = solve;
      figures["iterations"]     = n_iterations;
      figures["memory bytes"]   = peak - before;
      figures["memory with matrix bytes"] =
        peak - before + figures["matrix bytes"];
      const std::vector<double> solution = solver->solution();
      for (const auto &entry : verify(make_problem(), solution))
        figures.insert(entry);
    }
    return figures;
  }
} // namespace benchmark

#endif
