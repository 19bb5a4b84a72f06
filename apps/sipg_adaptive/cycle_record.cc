// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/cycle_record.h"

#include <tessera/base/memory.h>

#include <cmath>
#include <numeric>

#include "common/fractional_iterations.h"

namespace tessera::sipg_adaptive
{
  using json = RunRecord::json;

  namespace
  {
    /** A number, where there is one, of an entry of run.json. */
    const json *
    number(const json &cycle, const char *section, const char *name)
    {
      const json &place = section == nullptr ? cycle : cycle.at(section);
      const auto  found = place.find(name);
      return found != place.end() && found->is_number() ? &*found : nullptr;
    }
  } // namespace



  template <int dim>
  json
  to_json(const CycleOutcome<dim> &outcome,
          const double             tolerance,
          const apps::PhaseTimer  &timed,
          const std::vector<json> &before)
  {
    const Discretization<dim> &discretization      = outcome.discretization;
    const sipg::ConjugateGradientResult &iteration = outcome.solver.iteration;
    const std::uint64_t                  n_dofs    = discretization.n_dofs();
    const std::vector<std::uint64_t>     n_shadows =
      discretization.n_shadows_per_level();

    json cycle;
    cycle["cycle"]             = before.size();
    cycle["n_cells"]           = discretization.n_cells();
    cycle["n_dofs"]            = n_dofs;
    cycle["n_levels"]          = discretization.levels->n_levels();
    cycle["cells_per_level"]   = discretization.n_cells_per_level();
    cycle["shadows_per_level"] = n_shadows;
    cycle["n_shadows"] =
      std::accumulate(n_shadows.begin(), n_shadows.end(), std::uint64_t(0));

    // In iterations, as the tolerance is relative to the residual of zero.
    const double first  = iteration.residuals.front();
    const double target = tolerance * outcome.solver.reference_residual;
    cycle["iterations"] = iteration.n_iterations;
    cycle["fractional_iterations"] =
      first > target ?
        apps::fractional_iterations(iteration.residuals, target / first) :
        0.;
    cycle["converged"]          = iteration.converged;
    cycle["residual_measure"]   = "duality pairing";
    cycle["residual_history"]   = iteration.residuals;
    cycle["reference_residual"] = outcome.solver.reference_residual;
    if (iteration.n_iterations > 0)
      cycle["lanczos_bounds"] = sipg::lanczos_bounds(iteration);

    cycle["errors"] = json::object();
    if (outcome.errors)
      {
        cycle["errors"]["L2"]          = outcome.errors->L2;
        cycle["errors"]["H1_seminorm"] = outcome.errors->H1_seminorm;
        cycle["errors"]["energy"]      = outcome.errors->energy;
      }
    cycle["estimator"] = outcome.estimate;
    if (outcome.errors && outcome.errors->energy > 0.)
      cycle["effectivity"] = outcome.estimate / outcome.errors->energy;

    cycle["rates"] = json::object();
    if (!before.empty())
      {
        const json  &previous = before.back();
        const double ratio = double(n_dofs) / previous["n_dofs"].get<double>();
        const auto   rate  = [&](const char *section, const char *name) {
          const json *const        now  = number(cycle, section, name),
                            *const then = number(previous, section, name);
          // Of zeros there is none.
          if (now != nullptr && then != nullptr && now->get<double>() > 0. &&
              then->get<double>() > 0.)
            cycle["rates"][name] =
              dim * std::log(then->get<double>() / now->get<double>()) /
              std::log(ratio);
        };
        for (const char *const norm : {"L2", "H1_seminorm", "energy"})
          rate("errors", norm);
        rate(nullptr, "estimator");
      }

    cycle["quantities"] = json::object();
    cycle["seconds"]    = json::object();
    for (const auto &[phase, time] : timed.seconds())
      cycle["seconds"][phase] = time;
    cycle["dofs_per_second"]     = n_dofs / timed.seconds("solve");
    cycle["solver_memory_bytes"] = outcome.solver_bytes;
    cycle["peak_memory_bytes"]   = peak_resident_bytes();
    cycle["transfers"] = {{"host_to_device", 0}, {"device_to_host", 0}};
    return cycle;
  }



  template json
  to_json(const CycleOutcome<2> &,
          const double,
          const apps::PhaseTimer &,
          const std::vector<json> &);
  template json
  to_json(const CycleOutcome<3> &,
          const double,
          const apps::PhaseTimer &,
          const std::vector<json> &);
} // namespace tessera::sipg_adaptive
