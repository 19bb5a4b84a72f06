// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_brick_beam_load_h
#define tessera_tests_brick_beam_load_h

#include "brick/brick.h"
#include "brick/lagrange.h"

namespace brick
{
  /**
   * The consistent load of the traction $t = F (0,0,1) + 6 T (0,-z,y)$ on the
   * end face of the beam, $b_i = \int \phi_i t$: [node][3]. A force F in z, and
   * a moment T about the axis for a face of area 1.
   */
  inline std::vector<double>
  beam_load(const Brick &brick, const double F, const double T)
  {
    const Lagrange      line(brick.degree);
    const int           n = brick.degree + 1, end = brick.last(0);
    std::vector<double> load(std::size_t(brick.n_nodes()) * 3, 0.);
    for (int cell_y = 0; cell_y < brick.n_cells[1]; ++cell_y)
      for (int cell_z = 0; cell_z < brick.n_cells[2]; ++cell_z)
        for (int p = 0; p < n; ++p)
          for (int q = 0; q < n; ++q)
            {
              const double y =
                brick.h * (cell_y + line.points[p] - 0.5 * brick.n_cells[1]);
              const double z =
                brick.h * (cell_z + line.points[q] - 0.5 * brick.n_cells[2]);
              const double traction[3] = {0., -6 * T * z, F + 6 * T * y};
              for (int a = 0; a < n; ++a)
                for (int b = 0; b < n; ++b)
                  {
                    const double weight = line.weights[p] * line.weights[q] *
                                          line.values[p][a] *
                                          line.values[q][b] * brick.h * brick.h;
                    const LocalIndex node =
                      brick.number({{end,
                                     brick.degree * cell_y + a,
                                     brick.degree * cell_z + b}});
                    for (int d = 0; d < 3; ++d)
                      load[node * 3 + d] += weight * traction[d];
                  }
            }
    return load;
  }
} // namespace brick

#endif
