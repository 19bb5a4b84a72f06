// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_macros_h
#define tessera_base_macros_h

/**
 * Where a function template of the shared arithmetic may run. Empty for a C++
 * compiler.
 *
 * The arithmetic of a patch update or a cell operator is one template that the
 * host and the device instantiate with different lanes (see tessera/base/
 * lanes.h). A device compiler must be told so with keywords of its own. They
 * come from its command line, where the build sets this macro for sources of
 * the device only: no include order can get it wrong, and no header that other
 * code includes contains a keyword of the device.
 */
#ifndef TESSERA_EXECUTION_SPACE
#  define TESSERA_EXECUTION_SPACE
#endif

/**
 * Specifier of functions that must disappear in their caller: operations on
 * lanes and the arithmetic templates written on them.
 *
 * Inlining is not only for speed here. An inline function that is compiled out
 * of line becomes a weak symbol, of which the linker keeps one for all
 * instruction sets (see doc/developer/simd.md).
 */
#define TESSERA_ALWAYS_INLINE \
  TESSERA_EXECUTION_SPACE inline __attribute__((always_inline))

/**
 * Unroll the following loop completely. For loops of constant length over an
 * array of lanes: an array whose indices are all constants lives in registers.
 */
#if defined(__CUDACC__) || defined(__clang__)
#  define TESSERA_UNROLL _Pragma("unroll")
#else
#  define TESSERA_UNROLL _Pragma("GCC unroll 256")
#endif

/**
 * The same where only a device needs it: loops over the lines of a cell, whose
 * values are an array in registers there, and in the first level cache of a
 * processor, which is better off with short code.
 */
#if defined(__CUDACC__)
#  define TESSERA_UNROLL_ON_DEVICE TESSERA_UNROLL
#else
#  define TESSERA_UNROLL_ON_DEVICE
#endif

#endif
