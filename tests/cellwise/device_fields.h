// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_cellwise_device_fields_h
#define tessera_tests_cellwise_device_fields_h

// Fields of a device that come from the host, or go there.

#include <tessera/cellwise/device/device_field.h>

#include <cstring>

#include "cellwise/fields.h"

namespace test
{
  namespace device = tessera::device;

  /** A copy of a field in a layout of the device. */
  template <Layout layout, typename Number, Space space, Layout host_layout>
  DeviceField<Number, space, layout>
  on_device(const Field<Number, space, host_layout> &field,
            const device::Stream                    &stream)
  {
    DeviceField<Number, space, layout> result(field.n_cells(),
                                              field.n_nodes(),
                                              stream);
    result.copy_from_host(field, stream);
    return result;
  }

  /** NaN in all cells: output of kernels that must write everything. */
  template <typename Number, Space space, Layout layout>
  void
  poison_on_device(DeviceField<Number, space, layout> &field,
                   const device::Stream               &stream)
  {
    field.copy_from_host(poisoned_field<Field<Number, space, layout>>(
                           field.n_cells(), field.n_nodes()),
                         stream);
  }

  template <typename F>
  F
  poisoned_on_device(const CellIndex       n_cells,
                     const int             n_nodes,
                     const device::Stream &stream)
  {
    F result(n_cells, n_nodes, stream);
    poison_on_device(result, stream);
    return result;
  }

  /** Whether all cells have the same bits on the device as on the host. NaNs
   * count as equal. */
  template <typename Number, Space space, Layout layout, Layout host_layout>
  bool
  same_on_device(const DeviceField<Number, space, layout> &field,
                 const Field<Number, space, host_layout>  &expected,
                 const device::Stream                     &stream)
  {
    Field<Number, space, host_layout> found(expected.n_cells(),
                                            expected.n_nodes());
    field.copy_to_host(found, stream);
    for (CellIndex c = 0; c < expected.n_cells(); ++c)
      for (int k = 0; k < expected.n_nodes(); ++k)
        {
          const Number a = found(c, k), b = expected(c, k);
          if (std::memcmp(&a, &b, sizeof(a)) != 0 &&
              !(std::isnan(a) && std::isnan(b)))
            return false;
        }
    return true;
  }
} // namespace test

#endif
