// SPDX-License-Identifier: LGPL-2.1-or-later
// Values and gradients of expressions, and what is said of those that are not
// finite.
#include <tessera/base/communication_mpi.h>
#include <tessera/base/exceptions.h>

#include <deal.II/base/mpi.h>

#include <cmath>
#include <random>

#include "check.h"
#include "common/expression.h"

using namespace tessera;
using apps::Expression;

namespace
{
  void
  test_values()
  {
    using dealii::Point;
    using dealii::numbers::PI;
    const Expression<2> f("P", "exp(x/2)*cos(pi*y) + x^2*y");
    CHECK_NEAR(f.value(Point<2>(0.3, 0.4)),
               std::exp(0.15) * std::cos(0.4 * PI) + 0.036,
               1e-15);
    const Expression<3> g("P", "if(z < 0, x, y - z)");
    CHECK_EQUAL(g.value(Point<3>(1., 2., -1.)), 1.);
    CHECK_EQUAL(g.value(Point<3>(1., 2., 0.5)), 1.5);
    CHECK_EQUAL(g.text(), "if(z < 0, x, y - z)");
    CHECK_THROWS(InputError, Expression<2>("P", "x + z"));
    CHECK_THROWS(InputError, Expression<2>("P", "x +"));
  }



  /** On a box of edge @p length: the accuracy that the class promises. */
  void
  test_gradient(const double length)
  {
    using dealii::numbers::PI;
    const double                           k = PI / length;
    const Expression<3>                    u("P",
                          "sin(pi*x/" + std::to_string(length) + ")*exp(y/" +
                            std::to_string(length) + ")*(1 + z/" +
                            std::to_string(length) + ")",
                          length);
    std::mt19937                           generator(1);
    std::uniform_real_distribution<double> coordinate(0., length);
    double                                 largest_error = 0.;
    for (unsigned int n = 0; n < 1000; ++n)
      {
        dealii::Point<3> p;
        for (unsigned int d = 0; d < 3; ++d)
          p[d] = coordinate(generator);
        const double sine = std::sin(k * p[0]), e = std::exp(p[1] / length),
                     linear = 1. + p[2] / length;
        dealii::Tensor<1, 3> exact;
        exact[0]      = k * std::cos(k * p[0]) * e * linear;
        exact[1]      = sine * e / length * linear;
        exact[2]      = sine * e / length;
        largest_error = std::max(largest_error, (u.gradient(p) - exact).norm());
      }
    // Values are up to 5.4.
    CHECK_NEAR(largest_error * length / 5.4, 0., 1e-11);
  }



  void
  test_not_finite(const Communicator &communicator)
  {
    // Only the last rank meets the singularity; all ranks are told.
    const Expression<2> f("Problem/Right hand side", "1/x");
    f.value(dealii::Point<2>(1., 0.));
    f.check_finite(communicator);
    if (communicator.rank() == communicator.n_ranks() - 1)
      f.value(dealii::Point<2>(0., 0.5));
    const std::string message =
      CHECK_THROWS(std::exception, f.check_finite(communicator));
    for (const std::string part :
         {"Problem/Right hand side", "1/x", "inf", "(0, 0.5)"})
      CHECK(message.find(part) != std::string::npos);

    // A gradient looks to both sides.
    const Expression<2> g("P", "sqrt(x)");
    CHECK(std::isnan(g.gradient(dealii::Point<2>(1e-5, 0.))[0]));
    CHECK_THROWS(std::exception, g.check_finite(communicator));
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Communicator communicator = make_communicator(MPI_COMM_WORLD);
  test_values();
  test_gradient(1.);
  test_gradient(0.01);
  test_gradient(100.);
  test_not_finite(communicator);
  return check::result();
}
