// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_base_lanes_h
#define tessera_base_lanes_h

#include <tessera/base/macros.h>

#ifndef TESSERA_SIMD_NAMESPACE
#  error "tessera/base/lanes.h is for sources that are compiled once per \
instruction set: add this source by tessera_add_simd_sources() (CMake), \
which defines TESSERA_SIMD_NAMESPACE. See doc/developer/simd.md."
#endif

#include <tessera/base/lanes_native.h>
#include <tessera/base/lanes_pair.h>
#include <tessera/base/lanes_scalar.h>

namespace tessera
{
  namespace TESSERA_SIMD_NAMESPACE
  {
    /**
     * W values of type T that are computed side by side on the SIMD unit of a
     * processor.
     *
     * A *lane policy* `L` is a class of static functions; `L::V` holds one
     * value per lane. Arithmetic that a processor and a GPU share is a template
     * over the policy: here a lane is an element of a SIMD vector, there it is
     * a thread, `V` is a scalar, and the neighbour is reached by a shuffle
     * within the warp. With explicit fma() and contraction switched off, all
     * policies give the same bits.
     *
     * <h3>The concept: what every lane policy has</h3>
     *
     * With a, b, c of type V, m of type M, lane = 0, ..., width-1:
     *
     * - types `T` (float or double), `V` (a T per lane), `M` (a bool per lane)
     * - `width`: number of lanes, a power of two
     * - `a + b`, `-`, `*`, `/`, `-a`, `+=` ...: the IEEE operation, both
     * operands of type V
     * - `set(x)`, `zero()`: x; 0
     * - `first(a)`: (a scalar, not lanes) the value of lane 0; on a device, the
     *   calling thread's own value: use it on values that all lanes agree upon
     * - `fma(a, b, c)`: a b + c, rounded once
     * - `fnma(a, b, c)`: -(a b) + c, rounded once
     * - `xor_lane<X>(a)`: the value of lane `lane ^ X`, 0 <= X < width
     * - `select<X>(a, b)`: `(lane & X) ? b : a`, X one of 1, 2, 4, ..., width/2
     * - `sign<X>()`: `(lane & X) ? -1 : 1`
     * - `lane_index()`: T(lane)
     * - `less(a, b)`, `less_equal`, `equal`: M, the comparison; false for NaN
     * - `first_lanes(n)`: M, lane < n
     * - `mask_and(m, m)`, `mask_or`, `mask_not`: M
     * - `blend(m, a, b)`: `m ? a : b`; no arithmetic, so a NaN in the value not
     *   taken does no harm
     * - `any(m)`, `all(m)`: (bool, the same for all lanes)
     *
     * Sums over lanes are built on these, see tessera/base/lane_sum.h.
     *
     * <h3>What only the host has</h3>
     *
     * - `load(p)`, `store(p, a)`: W consecutive values, any alignment of T
     * - `load_aligned(p)`, `store_aligned(p, a)`: the same, p a multiple of
     *   `alignment` bytes
     * - `load_partial(p, n)`: the first n values, 0 <= n <= W; zero in the
     * other lanes, whose memory is not read
     * - `store_partial(p, a, n)`: the first n lanes; other memory is not
     * written
     * - `permute<I...>(a)`: lane i receives lane I_i
     * - `shuffle<P>(a, b)`: lane i receives lane P::at(i) of the 2W lanes of
     * (a, b)
     * - `pick(a, b, lanes)`: (one vector only) lane i receives lane lanes[i] of
     *   the 2W lanes of (a, b); `lanes` of type M, vectors of the integer I
     * - `convert<U>(a)`: `Lanes<U, W>::V`, rounded to nearest
     * - `low(a)`, `high(a)`, `join(x, y)`: the halves, of type `Lanes<T,
     * W/2>::V`
     * - `alignment`, `has_fma`: bytes; whether fma() is an instruction
     *
     * Transposition of W x W blocks: tessera/base/lanes_transpose.h.
     *
     * <h3>Widths</h3>
     *
     * W is any power of two. V is one vector where W values fit into a register
     * of the instruction set this is compiled for (16, 32 or 64 bytes), and a
     * pair of policies of half the width beyond that: never a vector wider than
     * the registers, which compilers split through memory. So an algorithm may
     * choose the number of lanes by what it computes (8 lanes for the 8 cells
     * of a patch), and get the same bits from every instruction set;
     * native_width() is the choice that fills exactly one register. W = 1 is
     * the scalar model: V = T.
     *
     * <h3>Where this can be used</h3>
     *
     * In sources compiled once per instruction set (tessera_add_simd_sources()
     * in CMake), whose name is part of the namespace. Every function is inlined
     * always and leaves no symbol. Without an FMA instruction, fma() and fnma()
     * call the C library lane by lane: the same bits, slowly.
     */
    template <typename T, int W>
    struct Lanes : LanesImplementation<T, W>
    {};

    /** The number of values of type T in one register. */
    template <typename T>
    constexpr int
    native_width()
    {
      return native_bytes / int(sizeof(T));
    }
  } // namespace TESSERA_SIMD_NAMESPACE
} // namespace tessera

#endif
