// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_vector_types_h
#define tessera_tests_device_emulation_vector_types_h

// CUDA's vector types, with its alignments: a misaligned access is found by the
// undefined-behaviour sanitizer.

struct dim3
{
  unsigned int x, y, z;

  constexpr dim3(const unsigned int n_x = 1,
                 const unsigned int n_y = 1,
                 const unsigned int n_z = 1)
    : x(n_x)
    , y(n_y)
    , z(n_z)
  {}
};

struct uint3
{
  unsigned int x, y, z;
};

#define TESSERA_EMULATED_VECTORS(type, name, alignment2, alignment4) \
  struct alignas(alignment2) name##2                                 \
  {                                                                  \
    type x, y;                                                       \
  };                                                                 \
  struct alignas(alignment4) name##4                                 \
  {                                                                  \
    type x, y, z, w;                                                 \
  };                                                                 \
  inline name##2 make_##name##2(const type x, const type y)          \
  {                                                                  \
    return {x, y};                                                   \
  }                                                                  \
  inline name##4 make_##name##4(const type x,                        \
                                const type y,                        \
                                const type z,                        \
                                const type w)                        \
  {                                                                  \
    return {x, y, z, w};                                             \
  }

TESSERA_EMULATED_VECTORS(float, float, 8, 16)
TESSERA_EMULATED_VECTORS(double, double, 16, 16)
TESSERA_EMULATED_VECTORS(int, int, 8, 16)
TESSERA_EMULATED_VECTORS(unsigned int, uint, 8, 16)

#undef TESSERA_EMULATED_VECTORS

#endif
