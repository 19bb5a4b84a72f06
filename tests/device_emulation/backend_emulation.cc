// SPDX-License-Identifier: LGPL-2.1-or-later
// The emulated device, as seen from the host: memory that is the host's,
// streams that do their work at once.
#include <tessera/base/device/backend.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "device_emulation/emulation.h"
#include "device_emulation/launch_emulated.h"
#include "device_emulation/state.h"

/** A stream; while it is recorded, what it has been given. */
struct CUstream_st
{
  bool                               recording = false;
  std::vector<std::function<void()>> work;
};

struct CUevent_st
{
  bool                                  recorded = false;
  std::chrono::steady_clock::time_point time;
};

struct CUgraphExec_st
{
  std::vector<std::function<void()>> work;
};

namespace emulation
{
  namespace
  {
    /** Start and size of what is allocated on the device. */
    std::map<const char *, std::size_t> allocations;
    std::size_t                         n_allocated_bytes = 0;

    /** Streams that are being recorded. */
    unsigned int n_records = 0;

    int chosen = 0;



    /** Complain if [memory, memory + n_bytes) is not within an array of the
     * device. */
    void
    check_on_device(const void *memory, const std::size_t n_bytes)
    {
      const char *start = static_cast<const char *>(memory);
      auto        next  = allocations.upper_bound(start);
      if (next == allocations.begin())
        throw Error("a copy or fill of " + std::to_string(n_bytes) +
                    " bytes is not in device memory");
      const auto [array, n_array_bytes] = *std::prev(next);
      if (start + n_bytes > array + n_array_bytes)
        throw Error("a copy or fill of " + std::to_string(n_bytes) +
                    " bytes is not within one array of " +
                    std::to_string(n_array_bytes) + " bytes on the device");
    }
  } // namespace



  void
  give_to_stream(CUstream_st *stream, std::function<void()> work)
  {
    if (stream == nullptr)
      throw Error("the stream is null");
    if (stream->recording)
      stream->work.push_back(std::move(work));
    else
      work();
  }



  int
  chosen_device()
  {
    return chosen;
  }



  unsigned int
  max_resident_blocks()
  {
    return options().n_resident_blocks;
  }
} // namespace emulation

namespace tessera
{
  namespace device
  {
    namespace backend
    {
      namespace
      {
        void
        refuse_while_recording(const StreamHandle stream, const char *what)
        {
          if (stream->recording)
            throw emulation::Error(std::string(what) +
                                   " while the stream is being recorded");
        }
      } // namespace



      std::string
      toolkit()
      {
        return "emulated";
      }



      int
      n_devices(std::string &why_none)
      {
        why_none = emulation::options().n_devices == 0 ?
                     "the emulation has been told to have none" :
                     "";
        return emulation::options().n_devices;
      }



      DeviceProperties
      device_properties(int)
      {
        DeviceProperties properties;
        properties.name              = "emulated device";
        properties.major             = 9;
        properties.n_multiprocessors = 1;
        properties.memory_bytes      = emulation::options().device_memory_bytes;
        properties.shared_bytes_per_block = emulation::max_shared_bytes;
        properties.driver                 = "none";
        return properties;
      }



      void
      set_device(const int device)
      {
        if (device < 0 || device >= emulation::options().n_devices)
          throw emulation::Error("there is no device " +
                                 std::to_string(device));
        emulation::chosen = device;
      }



      void
      synchronize_device()
      {}



      void *
      allocate(const std::size_t n_bytes)
      {
        if (n_bytes == 0)
          return nullptr;
        if (emulation::n_records > 0)
          throw emulation::Error(
            "an allocation while a stream is being recorded");
        const std::size_t available = emulation::options().device_memory_bytes -
                                      emulation::n_allocated_bytes;
        void *memory = nullptr;
        if (n_bytes > available || posix_memalign(&memory, 256, n_bytes) != 0)
          throw DeviceError("out of device memory: " + std::to_string(n_bytes) +
                            " bytes were requested, " +
                            std::to_string(available) + " are free");
        // Not a number, where it is used before it is written.
        std::memset(memory, 0xff, n_bytes);
        emulation::allocations[static_cast<const char *>(memory)] = n_bytes;
        emulation::n_allocated_bytes += n_bytes;
        return memory;
      }



      void
      free(void *memory) noexcept
      {
        const auto array =
          emulation::allocations.find(static_cast<const char *>(memory));
        if (array == emulation::allocations.end())
          std::abort(); // this is not an array of the device
        emulation::n_allocated_bytes -= array->second;
        emulation::allocations.erase(array);
        std::free(memory);
      }



      void *
      allocate_pinned(const std::size_t n_bytes)
      {
        void *memory = nullptr;
        if (n_bytes > 0 && posix_memalign(&memory, 256, n_bytes) != 0)
          throw DeviceError("out of host memory: " + std::to_string(n_bytes) +
                            " bytes were requested");
        return memory;
      }



      void
      free_pinned(void *memory) noexcept
      {
        std::free(memory);
      }



      void
      copy(void               *to,
           const void         *from,
           const std::size_t   n_bytes,
           const CopyDirection direction,
           const StreamHandle  stream)
      {
        if (direction != CopyDirection::device_to_host)
          emulation::check_on_device(to, n_bytes);
        if (direction != CopyDirection::host_to_device)
          emulation::check_on_device(from, n_bytes);
        emulation::give_to_stream(stream,
                                  [=] { std::memmove(to, from, n_bytes); });
      }



      void
      fill_bytes(void               *memory,
                 const unsigned char value,
                 const std::size_t   n_bytes,
                 const StreamHandle  stream)
      {
        emulation::check_on_device(memory, n_bytes);
        emulation::give_to_stream(stream,
                                  [=] { std::memset(memory, value, n_bytes); });
      }



      StreamHandle
      create_stream()
      {
        return new CUstream_st;
      }



      void
      destroy_stream(const StreamHandle stream) noexcept
      {
        delete stream;
      }



      void
      synchronize_stream(const StreamHandle stream)
      {
        refuse_while_recording(stream, "a synchronization");
      }



      void
      wait_for_event(const StreamHandle, const EventHandle)
      {}



      EventHandle
      create_event()
      {
        return new CUevent_st;
      }



      void
      destroy_event(const EventHandle event) noexcept
      {
        delete event;
      }



      void
      record_event(const EventHandle event, const StreamHandle)
      {
        event->recorded = true;
        event->time     = std::chrono::steady_clock::now();
      }



      void
      synchronize_event(const EventHandle)
      {}



      bool
      event_is_reached(const EventHandle)
      {
        return true;
      }



      double
      seconds_between(const EventHandle start, const EventHandle end)
      {
        if (!start->recorded || !end->recorded)
          throw emulation::Error("the time between events that were not "
                                 "recorded");
        return std::chrono::duration<double>(end->time - start->time).count();
      }



      bool
      begin_capture(const StreamHandle stream)
      {
        refuse_while_recording(stream, "the start of a record");
        stream->recording = true;
        ++emulation::n_records;
        return true;
      }



      GraphHandle
      end_capture(const StreamHandle stream)
      {
        stream->recording = false;
        --emulation::n_records;
        GraphHandle graph = new CUgraphExec_st;
        graph->work.swap(stream->work);
        return graph;
      }



      void
      abandon_capture(const StreamHandle stream) noexcept
      {
        stream->recording = false;
        --emulation::n_records;
        stream->work.clear();
      }



      void
      launch_graph(const GraphHandle graph, const StreamHandle stream)
      {
        for (const std::function<void()> &work : graph->work)
          emulation::give_to_stream(stream, work);
      }



      void
      destroy_graph(const GraphHandle graph) noexcept
      {
        delete graph;
      }
    } // namespace backend
  }   // namespace device
} // namespace tessera
