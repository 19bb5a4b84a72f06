// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_base_lanes_kernels_h
#define tessera_tests_base_lanes_kernels_h

#include <tessera/base/instruction_set.h>

// What the tests of Lanes compute for every instruction set. All arrays belong
// to the caller; W is the number of lanes, 1 to 16.

namespace test
{
  /** A buffer that results are appended to, W numbers at a time. */
  template <typename T>
  struct Output
  {
    T  *data;
    int n;
  };

  TESSERA_DECLARE_SIMD(
    /** Every operation on the lanes a, b, c[W]; output: see reference(). */
    template <typename T>
    void operations(int W, const T *a, const T *b, const T *c, Output<T> &out);

    /** dst[0..n) = src[0..n) by load_partial and store_partial; `loaded`
        receives all W lanes of the load. */
    template <typename T>
    void copy_partial(int W, const T *src, int n, T *loaded, T *dst);

    /** dst = src by load_aligned and store_aligned. */
    template <typename T>
    void copy_aligned(int W, const T *src, T *dst);

    /** dst[i] = (a, b)[lanes[i]], of the 2W numbers, for W that fit into a
        register, but a single one. */
    template <typename T>
    void pick(int W, const T *a, const T *b, const int *lanes, T *dst);

    /** Transpose the W x W numbers of a, in place. */
    template <typename T>
    void transpose(int W, T *a);

    /** Bytes of a register, and whether the set has FMA instructions. */
    int  register_bytes();
    bool has_fma();)
} // namespace test

#endif
