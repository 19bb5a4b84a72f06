// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_patch_shuffled_h
#define tessera_tests_patch_shuffled_h

#include <tessera/cellwise/layout.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace reference
{
  /** The numbers 0, ..., n-1, cut into pieces of some length that are put
   * together in random order; the same order each time. */
  inline std::vector<tessera::cellwise::CellIndex>
  shuffled(const tessera::cellwise::CellIndex n,
           const tessera::cellwise::CellIndex length)
  {
    using tessera::cellwise::CellIndex;
    std::mt19937           generator(n + length);
    std::vector<CellIndex> pieces((n + length - 1) / length), numbers;
    std::iota(pieces.begin(), pieces.end(), 0);
    std::shuffle(pieces.begin(), pieces.end(), generator);
    for (const CellIndex piece : pieces)
      for (CellIndex i = piece * length; i < std::min(n, (piece + 1) * length);
           ++i)
        numbers.push_back(i);
    return numbers;
  }
} // namespace reference

#endif
