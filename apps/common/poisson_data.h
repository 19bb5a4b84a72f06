// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_poisson_data_h
#define tessera_apps_common_poisson_data_h

#include <deal.II/base/tensor.h>
#include <deal.II/base/types.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "common/expression.h"
#include "common/poisson_parameters.h"

namespace tessera::apps
{
  /**
   * The functions of the boundary value problem
   * $$ -\nabla\cdot(k \nabla u) = f \text{ in } \Omega, \quad
   *    u = g_D \text{ on } \Gamma_D, \quad
   *    k\,\partial_n u = g_N \text{ on } \Gamma_N, $$
   * but for k, made from the expressions in the parameters.
   *
   * A value that is not finite is found by check_finite(), after the loops that
   * evaluate the functions.
   */
  template <int dim>
  class PoissonData
  {
  public:
    /**
     * @param[in] n_boundary_ids Ids are 0, ..., n_boundary_ids - 1.
     * @param[in] length_scale Of the domain; see Expression.
     * @param[in] set Where given, messages begin with the place that an
     * expression comes from.
     *
     * @throws InputError, the same on all ranks, where an expression does not
     * parse.
     */
    PoissonData(const PoissonParameters &parameters,
                const unsigned int       n_boundary_ids,
                const double             length_scale,
                const ParameterSet      *set = nullptr);

    const Expression<dim> &
    right_hand_side() const;

    bool
    has_exact_solution() const;

    const Expression<dim> &
    exact_solution() const;

    /** Of the exact solution. */
    dealii::Tensor<1, dim>
    exact_gradient(const dealii::Point<dim> &point) const;

    /** Boundary ids of $\Gamma_D$. */
    const std::set<dealii::types::boundary_id> &
    dirichlet_ids() const;

    bool
    is_neumann(const dealii::types::boundary_id id) const;

    /** $g_D$ on the part with this id. */
    const dealii::Function<dim> &
    dirichlet_values(const dealii::types::boundary_id id) const;

    /** $g_N$ at a point with outward unit normal @p normal, where the
     * coefficient is k. */
    double
    neumann_value(const dealii::types::boundary_id id,
                  const dealii::Point<dim>        &point,
                  const dealii::Tensor<1, dim>    &normal,
                  const double                     k = 1.) const;

    /** Collective: throw where an evaluation so far was NaN or infinite. */
    void
    check_finite(const Communicator &communicator) const;

  private:
    using FunctionPointer = std::shared_ptr<const Expression<dim>>;

    FunctionPointer f;
    FunctionPointer u;

    /** One entry a direction, or none. */
    std::vector<FunctionPointer> grad_u;

    std::set<dealii::types::boundary_id> dirichlet;
    std::set<dealii::types::boundary_id> neumann;

    /** One entry for each id in dirichlet. */
    std::map<dealii::types::boundary_id, FunctionPointer> g_dirichlet;

    /** Ids in neumann without an entry take their values from u, or zero. */
    std::map<dealii::types::boundary_id, FunctionPointer> g_neumann;
  };
} // namespace tessera::apps

#endif
