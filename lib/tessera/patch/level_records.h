// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_records_h
#define tessera_patch_level_records_h

#include <tessera/base/execution.h>
#include <tessera/patch/level_passes.h>
#include <tessera/patch/multigrid_options.h>

#include <functional>

namespace tessera
{
  namespace patch
  {
    /** What LevelRecords need to know about the levels, coarsest first. */
    struct RecordableLevels
    {
      int degree;

      /** How many have no messages: cells of a level belong to one rank. */
      unsigned int n_without_messages;

      /** How many are so small that one kernel may do them all; zero where
       * somebody else has them. */
      unsigned int n_of_program;
    };

    /**
     * The coarse part of a cycle, recorded and repeated: on a device it is a
     * single kernel within a CUDA graph; on the host there is nothing to
     * record.
     */
    template <int dim, typename Number, typename Execution>
    class LevelRecords;

    template <int dim, typename Number>
    class LevelRecords<dim, Number, execution::Host>
    {
    public:
      /** Do level number l and all below it. */
      using Visit =
        std::function<void(unsigned int l, bool adjoint, HostSteps &)>;

      LevelRecords(const RecordableLevels &,
                   const MultigridOptions &,
                   const Visit &,
                   const execution::HostQueue &)
      {}

      /** Where a cycle begins. */
      HostSteps &
      steps()
      {
        return host_steps;
      }

      /** Make what is not made until it is needed: before what should not take
       * long. */
      void
      make(bool)
      {}

      /** Do level number l and all below it, if there is a record that begins
       * with it. */
      bool
      run(unsigned int, bool, const HostSteps &)
      {
        return false;
      }

    private:
      HostSteps host_steps;
    };
  } // namespace patch
} // namespace tessera

#endif
