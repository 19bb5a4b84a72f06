// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_sanitizers_h
#define tessera_tests_device_emulation_sanitizers_h

// What the address and thread sanitizers must be told about threads that they
// do not know. Empty functions where the tests are built without them. The
// emulation itself is compiled without instrumentation, so the build says by
// TESSERA_EMULATION_ADDRESS_SANITIZER and TESSERA_EMULATION_THREAD_SANITIZER
// what the kernels are compiled with.

#include <cstddef>

#ifdef TESSERA_EMULATION_ADDRESS_SANITIZER
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
#  include <sanitizer/tsan_interface.h>
#endif

namespace emulation
{
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
  inline constexpr bool thread_sanitizer = true;
#else
  inline constexpr bool        thread_sanitizer = false;
#endif

  /** Stack that each thread gets. Instrumented functions need more of it. */
#ifdef TESSERA_EMULATION_ADDRESS_SANITIZER
  inline constexpr std::size_t stack_bytes = 256 * 1024;
#else
  inline constexpr std::size_t stack_bytes      = 64 * 1024;
#endif

  /** A stack, as the sanitizers know it. */
  struct SanitizedStack
  {
    const void *bottom         = nullptr;
    std::size_t n_bytes        = 0;
    void       *fake_stack     = nullptr; ///< of the address sanitizer
    void       *thread_context = nullptr; ///< of the thread sanitizer
  };

  /** The code that launches kernels. */
  inline void
  describe_launching_stack([[maybe_unused]] SanitizedStack &stack)
  {
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
    stack.thread_context = __tsan_get_current_fiber();
#endif
  }

  inline void
  create_thread_context([[maybe_unused]] SanitizedStack &stack)
  {
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
    stack.thread_context = __tsan_create_fiber(0);
#endif
  }

  /** A stack is about to be used from its beginning; what an abandoned thread
   * has left on it does not matter. */
  inline void
  clear_stack([[maybe_unused]] SanitizedStack &stack)
  {
#ifdef TESSERA_EMULATION_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(stack.bottom, stack.n_bytes);
    stack.fake_stack = nullptr;
#endif
  }

  /** Before a switch. `leaving_for_good`: `from` is not resumed. */
  inline void
  before_switch([[maybe_unused]] SanitizedStack &from,
                [[maybe_unused]] SanitizedStack &to,
                [[maybe_unused]] const bool      leaving_for_good)
  {
#ifdef TESSERA_EMULATION_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(
      leaving_for_good ? nullptr : &from.fake_stack, to.bottom, to.n_bytes);
#endif
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
    constexpr unsigned int no_synchronization = 1;
    __tsan_switch_to_fiber(to.thread_context, no_synchronization);
#endif
  }

  /** After a switch, on the new stack. The first switch away from the launching
   * code tells us where its stack is. */
  inline void
  after_switch([[maybe_unused]] SanitizedStack &now,
               [[maybe_unused]] SanitizedStack &launching)
  {
#ifdef TESSERA_EMULATION_ADDRESS_SANITIZER
    const void *bottom  = nullptr;
    std::size_t n_bytes = 0;
    __sanitizer_finish_switch_fiber(now.fake_stack, &bottom, &n_bytes);
    if (launching.bottom == nullptr)
      {
        launching.bottom  = bottom;
        launching.n_bytes = n_bytes;
      }
#endif
  }

  /**
   * An edge of the happens-before relation: what a thread does before release()
   * of a token comes before what another one does after acquire() of it.
   */
  using Token = char;

  inline void
  release([[maybe_unused]] Token *token)
  {
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
    __tsan_release(token);
#endif
  }

  inline void
  acquire([[maybe_unused]] Token *token)
  {
#ifdef TESSERA_EMULATION_THREAD_SANITIZER
    __tsan_acquire(token);
#endif
  }
} // namespace emulation

#endif
