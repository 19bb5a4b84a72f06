# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests of kernels, on the emulated device and on a real one;
# doc/developer/device.md explains both.
#
# tessera_add_device_test(<name> [KERNELS <source.cu>...] [VARIANTS <variant>...]
#   [CUDA_LIBRARY <target>] [LIBRARIES <target>...] [MPIRUN <n>...] [LABELS ...])
#   <name>.cc is a self-checking program on tests/check.h, which uses kernels of
#   the library and those in KERNELS. It is built and run in the VARIANTS, all of
#   them by default:
#     plain    emulated device; threads in ascending, descending and random order:
#              <folder>/<name>.forward, .reverse, .random
#     address  emulated device with the address and undefined-behaviour
#              sanitizers: <folder>/<name>.address
#     thread   emulated device with the thread sanitizer: <folder>/<name>.thread
#     cuda     CUDA, where it is built: <folder>/<name>.cuda; skipped where there
#              is no device
#   With CUDA_LIBRARY, the cuda variant has KERNELS from that library, where they
#   are compiled already.
#   LIBRARIES are linked besides the library. They are not compiled with
#   sanitizers: with those of others, deal.II above all, take the variants plain
#   and cuda.
#   With MPIRUN, the plain variant also runs on n ranks, each with an emulated
#   device of its own: <folder>/<name>.mpirun=<n>.
#   The program sees TESSERA_TEST_VARIANT_<variant>.
#
# tessera_add_gpu_check(<method> FOLDERS <folder>... PROGRAMS <target>...)
#   A target gpu_check_<method> that builds what scripts/gpu_check.sh <method>
#   runs: the programs, and the cuda variants of the tests in the folders; and
#   gpu_check_<method>_emulated of <target>_emulated, and the plain variants. To
#   be called after these have been added.
include(CheckCXXSourceRuns)

# Sanitizers may be missing, or refuse the machine (the thread sanitizer does
# where addresses are randomized more than it knows of).
foreach(_sanitizer address thread)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=${_sanitizer})
  check_cxx_source_runs("int main() { return 0; }" TESSERA_SANITIZER_${_sanitizer}_RUNS)
  unset(CMAKE_REQUIRED_FLAGS)
endforeach()

set(TESSERA_DEVICE_TEST_VARIANTS plain)
set(TESSERA_EMULATION_FLAGS_plain)
set(TESSERA_EMULATION_FLAGS_address -fsanitize=address,undefined -fno-sanitize-recover=all
  -fno-omit-frame-pointer)
set(TESSERA_EMULATION_FLAGS_thread -fsanitize=thread)
foreach(_sanitizer address thread)
  if(NOT TESSERA_SANITIZED_KERNEL_TESTS)
    continue()
  elseif(TESSERA_SANITIZER_${_sanitizer}_RUNS)
    list(APPEND TESSERA_DEVICE_TEST_VARIANTS ${_sanitizer})
  else()
    message(STATUS "No kernel tests with the ${_sanitizer} sanitizer: it does not run here")
  endif()
endforeach()
if(TESSERA_HAVE_CUDA)
  list(APPEND TESSERA_DEVICE_TEST_VARIANTS cuda)
endif()

# Kernel sources, as C++ sources in the binary directory that include them.
function(tessera_wrap_kernel_sources variable)
  set(_wrapped)
  foreach(_source ${ARGN})
    get_filename_component(_source ${_source} ABSOLUTE)
    file(RELATIVE_PATH _name ${PROJECT_SOURCE_DIR} ${_source})
    string(REGEX REPLACE "\\.cu$" ".cc" _name ${_name})
    set(_file ${CMAKE_CURRENT_BINARY_DIR}/emulated/${_name})
    file(CONFIGURE OUTPUT ${_file} CONTENT "#include \"${_source}\"\n")
    list(APPEND _wrapped ${_file})
  endforeach()
  set(${variable} ${_wrapped} PARENT_SCOPE)
endfunction()

# Compile options of code that runs on the emulated device, or beside it.
# Optimized also in Debug builds: a kernel in a test must not take minutes.
function(tessera_emulation_options target variant)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE tessera_compile_options)
  target_compile_options(${target} PRIVATE -g1 "$<$<CONFIG:Debug>:-O1>"
    -fno-strict-aliasing -ffp-contract=off)
  target_compile_definitions(${target} PRIVATE TESSERA_DEVICE_EMULATION)
  if(NOT variant STREQUAL "plain")
    string(TOUPPER ${variant} _variant)
    target_compile_definitions(${target} PRIVATE TESSERA_EMULATION_${_variant}_SANITIZER)
  endif()
endfunction()

# The emulation, and the library's kernels for it, in one variant: object
# libraries, so that they come before the library's own objects in any program.
function(tessera_add_emulation variant)
  add_library(tessera_emulation_${variant} OBJECT
    algorithms_emulation.cc backend_emulation.cc barriers.cc context.cc report.cc scheduler.cc
    shared_memory.cc streams.cc warp_operations.cc)
  tessera_emulation_options(tessera_emulation_${variant} ${variant})

  get_property(_sources GLOBAL PROPERTY TESSERA_EMULATED_SOURCES_OF_tessera)
  tessera_wrap_kernel_sources(_wrapped ${_sources})
  add_library(tessera_emulated_kernels_${variant} OBJECT ${_wrapped})
  tessera_emulation_options(tessera_emulated_kernels_${variant} ${variant})
  target_compile_options(tessera_emulated_kernels_${variant} PRIVATE ${TESSERA_EMULATION_FLAGS_${variant}})
endfunction()

# tessera_add_device_program(<target> <variant> SOURCES ... [KERNELS ...] [LIBRARIES ...])
#   A program in one variant. LIBRARIES may be those that use the library.
function(tessera_add_device_program target variant)
  cmake_parse_arguments(_arg "" "" "SOURCES;KERNELS;LIBRARIES" ${ARGN})
  if(variant STREQUAL "cuda")
    add_executable(${target} ${_arg_SOURCES})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${target} PRIVATE ${_arg_LIBRARIES} tessera tessera_compile_options)
    if(_arg_KERNELS)
      tessera_add_cuda_sources(${target} ${_arg_KERNELS})
      target_include_directories(${target}_cuda PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    endif()
  else()
    tessera_wrap_kernel_sources(_kernels ${_arg_KERNELS})
    add_executable(${target} ${_arg_SOURCES} ${_kernels}
      $<TARGET_OBJECTS:tessera_emulation_${variant}> $<TARGET_OBJECTS:tessera_emulated_kernels_${variant}>)
    tessera_emulation_options(${target} ${variant})
    target_compile_options(${target} PRIVATE ${TESSERA_EMULATION_FLAGS_${variant}})
    target_link_options(${target} PRIVATE ${TESSERA_EMULATION_FLAGS_${variant}})
    target_link_libraries(${target} PRIVATE ${_arg_LIBRARIES} tessera)
  endif()
  target_compile_definitions(${target} PRIVATE TESSERA_TEST_VARIANT_${variant})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# The program of a test in one variant, with kernel sources of its own.
function(tessera_add_device_test_program target name variant)
  tessera_add_device_program(${target} ${variant} SOURCES ${name}.cc KERNELS ${ARGN})
endfunction()

function(tessera_add_device_test name)
  cmake_parse_arguments(_arg "" "CUDA_LIBRARY" "KERNELS;VARIANTS;LIBRARIES;MPIRUN;LABELS" ${ARGN})
  if(NOT _arg_VARIANTS)
    set(_arg_VARIANTS plain address thread cuda)
  endif()
  get_filename_component(_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  foreach(_variant ${_arg_VARIANTS})
    if(NOT _variant IN_LIST TESSERA_DEVICE_TEST_VARIANTS)
      continue()
    endif()
    set(_target test_${_folder}_${name}_${_variant})
    if(_variant STREQUAL "cuda" AND _arg_CUDA_LIBRARY)
      tessera_add_device_test_program(${_target} ${name} cuda)
      target_link_libraries(${_target} PRIVATE ${_arg_CUDA_LIBRARY})
    else()
      tessera_add_device_test_program(${_target} ${name} ${_variant} ${_arg_KERNELS})
    endif()
    target_link_libraries(${_target} PRIVATE ${_arg_LIBRARIES})

    set_property(GLOBAL APPEND PROPERTY TESSERA_DEVICE_TESTS_OF_${_folder}_${_variant} ${_target})

    set(_runs ${_variant})
    if(_variant STREQUAL "plain")
      set(_runs forward reverse random)
    endif()
    foreach(_run ${_runs})
      set(_test ${_folder}/${name}.${_run})
      add_test(NAME ${_test} COMMAND ${_target})
      tessera_finish_test(${_test} LABELS ${_folder} device ${_arg_LABELS})
      # A kernel that waits for what does not come would hang.
      set_property(TEST ${_test} PROPERTY TIMEOUT 120)
      if(_variant STREQUAL "plain")
        set_property(TEST ${_test} APPEND PROPERTY ENVIRONMENT TESSERA_EMULATION_ORDER=${_run})
      elseif(_variant STREQUAL "address")
        # Where tracing is forbidden, looking for leaks would fail.
        set_property(TEST ${_test} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
      elseif(_variant STREQUAL "thread")
        # Nothing else runs that could still report.
        set_property(TEST ${_test} APPEND PROPERTY ENVIRONMENT TSAN_OPTIONS=atexit_sleep_ms=0)
      elseif(_variant STREQUAL "cuda")
        set_property(TEST ${_test} PROPERTY SKIP_RETURN_CODE 77)
      endif()
    endforeach()

    if(TESSERA_WITH_MPI AND _variant STREQUAL "plain")
      foreach(_n ${_arg_MPIRUN})
        set(_test ${_folder}/${name}.mpirun=${_n})
        add_test(NAME ${_test}
          COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${_n} ${MPIEXEC_PREFLAGS}
            $<TARGET_FILE:${_target}> ${MPIEXEC_POSTFLAGS})
        tessera_finish_test(${_test} LABELS ${_folder} device ${_arg_LABELS})
        set_property(TEST ${_test} PROPERTY TIMEOUT 120)
      endforeach()
    endif()
  endforeach()
endfunction()

function(tessera_add_gpu_check method)
  cmake_parse_arguments(_arg "" "" "FOLDERS;PROGRAMS" ${ARGN})
  foreach(_variant plain cuda)
    if(NOT _variant IN_LIST TESSERA_DEVICE_TEST_VARIANTS)
      continue()
    endif()
    set(_suffix)
    if(_variant STREQUAL "plain")
      set(_suffix _emulated)
    endif()
    set(_targets)
    foreach(_program ${_arg_PROGRAMS})
      list(APPEND _targets ${_program}${_suffix})
    endforeach()
    foreach(_folder ${_arg_FOLDERS})
      get_property(_tests GLOBAL PROPERTY TESSERA_DEVICE_TESTS_OF_${_folder}_${_variant})
      list(APPEND _targets ${_tests})
    endforeach()
    add_custom_target(gpu_check_${method}${_suffix})
    add_dependencies(gpu_check_${method}${_suffix} ${_targets})
  endforeach()
endfunction()
