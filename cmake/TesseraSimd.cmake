# SPDX-License-Identifier: LGPL-2.1-or-later
# tessera_add_simd_sources(<target> <source>...)
#
# Compile each source once per instruction set, in an object library
# <target>_<set> with the set's flags, TESSERA_SIMD_NAMESPACE defined to the
# name of the set, and floating-point contraction off, and link the objects
# into <target>. The caller of such a function picks the set at run time
# (tessera/base/instruction_set.h). Objects are recorded for the test that no
# weak symbol leaves the namespace of its instruction set.
include(CheckCXXCompilerFlag)

set(TESSERA_INSTRUCTION_SETS generic)
set(TESSERA_FLAGS_generic "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(TESSERA_FLAGS_avx2 -mavx2 -mfma)
  set(TESSERA_FLAGS_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma
    -mprefer-vector-width=512)
  foreach(_set avx2 avx512)
    list(JOIN TESSERA_FLAGS_${_set} " " _flags)
    check_cxx_compiler_flag("${_flags}" TESSERA_COMPILER_HAS_${_set})
    if(TESSERA_COMPILER_HAS_${_set})
      list(APPEND TESSERA_INSTRUCTION_SETS ${_set})
    endif()
  endforeach()
endif()

function(tessera_add_simd_sources target)
  foreach(_set ${TESSERA_INSTRUCTION_SETS})
    set(_objects ${target}_${_set})
    if(NOT TARGET ${_objects})
      add_library(${_objects} OBJECT)
      target_include_directories(${_objects} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
      target_compile_features(${_objects} PRIVATE cxx_std_17)
      target_compile_options(${_objects} PRIVATE
        $<FILTER:$<TARGET_PROPERTY:tessera_compile_options,INTERFACE_COMPILE_OPTIONS>,EXCLUDE,^-march=native$>
        ${TESSERA_FLAGS_${_set}} -ffp-contract=off -fno-strict-aliasing)
      target_compile_definitions(${_objects} PRIVATE TESSERA_SIMD_NAMESPACE=${_set})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${_objects}>)
      set_property(GLOBAL APPEND PROPERTY TESSERA_SIMD_OBJECT_TARGETS ${_objects})
    endif()
    target_sources(${_objects} PRIVATE ${ARGN})
  endforeach()
endfunction()
