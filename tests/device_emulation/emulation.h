// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_emulation_h
#define tessera_tests_device_emulation_emulation_h

// What a test can ask of, and learn from, the emulation. See README.md.

#include <tessera/base/exceptions.h>

#include <cstddef>
#include <cstdint>

namespace emulation
{
  /** The order in which threads that could run do run. Results must not
   * depend on it. */
  enum class Order
  {
    forward, ///< blocks, warps and lanes in ascending order
    reverse, ///< in descending order
    random   ///< drawn anew at each switch, from Options::seed
  };

  /** May be changed between launches. */
  struct Options
  {
    /** The environment variable TESSERA_EMULATION_ORDER: forward (default),
     * reverse, random. */
    Order order;

    /** TESSERA_EMULATION_SEED, default 1. */
    unsigned int seed;

    /** TESSERA_EMULATION_STREAMS, eager (default) or deferred. Whether streams
     * do their work as late as they may, when the host waits for it or frees
     * memory: finds a host that does not wait. */
    bool deferred = false;

    /** Devices of this node; to be set before the first one is asked for. */
    int n_devices = 1;

    /** Bytes of device memory. */
    std::size_t device_memory_bytes = std::size_t(4) << 30;

    /** How many blocks run at the same time in cooperative launches. */
    unsigned int n_resident_blocks = 4;
  };

  Options &
  options();

  /** Something that a kernel or the host must not do. The message has the
   * place, and the state of all threads of the block. */
  class Error : public tessera::DeviceError
  {
  public:
    using tessera::DeviceError::DeviceError;
  };

  /** Counts since the start of the program. */
  struct Statistics
  {
    std::uint64_t n_switches        = 0; ///< from thread to thread
    std::uint64_t n_warp_operations = 0; ///< by thread
    std::uint64_t n_barriers        = 0; ///< by block
    std::uint64_t n_blocks          = 0;
    std::uint64_t n_launches        = 0;
    std::uint64_t n_waits           = 0; ///< of the host for the device
  };

  const Statistics &
  statistics();

  /** The device that the host has chosen. */
  int
  chosen_device();
} // namespace emulation

#endif
