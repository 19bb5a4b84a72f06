// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_language_keywords_h
#define tessera_tests_device_emulation_language_keywords_h

// The keywords of CUDA C++ that mean nothing to a C++ compiler. There is no
// __shared__: sources write TESSERA_SHARED.

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) alignas(n)

#endif
