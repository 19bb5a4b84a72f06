# SPDX-License-Identifier: LGPL-2.1-or-later
# tessera_compile_options: the flags of our own sources. Linked PRIVATE, so that
# neither a warning option nor a native flag reaches a user of the library.
add_library(tessera_compile_options INTERFACE)
target_compile_features(tessera_compile_options INTERFACE cxx_std_17)
target_compile_options(tessera_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Woverloaded-virtual -Wpointer-arith -Wshadow
  -Wsign-compare -Wno-psabi)
if(TESSERA_WARNINGS_AS_ERRORS)
  target_compile_options(tessera_compile_options INTERFACE -Werror)
endif()
if(TESSERA_NATIVE)
  target_compile_options(tessera_compile_options INTERFACE -march=native)
endif()

# Executables on deal.II depend on some 300 libraries, which the default linker
# of binutils takes ten times as long to go through as gold.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=gold)
check_cxx_source_compiles("int main() { return 0; }" TESSERA_LINKER_GOLD)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(TESSERA_LINKER_GOLD)
  target_link_options(tessera_compile_options INTERFACE -fuse-ld=gold)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
