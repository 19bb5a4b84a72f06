// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_max_abs_lanes_h
#define tessera_cellwise_max_abs_lanes_h

#include <tessera/base/macros.h>

namespace tessera
{
  namespace cellwise
  {
    /**
     * Largest magnitude of many numbers, lane by lane; L is a lane policy of
     * the host. Takes three operations a number: the largest and the smallest
     * number are kept, and a sum of zeros that turns into NaN with the first
     * number that is not finite.
     */
    template <typename L>
    class MaxAbsLanes
    {
    public:
      using V = typename L::V;

      TESSERA_ALWAYS_INLINE void
      add(const V v)
      {
        include(v, v);
        zero_or_nan = L::fma(v, L::zero(), zero_or_nan);
      }

      /** Add what @p other has found, in some of the lanes. */
      TESSERA_ALWAYS_INLINE void
      add(const MaxAbsLanes &other, const typename L::M lanes)
      {
        include(L::blend(lanes, other.smallest, L::zero()),
                L::blend(lanes, other.largest, L::zero()));
        zero_or_nan += L::blend(lanes, other.zero_or_nan, L::zero());
      }

      /** Of all lanes; NaN if a number was not finite. */
      TESSERA_ALWAYS_INLINE typename L::T
      result() const
      {
        if (!L::all(L::equal(zero_or_nan, zero_or_nan)))
          return __builtin_nan("");
        typename L::T lower[L::width], upper[L::width], result = 0;
        L::store(lower, smallest);
        L::store(upper, largest);
        for (int lane = 0; lane < L::width; ++lane)
          {
            result = result < upper[lane] ? upper[lane] : result;
            result = result < -lower[lane] ? -lower[lane] : result;
          }
        return result;
      }

    private:
      TESSERA_ALWAYS_INLINE void
      include(const V lower, const V upper)
      {
        smallest = L::blend(L::less(lower, smallest), lower, smallest);
        largest  = L::blend(L::less(largest, upper), upper, largest);
      }

      V smallest    = L::zero();
      V largest     = L::zero();
      V zero_or_nan = L::zero();
    };
  } // namespace cellwise
} // namespace tessera

#endif
