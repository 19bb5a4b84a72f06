// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_types_h
#define tessera_cellwise_types_h

#include <tessera/base/execution.h>
#include <tessera/cellwise/device/device_field.h>
#include <tessera/cellwise/device/device_ghost_values.h>
#include <tessera/cellwise/field.h>
#include <tessera/cellwise/ghost_values.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Fields and what moves them, on the host or on a device. Those of both
     * have the same interface as far as methods use it; constructors take the
     * queue (see execution) as their last argument, which outlives them.
     */
    template <typename Execution>
    struct Types;

    template <>
    struct Types<execution::Host>
    {
      /** @name Fields of an outer iteration @{ */
      template <typename Number>
      using Primal = PrimalField<Number>;

      template <typename Number>
      using Dual = DualField<Number>;
      /** @} */

      /** @name Fields of the levels of a hierarchy @{ */
      template <typename Number>
      using LevelPrimal = PrimalField<Number>;

      template <typename Number>
      using LevelDualModal = DualModalField<Number>;
      /** @} */

      template <typename Number>
      using GhostCells = GhostValues<Number>;
    };

    template <>
    struct Types<execution::Device>
    {
      template <typename Number>
      using Primal = DevicePrimalField<Number>;

      template <typename Number>
      using Dual = DeviceDualField<Number>;

      template <typename Number>
      using LevelPrimal = DevicePrimalField<Number, Layout::contiguous>;

      template <typename Number>
      using LevelDualModal = DeviceDualModalField<Number>;

      template <typename Number>
      using GhostCells = DeviceGhostValues<Number>;
    };
  } // namespace cellwise
} // namespace tessera

#endif
