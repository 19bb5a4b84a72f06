# SPDX-License-Identifier: LGPL-2.1-or-later
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(TESSERA_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

set(_exported tessera)
if(TESSERA_WITH_DEAL_II)
  list(APPEND _exported tessera_dealii)
  install(TARGETS poisson_q3 elasticity sipg_adaptive RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS amg_solve RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${_exported} EXPORT TesseraTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${TESSERA_PACKAGE_DIR})

install(DIRECTORY lib/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h"
  PATTERN dealii EXCLUDE)
if(TESSERA_WITH_DEAL_II)
  install(DIRECTORY lib/tessera/dealii DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
    FILES_MATCHING PATTERN "*.h")
endif()

configure_package_config_file(cmake/TesseraConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TesseraConfig.cmake INSTALL_DESTINATION ${TESSERA_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TesseraConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/TesseraConfig.cmake
  ${CMAKE_BINARY_DIR}/TesseraConfigVersion.cmake
  cmake/TesseraDealII.cmake
  DESTINATION ${TESSERA_PACKAGE_DIR})
install(FILES LICENSE.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR})
