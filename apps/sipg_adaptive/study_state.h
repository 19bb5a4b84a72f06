// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_study_state_h
#define tessera_apps_sipg_adaptive_study_state_h

#include <tessera/base/run_record.h>
#include <tessera/sipg/field.h>

#include <memory>
#include <vector>

#include "sipg_adaptive/discretization.h"
#include "sipg_adaptive/mesh.h"

namespace tessera::sipg_adaptive
{
  /** All that a study hands from one cycle to the next. */
  template <int dim>
  struct StudyState
  {
    /** Of the last cycle, or, before the first one, of that. */
    Mesh<dim> mesh;

    /** Of the last cycle; nothing before the first one. */
    std::shared_ptr<const Discretization<dim>> discretization;
    sipg::PrimalField<double>                  solution;

    /** Of the active cells of the mesh of the last cycle. */
    std::vector<double> indicators;

    /** What run.json has of each cycle so far. */
    std::vector<RunRecord::json> cycles;

    /** Number of cycles done. */
    unsigned int
    n_cycles() const
    {
      return static_cast<unsigned int>(cycles.size());
    }
  };
} // namespace tessera::sipg_adaptive

#endif
