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
  /**
   * Print the table of a study and write `<path>.csv` and `<path>.tex`, a row
   * for each entry of run.json. Rates are those against $N^{-1/d}$.
   *
   * The files have a column more, the numbers of cells of all levels.
   */
  void
  write_study_table(const std::vector<RunRecord::json> &cycles,
                    const unsigned int                  dim,
                    const std::string                  &path,
                    dealii::ConditionalOStream         &out,
                    const Communicator                 &communicator);
} // namespace tessera::sipg_adaptive

#endif
