// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_degree_h
#define tessera_cellwise_degree_h

#include <tessera/base/exceptions.h>
#include <tessera/base/macros.h>

#include <type_traits>

namespace tessera
{
  namespace cellwise
  {
    /** Degrees for which kernels are compiled. */
    inline constexpr int min_degree = 1;
    inline constexpr int max_degree = 7;

    /** $n^{dim}$: values of a cell with n a direction. */
    constexpr int
    power(const int n, const int dim)
    {
      return dim == 0 ? 1 : n * power(n, dim - 1);
    }

    /**
     * Call f with the degree as a constant, std::integral_constant<int, p>:
     * how a kernel is chosen at run time.
     */
    template <typename F>
    TESSERA_ALWAYS_INLINE void
    dispatch_degree(const int degree, const F &f)
    {
      static_assert(min_degree == 1 && max_degree == 7,
                    "There is a case for each degree.");
      switch (degree)
        {
          case 1:
            return f(std::integral_constant<int, 1>());
          case 2:
            return f(std::integral_constant<int, 2>());
          case 3:
            return f(std::integral_constant<int, 3>());
          case 4:
            return f(std::integral_constant<int, 4>());
          case 5:
            return f(std::integral_constant<int, 5>());
          case 6:
            return f(std::integral_constant<int, 6>());
          case 7:
            return f(std::integral_constant<int, 7>());
          default:
            TESSERA_ASSERT(false, "this degree is not supported");
        }
    }
  } // namespace cellwise
} // namespace tessera

#endif
