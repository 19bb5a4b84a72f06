// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_box_parameters_h
#define tessera_apps_common_box_parameters_h

#include <deal.II/base/point.h>

#include <string>
#include <vector>

#include "common/parameter_set.h"

namespace tessera::apps
{
  /** An axis-aligned box with coarse cells, as users give it. */
  struct BoxParameters
  {
    std::vector<double>       lower_corner = {0.};
    std::vector<double>       upper_corner = {1.};
    std::vector<unsigned int> coarse_cells = {1};

    /**
     * Declare "Lower corner", "Upper corner" and "Coarse cells" in the present
     * section.
     *
     * @param[in] on_coarse_cells What the application has to say of their
     * choice; joins the documentation.
     */
    void
    declare(ParameterSet &set, const std::string &on_coarse_cells);

    /**
     * Bring lists that were given by one number to @p dim entries, and check
     * that the box ends above where it begins and that coordinates resolve its
     * cells after @p n_halvings refinements. The section is "Mesh".
     * @throws InputError naming parameter, file and line. The same on all
     * ranks.
     */
    void
    check_and_complete(const ParameterSet &set,
                       const unsigned int  dim,
                       const unsigned int  n_halvings);

    /** Of the completed lists. */
    double
    shortest_side() const;

    /** "[0, 1] x [0, 2]" */
    std::string
    in_words() const;

    template <int dim>
    dealii::Point<dim>
    lower() const
    {
      return point<dim>(lower_corner);
    }

    template <int dim>
    dealii::Point<dim>
    upper() const
    {
      return point<dim>(upper_corner);
    }

  private:
    template <int dim>
    static dealii::Point<dim>
    point(const std::vector<double> &coordinates)
    {
      dealii::Point<dim> p;
      for (unsigned int d = 0; d < dim; ++d)
        p[d] = coordinates[d];
      return p;
    }
  };
} // namespace tessera::apps

#endif
