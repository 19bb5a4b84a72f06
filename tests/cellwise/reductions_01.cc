// SPDX-License-Identifier: LGPL-2.1-or-later
// Pairings, energies and maxima are the same bits however the cells are spread
// over ranks, in whatever order; ghosts do not count; NaN is seen by all.
#include <tessera/base/communication_session.h>
#include <tessera/cellwise/cell_operator.h>
#include <tessera/cellwise/field_operations.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::cellwise;

namespace
{
  using Primal     = PrimalField<double>;
  using Dual       = DualField<double>;
  using Correction = PrimalField<float>;

  struct Fields
  {
    Primal     u;
    Dual       b, r;
    Correction z;
  };

  Fields
  part(const Fields &all, const std::vector<CellIndex> &cells)
  {
    const int       N = all.u.n_nodes();
    const CellIndex n = CellIndex(cells.size());
    Fields fields{Primal(n, N), Dual(n, N), Dual(n, N), Correction(n, N)};
    for (CellIndex c = 0; c < n; ++c)
      for (int k = 0; k < N; ++k)
        {
          fields.u(c, k) = all.u(cells[c], k);
          fields.b(c, k) = all.b(cells[c], k);
          fields.r(c, k) = all.r(cells[c], k);
          fields.z(c, k) = all.z(cells[c], k);
        }
    return fields;
  }

  /** All results of reductions. */
  std::vector<double>
  reductions(Fields                &fields,
             const CellIndex        n_owned,
             const CellOperator<2> &A,
             const Communicator    &communicator)
  {
    std::vector<double> results;
    results.push_back(dot(fields.r, fields.u, n_owned, communicator));
    results.push_back(dot(fields.r, fields.z, n_owned, communicator));
    results.push_back(max_abs(fields.r, n_owned, communicator));
    results.push_back(A.correct(
      fields.u, 0.7, fields.z, fields.r, fields.b, n_owned, communicator));
    results.push_back(
      A.update_direction(fields.u, -0.3, 0.7, fields.z, n_owned, communicator));
    Primal u = test::copy(fields.u);
    results.push_back(
      A.step(u, fields.r, 0.7, fields.u, n_owned, communicator));
    return results;
  }
} // namespace

int
main(int argc, char **argv)
{
  CommunicationSession  session(argc, argv);
  const Communicator    communicator = Communicator::world();
  const CellIndex       n_cells      = 2500; // some runs of the sums
  const CellOperator<2> A(ReferenceCell(2), ElementWeights<2>({0.5, 2.}));
  const int             N = 9;
  // Fields of very different size in different cells.
  Fields all{test::random_field<Primal>(n_cells, N),
             test::random_field<Dual>(n_cells, N),
             test::random_field<Dual>(n_cells, N),
             test::random_field<Correction>(n_cells, N)};
  for (CellIndex c = 0; c < n_cells; ++c)
    for (int k = 0; k < N; ++k)
      {
        all.u(c, k) *= std::exp(7. * test::random_number());
        all.r(c, k) *= std::exp(7. * test::random_number());
      }
  std::vector<CellIndex> cells;
  for (CellIndex c = 0; c < n_cells; ++c)
    cells.push_back(c);
  Fields                    copy     = part(all, cells);
  const std::vector<double> expected = reductions(copy, n_cells, A, {});

  // All ranks but the last one, if there are several, and in another order on
  // each, followed by ghosts.
  const unsigned int n_parts = std::max(communicator.n_ranks(), 2U) - 1U;
  for (int distribution = 0; distribution < 3; ++distribution)
    {
      std::vector<CellIndex> mine, others;
      for (const CellIndex c : cells)
        {
          const unsigned int owner =
            distribution == 0 ? unsigned(c) * n_parts / n_cells :
            distribution == 1 ? unsigned(c) % n_parts :
                                (unsigned(c) * 2654435761u >> 7) % n_parts;
          (owner == communicator.rank() ? mine : others).push_back(c);
        }
      if (distribution > 0)
        std::reverse(mine.begin(), mine.end());
      std::vector<CellIndex> local = mine;
      for (std::size_t i = 0; i < others.size(); i += 5)
        local.push_back(others[i]);
      Fields fields = part(all, local);
      CHECK(reductions(fields, CellIndex(mine.size()), A, communicator) ==
            expected);

      // NaN in an owned cell of one rank.
      fields = part(all, local);
      if (communicator.rank() == 0)
        {
          fields.r(3, 4) = test::poison;
          fields.z(2, 3) = float(test::poison);
        }
      for (const double result :
           reductions(fields, CellIndex(mine.size()), A, communicator))
        CHECK(std::isnan(result));
    }
  return check::result();
}
