// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_checkpoint_h
#define tessera_apps_sipg_adaptive_checkpoint_h

#include <optional>
#include <vector>

#include "common/application.h"
#include "common/checkpoint_store.h"
#include "common/field_output.h"
#include "sipg_adaptive/checkpoint_parameters.h"
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
     * What the parameters say to go on from, if anything; says so.
     *
     * @throws InputError if there is nothing in a directory that was named; if
     * none there is complete; if the checkpoint is one of another
     * discretization or of another application; and if the run would replace
     * checkpoints that it does not go on from.
     */
    std::optional<apps::Checkpoint>
    find() const;

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

    /** @throws InputError */
    void
    check_nothing_is_replaced() const;

    /** @throws InputError, naming all parameters that must not differ. */
    void
    compare_parameters(const apps::Checkpoint &checkpoint) const;
  };
} // namespace tessera::sipg_adaptive

#endif
