# SPDX-License-Identifier: LGPL-2.1-or-later
# Two kinds of tests.
#
# 1. tessera_add_unit_test(<name> [MPIRUN <n>...] [LIBRARIES ...] [LABELS ...])
#    <name>.cc is a self-checking executable on tests/check.h; it needs no
#    deal.II, no numdiff and, without MPIRUN, no MPI. The test is called
#    <folder>/<name>, and <folder>/<name>.mpirun=<n> on n ranks.
# 2. tessera_pickup_tests(): deal.II's test framework on the current folder
#    (needs deal.II), with cures for what it gets wrong up to 9.8.
#
# All tests depend on the fixture "built", which builds everything they share,
# so that `ctest -j` on a cold tree does not start the same build twice.
set(TESSERA_MPI_ENVIRONMENT
  "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_btl_vader_single_copy_mechanism=none")

add_test(NAME build_all COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR})
set_tests_properties(build_all PROPERTIES FIXTURES_SETUP built LABELS build)

function(tessera_finish_test name)
  cmake_parse_arguments(_arg "" "" "LABELS" ${ARGN})
  set_property(TEST ${name} APPEND PROPERTY FIXTURES_REQUIRED built)
  set_property(TEST ${name} APPEND PROPERTY LABELS ${_arg_LABELS})
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "${TESSERA_MPI_ENVIRONMENT}")
  if(name MATCHES "mpirun=([0-9]+)")
    set_property(TEST ${name} APPEND PROPERTY LABELS mpi)
    set_property(TEST ${name} PROPERTY PROCESSORS ${CMAKE_MATCH_1})
  endif()
endfunction()

function(tessera_add_unit_test name)
  cmake_parse_arguments(_arg "" "" "MPIRUN;LIBRARIES;LABELS" ${ARGN})
  get_filename_component(_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(_target test_${_folder}_${name})
  add_executable(${_target} ${name}.cc)
  target_include_directories(${_target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${_target} PRIVATE tessera tessera_compile_options ${_arg_LIBRARIES})
  set_target_properties(${_target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

  add_test(NAME ${_folder}/${name} COMMAND ${_target})
  tessera_finish_test(${_folder}/${name} LABELS ${_folder} unit ${_arg_LABELS})
  if(TESSERA_WITH_MPI)
    foreach(_n ${_arg_MPIRUN})
      add_test(NAME ${_folder}/${name}.mpirun=${_n}
        COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${_n} ${MPIEXEC_PREFLAGS}
          $<TARGET_FILE:${_target}> ${MPIEXEC_POSTFLAGS})
      tessera_finish_test(${_folder}/${name}.mpirun=${_n} LABELS ${_folder} unit ${_arg_LABELS})
    endforeach()
  endif()
endfunction()

# tessera_pickup_tests([<executable target> for tests that are parameter files])
#
# Every <name>.output beside a <name>.cc or <name>.prm is a test; the syntax of
# the file names (.mpirun=2., .with_p4est=on., ...) is deal.II's.
macro(tessera_pickup_tests)
  set(TEST_TARGET ${ARGV0})
  set(TEST_LIBRARIES tessera_dealii ${TESSERA_TEST_LIBRARIES})
  deal_ii_pickup_tests()

  get_property(_tests DIRECTORY PROPERTY TESTS)
  get_filename_component(_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  foreach(_test ${_tests})
    # deal.II sets LABEL, which ctest does not know.
    tessera_finish_test(${_test} LABELS ${_folder})
    set_property(TEST ${_test} APPEND PROPERTY FIXTURES_REQUIRED fresh_outputs)
  endforeach()

  # Build test executables with everything else: with nothing left to compile,
  # concurrent tests do not start concurrent builds.
  get_property(_targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(_target ${_targets})
    get_target_property(_type ${_target} TYPE)
    if(_type STREQUAL "EXECUTABLE")
      set_target_properties(${_target} PROPERTIES EXCLUDE_FROM_ALL FALSE)
      target_include_directories(${_target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    endif()
  endforeach()

  # deal.II (before 9.6) does not run a test again whose parameter file has
  # changed.
  if(NOT TEST fresh_outputs.${_folder})
    add_test(NAME fresh_outputs.${_folder}
      COMMAND ${CMAKE_COMMAND}
        -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DBINARY=${CMAKE_CURRENT_BINARY_DIR}
        -P ${PROJECT_SOURCE_DIR}/cmake/remove_stale_outputs.cmake)
    set_tests_properties(fresh_outputs.${_folder} PROPERTIES
      FIXTURES_SETUP fresh_outputs FIXTURES_REQUIRED built LABELS "build;${_folder}")
  endif()
endmacro()

# tessera_add_command_test(<name> TARGET <executable> STATUS <n>
#   [ARGUMENTS <argument>...] [INPUT <text>] [MPIRUN <n>...] [ONLY_MPIRUN] [LABELS ...]
#   [STDOUT <regex>] [STDERR <regex>] [ONCE <regex>] [NOWHERE <regex>]
#   [STDIN <file>] [OUTPUT <file>] [REMOVE <path>...] [OLD <path>...] [FILES <path>...] [ABSENT <path>...]
#   [FILE_MATCHES <path>=<regex>])
#
# Run an executable and check its exit status and what it prints and writes;
# tests/run_and_check.cmake explains the checks. The test runs in an empty
# directory of its own, but for the file case.prm, which is INPUT or nothing. It
# is called
# <folder>/<name>, and <folder>/<name>.mpirun=<n> on n ranks; with ONLY_MPIRUN
# it is not run without a launcher.
function(tessera_add_command_test name)
  cmake_parse_arguments(_arg "ONLY_MPIRUN" "TARGET;STATUS;INPUT;STDOUT;STDERR;ONCE;NOWHERE;STDIN;OUTPUT;FILE_MATCHES"
    "ARGUMENTS;MPIRUN;LABELS;REMOVE;OLD;FILES;ABSENT" ${ARGN})
  get_filename_component(_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  if(NOT _arg_ONLY_MPIRUN)
    list(PREPEND _arg_MPIRUN 1)
  endif()
  foreach(_n ${_arg_MPIRUN})
    set(_test ${_folder}/${name})
    set(_command $<TARGET_FILE:${_arg_TARGET}>)
    if(_n GREATER 1)
      set(_test ${_test}.mpirun=${_n})
      set(_command ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${_n} ${MPIEXEC_PREFLAGS}
        ${_command} ${MPIEXEC_POSTFLAGS})
    endif()
    list(APPEND _command ${_arg_ARGUMENTS})

    string(REPLACE "/" "_" _directory ${_test})
    set(_directory ${CMAKE_CURRENT_BINARY_DIR}/${_directory}.run)
    file(REMOVE_RECURSE ${_directory})
    file(MAKE_DIRECTORY ${_directory})
    file(WRITE ${_directory}/case.prm "${_arg_INPUT}")

    set(_checks)
    foreach(_check STATUS STDOUT STDERR ONCE NOWHERE STDIN OUTPUT REMOVE OLD FILES ABSENT FILE_MATCHES)
      if(DEFINED _arg_${_check})
        # A list, or a regular expression with semicolons, is one argument.
        string(REPLACE ";" "\\;" _value "${_arg_${_check}}")
        list(APPEND _checks "-D${_check}=${_value}")
      endif()
    endforeach()
    add_test(NAME ${_test}
      COMMAND ${CMAKE_COMMAND} "-DCOMMAND=${_command}" ${_checks} "-DDIRECTORY=${_directory}"
        -P ${PROJECT_SOURCE_DIR}/tests/run_and_check.cmake)
    tessera_finish_test(${_test} LABELS ${_folder} ${_arg_LABELS})
  endforeach()
endfunction()

# tessera_add_record_test(<name> TARGET <application> [ARGUMENTS <argument>...])
#
# Run an application and compare its record, run.json, with
# <name>.expected.json in this folder by scripts/demo_summary.py. case.prm is
# empty. Tests <folder>/<name> and <folder>/expected_<name>.
function(tessera_add_record_test name)
  cmake_parse_arguments(_arg "" "TARGET" "ARGUMENTS" ${ARGN})
  tessera_add_command_test(${name} TARGET ${_arg_TARGET} STATUS 0 REMOVE results-case INPUT ""
    ARGUMENTS ${_arg_ARGUMENTS} --results results-case)
  tessera_compare_record(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name}.expected.json results-case)
endfunction()

# tessera_add_shipped_tests(<application>)
#
# Each of parameter_files/<application>/*.prm runs, with the arguments in the
# variable _of_<name of the file> where it is slow, and otherwise, if there is an
# expected.json beside it, that is what comes out.
function(tessera_add_shipped_tests application)
  file(GLOB _prms ${PROJECT_SOURCE_DIR}/parameter_files/${application}/*.prm)
  foreach(_prm ${_prms})
    get_filename_component(_name ${_prm} NAME_WE)
    get_filename_component(_folder ${_prm} DIRECTORY)
    tessera_add_command_test(shipped_${_name} TARGET ${application} STATUS 0 ARGUMENTS ${_prm} ${_of_${_name}}
      REMOVE results-${_name} STDOUT "cycle .*cells" FILES results-${_name}/run.json results-${_name}/convergence.csv)
    if(NOT DEFINED _of_${_name} AND EXISTS ${_folder}/${_name}.expected.json)
      tessera_compare_record(shipped_${_name} ${_folder}/${_name}.expected.json results-${_name})
    endif()
  endforeach()
endfunction()

# After the test <folder>/<name>, compare the record in the results directory it
# has left with an expected.json.
function(tessera_compare_record name expected results)
  find_program(TESSERA_PYTHON python3)
  if(NOT TESSERA_PYTHON)
    return()
  endif()
  get_filename_component(_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set_tests_properties(${_folder}/${name} PROPERTIES FIXTURES_SETUP ${_folder}_${name})
  add_test(NAME ${_folder}/expected_${name}
    COMMAND ${TESSERA_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/demo_summary.py ${expected}
      ${CMAKE_CURRENT_BINARY_DIR}/${_folder}_${name}.run/${results})
  tessera_finish_test(${_folder}/expected_${name} LABELS ${_folder})
  set_property(TEST ${_folder}/expected_${name} APPEND PROPERTY FIXTURES_REQUIRED ${_folder}_${name})
endfunction()
