// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/box_parameters.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "common/complete_list.h"
#include "common/text_of_numbers.h"

namespace tessera::apps
{
  namespace
  {
    // Of what double resolves, 1e-16, the nodes of a cell need some digits.
    constexpr double min_relative_width = 1e-12;

    // Products of several lengths, and their squares, stay in the range of
    // double.
    constexpr double min_width      = 1e-30;
    constexpr double max_coordinate = 1e30;
  } // namespace



  void
  BoxParameters::declare(ParameterSet &set, const std::string &on_coarse_cells)
  {
    using dealii::Patterns::Double;
    using dealii::Patterns::Integer;
    using dealii::Patterns::List;

    set.add("Lower corner",
            lower_corner,
            "Corner of the box with the smallest coordinates: one number for "
            "all directions, or one a direction.",
            List(Double(), 1, 3));
    set.add("Upper corner",
            upper_corner,
            "Corner of the box with the largest coordinates.",
            List(Double(), 1, 3));
    set.add("Coarse cells",
            coarse_cells,
            "Cells a direction of the coarsest mesh: one number for all "
            "directions, or one a direction. Choose the smallest numbers that "
            "make the cells about cubes. " +
              on_coarse_cells,
            List(Integer(1, 1000), 1, 3));
  }



  void
  BoxParameters::check_and_complete(const ParameterSet &set,
                                    const unsigned int  dim,
                                    const unsigned int  n_halvings)
  {
    complete_list(lower_corner, set, "Mesh/Lower corner", dim);
    complete_list(upper_corner, set, "Mesh/Upper corner", dim);
    complete_list(coarse_cells, set, "Mesh/Coarse cells", dim);
    for (unsigned int d = 0; d < dim; ++d)
      if (!(lower_corner[d] < upper_corner[d]))
        {
          std::ostringstream text;
          text << "in direction " << d << " the box reaches from "
               << lower_corner[d] << " to " << upper_corner[d]
               << "; it must end above where it begins ('Mesh/Lower corner')";
          throw set.error("Mesh/Upper corner", text.str());
        }

    // Cells that nodes and quadrature points have no room in.
    for (unsigned int d = 0; d < dim; ++d)
      {
        const double width = (upper_corner[d] - lower_corner[d]) /
                             coarse_cells[d] / std::exp2(double(n_halvings));
        const double largest =
          std::max(std::abs(lower_corner[d]), std::abs(upper_corner[d]));
        if (!(width > min_relative_width * largest && width > min_width &&
              largest < max_coordinate))
          {
            std::ostringstream text;
            text << "in direction " << d << " the cells of the last cycle are "
                 << width << " wide at coordinates up to " << largest
                 << "; a width must be more than " << min_width << " and "
                 << min_relative_width
                 << " times the largest coordinate, which must be below "
                 << max_coordinate
                 << ". Move the box to the origin, change the unit of length, "
                    "or refine less";
            throw set.error("Mesh/Upper corner", text.str());
          }
      }
  }



  double
  BoxParameters::shortest_side() const
  {
    double shortest = upper_corner[0] - lower_corner[0];
    for (unsigned int d = 1; d < lower_corner.size(); ++d)
      shortest = std::min(shortest, upper_corner[d] - lower_corner[d]);
    return shortest;
  }



  std::string
  BoxParameters::in_words() const
  {
    std::string text;
    for (unsigned int d = 0; d < lower_corner.size(); ++d)
      text += (d > 0 ? " x [" : "[") + short_number(lower_corner[d]) + ", " +
              short_number(upper_corner[d]) + "]";
    return text;
  }
} // namespace tessera::apps
