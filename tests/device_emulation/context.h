// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_context_h
#define tessera_tests_device_emulation_context_h

// Functions that are suspended and resumed, each on a stack of its own.

#include <cstddef>

#if !defined(__x86_64__) || defined(TESSERA_EMULATION_UCONTEXT)
#  define TESSERA_EMULATION_PORTABLE_CONTEXT
#  include <ucontext.h>
#endif

namespace emulation
{
  /**
   * A suspended function. On x86-64 the switch saves what a function must
   * preserve for its caller, and no signal mask, which makes it some 20 times
   * as fast as the system's; elsewhere it is the system's.
   */
  struct Context
  {
#ifdef TESSERA_EMULATION_PORTABLE_CONTEXT
    ucontext_t context;
#else
    void *stack_pointer;
#endif
  };

  /** Prepare a context that will call a function, which must not return, on a
   * stack of n_bytes. */
  void
  prepare(Context    &context,
          char       *stack,
          std::size_t n_bytes,
          void (*function)());

#ifdef TESSERA_EMULATION_PORTABLE_CONTEXT
  inline void
  switch_context(Context &from, Context &to)
  {
    swapcontext(&from.context, &to.context);
  }
#else
  extern "C" void
  tessera_emulation_switch(void **save, void *load);

  /** Suspend the caller in `from` and resume `to`. */
  inline void
  switch_context(Context &from, Context &to)
  {
    tessera_emulation_switch(&from.stack_pointer, to.stack_pointer);
  }
#endif
} // namespace emulation

#endif
