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



  ResolvedBackend
  resolve_backend(const Backend       requested,
                  const std::string  &why_host_only,
                  const Communicator &communicator)
  {
    if (requested == Backend::host)
      return {Backend::host, {}};
    TESSERA_ASSERT(requested != Backend::cuda || why_host_only.empty(),
                   "refused with the parameters");

    const device::DeviceQuery &query = device::available_device();
    if (!communicator.all_ok(query.available()))
      {
        if (requested == Backend::cuda)
          communicator.collectively([&] {
            if (!query.available())
              throw DeviceError("Backend = cuda: " + query.why_none +
                                "; use auto or host");
          });
        return {Backend::host,
                query.available() ? "other ranks have no device" :
                                    query.why_none};
      }
    if (!why_host_only.empty())
      return {Backend::host, why_host_only};
    device::choose_device(communicator);
    return {Backend::cuda, {}};
  }
} // namespace tessera::apps
