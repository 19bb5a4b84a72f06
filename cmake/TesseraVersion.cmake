# SPDX-License-Identifier: LGPL-2.1-or-later
# The git revision is asked for at every build, not once at configuration, and
# written only where it changed: a commit recompiles one file, a plain rebuild
# none.
find_package(Git QUIET)
set(TESSERA_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
set(TESSERA_REVISION_HEADER ${TESSERA_GENERATED_DIR}/tessera_git_revision.h)
add_custom_target(tessera_git_revision
  COMMAND ${CMAKE_COMMAND}
    -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${TESSERA_REVISION_HEADER}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_git_revision.cmake
  BYPRODUCTS ${TESSERA_REVISION_HEADER}
  COMMENT "Looking up the git revision")
