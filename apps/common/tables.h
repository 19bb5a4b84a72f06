// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_tables_h
#define tessera_apps_common_tables_h

#include <tessera/base/communication.h>

#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/table_handler.h>

#include <ostream>
#include <string>

namespace tessera::apps
{
  /** Print a table, for instance a dealii::ConvergenceTable, for people. */
  void
  print_table(const dealii::TableHandler &table,
              dealii::ConditionalOStream &out);

  /**
   * Write a table as comma-separated values (RFC 4180, with line feeds): a line
   * with the names of the columns, then the rows. Floating-point numbers have
   * all their digits, whatever precision the table is printed with; columns are
   * those that are printed, in their order. The rates of convergence of a
   * column `L2` are in the column `L2 rate`.
   */
  void
  write_csv(const dealii::TableHandler &table, std::ostream &out);

  /**
   * Write `<path>.csv` and `<path>.tex`; the latter is a LaTeX document with
   * captions and formats as they were set in the table. Rank 0 writes what it
   * has; collective.
   *
   * @throws InputError on all ranks if a file cannot be written. It has then
   * what it had before.
   */
  void
  write_table(const dealii::TableHandler &table,
              const std::string          &path,
              const Communicator         &communicator);
} // namespace tessera::apps

#endif
