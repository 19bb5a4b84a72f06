// SPDX-License-Identifier: LGPL-2.1-or-later
// Streams, events and graphs of the emulated device. Work is done at once, or
// when the host waits for it (Options::deferred).
#include "device_emulation/streams.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <set>

#include "device_emulation/emulation.h"
#include "device_emulation/launch_emulated.h"
#include "device_emulation/state.h"

using TimePoint = std::chrono::steady_clock::time_point;

struct CUevent_st
{
  std::shared_ptr<emulation::Queue> queue;      ///< null if never recorded
  std::uint64_t                     number = 0; ///< of the work it marks
  std::shared_ptr<TimePoint>        time;       ///< when that was done

  /** Whether the stream was being recorded. */
  bool recorded = false;
};

struct CUgraphExec_st
{
  std::vector<std::function<void()>> work;
};

namespace emulation
{
  namespace
  {
    std::set<CUstream_st *> streams;
  }



  void
  Queue::run(const std::uint64_t last)
  {
    while (n_done < last)
      {
        const std::function<void()> work = std::move(pending.front());
        pending.pop_front();
        ++n_done;
        try
          {
            work();
          }
        catch (...)
          {
            // Nothing works after an error.
            n_done += pending.size();
            pending.clear();
            throw;
          }
      }
  }



  void
  run_all_streams() noexcept
  {
    try
      {
        for (CUstream_st *stream : streams)
          stream->queue->run(stream->queue->n_given());
      }
    catch (const std::exception &error)
      {
        std::cerr << "work that nobody waited for failed: " << error.what()
                  << std::endl;
        std::abort();
      }
  }



  void
  give_to_stream(CUstream_st *stream, std::function<void()> work)
  {
    if (stream == nullptr)
      throw Error("the stream is null");
    if (stream->recording)
      {
        stream->work.push_back(std::move(work));
        return;
      }
    Queue &queue = *stream->queue;
    queue.pending.push_back(std::move(work));
    if (!options().deferred)
      queue.run(queue.n_given());
  }



  unsigned int
  n_recorded_streams()
  {
    unsigned int n = 0;
    for (const CUstream_st *stream : streams)
      n += stream->recording;
    return n;
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



        /** What is recorded with a stream happens when the graph runs. */
        void
        refuse_recorded_event(const EventHandle event)
        {
          if (event->recorded)
            throw emulation::Error("the host asks for an event that is part of "
                                   "a record");
        }
      } // namespace



      StreamHandle
      create_stream()
      {
        const StreamHandle stream = new CUstream_st;
        emulation::streams.insert(stream);
        return stream;
      }



      void
      destroy_stream(const StreamHandle stream) noexcept
      {
        // It does not wait, but the work is done.
        emulation::run_all_streams();
        emulation::streams.erase(stream);
        delete stream;
      }



      void
      synchronize_stream(const StreamHandle stream)
      {
        refuse_while_recording(stream, "a synchronization");
        ++emulation::counts.n_waits;
        stream->queue->run(stream->queue->n_given());
      }



      void
      wait_for_event(const StreamHandle stream, const EventHandle event)
      {
        if (event->queue != nullptr)
          emulation::give_to_stream(stream,
                                    [queue  = event->queue,
                                     number = event->number] {
                                      queue->run(number);
                                    });
      }



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
      record_event(const EventHandle event, const StreamHandle stream)
      {
        const auto time = std::make_shared<TimePoint>();
        emulation::give_to_stream(stream, [=] {
          *time = std::chrono::steady_clock::now();
        });
        event->queue    = stream->queue;
        event->number   = stream->queue->n_given();
        event->time     = time;
        event->recorded = stream->recording;
      }



      void
      synchronize_event(const EventHandle event)
      {
        refuse_recorded_event(event);
        ++emulation::counts.n_waits;
        if (event->queue != nullptr)
          event->queue->run(event->number);
      }



      bool
      event_is_reached(const EventHandle event)
      {
        refuse_recorded_event(event);
        if (event->queue == nullptr || event->queue->n_done >= event->number)
          return true;
        // Time goes by.
        event->queue->run(event->queue->n_done + 1);
        return false;
      }



      double
      seconds_between(const EventHandle start, const EventHandle end)
      {
        for (const EventHandle event : {start, end})
          {
            refuse_recorded_event(event);
            if (event->queue == nullptr || event->queue->n_done < event->number)
              throw emulation::Error("the time between events that have not "
                                     "been reached");
          }
        return std::chrono::duration<double>(*end->time - *start->time).count();
      }



      bool
      begin_capture(const StreamHandle stream)
      {
        refuse_while_recording(stream, "the start of a record");
        stream->recording = true;
        return true;
      }



      GraphHandle
      end_capture(const StreamHandle stream)
      {
        stream->recording = false;
        GraphHandle graph = new CUgraphExec_st;
        graph->work.swap(stream->work);
        return graph;
      }



      void
      abandon_capture(const StreamHandle stream) noexcept
      {
        stream->recording = false;
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
