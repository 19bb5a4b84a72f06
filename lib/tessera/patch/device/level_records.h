// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_device_level_records_h
#define tessera_patch_device_level_records_h

#include <tessera/base/device/graph.h>
#include <tessera/patch/device/program.h>
#include <tessera/patch/device/steps.h>
#include <tessera/patch/level_records.h>

#include <array>
#include <functional>
#include <memory>

namespace tessera
{
  namespace patch
  {
    /**
     * Launches of a cycle on a device take longer than the work of small
     * levels. All levels without messages are recorded as a CUDA graph, the
     * smallest of them are one kernel of it (DeviceProgram). There is one
     * record for the cycle and one for its adjoint. The first cycle is
     * launched, the graph is recorded in the second one.
     */
    template <int dim, typename Number>
    class LevelRecords<dim, Number, execution::Device>
    {
    public:
      using Steps = DeviceSteps<dim, Number>;
      using Visit = std::function<void(unsigned int l, bool adjoint, Steps &)>;

      /** @param[in] visit Does level l and all below it; gives all work that is
       * not messages to the steps, of levels of the program nothing else, and
       * the rest to the stream. */
      LevelRecords(const RecordableLevels &levels,
                   const MultigridOptions &options,
                   const Visit            &visit,
                   const device::Stream   &stream);

      // Graphs refer to the object.
      LevelRecords(const LevelRecords &) = delete;
      LevelRecords &
      operator=(const LevelRecords &) = delete;

      Steps &
      steps()
      {
        return launches;
      }

      /** Make the records that have not been made. Waits for the stream. */
      void
      make(bool adjoint);

      bool
      run(unsigned int l, bool adjoint, const Steps &steps);

    private:
      struct Record
      {
        std::unique_ptr<DeviceProgram<dim, Number>> program;
        std::unique_ptr<device::Graph>              graph;
        bool                                        has_run = false;
      };

      RecordableLevels            levels;
      const bool                  use_graph;
      const Visit                 visit;
      const device::Stream       &stream;
      DeviceLaunches<dim, Number> launches;
      DeviceLaunches<dim, Number> recorded_launches; ///< of the graphs
      std::array<Record, 2>       records;           ///< [adjoint]
    };
  } // namespace patch
} // namespace tessera

#endif
