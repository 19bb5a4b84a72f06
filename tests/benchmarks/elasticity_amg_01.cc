// SPDX-License-Identifier: LGPL-2.1-or-later
// What elasticity_amg is made of: results of child processes, the peak of
// memory, and its systems of equations.
#include <tessera/base/memory.h>
#include <tessera/sparse/matrix_vector.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "check.h"
#include "child_process.h"
#include "elasticity_amg/problem.h"
#include "process_memory.h"

namespace
{
  using namespace benchmark;
  using namespace tessera::sparse;

  void
  check_child_process()
  {
    int         here   = 1;
    ChildResult result = in_child_process([&] {
      here = 2;
      return std::map<std::string, double>{{"a third", 1. / 3},
                                           {"none", std::nan("")}};
    });
    CHECK_EQUAL(here, 1);
    CHECK(result.error.empty());
    CHECK_EQUAL(result.figures.size(), 2u);
    CHECK_EQUAL(result.figures["a third"], 1. / 3);
    CHECK(std::isnan(result.figures["none"]));

    result = in_child_process([]() -> std::map<std::string, double> {
      throw std::runtime_error("no\nluck");
    });
    CHECK_EQUAL(result.error, std::string("no\nluck"));
    result = in_child_process([]() -> std::map<std::string, double> {
      std::raise(SIGKILL);
      return {};
    });
    CHECK_EQUAL(result.error, std::string("ended by signal 9"));
    result = in_child_process(
      []() -> std::map<std::string, double> { std::_Exit(3); });
    CHECK_EQUAL(result.error, std::string("ended with status 3"));
  }

  void
  check_peak_memory()
  {
    constexpr std::size_t n = 100000000;
    {
      const std::vector<char> much(n, 1);
      CHECK(tessera::peak_resident_bytes() >= n);
    }
    restart_peak_resident_bytes();
    CHECK(tessera::peak_resident_bytes() < n);
  }

  /** A x. */
  BlockVector<double>
  product(const BlockMatrix<double> &A, const std::vector<double> &values)
  {
    BlockVector<double> x(A.pattern().columns(), A.shape().columns),
      y(A.pattern().rows(), A.shape().rows);
    std::copy(values.begin(), values.end(), x.data());
    MatrixVector<double>(A).multiply(A, x, y);
    return y;
  }

  void
  check_beam()
  {
    for (const int degree : {1, 2})
      {
        const Problem p     = beam_problem(2, degree);
        double        force = 0., moment = 0.;
        for (std::size_t i = 0; i < p.b.size() / 3; ++i)
          {
            force += p.b[3 * i + 2];
            moment += p.coordinates[3 * i + 1] * p.b[3 * i + 2] -
                      p.coordinates[3 * i + 2] * p.b[3 * i + 1];
          }
        CHECK_NEAR(force, 1., 1e-13);
        CHECK_NEAR(moment, 1., 1e-12);
        const std::size_t node = p.probe / 3;
        CHECK_EQUAL(p.coordinates[3 * node], 10.);
        CHECK_EQUAL(p.coordinates[3 * node + 1], 0.);
        CHECK_EQUAL(p.coordinates[3 * node + 2], 0.);

        // Drawn by unit strain, with the contraction of the material: the force
        // on the end is Young's modulus there, and in a section inside that of
        // what is left of it minus that of what is right of it.
        std::vector<double> drawn;
        for (std::size_t i = 0; i < p.coordinates.size(); ++i)
          drawn.push_back((i % 3 == 0 ? 1. : -0.25) * p.coordinates[i]);
        const double pi = std::acos(-1.);
        for (const bool changed : {false, true})
          {
            const auto modulus = [&](const double x) {
              return changed ? 1. + 0.2 * std::sin(2 * pi * x / 10.) : 1.;
            };
            const BlockVector<double> f =
              product(changed ? p.changed : p.A, drawn);
            double at_end = 0., inside = 0.;
            for (std::size_t i = 0; i < p.coordinates.size(); i += 3)
              if (p.coordinates[i] == 10.)
                at_end += f.data()[i];
              else if (p.coordinates[i] == 2.)
                inside += f.data()[i];
            CHECK_NEAR(at_end, modulus(9.75), 1e-12);
            if (degree == 1)
              CHECK_NEAR(1. + inside,
                         1. + modulus(1.75) - modulus(2.25),
                         1e-12);
          }
      }
  }

  void
  check_poisson()
  {
    // x (1 - x) y (1 - y) z (1 - z) is in the space of functions, and the
    // matrix gives the integrals of its right-hand side.
    const int           n = 3;
    const Problem       p = poisson_problem(n);
    std::vector<double> u, constant(p.b.size(), 1.);
    double              volume = 0.;
    for (std::size_t i = 0; i < p.b.size(); ++i)
      {
        const double x = p.coordinates[3 * i], y = p.coordinates[3 * i + 1],
                     z = p.coordinates[3 * i + 2];
        u.push_back(x * (1 - x) * (0.25 - y * y) * (0.25 - z * z));
        volume += p.b[i];
      }
    CHECK_EQUAL(p.b.size(), 343u);
    // Of the functions inside: they leave out the rim of the cube.
    CHECK_NEAR(volume, std::pow(1. - 1. / (3 * n), 3), 1e-13);

    // The energy: twice the integral of f u over two is (A u, u).
    const BlockVector<double> f      = product(p.A, u);
    double                    energy = 0.;
    for (std::size_t i = 0; i < u.size(); ++i)
      energy += u[i] * f.data()[i];
    // (1/3) (1/30)^2 from each of three directions.
    CHECK_NEAR(energy, 1. / 900, 1e-14);

    // Rows and columns of the boundary have a diagonal alone.
    std::size_t n_constrained = 0;
    for (LocalIndex i = 0; i < p.A.pattern().n_rows(); ++i)
      {
        double off_diagonal = 0.;
        for (std::int64_t k = p.A.pattern().row_begin()[i];
             k < p.A.pattern().row_begin()[i + 1];
             ++k)
          if (p.A.pattern().column_indices()[k] != i)
            off_diagonal += std::abs(p.A.block(k)[0]);
        n_constrained += off_diagonal == 0.;
        CHECK_EQUAL(off_diagonal == 0., p.b[i] == 0.);
      }
    CHECK_EQUAL(n_constrained, 343u - 125u);
  }
} // namespace

int
main()
{
  check_child_process();
  check_peak_memory();
  check_beam();
  check_poisson();
  return check::result();
}
