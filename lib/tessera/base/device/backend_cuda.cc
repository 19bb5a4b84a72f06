// SPDX-License-Identifier: LGPL-2.1-or-later
// On the CUDA runtime. Plain C++: its host functions need no CUDA compiler.
#include <tessera/base/device/backend.h>
#include <tessera/base/device/check_call.h>

namespace tessera
{
  namespace device
  {
    namespace backend
    {
      namespace
      {
        /** "13.0" of 13000. */
        std::string
        version_text(const int version)
        {
          return std::to_string(version / 1000) + "." +
                 std::to_string(version % 1000 / 10);
        }
      } // namespace



      std::string
      toolkit()
      {
        return version_text(CUDART_VERSION) +
               ", architectures " TESSERA_CUDA_ARCHITECTURES;
      }



      int
      n_devices(std::string &why_none)
      {
        int               n      = 0;
        const cudaError_t status = cudaGetDeviceCount(&n);
        if (status == cudaSuccess && n > 0)
          return n;
        cudaGetLastError();

        int driver = 0;
        if (status == cudaSuccess)
          why_none = "the CUDA driver reports no device";
        else if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
          why_none = "there is no CUDA driver";
        else
          why_none = std::string(cudaGetErrorString(status)) +
                     "; the driver is for CUDA " + version_text(driver) +
                     ", this build for " + version_text(CUDART_VERSION);
        return 0;
      }



      DeviceProperties
      device_properties(const int device)
      {
        cudaDeviceProp p;
        check_call(cudaGetDeviceProperties(&p, device),
                   "the query of a device");
        DeviceProperties properties;
        properties.name                   = p.name;
        properties.major                  = p.major;
        properties.minor                  = p.minor;
        properties.n_multiprocessors      = p.multiProcessorCount;
        properties.memory_bytes           = p.totalGlobalMem;
        properties.shared_bytes_per_block = p.sharedMemPerBlockOptin;
        int driver                        = 0;
        check_call(cudaDriverGetVersion(&driver),
                   "the query of the driver's version");
        properties.driver = version_text(driver);
        return properties;
      }



      void
      set_device(const int device)
      {
        check_call(cudaSetDevice(device),
                   "the choice of device " + std::to_string(device));
      }



      void
      synchronize_device()
      {
        check_call(cudaDeviceSynchronize(), "work on the device");
      }



      void *
      allocate(const std::size_t n_bytes)
      {
        if (n_bytes == 0)
          return nullptr;
        void             *memory = nullptr;
        const cudaError_t status = cudaMalloc(&memory, n_bytes);
        if (status == cudaErrorMemoryAllocation)
          {
            cudaGetLastError();
            std::size_t available = 0, total = 0;
            check_call(cudaMemGetInfo(&available, &total),
                       "the query of free memory");
            throw DeviceError(
              "out of device memory: " + std::to_string(n_bytes) +
              " bytes were requested, " + std::to_string(available) + " of " +
              std::to_string(total) +
              " are free; use fewer unknowns per device");
          }
        check_call(status,
                   "an allocation of " + std::to_string(n_bytes) + " bytes");
        return memory;
      }



      void
      free(void *memory) noexcept
      {
        cudaFree(memory);
      }



      void *
      allocate_pinned(const std::size_t n_bytes)
      {
        if (n_bytes == 0)
          return nullptr;
        void *memory = nullptr;
        check_call(cudaMallocHost(&memory, n_bytes),
                   "an allocation of " + std::to_string(n_bytes) +
                     " bytes of pinned host memory");
        return memory;
      }



      void
      free_pinned(void *memory) noexcept
      {
        cudaFreeHost(memory);
      }



      void
      copy(void               *to,
           const void         *from,
           const std::size_t   n_bytes,
           const CopyDirection direction,
           const StreamHandle  stream)
      {
        const cudaMemcpyKind kind =
          direction == CopyDirection::host_to_device ? cudaMemcpyHostToDevice :
          direction == CopyDirection::device_to_host ? cudaMemcpyDeviceToHost :
                                                       cudaMemcpyDeviceToDevice;
        check_call(cudaMemcpyAsync(to, from, n_bytes, kind, stream),
                   "a copy of " + std::to_string(n_bytes) + " bytes");
      }



      void
      fill_bytes(void               *memory,
                 const unsigned char value,
                 const std::size_t   n_bytes,
                 const StreamHandle  stream)
      {
        check_call(cudaMemsetAsync(memory, value, n_bytes, stream),
                   "filling " + std::to_string(n_bytes) + " bytes");
      }



      StreamHandle
      create_stream()
      {
        StreamHandle stream = nullptr;
        check_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                   "the creation of a stream");
        return stream;
      }



      void
      destroy_stream(const StreamHandle stream) noexcept
      {
        cudaStreamDestroy(stream);
      }



      void
      synchronize_stream(const StreamHandle stream)
      {
        check_call(cudaStreamSynchronize(stream), "work on the device");
      }



      void
      wait_for_event(const StreamHandle stream, const EventHandle event)
      {
        check_call(cudaStreamWaitEvent(stream, event, 0),
                   "waiting for an event");
      }



      EventHandle
      create_event()
      {
        EventHandle event = nullptr;
        check_call(cudaEventCreate(&event), "the creation of an event");
        return event;
      }



      void
      destroy_event(const EventHandle event) noexcept
      {
        cudaEventDestroy(event);
      }



      void
      record_event(const EventHandle event, const StreamHandle stream)
      {
        check_call(cudaEventRecord(event, stream), "recording an event");
      }



      void
      synchronize_event(const EventHandle event)
      {
        check_call(cudaEventSynchronize(event), "work on the device");
      }



      bool
      event_is_reached(const EventHandle event)
      {
        const cudaError_t status = cudaEventQuery(event);
        if (status == cudaErrorNotReady)
          return false;
        check_call(status, "work on the device");
        return true;
      }



      double
      seconds_between(const EventHandle start, const EventHandle end)
      {
        float milliseconds = 0;
        check_call(cudaEventElapsedTime(&milliseconds, start, end),
                   "the time between two events");
        return 1e-3 * double(milliseconds);
      }



      bool
      begin_capture(const StreamHandle stream)
      {
        // Calls of other threads, and of other libraries, are no error.
        check_call(cudaStreamBeginCapture(stream,
                                          cudaStreamCaptureModeThreadLocal),
                   "recording a graph");
        return true;
      }



      GraphHandle
      end_capture(const StreamHandle stream)
      {
        cudaGraph_t graph = nullptr;
        check_call(cudaStreamEndCapture(stream, &graph), "recording a graph");
        GraphHandle       executable = nullptr;
        const cudaError_t status =
          cudaGraphInstantiateWithFlags(&executable, graph, 0);
        cudaGraphDestroy(graph);
        check_call(status, "making a graph executable");
        return executable;
      }



      void
      abandon_capture(const StreamHandle stream) noexcept
      {
        cudaGraph_t graph = nullptr;
        cudaStreamEndCapture(stream, &graph);
        if (graph != nullptr)
          cudaGraphDestroy(graph);
        cudaGetLastError();
      }



      void
      launch_graph(const GraphHandle graph, const StreamHandle stream)
      {
        check_call(cudaGraphLaunch(graph, stream), "the launch of a graph");
      }



      void
      destroy_graph(const GraphHandle graph) noexcept
      {
        cudaGraphExecDestroy(graph);
      }
    } // namespace backend
  }   // namespace device
} // namespace tessera
