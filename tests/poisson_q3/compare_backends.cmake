# SPDX-License-Identifier: LGPL-2.1-or-later
# Run a parameter file on the host and on a device, and compare what the records
# say of every cycle: the same numbers, to the last digit.
#
#   cmake -DHOST=<command> -DDEVICE=<command> -DPARAMETERS=<file>
#         -DDIRECTORY=<dir> [-DMAX_COPY=<bytes>] -P compare_backends.cmake
#
#   HOST, DEVICE  program, or launcher and program, as lists
#   MAX_COPY  the largest copy allowed between host and device in iterations
foreach(_backend host cuda)
  set(_program ${HOST})
  if(_backend STREQUAL "cuda")
    set(_program ${DEVICE})
  endif()
  set(_results ${DIRECTORY}/${_backend})
  file(REMOVE_RECURSE ${_results})
  execute_process(
    COMMAND ${_program} ${PARAMETERS} --set Backend=${_backend} --results ${_results}
    OUTPUT_VARIABLE _output ERROR_VARIABLE _output RESULT_VARIABLE _status)
  if(NOT _status EQUAL 0)
    message(FATAL_ERROR "on ${_backend}: status ${_status}\n${_output}")
  endif()
  file(READ ${_results}/run.json ${_backend})
  string(JSON _name GET "${${_backend}}" backend name)
  if(NOT _name STREQUAL _backend)
    message(FATAL_ERROR "asked for ${_backend}, ran on ${_name}")
  endif()
endforeach()

string(JSON _n LENGTH "${host}" cycles)
string(JSON _n_device LENGTH "${cuda}" cycles)
if(_n EQUAL 0 OR NOT _n EQUAL _n_device)
  message(FATAL_ERROR "${_n} cycles on the host, ${_n_device} on the device")
endif()
math(EXPR _last "${_n} - 1")
foreach(_cycle RANGE ${_last})
  foreach(_quantity n_dofs n_levels converged iterations fractional_iterations residual_history
      eta_history errors)
    string(JSON _expected GET "${host}" cycles ${_cycle} ${_quantity})
    string(JSON _found GET "${cuda}" cycles ${_cycle} ${_quantity})
    if(NOT _expected STREQUAL _found)
      message(SEND_ERROR "cycle ${_cycle}, ${_quantity}:\n${_expected}\non the host,\n${_found}\non the device")
    endif()
  endforeach()

  foreach(_direction host_to_device device_to_host)
    string(JSON _bytes GET "${cuda}" cycles ${_cycle} transfers ${_direction})
    if(NOT _bytes GREATER 0)
      message(SEND_ERROR "no copies from ${_direction}")
    endif()
  endforeach()
  string(JSON _bytes GET "${cuda}" cycles ${_cycle} transfers largest_in_iterations)
  if(DEFINED MAX_COPY AND _bytes GREATER MAX_COPY)
    message(SEND_ERROR "a copy of ${_bytes} bytes during iterations")
  endif()
endforeach()
message(STATUS "${_n} cycles agree")
