# SPDX-License-Identifier: LGPL-2.1-or-later
# cmake -DSET=<set> -DOBJECTS=<file> -DNM=<nm> -DOBJDUMP=<objdump>
#       -P check_simd_objects.cmake
#
# Check the object files listed in OBJECTS, one per line, which were compiled
# for the instruction set SET:
#
# 1. No weak or unique symbol (types W, w, V, v, u of nm) outside the namespace
#    of the instruction set. The linker keeps one of all weak functions of the
#    same name: it could hand the AVX-512 code of, say, a function of std::
#    to the whole program, which then ends with "illegal instruction" on other
#    processors. A name is inside if ::<set>:: is part of it; template
#    arguments count, because they make the name as unique.
# 2. No instruction of a wider set: no flag has leaked in. Needs objdump, and
#    is skipped, with a message, where there is none.
cmake_policy(SET CMP0057 NEW) # IN_LIST
foreach(_variable SET OBJECTS NM)
  if(NOT ${_variable})
    message(FATAL_ERROR "-D${_variable}=... is missing.")
  endif()
endforeach()
file(STRINGS ${OBJECTS} _objects)
if(NOT _objects)
  message(FATAL_ERROR "${OBJECTS} lists no object file: nothing would be checked.")
endif()

# Data, identical for all instruction sets, that the compiler refers to where
# an exception passes through.
set(_harmless "DW.ref.__gxx_personality_v0")

# What must not occur in the disassembly.
set(_x86_avx "%[yz]mm|[[:space:]]v[a-z0-9]+[[:space:]].*%xmm")
set(_forbidden_generic "${_x86_avx}")
set(_forbidden_avx2 "%zmm|%xmm(1[6-9]|2[0-9]|3[01])|%ymm(1[6-9]|2[0-9]|3[01])|\\{%k")
set(_forbidden_avx512 "")

set(_n_symbols 0)
set(_errors "")
foreach(_object ${_objects})
  execute_process(COMMAND ${NM} -C ${_object}
    OUTPUT_VARIABLE _table RESULT_VARIABLE _result ERROR_VARIABLE _error)
  if(NOT _result EQUAL 0)
    message(FATAL_ERROR "${NM} -C ${_object} failed: ${_error}")
  endif()
  # Brackets and semicolons have a meaning in lists of CMake.
  string(REPLACE "[" "(" _table "${_table}")
  string(REPLACE "]" ")" _table "${_table}")
  string(REPLACE ";" "," _table "${_table}")
  string(REPLACE "\n" ";" _table "${_table}")
  foreach(_line IN LISTS _table)
    if(NOT _line STREQUAL "")
      math(EXPR _n_symbols "${_n_symbols} + 1")
    endif()
    if(_line MATCHES "^[0-9a-fA-F ]* ([WwVvu]) (.*)$")
      set(_type ${CMAKE_MATCH_1})
      set(_name "${CMAKE_MATCH_2}")
      if(NOT _name MATCHES "(^|[^A-Za-z0-9_])${SET}::" AND NOT _name IN_LIST _harmless)
        string(APPEND _errors "${_object}:\n  weak symbol outside of namespace ${SET}: (${_type}) ${_name}\n")
      endif()
    endif()
  endforeach()

  if(OBJDUMP AND _forbidden_${SET})
    execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn ${_object}
      COMMAND grep -E -m 1 "${_forbidden_${SET}}"
      OUTPUT_VARIABLE _instruction OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(_instruction)
      string(APPEND _errors "${_object}:\n  not an instruction of ${SET}: ${_instruction}\n")
    endif()
  endif()
endforeach()

if(_n_symbols EQUAL 0)
  string(APPEND _errors "The objects have no symbols: nothing was checked.\n")
endif()
if(_errors)
  message(FATAL_ERROR "${_errors}"
    "Functions of this kind must be inlined always, have internal linkage, or be in the namespace "
    "TESSERA_SIMD_NAMESPACE; see doc/developer/simd.md.")
endif()
list(LENGTH _objects _n_objects)
message(STATUS "${_n_symbols} symbols in ${_n_objects} objects of ${SET} checked.")
if(NOT OBJDUMP)
  message(STATUS "There is no objdump; instructions were not checked.")
endif()
