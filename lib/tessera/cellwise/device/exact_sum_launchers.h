// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_exact_sum_launchers_h
#define tessera_cellwise_device_exact_sum_launchers_h

#include <tessera/base/device/stream.h>

#include <cstddef>

namespace tessera
{
  namespace cellwise
  {
    namespace on_device
    {
      /**
       * Add n numbers to the entries of an ExactSum, ExactSum::n_entries signed
       * numbers in two's complement, without carries; of fewer than $2^{31}$
       * numbers since they were zero. The same entries in any order.
       *
       * Cost: the numbers are read once; three additions to shared memory a
       * number, and at most 71 atomic additions for 1024 numbers and more.
       */
      void
      add_exactly(unsigned long long   *entries,
                  const double         *numbers,
                  std::size_t           n,
                  const device::Stream &stream);
    } // namespace on_device
  }   // namespace cellwise
} // namespace tessera

#endif
