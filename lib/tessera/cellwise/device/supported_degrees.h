// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_cellwise_device_supported_degrees_h
#define tessera_cellwise_device_supported_degrees_h

#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>

#include <string>
#include <type_traits>

namespace tessera
{
  namespace cellwise
  {
    /** Degrees for which kernels of a device are compiled: from min_degree to
     * this one. The values of a cell have to fit into the registers of a
     * thread. */
    inline constexpr int max_device_degree = 3;

    /** @throws InputError for a degree that devices do not take. */
    inline void
    check_device_degree(const int degree)
    {
      if (degree < min_degree || degree > max_device_degree)
        throw InputError("Elements of degree " + std::to_string(degree) +
                         " were asked for on a device, which takes degrees " +
                         std::to_string(min_degree) + " to " +
                         std::to_string(max_device_degree) +
                         "; use the host back end for others.");
    }

    /**
     * Call f with the degree as a constant, std::integral_constant<int, p>.
     * @throws InputError for a degree that devices do not take.
     */
    template <typename F>
    void
    dispatch_device_degree(const int degree, const F &f)
    {
      check_device_degree(degree);
      static_assert(min_degree == 1 && max_device_degree == 3,
                    "There is a case for each degree.");
      if (degree == 1)
        f(std::integral_constant<int, 1>());
      else if (degree == 2)
        f(std::integral_constant<int, 2>());
      else
        f(std::integral_constant<int, 3>());
    }

    /** The same for the number of values of a cell, of any degree in two or
     * three dimensions. */
    template <typename F>
    void
    dispatch_device_nodes(const int n_nodes, const F &f)
    {
      bool is_found = false;
      for (int degree = min_degree; degree <= max_device_degree; ++degree)
        for (int dim = 2; dim <= 3; ++dim)
          if (!is_found && power(degree + 1, dim) == n_nodes)
            {
              is_found = true;
              dispatch_device_degree(degree, [&](const auto p) {
                constexpr int q = decltype(p)::value + 1;
                if (dim == 2)
                  f(std::integral_constant<int, power(q, 2)>());
                else
                  f(std::integral_constant<int, power(q, 3)>());
              });
            }
      if (!is_found)
        throw InputError(
          "Cells of " + std::to_string(n_nodes) +
          " values were asked for on a device, which takes (p+1)^2 and "
          "(p+1)^3 of degrees p from " +
          std::to_string(min_degree) + " to " +
          std::to_string(max_device_degree) +
          "; use the host back end for others.");
    }
  } // namespace cellwise
} // namespace tessera

#endif
