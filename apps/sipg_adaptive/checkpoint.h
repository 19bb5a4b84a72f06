// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_checkpoint_h
#define tessera_apps_sipg_adaptive_checkpoint_h

#include <utility>
#include <vector>

#include "common/application.h"
#include "common/checkpoint_store.h"
#include "common/field_output.h"
#include "sipg_adaptive/parameters.h"
#include "sipg_adaptive/problem.h"
#include "sipg_adaptive/study_state.h"

namespace tessera::sipg_adaptive
{
  /**
   * Writes and reads the state of a study at the end of a cycle.
   *
   * A checkpoint has all parameters, the entries of run.json of the cycles so
   * far, the list of field files; the active cells by their keys, and, in the
   * order of Forest::active_cells(), coefficients of the solution and error
   * indicators. So it does not depend on how cells are stored, and what
   * follows is the same, to the last bit, as in a run that was not interrupted.
   */
  template <int dim>
  class StudyCheckpoints
  {
  public:
    StudyCheckpoints(const Parameters &parameters, apps::RunContext &context);

    /**
     * Bring a state that is before the first cycle to that of a checkpoint,
     * and enter its cycles in the run record.
     * @throws InputError if the mesh cannot be made.
     */
    void
    restore(const apps::Checkpoint &checkpoint,
            const Problem<dim>     &problem,
            StudyState<dim>        &state) const;

    /** The field files that a checkpoint names, and the directory of it. */
    static std::pair<apps::FieldFiles, std::string>
    field_files(const apps::Checkpoint &checkpoint);

    /**
     * Write a checkpoint, at the end of a cycle that is in the run record.
     * @throws InputError if that is not possible.
     */
    void
    write(const StudyState<dim> &state, const apps::FieldFiles &files);

  private:
    const Parameters     &parameters;
    apps::RunContext     &context;
    apps::CheckpointStore store;
  };
} // namespace tessera::sipg_adaptive

#endif
