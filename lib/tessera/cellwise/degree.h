// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_degree_h
#define tessera_cellwise_degree_h

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
  } // namespace cellwise
} // namespace tessera

#endif
