// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/elasticity_amg/solver.h"

namespace benchmark
{
  std::vector<SolverKind>
  ml_solvers()
  {
    return {};
  }
} // namespace benchmark
