// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_message_ways_h
#define tessera_tests_device_emulation_message_ways_h

// The ways that messages of a device can take.

#include <tessera/base/communication.h>

#include <cstdlib>

#ifndef TESSERA_TEST_VARIANT_cuda
#  include "device_emulation/emulation.h"
#endif

namespace device_test
{
  /**
   * Call a function(bool is_staged) for messages through host memory, and for
   * messages in device memory where that is possible: on the emulated device,
   * whose memory is the host's, and for a rank alone, which has no messages.
   * The emulated device does it at once and as late as it may.
   */
  template <typename F>
  void
  for_all_message_ways(const tessera::Communicator &communicator, const F &f)
  {
#ifdef TESSERA_TEST_VARIANT_cuda
    const bool may_be_direct = communicator.n_ranks() == 1;
#else
    (void)communicator;
    const bool may_be_direct = true;
    for (const bool deferred : {false, true})
#endif
    for (const bool is_staged : {true, false})
      if (is_staged || may_be_direct)
        {
#ifndef TESSERA_TEST_VARIANT_cuda
          emulation::options().deferred = deferred;
#endif
          setenv("TESSERA_CUDA_AWARE_MPI", is_staged ? "0" : "1", 1);
          f(is_staged);
        }
    unsetenv("TESSERA_CUDA_AWARE_MPI");
  }



  /** How often the host has waited for the device so far; 0 where nobody
   * counts. */
  inline std::uint64_t
  n_waits()
  {
#ifdef TESSERA_TEST_VARIANT_cuda
    return 0;
#else
    return emulation::statistics().n_waits;
#endif
  }



  /** Whether streams do their work as late as they may. */
  inline bool
  work_is_deferred()
  {
#ifdef TESSERA_TEST_VARIANT_cuda
    return false;
#else
    return emulation::options().deferred;
#endif
  }
} // namespace device_test

#endif
