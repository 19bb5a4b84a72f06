// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_study_table_h
#define tessera_apps_sipg_adaptive_study_table_h

#include <tessera/base/communication.h>
#include <tessera/base/run_record.h>

#include <deal.II/base/conditional_ostream.h>

#include <string>
#include <vector>

namespace tessera::sipg_adaptive
{
  /** Print the table of a study, a row for each entry of run.json. Rates of a
   * zero error, and effectivities, are "-". */
  void
  print_study_table(const std::vector<RunRecord::json> &cycles,
                    dealii::ConditionalOStream         &out);

  /**
   * Write the same table as `<path>.csv` and `<path>.tex`, with a column more,
   * the numbers of cells of all levels. Nothing is written without cycles.
   *
   * @throws InputError if a file cannot be written; what it replaces is there
   * then.
   */
  void
  write_study_table(const std::vector<RunRecord::json> &cycles,
                    const std::string                  &path,
                    const Communicator                 &communicator);
} // namespace tessera::sipg_adaptive

#endif
