// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/solution_record.h"

namespace tessera::elasticity
{
  using json = RunRecord::json;

  json
  to_json(const SolveRecord &solve)
  {
    json entry;
    entry["kind"]             = name(solve.kind);
    entry["converged"]        = solve.result.converged;
    entry["iterations"]       = solve.result.n_iterations;
    entry["residual_history"] = solve.result.residual_history;
    json &seconds             = entry["seconds"];
    seconds["assemble"]       = solve.assemble_seconds;
    seconds["setup"]          = solve.setup_seconds;
    seconds["galerkin"]       = solve.galerkin_seconds;
    seconds["solve"]          = solve.result.seconds;
    return entry;
  }



  json
  to_json(const LoadStepRecord &step)
  {
    json entry;
    entry["load_factor"] = step.load_factor;
    entry["converged"]   = step.converged;
    entry["residuals"]   = step.residuals;
    if (!step.failure.empty())
      entry["failure"] = step.failure;
    return entry;
  }



  json
  to_json(const amg::HierarchyRecord &hierarchy)
  {
    json levels = json::array();
    for (std::size_t l = 0; l < hierarchy.levels.size(); ++l)
      {
        const amg::LevelRecord &level = hierarchy.levels[l];
        json                    entry;
        entry["level"]      = l;
        entry["block_size"] = level.block_size;
        entry["block_rows"] = level.n_block_rows;
        entry["n_blocks"]   = level.n_blocks;
        // Down from the coarsest level nothing goes.
        if (l + 1 < hierarchy.levels.size())
          {
            const double n_rows = double(level.n_block_rows);
            const double n_P    = double(level.n_prolongator_blocks);
            entry["aggregates"] = level.n_aggregates;
            json &prolongator   = entry["prolongator"];
            prolongator["n_blocks_unfiltered"] =
              level.n_unfiltered_prolongator_blocks;
            prolongator["n_blocks"]          = level.n_prolongator_blocks;
            prolongator["per_row"]           = n_P / n_rows;
            json &product                    = entry["product"];
            product["algorithm"]             = level.product_algorithm;
            product["n_blocks_intermediate"] = level.n_intermediate_blocks;
            product["fill_growth"]     = level.n_intermediate_blocks / n_P;
            product["seconds"]         = level.product_seconds;
            product["predicted_bytes"] = level.predicted_bytes;
          }
        levels.push_back(entry);
      }
    return levels;
  }
} // namespace tessera::elasticity
