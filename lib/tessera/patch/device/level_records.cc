// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/patch/device/level_records.h>

namespace tessera
{
  namespace patch
  {
    using execution::Device;

    template <int dim, typename Number>
    LevelRecords<dim, Number, Device>::LevelRecords(
      const RecordableLevels &recordable,
      const MultigridOptions &options,
      const Visit            &visit_levels,
      const device::Stream   &queue)
      : levels(recordable)
      , use_graph(options.device.use_graph)
      , visit(visit_levels)
      , stream(queue)
      , launches(queue)
      , recorded_launches(queue)
    {
      if (!DeviceProgram<dim, Number>::supports(levels.degree))
        levels.n_of_program = 0;
    }



    template <int dim, typename Number>
    bool
    LevelRecords<dim, Number, Device>::run(const unsigned int l,
                                           const bool         adjoint,
                                           const Steps       &steps)
    {
      // Not while steps are collected: they are part of a record.
      const bool is_recording = &steps == &recorded_launches;
      if (&steps != &launches && !is_recording)
        return false;
      const bool begins_program = l + 1 == levels.n_of_program;
      const bool begins_graph =
        use_graph && !is_recording && l + 1 == levels.n_without_messages;
      if (!begins_program && !begins_graph)
        return false;

      make(adjoint);
      Record &record = records[adjoint];
      if (begins_program)
        {
          record.program->run(stream);
          return true;
        }
      // Kernels are loaded when they are first launched, which cannot be
      // recorded.
      if (!record.has_run)
        {
          record.has_run = true;
          return false;
        }
      record.graph->run(stream);
      return true;
    }



    template <int dim, typename Number>
    void
    LevelRecords<dim, Number, Device>::make(const bool adjoint)
    {
      Record &record = records[adjoint];
      if (record.graph)
        return;
      if (levels.n_of_program > 0)
        {
          record.program =
            std::make_unique<DeviceProgram<dim, Number>>(levels.degree);
          visit(levels.n_of_program - 1, adjoint, *record.program);
          record.program->prepare(stream);
        }
      record.graph = std::make_unique<device::Graph>(
        [this, adjoint](const device::Stream &) {
          visit(levels.n_without_messages - 1, adjoint, recorded_launches);
        });
    }



    template class LevelRecords<2, float, Device>;
    template class LevelRecords<2, double, Device>;
    template class LevelRecords<3, float, Device>;
    template class LevelRecords<3, double, Device>;
  } // namespace patch
} // namespace tessera
