# SPDX-License-Identifier: LGPL-2.1-or-later
# The options of the build; README and doc/user/install.md list them.
option(TESSERA_WITH_DEAL_II
  "Build the adapters to deal.II and the applications. OFF: the library alone, with a compiler alone." ON)
option(TESSERA_WITH_MPI "Build the communication layer on MPI." ON)
option(TESSERA_NATIVE
  "Compile what is not dispatched at run time for this machine's processor. Not exported." OFF)
option(TESSERA_BUILD_TESTS "Build the tests and benchmarks." ON)
option(TESSERA_SANITIZED_KERNEL_TESTS
  "Run the kernel tests also with sanitizers, where these run." ON)
option(TESSERA_WARNINGS_AS_ERRORS "Treat compiler warnings in our code as errors." ON)

set(TESSERA_WITH_JSON AUTO CACHE STRING
  "Write run records as JSON (needs nlohmann/json >= 3.9): AUTO, ON, OFF.")
set_property(CACHE TESSERA_WITH_JSON PROPERTY STRINGS AUTO ON OFF)

set(TESSERA_WITH_CUDA AUTO CACHE STRING
  "Build the CUDA kernels: AUTO (where nvcc is found), ON, OFF.")
set_property(CACHE TESSERA_WITH_CUDA PROPERTY STRINGS AUTO ON OFF)
if(NOT TESSERA_WITH_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TESSERA_WITH_CUDA=${TESSERA_WITH_CUDA}: use AUTO, ON or OFF.")
endif()

if(TESSERA_WITH_DEAL_II AND NOT TESSERA_WITH_MPI)
  message(FATAL_ERROR
    "TESSERA_WITH_MPI=OFF needs TESSERA_WITH_DEAL_II=OFF: the applications run on deal.II's distributed meshes.")
endif()
