// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/hierarchy_record.h>

#include <cstdarg>
#include <cstdio>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      /** Formatted as by printf(). */
      __attribute__((format(printf, 1, 2))) std::string
      text(const char *format, ...)
      {
        char    line[256];
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(line, sizeof(line), format, arguments);
        va_end(arguments);
        return line;
      }

      /** Three digits with a prefix: "1.23 GB". */
      std::string
      with_unit(const double n, const char *unit)
      {
        const char *const prefixes[] = {"", "k", "M", "G", "T"};
        int               prefix     = 0;
        double            value      = n;
        for (; value >= 999.5 && prefix < 4; ++prefix)
          value /= 1000;
        return text("%.3g %s%s", value, prefixes[prefix], unit);
      }

      std::string
      bytes(const double n)
      {
        return with_unit(n, "B");
      }

      double
      rows(const LevelRecord &level)
      {
        return static_cast<double>(level.n_block_rows);
      }

      double
      entries(const LevelRecord &level)
      {
        return static_cast<double>(level.n_blocks) * level.block_size *
               level.block_size;
      }
    } // namespace



    double
    HierarchyRecord::grid_complexity() const
    {
      double sum = 0;
      for (const LevelRecord &level : levels)
        sum += rows(level) * level.block_size;
      return levels.empty() ? 0 :
                              sum / (rows(levels[0]) * levels[0].block_size);
    }



    double
    HierarchyRecord::operator_complexity() const
    {
      double sum = 0;
      for (const LevelRecord &level : levels)
        sum += entries(level);
      return levels.empty() ? 0 : sum / entries(levels[0]);
    }



    std::string
    print_hierarchy(const HierarchyRecord &record)
    {
      std::string out;
      out += text("%5s %3s %10s %12s %8s %8s %9s %10s\n",
                  "level",
                  "b",
                  "block rows",
                  "blocks",
                  "per row",
                  "inactive",
                  "eigenval.",
                  "memory");
      for (std::size_t l = 0; l < record.levels.size(); ++l)
        {
          const LevelRecord &level = record.levels[l];
          out += text("%5zu %3d %10llu %12llu %8.1f %8llu ",
                      l,
                      level.block_size,
                      static_cast<unsigned long long>(level.n_block_rows),
                      static_cast<unsigned long long>(level.n_blocks),
                      level.n_blocks / rows(level),
                      static_cast<unsigned long long>(level.n_inactive));
          out += level.largest_eigenvalue > 0 ?
                   text("%9.3f", level.largest_eigenvalue) :
                   text("%9s", "direct");
          out += text(" %10s\n", bytes(level.memory).c_str());
        }
      out += text("grid complexity %.3f, operator complexity %.3f, memory %s\n",
                  record.grid_complexity(),
                  record.operator_complexity(),
                  bytes(record.memory).c_str());
      out += "coarsening ended: " + record.end_of_coarsening + '\n';
      if (record.kernel_dimension > 0)
        out +=
          text("singular: a kernel of dimension %d\n", record.kernel_dimension);

      if (record.levels.size() > 1)
        out += text("\n%5s %10s %6s %6s %10s %10s %7s %9s\n",
                    "step",
                    "aggregates",
                    "merged",
                    "left",
                    "blocks P",
                    "unfiltered",
                    "per row",
                    "lost modes");
      for (std::size_t l = 0; l + 1 < record.levels.size(); ++l)
        {
          const LevelRecord &level = record.levels[l];
          out +=
            text("%3zu>%zu %10llu %6llu %6llu %10llu %10llu %7.2f %9.1e\n",
                 l,
                 l + 1,
                 static_cast<unsigned long long>(level.n_aggregates),
                 static_cast<unsigned long long>(level.n_merged),
                 static_cast<unsigned long long>(level.n_unaggregated),
                 static_cast<unsigned long long>(level.n_prolongator_blocks),
                 static_cast<unsigned long long>(
                   level.n_unfiltered_prolongator_blocks),
                 level.n_prolongator_blocks / rows(level),
                 level.error_of_modes_projected);
        }

      for (std::size_t l = 0; l + 1 < record.levels.size(); ++l)
        {
          const LevelRecord &level = record.levels[l];
          out += text("\nproduct %zu>%zu: ", l, l + 1) +
                 level.product_description + '\n';
          out +=
            text("  %llu blocks of A P, fill growth %.2f; predicted %s, "
                 "%s; %.4f s\n",
                 static_cast<unsigned long long>(level.n_intermediate_blocks),
                 level.n_intermediate_blocks /
                   static_cast<double>(level.n_prolongator_blocks),
                 bytes(level.predicted_bytes).c_str(),
                 with_unit(level.predicted_flops, "flop").c_str(),
                 level.product_seconds);
        }

      const SetupSeconds &seconds = record.seconds;
      out += text(
        "\n%s %.4f s:", record.is_update ? "update" : "set-up", seconds.total);
      if (!record.is_update)
        out += text(" aggregation %.4f, prolongators %.4f,",
                    seconds.aggregation,
                    seconds.prolongator);
      out += text("\n  products %.4f, smoothers %.4f, coarsest matrix %.4f\n",
                  seconds.galerkin,
                  seconds.smoother,
                  seconds.coarse);
      return out;
    }
  } // namespace amg
} // namespace tessera
