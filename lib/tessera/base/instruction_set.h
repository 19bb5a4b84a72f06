// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_instruction_set_h
#define tessera_base_instruction_set_h

#include <string>
#include <vector>

namespace tessera
{
  /**
   * The instruction sets for which leaf kernels can be compiled. One executable
   * contains all of those that its compiler can make, and runs the best that
   * the processor has.
   *
   * All of them compute the same bits: kernels use explicit fused multiply-adds
   * and are compiled without contraction (see Lanes).
   */
  enum class InstructionSet
  {
    generic, ///< what every processor of the platform has (x86-64: SSE2)
    avx2,    ///< x86-64 with AVX2 and FMA
    avx512   ///< x86-64 with AVX-512 F, DQ, BW, VL, and AVX2 and FMA
  };

  /** The name in the environment variable, namespaces and run records. */
  std::string
  to_string(InstructionSet set);

  /**
   * The instruction set of this name.
   *
   * @throws InputError if there is none.
   */
  InstructionSet
  instruction_set_from_string(const std::string &name);

  /** Width in bits of the registers that kernels for this set use. */
  unsigned int
  simd_bits(InstructionSet set);

  /** Whether this library contains kernels for the set. */
  bool
  is_compiled_in(InstructionSet set);

  /**
   * Whether processor and operating system support all that the compiler may
   * use in kernels for this set.
   */
  bool
  is_supported_by_processor(InstructionSet set);

  /** The sets that are compiled in and supported, from the narrowest to the
   * widest. Always contains `generic`. */
  std::vector<InstructionSet>
  available_instruction_sets();

  /**
   * The instruction set to be used, given what the user asks for: the last one
   * of `available` if `request` is empty, and the one of this name otherwise.
   *
   * @throws InputError if there is no such set, if it is not compiled in, or
   * if the processor does not support it.
   */
  InstructionSet
  choose_instruction_set(const std::string                 &request,
                         const std::vector<InstructionSet> &available =
                           available_instruction_sets());

  /**
   * The instruction set in use: choose_instruction_set() for the value of the
   * environment variable `TESSERA_SIMD` (empty if it is not set).
   *
   * The choice is made by the first call that succeeds and then holds for the
   * life of the process; later calls read one variable. May be called from
   * several threads.
   *
   * @throws InputError on a value of the variable that cannot be served.
   * Environments may differ between ranks: applications call this early, where
   * errors of a single rank are handled.
   */
  InstructionSet
  active_instruction_set();
} // namespace tessera

/**
 * Declare a leaf kernel for every instruction set: the same declaration in the
 * namespaces `generic`, `avx2` and `avx512`.
 *
 * Used at namespace scope in the header of a leaf kernel:
 * @code
 *   namespace tessera::patch
 *   {
 *     TESSERA_DECLARE_SIMD(
 *       void sweep(float *u, const float *b, std::size_t n_patches);)
 *   }
 * @endcode
 * Overloads, templates that the kernel's source instantiates explicitly, and
 * several declarations in one macro are fine; types are not, they are shared
 * and belong outside. The source that defines the function, in `namespace
 * tessera::patch::TESSERA_SIMD_NAMESPACE`, is given to
 * tessera_add_simd_sources() (CMake). See doc/developer/simd.md.
 */
#define TESSERA_DECLARE_SIMD(...) \
  namespace generic               \
  {                               \
    __VA_ARGS__                   \
  }                               \
  namespace avx2                  \
  {                               \
    __VA_ARGS__                   \
  }                               \
  namespace avx512                \
  {                               \
    __VA_ARGS__                   \
  }

/**
 * Call a leaf kernel compiled for the given InstructionSet, which must be
 * available: `TESSERA_CALL_SIMD_FOR(set, sweep(u, b, n))`.
 *
 * The expression has the type and value of the call. The arguments appear once
 * per instruction set in the code, but are evaluated once. To be used inside
 * the namespace that contains the declaration, and only in sources of this
 * project, whose build defines which sets exist.
 */
#define TESSERA_CALL_SIMD_FOR(set, ...)     \
  (TESSERA_CALL_AVX512_OR(set, __VA_ARGS__) \
     TESSERA_CALL_AVX2_OR(set, __VA_ARGS__) generic::__VA_ARGS__)

/** Call a leaf kernel for the active instruction set. */
#define TESSERA_CALL_SIMD(...) \
  TESSERA_CALL_SIMD_FOR(::tessera::active_instruction_set(), __VA_ARGS__)

#ifdef TESSERA_HAVE_AVX512
#  define TESSERA_CALL_AVX512_OR(set, ...) \
    (set) == ::tessera::InstructionSet::avx512 ? avx512::__VA_ARGS__:
#else
#  define TESSERA_CALL_AVX512_OR(set, ...)
#endif

#ifdef TESSERA_HAVE_AVX2
#  define TESSERA_CALL_AVX2_OR(set, ...) \
    (set) == ::tessera::InstructionSet::avx2 ? avx2::__VA_ARGS__:
#else
#  define TESSERA_CALL_AVX2_OR(set, ...)
#endif

#endif
