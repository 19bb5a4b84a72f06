# SPDX-License-Identifier: LGPL-2.1-or-later
# CUDA kernels; doc/developer/device.md tells how to write them.
#
# TESSERA_HAVE_CUDA: whether they are built. The CUDA language is enabled where
# nvcc is found, the runtime is linked statically, and our own C++ sources see
# TESSERA_HAVE_CUDA.
#
# tessera_add_cuda_sources(<target> <source.cu>... [ALLOW_SPILLS] [NOT_EMULATED])
#   Compile kernel sources by nvcc, in an object library <target>_cuda, and link
#   the objects into <target>; nothing where CUDA is not built. The sources of
#   the library "tessera" are also compiled for the emulated device of the
#   tests, in every build, but for those that are NOT_EMULATED.
#   Spilled registers are an error in Release builds. ALLOW_SPILLS is for
#   benchmarks that compare with a kernel that cannot do without.
#
#   What ptxas says about registers, stack and spills is kept beside each object,
#   as <object>.ptxas; tessera_add_kernel_budget_test() checks it.
include(CheckLanguage)

set(TESSERA_HAVE_CUDA FALSE)
set(TESSERA_WHY_NO_CUDA "switched off")
if(NOT TESSERA_WITH_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE) # that was not there the last time
    if(NOT DEFINED ENV{CUDACXX})
      find_program(TESSERA_NVCC nvcc HINTS ENV CUDA_PATH PATH_SUFFIXES bin PATHS /usr/local/cuda/bin)
      mark_as_advanced(TESSERA_NVCC)
      if(TESSERA_NVCC)
        set(ENV{CUDACXX} ${TESSERA_NVCC})
      endif()
    endif()
    if(DEFINED ENV{CUDACXX})
      # Tries it out. Enabling the language would end in an error.
      check_language(CUDA)
    endif()
  endif()

  if(NOT CMAKE_CUDA_COMPILER)
    set(TESSERA_WHY_NO_CUDA "nvcc was not found")
    if(DEFINED ENV{CUDACXX})
      set(TESSERA_WHY_NO_CUDA "$ENV{CUDACXX} does not work with the C++ compiler it takes")
    endif()
  else()
    # Before the language is enabled: CMake would take the compiler's default.
    # Other packages are known to set an empty one.
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      unset(CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80 90 CACHE STRING
        "Compute capabilities to compile kernels for.")
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
      set(TESSERA_WHY_NO_CUDA "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is older than 12")
    elseif(NOT TARGET CUDA::cudart_static)
      set(TESSERA_WHY_NO_CUDA "there is ${CMAKE_CUDA_COMPILER}, but no static CUDA runtime")
    else()
      set(TESSERA_HAVE_CUDA TRUE)
    endif()
  endif()
  if(TESSERA_WITH_CUDA STREQUAL "ON" AND NOT TESSERA_HAVE_CUDA)
    message(FATAL_ERROR "TESSERA_WITH_CUDA=ON: ${TESSERA_WHY_NO_CUDA}. Install the CUDA toolkit (12 or newer), "
      "set CMAKE_CUDA_COMPILER to its nvcc, or use AUTO or OFF.")
  endif()
endif()

if(TESSERA_HAVE_CUDA)
  target_compile_definitions(tessera_compile_options INTERFACE TESSERA_HAVE_CUDA)
endif()

# Arithmetic is that of the host, bit for bit: no contraction, explicit fma.
set(TESSERA_CUDA_OPTIONS -fmad=false --expt-relaxed-constexpr -Xptxas=-v
  "-DTESSERA_EXECUTION_SPACE=__host__ __device__" -DTESSERA_HAVE_CUDA
  -Xcompiler=-Wall,-Wextra,-Wpointer-arith,-Wno-psabi,-Wno-unknown-pragmas)
if(TESSERA_WARNINGS_AS_ERRORS)
  list(APPEND TESSERA_CUDA_OPTIONS -Werror=all-warnings)
endif()
# Assertions take registers.
set(TESSERA_CUDA_NO_SPILLS "$<$<NOT:$<CONFIG:Debug>>:-Xptxas=-warn-spills,-Werror>")

# <name>: an object library of kernel sources.
function(tessera_add_cuda_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  target_compile_options(${name} PRIVATE ${TESSERA_CUDA_OPTIONS})
  # ccache, if it is in use, keeps the messages of ptxas with the object.
  set(_launcher ${PROJECT_SOURCE_DIR}/cmake/keep_ptxas_log)
  if(DEFINED CMAKE_CUDA_COMPILER_LAUNCHER)
    list(APPEND _launcher ${CMAKE_CUDA_COMPILER_LAUNCHER})
  else()
    list(APPEND _launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
  set_target_properties(${name} PROPERTIES
    CUDA_STANDARD 17
    CUDA_STANDARD_REQUIRED ON
    CUDA_EXTENSIONS OFF
    CUDA_RUNTIME_LIBRARY Static
    CUDA_COMPILER_LAUNCHER "${_launcher}")
endfunction()

function(tessera_add_cuda_sources target)
  cmake_parse_arguments(_arg "ALLOW_SPILLS;NOT_EMULATED" "" "" ${ARGN})
  set(_sources)
  foreach(_source ${_arg_UNPARSED_ARGUMENTS})
    get_filename_component(_source ${_source} ABSOLUTE)
    list(APPEND _sources ${_source})
  endforeach()
  if(NOT _arg_NOT_EMULATED)
    set_property(GLOBAL APPEND PROPERTY TESSERA_EMULATED_SOURCES_OF_${target} ${_sources})
  endif()
  if(NOT TESSERA_HAVE_CUDA)
    return()
  endif()

  set(_objects ${target}_cuda)
  if(NOT TARGET ${_objects})
    tessera_add_cuda_objects(${_objects})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${_objects}>)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
  endif()
  target_sources(${_objects} PRIVATE ${_sources})
  if(NOT _arg_ALLOW_SPILLS)
    set_property(SOURCE ${_sources} TARGET_DIRECTORY ${_objects}
      APPEND PROPERTY COMPILE_OPTIONS ${TESSERA_CUDA_NO_SPILLS})
  endif()
endfunction()

# tessera_add_kernel_budget_test(<target> <table>)
#   Test that the kernels of <target> keep to what the table allows them
#   (cmake/check_kernel_budgets.cmake). To be called after the last
#   tessera_add_cuda_sources(<target> ...). Not for Debug builds.
function(tessera_add_kernel_budget_test target table)
  if(NOT TESSERA_HAVE_CUDA OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()
  endif()
  set(_list ${CMAKE_BINARY_DIR}/kernel_budgets/${target}.txt)
  file(GENERATE OUTPUT ${_list} CONTENT "$<JOIN:$<TARGET_OBJECTS:${target}_cuda>,\n>\n")
  add_test(NAME kernel_budgets/${target}
    COMMAND ${CMAKE_COMMAND} -DOBJECTS=${_list} -DBUDGETS=${table}
      -P ${PROJECT_SOURCE_DIR}/cmake/check_kernel_budgets.cmake)
  tessera_finish_test(kernel_budgets/${target} LABELS device)
endfunction()
