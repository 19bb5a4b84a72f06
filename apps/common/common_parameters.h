// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_common_parameters_h
#define tessera_apps_common_common_parameters_h

#include <tessera/base/communication.h>

#include <string>

namespace tessera::apps
{
  class ParameterSet;

  /** Where the kernels run. */
  enum class Backend
  {
    automatic, ///< the device where one answers, the host otherwise
    host,      ///< SIMD units of the processor
    cuda       ///< an NVIDIA device
  };

  /**
   * The parameters that every application has. The values here are the
   * defaults; an application changes them, and the range of the dimension, in
   * its constructor.
   */
  struct CommonParameters
  {
    /** `Dimension` of the domain, from minimum to maximum. */
    unsigned int dimension         = 2;
    unsigned int minimum_dimension = 2;
    unsigned int maximum_dimension = 3;

    /** `Backend`; as the user asked, see resolve_backend(). */
    Backend backend = Backend::automatic;

    /**
     * `Results directory`; empty: `results-<name of the parameter file>` in the
     * current directory. RunContext::results_directory() has the outcome.
     */
    std::string results_directory;

    /** `Output/Write VTU`. */
    bool write_vtu = true;

    void
    declare(ParameterSet &parameters);
  };

  /** The back end a run uses. */
  struct ResolvedBackend
  {
    Backend backend; ///< host or cuda

    /** Why it is the host, where the user left the choice; for people. */
    std::string why_host;
  };

  /**
   * Find the back end of a run: the device, where one was asked for or none of
   * the reasons against it applies. Each rank gets its device (see
   * device::choose_device()). Collective.
   *
   * @param[in] why_host_only What keeps this run from using any device, for
   * people; empty: nothing, as it has to be where cuda was asked for.
   * @throws DeviceError on all ranks where cuda was asked for and one of them
   * has no device.
   */
  ResolvedBackend
  resolve_backend(Backend             requested,
                  const std::string  &why_host_only,
                  const Communicator &communicator);
} // namespace tessera::apps

#endif
