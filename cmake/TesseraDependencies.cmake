# SPDX-License-Identifier: LGPL-2.1-or-later
include(TesseraDealII)

if(TESSERA_WITH_DEAL_II)
  find_package(deal.II 9.4.0 QUIET HINTS ${deal.II_DIR} ${DEAL_II_DIR} $ENV{DEAL_II_DIR})
  if(NOT deal.II_FOUND)
    message(FATAL_ERROR
      "deal.II >= 9.4 was not found. Install Debian's libdeal.ii-dev (./scripts/build does), set DEAL_II_DIR, "
      "or configure with -DTESSERA_WITH_DEAL_II=OFF for the library without it.")
  endif()
  tessera_import_deal_ii(${CMAKE_BUILD_TYPE})
endif()

if(TESSERA_WITH_MPI)
  find_package(MPI COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    message(FATAL_ERROR "No MPI was found. Install one, or configure with "
      "-DTESSERA_WITH_DEAL_II=OFF -DTESSERA_WITH_MPI=OFF.")
  endif()
endif()

set(TESSERA_HAVE_JSON FALSE)
if(NOT TESSERA_WITH_JSON STREQUAL "OFF")
  find_package(nlohmann_json 3.9 QUIET)
  set(TESSERA_HAVE_JSON ${nlohmann_json_FOUND})
  if(NOT TESSERA_HAVE_JSON AND (TESSERA_WITH_JSON STREQUAL "ON" OR TESSERA_WITH_DEAL_II))
    message(FATAL_ERROR "nlohmann/json >= 3.9 was not found; Debian's package is nlohmann-json3-dev.")
  endif()
endif()
if(TESSERA_WITH_DEAL_II AND NOT TESSERA_HAVE_JSON)
  message(FATAL_ERROR "TESSERA_WITH_JSON=OFF needs TESSERA_WITH_DEAL_II=OFF: the applications write run.json.")
endif()
