# SPDX-License-Identifier: LGPL-2.1-or-later
# Configure, build and run a project that uses the installed package, alone and, if
# there is one, with the LAUNCHER; what it prints matches EXPECTED. With
# WITHOUT_DEVICE, a program for devices, which ends with status 3 where there is
# none and says so in words that match. What an installed package asks its users for must not contain the flags of this
# machine: "native" and the instruction sets are looked for in its files.
file(GLOB _package ${PREFIX}/lib*/cmake/Tessera/*.cmake ${PREFIX}/lib/*/cmake/Tessera/*.cmake)
if(NOT _package)
  message(FATAL_ERROR "no package files below ${PREFIX}")
endif()
foreach(_file ${_package})
  file(READ ${_file} _text)
  if(_text MATCHES "(-march|-mavx|-mtune|-ffp-contract|-Werror|TESSERA_HAVE_AVX)")
    message(FATAL_ERROR "${_file} exports ${CMAKE_MATCH_1}")
  endif()
endforeach()

file(REMOVE_RECURSE ${BINARY})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_PREFIX_PATH=${PREFIX} -DDEAL_II_DIR=${DEAL_II_DIR}
  RESULT_VARIABLE _status)
if(_status)
  message(FATAL_ERROR "configuration failed")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BINARY} RESULT_VARIABLE _status)
if(_status)
  message(FATAL_ERROR "build failed")
endif()
function(run_and_check) # the arguments are a launcher
  execute_process(COMMAND ${ARGN} ${BINARY}/${EXECUTABLE}
    RESULT_VARIABLE _status OUTPUT_VARIABLE _out ERROR_VARIABLE _err)
  message("${_out}${_err}")
  if(WITHOUT_DEVICE AND _status EQUAL 3 AND _err MATCHES "${WITHOUT_DEVICE}")
    return()
  endif()
  if(_status OR NOT _out MATCHES "${EXPECTED}")
    message(FATAL_ERROR "the program failed (${_status})")
  endif()
endfunction()
run_and_check()
if(LAUNCHER)
  run_and_check(${LAUNCHER})
endif()
