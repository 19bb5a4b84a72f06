// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_elasticity_vector_expression_h
#define tessera_apps_elasticity_vector_expression_h

#include <deal.II/base/function.h>

#include <memory>
#include <string>
#include <vector>

#include "common/expression.h"

namespace tessera::elasticity
{
  /**
   * A vector field given by a user as one expression a component; see
   * apps::Expression for syntax and values that are not finite.
   */
  template <int dim>
  class VectorExpression : public dealii::Function<dim>
  {
  public:
    /**
     * @param[in] parameter The path of the parameter, for messages.
     * @param[in] texts One expression for each component of the field.
     * @throws InputError if one does not parse.
     */
    VectorExpression(const std::string              &parameter,
                     const std::vector<std::string> &texts);

    double
    value(const dealii::Point<dim> &point,
          const unsigned int        component) const override;

    void
    vector_value(const dealii::Point<dim> &point,
                 dealii::Vector<double>   &values) const override;

    /** Collective: throw on all ranks where a value was not finite. */
    void
    check_finite(const Communicator &communicator) const;

  private:
    /** Pointers, as expressions cannot move. */
    std::vector<std::unique_ptr<apps::Expression<dim>>> components;
  };
} // namespace tessera::elasticity

#endif
