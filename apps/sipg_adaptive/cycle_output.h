// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_sipg_adaptive_cycle_output_h
#define tessera_apps_sipg_adaptive_cycle_output_h

#include <string>
#include <vector>

#include "common/field_output.h"
#include "sipg_adaptive/parameters.h"
#include "sipg_adaptive/problem.h"
#include "sipg_adaptive/study_state.h"

namespace tessera::sipg_adaptive
{
  /** Writes solution, error, level, indicators and coefficient of each cycle
   * for ParaView; see apps::FieldOutput. */
  template <int dim>
  class CycleOutput
  {
  public:
    CycleOutput(const std::string  &directory,
                const MPI_Comm      mpi_communicator,
                const Parameters   &parameters,
                const Problem<dim> &problem);

    /** @param[in] state At the end of a cycle. */
    void
    write(const StudyState<dim> &state,
          const unsigned int     cycle,
          const bool             converged);

    const apps::FieldFiles &
    files() const
    {
      return field_output.files();
    }

    /** See apps::FieldOutput. */
    std::vector<std::string>
    take_over(const apps::FieldFiles &earlier,
              const std::string      &from_directory)
    {
      return field_output.take_over(earlier, from_directory);
    }

  private:
    const Parameters      &parameters;
    const Problem<dim>    &problem;
    apps::FieldOutput<dim> field_output;
  };
} // namespace tessera::sipg_adaptive

#endif
