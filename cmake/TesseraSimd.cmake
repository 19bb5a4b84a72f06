# SPDX-License-Identifier: LGPL-2.1-or-later
# Code that is compiled once per instruction set; doc/developer/simd.md tells
# how to write it.
#
# tessera_add_simd_sources(<target> <source>...)
#   Compile each source once per instruction set, in an object library
#   <target>_<set> with the set's flags, TESSERA_SIMD_NAMESPACE defined to the
#   name of the set, and floating-point contraction off, and link the objects
#   into <target>, which picks the set at run time
#   (tessera/base/instruction_set.h). Can be called several times for the same
#   target, from any folder. The sources may use the library's deal.II-free
#   headers and the compiler's own, and nothing that emits functions outside
#   the namespace of the set.
#
# tessera_add_simd_tests()
#   Register the tests of all objects made by the function above. To be called
#   after the last call of it.
#
# TESSERA_INSTRUCTION_SETS lists the sets, TESSERA_FLAGS_<set> the flags. All
# our sources see TESSERA_HAVE_AVX2 and TESSERA_HAVE_AVX512 where these exist.
# The flags belong to the object libraries alone: neither the target they are
# linked into nor the exported package carries one.
include(CheckCXXCompilerFlag)

set(TESSERA_INSTRUCTION_SETS generic)
set(TESSERA_FLAGS_generic "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  # is_supported_by_processor() asks the processor for exactly these features.
  set(TESSERA_FLAGS_avx2 -mavx2 -mfma)
  set(TESSERA_FLAGS_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma
    -mprefer-vector-width=512)
  foreach(_set avx2 avx512)
    list(JOIN TESSERA_FLAGS_${_set} " " _flags)
    check_cxx_compiler_flag("${_flags}" TESSERA_COMPILER_HAS_${_set})
    if(TESSERA_COMPILER_HAS_${_set})
      list(APPEND TESSERA_INSTRUCTION_SETS ${_set})
      string(TOUPPER TESSERA_HAVE_${_set} _definition)
      target_compile_definitions(tessera_compile_options INTERFACE ${_definition})
    endif()
  endforeach()
endif()

# These would make "generic" mean this machine, and "avx2" more than AVX2.
if(CMAKE_CXX_FLAGS MATCHES "-m(arch|avx|fma|sse[34]|cpu)")
  message(WARNING "CMAKE_CXX_FLAGS contains ${CMAKE_MATCH_0}..., which also reaches the kernels that are "
    "compiled once per instruction set: the build may not run on other processors. Use -DTESSERA_NATIVE=ON.")
endif()

# Optimization also in Debug: without it, every inline function of a header
# becomes a weak symbol, and lanes live in memory. Assertions stay on.
set(TESSERA_SIMD_OPTIONS
  -ffp-contract=off -fno-strict-aliasing "$<$<CONFIG:Debug>:-O2>")

# <name>: an object library of sources for one instruction set.
function(tessera_add_simd_objects name set)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_compile_options(${name} PRIVATE
    $<FILTER:$<TARGET_PROPERTY:tessera_compile_options,INTERFACE_COMPILE_OPTIONS>,EXCLUDE,^-march=native$>
    ${TESSERA_FLAGS_${set}} ${TESSERA_SIMD_OPTIONS})
  target_compile_definitions(${name} PRIVATE
    $<TARGET_PROPERTY:tessera_compile_options,INTERFACE_COMPILE_DEFINITIONS>
    TESSERA_SIMD_NAMESPACE=${set})
endfunction()

function(tessera_add_simd_sources target)
  foreach(_set ${TESSERA_INSTRUCTION_SETS})
    set(_objects ${target}_${_set})
    if(NOT TARGET ${_objects})
      tessera_add_simd_objects(${_objects} ${_set})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${_objects}>)
      set_property(GLOBAL APPEND PROPERTY TESSERA_SIMD_OBJECT_TARGETS ${_objects})
    endif()
    target_sources(${_objects} PRIVATE ${ARGN})
  endforeach()
endfunction()

# Arguments of cmake/check_simd_objects.cmake for the objects of one target.
function(tessera_simd_check_command variable objects set)
  set(_list ${CMAKE_BINARY_DIR}/simd_objects/${objects}.txt)
  file(GENERATE OUTPUT ${_list} CONTENT "$<JOIN:$<TARGET_OBJECTS:${objects}>,\n>\n")
  set(${variable}
    ${CMAKE_COMMAND} -DSET=${set} -DOBJECTS=${_list} -DNM=${CMAKE_NM} -DOBJDUMP=${CMAKE_OBJDUMP}
      -P ${PROJECT_SOURCE_DIR}/cmake/check_simd_objects.cmake
    PARENT_SCOPE)
endfunction()

function(tessera_add_simd_tests)
  get_property(_targets GLOBAL PROPERTY TESSERA_SIMD_OBJECT_TARGETS)
  foreach(_objects ${_targets})
    string(REGEX REPLACE "^.*_" "" _set ${_objects})
    tessera_simd_check_command(_command ${_objects} ${_set})
    add_test(NAME simd_objects/${_objects} COMMAND ${_command})
    tessera_finish_test(simd_objects/${_objects} LABELS simd_objects)
  endforeach()
endfunction()
