// Bulk marking: the smallest set with the fraction of the sum of squares, ties,
// extreme fractions and numbers, and what is refused.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/bulk_marking.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check.h"
#include "meshes.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  std::string
  marks(const std::vector<double> &eta, const double fraction)
  {
    std::string text;
    for (const char marked : bulk_marking(eta, fraction))
      text += marked ? '#' : '.';
    return text;
  }

  /** By trying all sets: the least number of cells. */
  int
  smallest_size(const std::vector<double> &eta, const double fraction)
  {
    double total = 0.;
    for (const double value : eta)
      total += value * value;
    int best = int(eta.size());
    for (unsigned int set = 0; set < 1u << eta.size(); ++set)
      {
        double sum = 0.;
        int    n   = 0;
        for (std::size_t i = 0; i < eta.size(); ++i)
          if (set >> i & 1)
            {
              sum += eta[i] * eta[i];
              ++n;
            }
        if (sum >= fraction * total)
          best = std::min(best, n);
      }
    return best;
  }

  void
  check_smallest()
  {
    Random random(3);
    for (int test = 0; test < 20; ++test)
      {
        std::vector<double> eta(9);
        double              total = 0.;
        for (double &value : eta)
          {
            value = std::pow(2., 3. * random());
            total += value * value;
          }
        const double            fraction = 0.5 * (1. + random());
        const std::vector<char> marked   = bulk_marking(eta, fraction);
        double                  sum      = 0.;
        for (std::size_t i = 0; i < eta.size(); ++i)
          if (marked[i])
            sum += eta[i] * eta[i];
        CHECK(sum >= (1. - 1e-14) * fraction * total);
        CHECK_EQUAL(int(std::count(marked.begin(), marked.end(), 1)),
                    smallest_size(eta, fraction));
      }
  }

  void
  check_errors()
  {
    const double nan     = std::numeric_limits<double>::quiet_NaN();
    const double inf     = std::numeric_limits<double>::infinity();
    const auto   message = [](const std::vector<double> &eta,
                            const double               fraction) {
      return CHECK_THROWS(InputError, bulk_marking(eta, fraction));
    };
    for (const double fraction : {-0.1, 1.0001, nan})
      CHECK(message({1., 2.}, fraction).find("between 0 and 1") !=
            std::string::npos);
    for (const double bad : {-1., inf, nan})
      CHECK(message({1., bad}, 0.5).find("indicator of cell 1 is ") !=
            std::string::npos);
  }
} // namespace

int
main()
{
  check_smallest();

  // Squares 1, 16, 4, 9; 30 in total.
  const std::vector<double> eta = {1., 4., 2., 3.};
  CHECK_EQUAL(marks(eta, 0.), "....");
  CHECK_EQUAL(marks(eta, 1e-6), ".#..");
  CHECK_EQUAL(marks(eta, 1e-17), ".#..");
  CHECK_EQUAL(marks(eta, 0.5), ".#..");
  CHECK_EQUAL(marks(eta, 0.55), ".#.#");
  CHECK_EQUAL(marks(eta, 0.9), ".###");
  CHECK_EQUAL(marks(eta, 1.), "####");

  // All of those that are equal, up to round-off.
  const double near = 2. * (1. - 1e-12);
  CHECK_EQUAL(marks({2., near, 1., near, 2.}, 0.1), "##.##");
  CHECK_EQUAL(marks({2., 2. * (1. - 1e-6), 1.}, 0.1), "#..");
  CHECK_EQUAL(marks(std::vector<double>(6, 0.1), 0.3), "######");

  // Zeros are never marked.
  CHECK_EQUAL(marks({0., 1., 0.}, 1.), ".#.");
  CHECK_EQUAL(marks({0., 0.}, 1.), "..");
  CHECK_EQUAL(marks({}, 0.5), "");

  // A fraction of one takes the smallest ones, too, and squares neither
  // overflow nor vanish.
  CHECK_EQUAL(marks({1e-12, 1., 1e-9}, 1.), "###");
  CHECK_EQUAL(marks({0., 1e-170, 1., 1e-9}, 1.), ".###");
  CHECK_EQUAL(marks({1e200, 3e200, 1e-200}, 0.5), ".#.");
  CHECK_EQUAL(marks({1e-200, 3e-200, 1e-201}, 0.95), "##.");

  CHECK_NEAR(global_estimate(eta), std::sqrt(30.), 1e-15);
  CHECK_EQUAL(global_estimate({}), 0.);

  check_errors();
  return check::result();
}
