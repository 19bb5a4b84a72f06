// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/common_parameters.h"

#include <tessera/base/device/device.h>
#include <tessera/base/exceptions.h>

#include "common/parameter_set.h"

namespace tessera::apps
{
  void
  CommonParameters::declare(ParameterSet &parameters)
  {
    parameters.add(
      "Dimension",
      dimension,
      "Dimension of the domain.",
      dealii::Patterns::Integer(static_cast<int>(minimum_dimension),
                                static_cast<int>(maximum_dimension)));
    parameters.add_selection<Backend>(
      "Backend",
      backend,
      {{"auto", Backend::automatic},
       {"host", Backend::host},
       {"cuda", Backend::cuda}},
      "Where the solver runs: host is the processor with its SIMD units, cuda "
      "an NVIDIA device, and auto the device where one can be used and the "
      "host otherwise.");
    parameters.add("Results directory",
                   results_directory,
                   "Directory for all files of the run; created where it is "
                   "missing. Empty: results-NAME in the current directory, "
                   "where NAME is that of the parameter file without its "
                   "extension. The option --results overrides it.",
                   dealii::Patterns::Anything());
    parameters.enter_subsection("Output");
    parameters.add("Write VTU",
                   write_vtu,
                   "Write mesh and solution for ParaView or VisIt.");
    parameters.leave_subsection();
  }



  Backend
  resolve_backend(const Backend requested)
  {
    if (requested == Backend::cuda)
      {
        const device::DeviceQuery &query = device::available_device();
        throw DeviceError("Backend = cuda: " +
                          (query.available() ?
                             "this version has no solver for a device" :
                             query.why_none) +
                          "; use auto or host");
      }
    return Backend::host;
  }
} // namespace tessera::apps
