// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/starting_point.h"

#include <tessera/base/exceptions.h>

#include <filesystem>

#include "common/parameter_differences.h"

namespace tessera::sipg_adaptive
{
  namespace filesystem = std::filesystem;
  using json           = RunRecord::json;

  namespace
  {
    // Parameters that the next cycles do not depend on...
    const std::vector<std::string> without_effect = {
      "Results directory",
      "Backend",
      "Output",
      "Checkpoint",
      "Refinement/Cycles",
      "Refinement/Compare with uniform"};

    // ... or only up to the tolerance of the solver.
    const std::vector<std::string> of_the_solver = {"Solver", "Multigrid"};



    /** @throws InputError */
    void
    check_nothing_is_replaced(const CheckpointParameters &options,
                              const std::string          &results_directory,
                              const Communicator         &communicator)
    {
      if (!options.write)
        return;
      const std::string file =
        apps::CheckpointStore(results_directory, communicator).newest_file();
      if (!file.empty())
        throw InputError(
          "the results directory has checkpoints of an earlier run, such as '" +
          file +
          "', which this run would replace. Set 'Checkpoint/Restart from = "
          "auto' to go on from there, remove them, or choose another directory "
          "with --results");
    }



    /** @throws InputError, naming all parameters that must not differ. */
    void
    compare_parameters(const apps::Checkpoint   &checkpoint,
                       const json               &all_parameters,
                       std::vector<std::string> &warnings)
    {
      const json       &header = checkpoint.header;
      const std::string application =
        header.value("application", std::string("another program"));
      if (application != application_name)
        throw InputError("the checkpoint '" + checkpoint.file +
                         "' was written by " + application + ", not by " +
                         application_name);

      std::string differences;
      for (const auto &[path, before, now] :
           apps::parameter_differences(header.at("parameters"), all_parameters))
        if (apps::is_one_of(path, of_the_solver))
          warnings.push_back("'" + path + "' is " + now +
                             "; in the cycles before it was " + before);
        else if (!apps::is_one_of(path, without_effect))
          differences += (differences.empty() ? "'" : "; '") + path + "' is " +
                         before + " there and " + now + " here";
      if (!differences.empty())
        throw InputError("the checkpoint '" + checkpoint.file +
                         "' is one of another discretization: " + differences +
                         ". Restore these parameters, or start from the "
                         "beginning in another directory");
    }
  } // namespace



  StartingPoint
  find_starting_point(const Parameters   &parameters,
                      const json         &all_parameters,
                      const std::string  &results_directory,
                      const Communicator &communicator)
  {
    const CheckpointParameters &options = parameters.checkpoint;
    StartingPoint               start;
    if (options.restart_from.empty())
      {
        check_nothing_is_replaced(options, results_directory, communicator);
        return start;
      }

    const std::string directory = options.restarts_automatically() ?
                                    results_directory :
                                    options.restart_from;
    std::error_code   code;
    if (!filesystem::is_directory(directory, code))
      throw InputError("'Checkpoint/Restart from = " + directory +
                       "': there is no such directory");
    if (!filesystem::equivalent(directory, results_directory, code))
      check_nothing_is_replaced(options, results_directory, communicator);

    start.checkpoint =
      apps::CheckpointStore(directory, communicator).read_last(start.warnings);
    if (!start.checkpoint && !options.restarts_automatically())
      throw InputError("'Checkpoint/Restart from = " + directory +
                       "': there is no checkpoint in this directory. A run "
                       "writes some with 'Checkpoint/Write = true'");
    if (start.checkpoint)
      compare_parameters(*start.checkpoint, all_parameters, start.warnings);
    return start;
  }
} // namespace tessera::sipg_adaptive
