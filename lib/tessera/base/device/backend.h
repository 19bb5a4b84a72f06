// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_backend_h
#define tessera_base_device_backend_h

#include <cstddef>
#include <string>

// The types behind the handles of the CUDA runtime, which are pointers to
// them: declared here, so that no header of ours needs one of CUDA's.
struct CUstream_st;
struct CUevent_st;
struct CUgraphExec_st;

namespace tessera
{
  namespace device
  {
    using StreamHandle = CUstream_st *;
    using EventHandle  = CUevent_st *;
    using GraphHandle  = CUgraphExec_st *;

    /** Where the two ends of a copy are. */
    enum class CopyDirection
    {
      host_to_device,
      device_to_host,
      device_to_device
    };

    /** What a device says about itself. */
    struct DeviceProperties
    {
      std::string name;
      int         major             = 0; ///< of the compute capability
      int         minor             = 0; ///< of the compute capability
      int         n_multiprocessors = 0;
      std::size_t memory_bytes      = 0; ///< in total

      /** The most that a block can ask for (launch()). */
      std::size_t shared_bytes_per_block = 0;

      std::string driver; ///< CUDA version of the driver
    };

    /**
     * What the classes of this folder ask of the CUDA runtime, as plain
     * functions. There are three implementations, of which a program links
     * one: the CUDA runtime; none, in builds without CUDA, where there is no
     * device and the rest throws; and the emulation of the tests.
     *
     * Functions that are not noexcept throw DeviceError with the runtime's
     * reason. All of them act on the device of set_device() and are to be
     * called by one thread.
     */
    namespace backend
    {
      /** The CUDA version and the architectures that were compiled for, or
       * "none in this build". */
      std::string
      toolkit();

      /** The number of devices. If it is 0, why. Any error of the runtime or
       * a missing driver is such a reason. */
      int
      n_devices(std::string &why_none);

      /** Properties of a device in [0, n_devices). */
      DeviceProperties
      device_properties(int device);

      /** The device that all later calls are for. */
      void
      set_device(int device);

      /** Wait for everything on the device. */
      void
      synchronize_device();

      /** Device memory, aligned to 256 bytes; its content is undefined. Null
       * for 0 bytes. @throws DeviceError with the bytes requested and free. */
      void *
      allocate(std::size_t n_bytes);

      void
      free(void *memory) noexcept;

      /** Host memory that the device can read and write while the host goes
       * on. Null for 0 bytes. */
      void *
      allocate_pinned(std::size_t n_bytes);

      void
      free_pinned(void *memory) noexcept;

      /** Copy in the order of the stream. The host goes on at once if its
       * memory is pinned. */
      void
      copy(void         *to,
           const void   *from,
           std::size_t   n_bytes,
           CopyDirection direction,
           StreamHandle  stream);

      /** Set every byte, in the order of the stream. */
      void
      fill_bytes(void         *memory,
                 unsigned char value,
                 std::size_t   n_bytes,
                 StreamHandle  stream);

      StreamHandle
      create_stream();

      void
      destroy_stream(StreamHandle stream) noexcept;

      void
      synchronize_stream(StreamHandle stream);

      /** What the stream is given later waits for the event. */
      void
      wait_for_event(StreamHandle stream, EventHandle event);

      EventHandle
      create_event();

      void
      destroy_event(EventHandle event) noexcept;

      void
      record_event(EventHandle event, StreamHandle stream);

      void
      synchronize_event(EventHandle event);

      /** Whether synchronize_event() would not wait. */
      bool
      event_is_reached(EventHandle event);

      /** Time between two events that have been reached. */
      double
      seconds_between(EventHandle start, EventHandle end);

      /** From now on the stream records what it is given, and does not do it.
       * False where it cannot be recorded: nothing has changed then. */
      bool
      begin_capture(StreamHandle stream);

      /** End the recording and make it executable. */
      GraphHandle
      end_capture(StreamHandle stream);

      /** End the recording and forget it. */
      void
      abandon_capture(StreamHandle stream) noexcept;

      void
      launch_graph(GraphHandle graph, StreamHandle stream);

      void
      destroy_graph(GraphHandle graph) noexcept;
    } // namespace backend
  }   // namespace device
} // namespace tessera

#endif
