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
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
