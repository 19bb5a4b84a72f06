# SPDX-License-Identifier: LGPL-2.1-or-later
# The part that needs a compiler and nothing else: configure without deal.II,
# MPI, CUDA and the JSON library, build, and run its tests. Kernels are tested
# with sanitizers in the build that this is part of.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -DTESSERA_WITH_DEAL_II=OFF -DTESSERA_WITH_MPI=OFF -DTESSERA_WITH_JSON=OFF
    -DTESSERA_WITH_CUDA=OFF -DTESSERA_SANITIZED_KERNEL_TESTS=OFF
  RESULT_VARIABLE _status)
if(_status)
  message(FATAL_ERROR "configuration failed")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2 RESULT_VARIABLE _status)
if(_status)
  message(FATAL_ERROR "build failed")
endif()
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --parallel 2
  WORKING_DIRECTORY ${BINARY} RESULT_VARIABLE _status OUTPUT_VARIABLE _out)
# Without the closing lines, which are those of another run of ctest.
string(REGEX REPLACE "\n[0-9]+% tests passed.*" "" _list "${_out}")
message("${_list}")
if(_status OR NOT _out MATCHES "100% tests passed")
  message("${_out}")
  message(FATAL_ERROR "tests failed")
endif()
