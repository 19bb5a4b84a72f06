// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/study_table.h"

#include <deal.II/base/convergence_table.h>

#include <cstdint>

#include "common/tables.h"

namespace tessera::sipg_adaptive
{
  using json = RunRecord::json;

  namespace
  {
    void
    add_row(const json &cycle, dealii::ConvergenceTable &table)
    {
      const double solve_seconds = cycle["seconds"]["solve"].get<double>();
      std::string  cells_per_level;
      for (const json &n : cycle["cells_per_level"])
        cells_per_level += (cells_per_level.empty() ? "" : "+") +
                           std::to_string(n.get<std::uint64_t>());

      table.add_value("cycle", cycle["cycle"].get<unsigned int>());
      table.add_value("levels", cycle["n_levels"].get<unsigned int>());
      table.add_value("cells", cycle["n_cells"].get<std::uint64_t>());
      table.add_value("cells per level", cells_per_level);
      table.add_value("shadows", cycle["n_shadows"].get<std::uint64_t>());
      table.add_value("dofs", cycle["n_dofs"].get<std::uint64_t>());
      table.add_value("its", cycle["iterations"].get<unsigned int>());
      table.add_value("conv",
                      std::string(cycle["converged"].get<bool>() ? "yes" :
                                                                   "NO"));
      if (!cycle["errors"].empty())
        {
          table.add_value("L2", cycle["errors"]["L2"].get<double>());
          table.add_value("energy", cycle["errors"]["energy"].get<double>());
        }
      table.add_value("estimator", cycle["estimator"].get<double>());
      if (cycle.contains("effectivity"))
        table.add_value("eff", cycle["effectivity"].get<double>());
      table.add_value("setup", cycle["seconds"]["setup"].get<double>());
      table.add_value("solve", solve_seconds);
      table.add_value("MDoF/s", cycle["dofs_per_second"].get<double>() * 1e-6);
      table.add_value("MiB",
                      cycle["peak_memory_bytes"].get<double>() /
                        (1024. * 1024.));
    }
  } // namespace



  void
  write_study_table(const std::vector<json>    &cycles,
                    const unsigned int          dim,
                    const std::string          &path,
                    dealii::ConditionalOStream &out,
                    const Communicator         &communicator)
  {
    if (cycles.empty())
      return;
    dealii::ConvergenceTable table;
    for (const json &cycle : cycles)
      add_row(cycle, table);

    const bool has_errors      = !cycles.front()["errors"].empty();
    const bool has_effectivity = cycles.front().contains("effectivity");

    std::vector<std::string> columns = {
      "cycle", "levels", "cells", "shadows", "dofs", "its", "conv"};
    std::vector<std::string> decaying;
    if (has_errors)
      decaying = {"L2", "energy"};
    decaying.push_back("estimator");
    columns.insert(columns.end(), decaying.begin(), decaying.end());
    if (has_effectivity)
      columns.push_back("eff");
    for (const char *const column : {"setup", "solve", "MDoF/s", "MiB"})
      columns.push_back(column);

    for (const std::string &column : decaying)
      {
        table.set_precision(column, 3);
        table.set_scientific(column, true);
      }
    if (has_effectivity)
      table.set_precision("eff", 2);
    for (const char *const column : {"setup", "solve", "MDoF/s"})
      table.set_precision(column, 3);
    table.set_precision("MiB", 0);

    table.set_tex_format("conv", "c");
    table.set_tex_caption("MDoF/s", "$10^6$ DoF/s");
    table.set_tex_caption("setup", "setup (s)");
    table.set_tex_caption("solve", "solve (s)");
    if (has_errors)
      {
        table.set_tex_caption("L2", "$\\|u-u_h\\|_{L_2}$");
        table.set_tex_caption("energy", "$\\|u-u_h\\|_a$");
      }
    table.set_tex_caption("estimator", "$\\eta$");
    for (const std::string &column : decaying)
      table.evaluate_convergence_rates(
        column,
        "dofs",
        dealii::ConvergenceTable::reduction_rate_log2,
        int(dim));

    table.set_column_order(columns);
    apps::print_table(table, out);
    columns.insert(columns.begin() + 3, "cells per level");
    table.set_column_order(columns);
    apps::write_table(table, path, communicator);
  }
} // namespace tessera::sipg_adaptive
