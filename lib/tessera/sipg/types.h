// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_types_h
#define tessera_sipg_types_h

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sipg
  {
    /** Number of a cell of a level, or of a shadow cell, among those this
     * process has. */
    using CellIndex = std::int32_t;

    inline constexpr CellIndex no_cell = -1;

    /** Coordinates (x, y, z), units of length. */
    template <int dim>
    using Point = std::array<double, dim>;

    /** What holds on a face at the boundary of the domain. */
    enum class BoundaryCondition : std::uint8_t
    {
      dirichlet, ///< u = g, weakly (Nitsche)
      neumann,   ///< $k\,\partial_n u = q$
      periodic   ///< known so that it can be refused: there is no support
    };

    /** Faces of a cell are numbered 2 axis + side; side 0 is the lower one. */
    constexpr int
    face_number(const int axis, const int side)
    {
      return 2 * axis + side;
    }
  } // namespace sipg
} // namespace tessera

#endif
