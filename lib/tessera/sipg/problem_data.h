// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_problem_data_h
#define tessera_sipg_problem_data_h

#include <tessera/base/exceptions.h>
#include <tessera/sipg/cell_key.h>
#include <tessera/sipg/text.h>
#include <tessera/sipg/types.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace tessera
{
  namespace sipg
  {
    template <int dim>
    using ScalarFunction = std::function<double(const Point<dim> &)>;

    template <int dim>
    using GradientFunction = std::function<Point<dim>(const Point<dim> &)>;

    /** A face of an active cell at the boundary of the domain. Its outward unit
     * normal is (2 side - 1) times the unit vector of the axis. */
    struct BoundaryFace
    {
      CellKey cell;
      int     axis;
      int     side;
    };

    /** Boundary values may depend on the face: parts of the boundary that meet
     * in a point can have different ones there. */
    template <int dim>
    using BoundaryFunction =
      std::function<double(const Point<dim> &, const BoundaryFace &)>;

    /** The same function on all faces. */
    template <int dim>
    BoundaryFunction<dim>
    on_all_faces(ScalarFunction<dim> function)
    {
      return [function = std::move(function)](const Point<dim> &x,
                                              const BoundaryFace &) {
        return function(x);
      };
    }

    /** Of $-\nabla\cdot(k \nabla u) = f$; what is empty is zero. k is part of
     * the LevelHierarchy. */
    template <int dim>
    struct ProblemData
    {
      ScalarFunction<dim>   source;    ///< f
      BoundaryFunction<dim> dirichlet; ///< u = g
      BoundaryFunction<dim> neumann;   ///< $k\,\partial_n u = q$
    };

    /**
     * The value of a function at a point, checked.
     *
     * @param[in] name what it is, for the message
     * @throws InputError if the value is not finite.
     */
    template <int dim>
    double
    finite_value(const double value, const Point<dim> &x, const char *name)
    {
      if (!std::isfinite(value))
        throw InputError(std::string("The ") + name + " is " +
                         std::to_string(value) + " at " + text<dim>(x) +
                         "; it must be finite in the domain.");
      return value;
    }
  } // namespace sipg
} // namespace tessera

#endif
