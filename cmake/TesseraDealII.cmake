# SPDX-License-Identifier: LGPL-2.1-or-later
# tessera_import_deal_ii(<Release|Debug>)
#
# Wrap what find_package(deal.II) has found as the imported target
# Tessera::deal_ii: link interface, include directories and definitions, but
# none of the optimization and packaging flags deal.II was compiled with. Used
# by the build and, installed beside the package file, by its users.
function(tessera_import_deal_ii build_type)
  if(TARGET Tessera::deal_ii)
    return()
  endif()
  string(TOUPPER ${build_type} _build)
  if(NOT DEAL_II_BUILD_TYPE MATCHES "(DEBUG|Debug)")
    set(_build RELEASE)
  endif()
  string(TOLOWER ${_build} _suffix)

  # The targets file of deal.II declares targets of directory scope; promote.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL TRUE)
  if(TARGET dealii::dealii_${_suffix})
    set(_library dealii::dealii_${_suffix})
  else()
    set(_library ${DEAL_II_TARGET_${_build}})
    if(NOT TARGET ${_library})
      include(${DEAL_II_TARGET_CONFIG})
    endif()
  endif()
  set_target_properties(${_library} PROPERTIES IMPORTED_GLOBAL TRUE)

  add_library(Tessera::deal_ii INTERFACE IMPORTED GLOBAL)
  set_target_properties(Tessera::deal_ii PROPERTIES
    INTERFACE_LINK_LIBRARIES ${_library}
    INTERFACE_COMPILE_FEATURES cxx_std_17)
  # /usr/include named as a system directory would break #include_next.
  set(_includes ${DEAL_II_INCLUDE_DIRS})
  list(REMOVE_ITEM _includes /usr/include)
  set_target_properties(Tessera::deal_ii PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_includes}"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${_includes}"
    INTERFACE_COMPILE_DEFINITIONS "${DEAL_II_USER_DEFINITIONS};${DEAL_II_USER_DEFINITIONS_${_build}}")
endfunction()
