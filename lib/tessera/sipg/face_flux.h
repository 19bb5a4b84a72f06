// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_face_flux_h
#define tessera_sipg_face_flux_h

#include <tessera/base/macros.h>

namespace tessera
{
  namespace sipg
  {
    /**
     * The terms of a face tested with the two layers of one of its sides,
     * before the tangential mass matrix:
     * $$ y_0 = w\,(\gamma [u] + \tfrac12 (\partial u - \partial u')
     *                      + \tfrac12 \phi_0' [u]), \qquad
     *    y_1 = w\,\tfrac12 \phi_1' [u] $$
     * with [u] = u_0 - u_0' and with derivatives
     * $\partial u = \phi_0' u_0 + \phi_1' u_1$ away from the face, of this side
     * and of the one beyond (primes). Layer 0 is next to the face.
     *
     * Tested with the layers of the other side the terms are -y_0 and -y_1: the
     * jump changes its sign, and so does the difference of derivatives. So one
     * evaluation, and one product with the mass matrix, serves both sides.
     */
    template <typename L>
    class FaceFlux
    {
    public:
      using T = typename L::T;
      using V = typename L::V;

      /** @param[in] derivative $\phi_0'(0)$, $\phi_1'(0)$ */
      TESSERA_ALWAYS_INLINE
      FaceFlux(const T gamma, const T *derivative)
        : penalty(L::set(gamma + derivative[0] / T(2)))
        , half0(L::set(derivative[0] / T(2)))
        , half1(L::set(derivative[1] / T(2)))
      {}

      TESSERA_ALWAYS_INLINE void
      operator()(const V &w,
                 const V &u0,
                 const V &u1,
                 const V &beyond0,
                 const V &beyond1,
                 V       &y0,
                 V       &y1) const
      {
        const V jump = u0 - beyond0;
        // The derivatives are away from the face on either side.
        const V mean = L::fma(half1, u1 - beyond1, half0 * jump);
        y0           = w * L::fma(penalty, jump, mean);
        y1           = w * (half1 * jump);
      }

    private:
      const V penalty;
      const V half0;
      const V half1;
    };
  } // namespace sipg
} // namespace tessera

#endif
