# SPDX-License-Identifier: LGPL-2.1-or-later
# Run a command and check its exit status and what it prints.
#
#   cmake -DCOMMAND=<list> -DSTATUS=<n> [-DSTDOUT=<regex>] [-DSTDERR=<regex>]
#         [-DONCE=<regex>] [-DNOWHERE=<regex>] [-DSTDIN=<file>]
#         [-DOUTPUT=<file>]
#         [-DREMOVE=<paths>] [-DOLD=<paths>] [-DFILES=<paths>] [-DABSENT=<paths>]
#         [-DFILE_MATCHES=<path>=<regex>]
#         [-DDIRECTORY=<dir>] -P run_and_check.cmake
#
#   COMMAND   program and arguments, as a list
#   STATUS    the expected exit status; "error" stands for any but 0
#   STDOUT, STDERR  must match the stream; for MPI runs, where the launcher
#             may merge or prefix the streams, ONCE is the stricter check
#   ONCE      must match exactly once in both streams together
#   NOWHERE   must not match in either stream
#   STDIN     file the program reads as standard input
#   OUTPUT    file for the standard output, which is then not checked
#   REMOVE    paths removed before the run, so that FILES cannot be old ones
#   OLD       files written before the run, as if left by an earlier one
#   FILES     files that must exist, and not be empty, after the run
#   ABSENT    paths that must not exist after the run
#   FILE_MATCHES  a file that must match a regular expression after the run
#   DIRECTORY working directory, created where it is missing
#
# Regular expressions are CMake's. tessera_add_command_test() in
# cmake/TesseraTests.cmake adds such a test.
set(_arguments)
if(DIRECTORY)
  file(MAKE_DIRECTORY ${DIRECTORY})
  list(APPEND _arguments WORKING_DIRECTORY ${DIRECTORY})
else()
  set(DIRECTORY .)
endif()
if(STDIN)
  list(APPEND _arguments INPUT_FILE ${STDIN})
endif()

function(absolute path result)
  get_filename_component(_path ${path} ABSOLUTE BASE_DIR ${DIRECTORY})
  set(${result} ${_path} PARENT_SCOPE)
endfunction()

foreach(_path ${REMOVE})
  absolute(${_path} _path)
  file(REMOVE_RECURSE ${_path})
endforeach()

foreach(_path ${OLD})
  absolute(${_path} _path)
  file(WRITE ${_path} "of an earlier run\n")
endforeach()

if(OUTPUT)
  list(APPEND _arguments OUTPUT_FILE ${OUTPUT})
else()
  list(APPEND _arguments OUTPUT_VARIABLE _stdout)
endif()

execute_process(COMMAND ${COMMAND}
  RESULT_VARIABLE _status
  ERROR_VARIABLE _stderr
  ${_arguments})

set(_failures)
if(STATUS STREQUAL "error")
  if("${_status}" STREQUAL "0")
    list(APPEND _failures "exit status 0, expected another")
  endif()
elseif(NOT "${_status}" STREQUAL "${STATUS}")
  list(APPEND _failures "exit status ${_status}, expected ${STATUS}")
endif()
foreach(_stream STDOUT STDERR)
  string(TOLOWER "_${_stream}" _text)
  if(DEFINED ${_stream} AND NOT "${${_text}}" MATCHES "${${_stream}}")
    list(APPEND _failures "${_stream} does not match '${${_stream}}'")
  endif()
endforeach()
if(DEFINED ONCE)
  # Semicolons would split the list of matches.
  string(REPLACE ";" "," _both "${_stdout}\n${_stderr}")
  string(REPLACE ";" "," _once "${ONCE}")
  string(REGEX MATCHALL "${_once}" _matches "${_both}")
  list(LENGTH _matches _n)
  if(NOT _n EQUAL 1)
    list(APPEND _failures "'${ONCE}' matches ${_n} times, expected 1")
  endif()
endif()
if(DEFINED NOWHERE AND "${_stdout}\n${_stderr}" MATCHES "${NOWHERE}")
  list(APPEND _failures "'${NOWHERE}' matches, and should not")
endif()
foreach(_file ${FILES})
  absolute(${_file} _path)
  set(_size 0)
  if(EXISTS ${_path} AND NOT IS_DIRECTORY ${_path})
    file(SIZE ${_path} _size)
  endif()
  if(_size EQUAL 0)
    list(APPEND _failures "the file ${_file} is missing or empty")
  endif()
endforeach()
foreach(_path ${ABSENT})
  absolute(${_path} _path)
  if(EXISTS ${_path})
    list(APPEND _failures "${_path} exists, and should not")
  endif()
endforeach()
if(DEFINED FILE_MATCHES)
  string(REGEX MATCH "^([^=]+)=(.*)$" _found "${FILE_MATCHES}")
  set(_file "${CMAKE_MATCH_1}")
  set(_regex "${CMAKE_MATCH_2}")
  absolute(${_file} _path)
  set(_text "")
  if(EXISTS ${_path})
    file(READ ${_path} _text)
  endif()
  if(NOT _text MATCHES "${_regex}")
    list(APPEND _failures "the file ${_file} does not match '${_regex}'")
  endif()
endif()

if(_failures)
  list(JOIN COMMAND " " _command)
  list(JOIN _failures "\n  " _failures)
  message(FATAL_ERROR
    "${_command}\n  ${_failures}\n"
    "--- stdout\n${_stdout}\n--- stderr\n${_stderr}\n---")
endif()
