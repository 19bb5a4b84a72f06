// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_device_cuda_port_h
#define tessera_base_device_cuda_port_h

/**
 * The one header that gives a kernel source (.cu) its execution model: the CUDA
 * runtime where nvcc compiles it, and the emulation of tests/device_emulation
 * where a C++ compiler does. No other source may include it: add kernel
 * sources by tessera_add_cuda_sources() (CMake). See doc/developer/device.md.
 *
 * Besides the language's own keywords and functions, a source may use:
 *
 * - `TESSERA_SHARED(T, name, [n][m])`: a static array in shared memory, instead
 *   of `__shared__ T name[n][m]`. It may be written in a kernel or a function.
 * - `TESSERA_DYNAMIC_SHARED(T, name)`: `T *name`, the dynamic shared memory of
 *   the launch; one per kernel, aligned to 16 bytes.
 * - launch(), launch_cooperative(), max_resident_blocks(), and in kernels
 *   grid_barrier(): tessera/base/device/launch.h
 *
 * and nothing of the following, which the emulation does not serve:
 * `<<<>>>`, `extern __shared__`, waiting in a loop for another thread, inline
 * PTX, asynchronous copies, cooperative groups, textures, half precision.
 */

#if defined(__CUDACC__)

#  include <cuda_runtime.h>

#  define TESSERA_SHARED(type, name, extents) __shared__ type name extents
#  define TESSERA_DYNAMIC_SHARED(type, name)                            \
    extern __shared__ __align__(16) unsigned char tessera_shared_raw[]; \
    type *name = reinterpret_cast<type *>(tessera_shared_raw)

#elif defined(TESSERA_DEVICE_EMULATION)

#  include <device_emulation/cuda_language.h>

#else
#  error \
    "tessera/base/device/cuda_port.h is for kernel sources: add this source \
by tessera_add_cuda_sources() (CMake)."
#endif

#include <tessera/base/device/launch.h>

#endif
