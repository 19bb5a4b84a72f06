// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_math_functions_h
#define tessera_tests_device_emulation_math_functions_h

// CUDA's functions of numbers, as far as they are not those of <cmath>.

#include <algorithm>
#include <cmath>
#include <cstring>

using std::fma;
using std::fmax;
using std::fmin;
using std::isnan;
using std::max;
using std::min;

inline int
__popc(const unsigned int x)
{
  return __builtin_popcount(x);
}

/** One plus the position of the lowest bit that is set, or 0. */
inline int
__ffs(const int x)
{
  return __builtin_ffs(x);
}

/** The number of leading zero bits. */
inline int
__clz(const int x)
{
  return x == 0 ? 32 : __builtin_clz((unsigned int)(x));
}

inline int
__float_as_int(const float x)
{
  int bits;
  std::memcpy(&bits, &x, sizeof(bits));
  return bits;
}

inline float
__int_as_float(const int bits)
{
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

#endif
