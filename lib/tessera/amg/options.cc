// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/options.h>
#include <tessera/base/exceptions.h>

#include <sstream>
#include <string>

namespace tessera
{
  namespace amg
  {
    namespace
    {
      template <typename T>
      void
      require(const bool  ok,
              const char *name,
              const T     value,
              const char *allowed,
              const char *advice = "")
      {
        if (ok)
          return;
        std::ostringstream message;
        message << "Algebraic multigrid: the " << name << " is " << value
                << "; it is to be " << allowed << '.' << advice;
        throw InputError(message.str());
      }
    } // namespace



    void
    check(const Options &o)
    {
      // Comparisons are false for NaN.
      const char *const fraction = "at least 0, and below 1";
      const char *const scale    = "above 0, and at most 1";
      require(o.strength_threshold >= 0 && o.strength_threshold < 1,
              "strength threshold",
              o.strength_threshold,
              fraction);
      require(o.threshold_scale > 0 && o.threshold_scale <= 1,
              "threshold scale",
              o.threshold_scale,
              scale);
      require(o.smoothing_factor > 0 && o.smoothing_factor < 2,
              "smoothing factor of the prolongator",
              o.smoothing_factor,
              "above 0, and below 2",
              " 1.4 is a good choice.");
      require(o.prolongator_filter >= 0 && o.prolongator_filter < 1,
              "prolongator filter",
              o.prolongator_filter,
              fraction);
      require(o.filter_scale > 0 && o.filter_scale <= 1,
              "filter scale",
              o.filter_scale,
              scale);
      require(o.smoother_degree >= 1 && o.smoother_degree <= 100,
              "smoother degree",
              o.smoother_degree,
              "between 1 and 100");
      require(o.smoother_lower > 0 && o.smoother_lower < o.smoother_upper,
              "lower end of the range of the smoother",
              o.smoother_lower,
              "above 0, and below the upper end");
      require(o.smoother_upper >= 1 && o.smoother_upper <= 10,
              "upper end of the range of the smoother",
              o.smoother_upper,
              "between 1 and 10: what is above it is amplified");
      require(o.coarse_size_limit >= 1 && o.coarse_size_limit <= 20000,
              "coarse size limit",
              o.coarse_size_limit,
              "between 1 and 20000",
              " The coarsest matrix is factorized as a dense one.");
      require(o.max_levels >= 1,
              "maximal number of levels",
              o.max_levels,
              "at least 1");
    }
  } // namespace amg
} // namespace tessera
