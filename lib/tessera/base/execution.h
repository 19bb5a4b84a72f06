// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_execution_h
#define tessera_base_execution_h

namespace tessera
{
  namespace device
  {
    class Stream;
  }

  /**
   * Where a method keeps its fields and runs its kernels, as a template
   * argument of its classes: methods are written once, and only leaves differ
   * (types of fields, exchanges, kernels; see cellwise::Types).
   *
   * Work is given to a queue. On a device it is a stream, and the work may not
   * be done yet when a function returns.
   */
  namespace execution
  {
    /** The work is done when a function returns. */
    struct HostQueue
    {
      void
      synchronize() const
      {}
    };

    /** Memory of the process, SIMD units of the processor. */
    struct Host
    {
      using Queue = HostQueue;

      /** What functions take that are given no queue. */
      static const Queue &
      default_queue()
      {
        static const Queue queue;
        return queue;
      }
    };

    /** Memory and kernels of a CUDA device. */
    struct Device
    {
      using Queue = device::Stream;
    };
  } // namespace execution
} // namespace tessera

#endif
