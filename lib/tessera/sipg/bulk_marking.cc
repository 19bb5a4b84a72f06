// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sipg/bulk_marking.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace tessera
{
  namespace sipg
  {
    double
    global_estimate(const std::vector<double> &indicators)
    {
      double sum = 0.;
      for (const double eta : indicators)
        sum += eta * eta;
      return std::sqrt(sum);
    }



    std::vector<char>
    bulk_marking(const std::vector<double> &indicators, const double fraction)
    {
      if (!(fraction >= 0. && fraction <= 1.))
        throw InputError("The fraction for bulk marking is " +
                         std::to_string(fraction) +
                         "; it must be between 0 and 1.");
      for (std::size_t i = 0; i < indicators.size(); ++i)
        if (!(std::isfinite(indicators[i]) && indicators[i] >= 0.))
          throw InputError("The error indicator of cell " + std::to_string(i) +
                           " is " + std::to_string(indicators[i]) +
                           "; indicators must be finite and not negative.");

      // Ascending: the small ones are left out as long as their sum is at most
      // 1 - theta of all. Sums of small numbers first lose nothing.
      std::vector<double> sorted(indicators);
      std::sort(sorted.begin(), sorted.end());
      const double        largest = sorted.empty() ? 0. : sorted.back();
      std::vector<double> sums; // of squares, in units of the largest one
      double              sum = 0.;
      for (const double eta : sorted)
        {
          if (largest > 0.)
            sum += (eta / largest) * (eta / largest);
          sums.push_back(sum);
        }
      std::vector<char> marked(indicators.size());
      if (fraction == 0. || largest == 0.)
        return marked;
      // Next to the largest one, squares may vanish; next to 1, theta may.
      const std::ptrdiff_t n_left_out =
        fraction == 1. ?
          std::upper_bound(sorted.begin(), sorted.end(), 0.) - sorted.begin() :
          std::upper_bound(sums.begin(),
                           sums.end() - 1,
                           (1. - fraction) * sum) -
            sums.begin();
      const double least = (1. - 1e-8) * sorted[std::size_t(n_left_out)];
      for (std::size_t i = 0; i < indicators.size(); ++i)
        marked[i] = indicators[i] >= least;
      return marked;
    }
  } // namespace sipg
} // namespace tessera
