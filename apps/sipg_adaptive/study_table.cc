// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/study_table.h"

#include <deal.II/base/table_handler.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "common/tables.h"

namespace tessera::sipg_adaptive
{
  using json = RunRecord::json;

  namespace
  {
    const std::string none = "-";

    /** Columns that have one of rates beside them, and captions in TeX. */
    const std::vector<std::pair<std::string, std::string>> decaying = {
      {"L2", "$\\|u-u_h\\|_{L_2}$"},
      {"energy", "$\\|u-u_h\\|_a$"},
      {"estimator", "$\\eta$"}};

    /** deal.II's name of a column of rates, which apps::write_table() knows. */
    std::string
    rate_column(const std::string &column)
    {
      return column + "...red.rate.log2";
    }



    void
    add_row(const json &cycle, dealii::TableHandler &table)
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
      // deal.II's own rates are not numbers where an error is zero.
      for (const auto &[column, symbol] : decaying)
        if (cycle["rates"].contains(column))
          table.add_value(rate_column(column),
                          cycle["rates"][column].get<double>());
        else
          table.add_value(rate_column(column), none);
      if (cycle.contains("effectivity"))
        table.add_value("eff", cycle["effectivity"].get<double>());
      else
        table.add_value("eff", none);
      table.add_value("setup", cycle["seconds"]["setup"].get<double>());
      table.add_value("solve", solve_seconds);
      table.add_value("MDoF/s", cycle["dofs_per_second"].get<double>() * 1e-6);
      table.add_value("MiB",
                      cycle["peak_memory_bytes"].get<double>() /
                        (1024. * 1024.));
    }
    /** The table but for the choice of columns, which is returned. */
    std::vector<std::string>
    fill(const std::vector<json> &cycles, dealii::TableHandler &table)
    {
      for (const json &cycle : cycles)
        add_row(cycle, table);

      const bool has_errors = !cycles.front()["errors"].empty();
      const bool has_effectivity =
        std::any_of(cycles.begin(), cycles.end(), [](const json &cycle) {
          return cycle.contains("effectivity");
        });

      table.set_tex_format("conv", "c");
      table.set_tex_caption("MDoF/s", "$10^6$ DoF/s");
      table.set_tex_caption("setup", "setup (s)");
      table.set_tex_caption("solve", "solve (s)");
      std::vector<std::string> columns = {
        "cycle", "levels", "cells", "shadows", "dofs", "its", "conv"};
      for (const auto &[column, symbol] : decaying)
        if (has_errors || column == "estimator")
          {
            columns.push_back(column);
            table.set_precision(column, 3);
            table.set_scientific(column, true);
            table.set_precision(rate_column(column), 2);
            table.add_column_to_supercolumn(column, column);
            table.add_column_to_supercolumn(rate_column(column), column);
            table.set_tex_supercaption(column, symbol);
          }
      if (has_effectivity)
        {
          columns.push_back("eff");
          table.set_precision("eff", 2);
        }
      for (const char *const column : {"setup", "solve", "MDoF/s", "MiB"})
        columns.push_back(column);
      for (const char *const column : {"setup", "solve", "MDoF/s"})
        table.set_precision(column, 3);
      table.set_precision("MiB", 0);
      return columns;
    }
  } // namespace



  void
  print_study_table(const std::vector<json>    &cycles,
                    dealii::ConditionalOStream &out)
  {
    if (cycles.empty())
      return;
    dealii::TableHandler table;
    table.set_column_order(fill(cycles, table));
    apps::print_table(table, out);
  }



  void
  write_study_table(const std::vector<json> &cycles,
                    const std::string       &path,
                    const Communicator      &communicator)
  {
    if (cycles.empty())
      return;
    dealii::TableHandler     table;
    std::vector<std::string> columns = fill(cycles, table);
    columns.insert(columns.begin() + 3, "cells per level");
    table.set_column_order(columns);
    apps::write_table(table, path, communicator);
  }
} // namespace tessera::sipg_adaptive
