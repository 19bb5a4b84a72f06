// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A network of elastic springs, hung up at its top, by algebraic multigrid
// without a finite element library.
//
// Masses sit on the nodes of an n x n x n lattice and are joined by springs to
// those next to them, along the axes and along the diagonals of faces. A mass
// has three displacements, so the matrix has blocks of 3 x 3 numbers; a spring
// of stiffness k in the direction e (a unit vector) adds k e e^T to the two
// diagonal blocks of its ends, and -k e e^T to the two others.
#include <tessera/amg/block_amg.h>
#include <tessera/amg/conjugate_gradients.h>
#include <tessera/base/exceptions.h>
#include <tessera/sparse/block_assembly.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace tessera;

namespace
{
  struct Spring
  {
    std::array<int, 3> from, to;
  };

  /** All springs of the lattice. */
  std::vector<Spring>
  springs(const int n)
  {
    const int           directions[9][3] = {{1, 0, 0},
                                            {0, 1, 0},
                                            {0, 0, 1},
                                            {1, 1, 0},
                                            {1, -1, 0},
                                            {1, 0, 1},
                                            {1, 0, -1},
                                            {0, 1, 1},
                                            {0, 1, -1}};
    std::vector<Spring> result;
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
          for (const auto &d : directions)
            {
              const std::array<int, 3> to = {{x + d[0], y + d[1], z + d[2]}};
              bool                     inside = true;
              for (const int t : to)
                inside = inside && t >= 0 && t < n;
              if (inside)
                result.push_back({{{x, y, z}}, to});
            }
    return result;
  }

  /** Four blocks for each spring, and one for each mass at the top: a support
   * that is as stiff as the springs. */
  std::vector<double>
  blocks(const std::vector<Spring> &all, const int n, const double softening)
  {
    std::vector<double> values;
    for (const Spring &spring : all)
      {
        // Springs become softer towards the bottom.
        const double stiffness = 1 / (1 + softening * (n - 1 - spring.from[2]));
        double       e[3], square = 0;
        for (int d = 0; d < 3; ++d)
          {
            e[d] = spring.to[d] - spring.from[d];
            square += e[d] * e[d];
          }
        for (const double sign : {1., -1., -1., 1.})
          for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
              values.push_back(sign * stiffness * e[r] * e[c] / square);
      }
    for (int support = 0; support < n * n; ++support)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          values.push_back(r == c ? 1. : 0.);
    return values;
  }

  void
  run()
  {
    const int  n      = 24;
    const auto number = [n](const std::array<int, 3> &at) {
      return static_cast<sparse::GlobalIndex>((at[2] * n + at[1]) * n + at[0]);
    };
    const sparse::IndexLayout nodes(static_cast<std::uint64_t>(n) * n * n);

    // Where contributions go: rows and columns of blocks, in any order, as
    // often as they like.
    const std::vector<Spring>        all = springs(n);
    std::vector<sparse::GlobalIndex> rows, columns;
    const auto                       add = [&](const auto i, const auto j) {
      rows.push_back(i);
      columns.push_back(j);
    };
    for (const Spring &spring : all)
      {
        const auto i = number(spring.from), j = number(spring.to);
        add(i, i);
        add(i, j);
        add(j, i);
        add(j, j);
      }
    for (int x = 0; x < n; ++x)
      for (int y = 0; y < n; ++y)
        add(number({{x, y, n - 1}}), number({{x, y, n - 1}}));
    sparse::BlockAssembly<double> assembly(nodes, nodes, rows, columns, {3, 3});
    sparse::BlockMatrix<double>   A =
      assembly.assembled(blocks(all, n, 0.).data());

    // What multigrid has to know: the motions that cost no energy.
    std::vector<double> coordinates;
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
          for (const int c : {x, y, z})
            coordinates.push_back(c);
    amg::BlockAMG C;
    C.initialize(A,
                 amg::rigid_body_modes(nodes, 3, coordinates),
                 amg::keys_of_coordinates(nodes, 3, coordinates));
    std::printf("%s\n", amg::print_hierarchy(C.record()).c_str());

    // Gravity pulls; then again with other stiffnesses: the hierarchy is
    // updated, which is much faster than making a new one.
    sparse::BlockVector<double> weight(nodes, 3), u(nodes, 3);
    for (int i = 0; i < n * n * n; ++i)
      weight.data()[3 * i + 2] = -1e-3;
    for (const double softening : {0., 0.05, 0.1})
      {
        if (softening > 0)
          {
            assembly.set_values(blocks(all, n, softening).data(),
                                sparse::AssemblyMode::insert,
                                A);
            C.update(A);
          }
        const amg::SolveResult result = amg::solve(A, C, weight, u);
        std::printf("softening %.2f: %2u iterations%s, lowest point moves by "
                    "%.6f\n",
                    softening,
                    result.n_iterations,
                    result.converged ? "" : " (not converged)",
                    u.data()[2]);
      }
  }
} // namespace



int
main()
{
  try
    {
      run();
    }
  catch (const Exception &e)
    {
      std::fprintf(stderr, "algebraic_multigrid: error: %s\n", e.what());
      return static_cast<int>(e.exit_status());
    }
  return 0;
}
