// SPDX-License-Identifier: LGPL-2.1-or-later
#include "device_emulation/context.h"

#include <cstdint>

#ifdef TESSERA_EMULATION_PORTABLE_CONTEXT

namespace emulation
{
  void
  prepare(Context          &context,
          char             *stack,
          const std::size_t n_bytes,
          void (*function)())
  {
    getcontext(&context.context);
    context.context.uc_stack.ss_sp   = stack;
    context.context.uc_stack.ss_size = n_bytes;
    context.context.uc_link          = nullptr;
    makecontext(&context.context, function, 0);
  }
} // namespace emulation

#else

// The registers that the calling convention of System V wants preserved go to
// the stack; the rest of them the compiler keeps across the call of a function.
asm(R"(
.text
.globl tessera_emulation_switch
.type tessera_emulation_switch,@function
tessera_emulation_switch:
  .cfi_startproc
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .cfi_endproc
.size tessera_emulation_switch,.-tessera_emulation_switch
)");

namespace emulation
{
  void
  prepare(Context          &context,
          char             *stack,
          const std::size_t n_bytes,
          void (*function)())
  {
    constexpr int n_saved_registers = 6;

    const std::uintptr_t end =
      reinterpret_cast<std::uintptr_t>(stack + n_bytes) & ~std::uintptr_t(63);
    void **top = reinterpret_cast<void **>(end);
    // As after a call: the return address, here of nobody, at an odd multiple
    // of 8 bytes.
    *--top = nullptr;
    *--top = reinterpret_cast<void *>(function);
    for (int i = 0; i < n_saved_registers; ++i)
      *--top = nullptr;
    context.stack_pointer = top;
  }
} // namespace emulation

#endif
