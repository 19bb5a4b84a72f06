// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/instruction_set.h>

#include <algorithm>
#include <cstdlib>

namespace tessera
{
  namespace
  {
    constexpr InstructionSet all_instruction_sets[] = {InstructionSet::generic,
                                                       InstructionSet::avx2,
                                                       InstructionSet::avx512};

    std::string
    list_of_names(const std::vector<InstructionSet> &sets)
    {
      std::string names;
      for (const InstructionSet set : sets)
        names += (names.empty() ? "" : ", ") + to_string(set);
      return names;
    }
  } // namespace



  std::string
  to_string(const InstructionSet set)
  {
    switch (set)
      {
        case InstructionSet::avx2:
          return "avx2";
        case InstructionSet::avx512:
          return "avx512";
        case InstructionSet::generic:
          break;
      }
    return "generic";
  }



  InstructionSet
  instruction_set_from_string(const std::string &name)
  {
    for (const InstructionSet set : all_instruction_sets)
      if (name == to_string(set))
        return set;
    throw InputError("There is no instruction set '" + name +
                     "'. Allowed are generic, avx2 and avx512; on this machine "
                     "with this build: " +
                     list_of_names(available_instruction_sets()) +
                     ". Set the environment variable TESSERA_SIMD to one of "
                     "these, or unset it to use the best.");
  }



  unsigned int
  simd_bits(const InstructionSet set)
  {
    switch (set)
      {
        case InstructionSet::avx2:
          return 256;
        case InstructionSet::avx512:
          return 512;
        case InstructionSet::generic:
          break;
      }
    return 128;
  }



  bool
  is_compiled_in(const InstructionSet set)
  {
    switch (set)
      {
        case InstructionSet::avx2:
#ifdef TESSERA_HAVE_AVX2
          return true;
#else
          return false;
#endif
        case InstructionSet::avx512:
#ifdef TESSERA_HAVE_AVX512
          return true;
#else
          return false;
#endif
        case InstructionSet::generic:
          break;
      }
    return true;
  }



  bool
  is_supported_by_processor(const InstructionSet set)
  {
    // The features are those of the compiler flags in cmake/TesseraSimd.cmake.
    // __builtin_cpu_supports() includes the operating system's support for the
    // registers; it reads what the start of the program has stored.
    switch (set)
      {
        case InstructionSet::avx2:
#if defined(__x86_64__)
          return __builtin_cpu_supports("avx2") &&
                 __builtin_cpu_supports("fma");
#else
          return false;
#endif
        case InstructionSet::avx512:
#if defined(__x86_64__)
          return __builtin_cpu_supports("avx512f") &&
                 __builtin_cpu_supports("avx512dq") &&
                 __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vl") &&
                 is_supported_by_processor(InstructionSet::avx2);
#else
          return false;
#endif
        case InstructionSet::generic:
          break;
      }
    return true;
  }



  std::vector<InstructionSet>
  available_instruction_sets()
  {
    std::vector<InstructionSet> sets;
    for (const InstructionSet set : all_instruction_sets)
      if (is_compiled_in(set) && is_supported_by_processor(set))
        sets.push_back(set);
    return sets;
  }



  InstructionSet
  choose_instruction_set(const std::string                 &request,
                         const std::vector<InstructionSet> &available)
  {
    TESSERA_ASSERT(!available.empty(), "generic is always available");
    if (request.empty())
      return available.back();

    const InstructionSet set = instruction_set_from_string(request);
    if (std::find(available.begin(), available.end(), set) != available.end())
      return set;
    throw InputError(
      "The instruction set '" + request + "' is not " +
      (is_compiled_in(set) ?
         std::string("supported by this processor or operating system") :
         std::string("part of this build, whose compiler does not have it")) +
      ". Available are: " + list_of_names(available) +
      ". Set the environment variable TESSERA_SIMD to one of these, or unset "
      "it to use the best.");
  }



  InstructionSet
  active_instruction_set()
  {
    // A choice that throws leaves the variable uninitialized; the next call
    // tries again.
    static const InstructionSet active = [] {
      const char *request = std::getenv("TESSERA_SIMD");
      return choose_instruction_set(request != nullptr ? request : "");
    }();
    return active;
  }
} // namespace tessera
