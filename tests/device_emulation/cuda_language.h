// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_cuda_language_h
#define tessera_tests_device_emulation_cuda_language_h

// The part of CUDA C++ that kernel sources may use, for a C++ compiler.
// Included by tessera/base/device/cuda_port.h.

#include "device_emulation/block_functions.h"
#include "device_emulation/language_keywords.h"
#include "device_emulation/math_functions.h"
#include "device_emulation/memory_functions.h"
#include "device_emulation/vector_types.h"
#include "device_emulation/warp_functions.h"

#endif
