// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_dealii_matrix_free_laplacian_h
#define tessera_tests_dealii_matrix_free_laplacian_h

// The matrix of $-\Delta u + c\,u$ by the means of deal.II, on the host.

#include <tessera/dealii/compatibility.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <set>
#include <utility>

namespace matrix_free
{
  /** Rows of Dirichlet nodes are those of the identity. */
  template <int dim>
  class Laplacian
  {
  public:
    using VectorType = dealii::LinearAlgebra::distributed::Vector<double>;

    Laplacian(const dealii::DoFHandler<dim>              &dof_handler,
              const std::set<dealii::types::boundary_id> &dirichlet_ids,
              const double                                reaction)
      : c(reaction)
    {
      dealii::AffineConstraints<double> constraints;
      tessera::dealii_compatibility::reinit_constraints(
        constraints,
        dof_handler.locally_owned_dofs(),
        dealii::DoFTools::extract_locally_relevant_dofs(dof_handler));
      for (const dealii::types::boundary_id id : dirichlet_ids)
        dealii::DoFTools::make_zero_boundary_constraints(dof_handler,
                                                         id,
                                                         constraints);
      constraints.close();
      typename dealii::MatrixFree<dim, double>::AdditionalData data;
      data.mapping_update_flags = dealii::update_values |
                                  dealii::update_gradients |
                                  dealii::update_JxW_values;
      data.tasks_parallel_scheme =
        dealii::MatrixFree<dim, double>::AdditionalData::none;
      matrix_free.reinit(dealii::MappingQ1<dim>(),
                         dof_handler,
                         constraints,
                         dealii::QGauss<1>(dof_handler.get_fe().degree + 1),
                         data);
    }

    void
    initialize_dof_vector(VectorType &v) const
    {
      matrix_free.initialize_dof_vector(v);
    }

    void
    vmult(VectorType &dst, const VectorType &src) const
    {
      matrix_free.cell_loop(&Laplacian::apply_to_cells, this, dst, src, true);
      for (const unsigned int i : matrix_free.get_constrained_dofs())
        dst.local_element(i) = src.local_element(i);
    }

  private:
    void
    apply_to_cells(const dealii::MatrixFree<dim, double>       &data,
                   VectorType                                  &dst,
                   const VectorType                            &src,
                   const std::pair<unsigned int, unsigned int> &cells) const
    {
      dealii::FEEvaluation<dim, -1, 0, 1, double> phi(data);
      const auto                                  flags =
        dealii::EvaluationFlags::values | dealii::EvaluationFlags::gradients;
      for (unsigned int cell = cells.first; cell < cells.second; ++cell)
        {
          phi.reinit(cell);
          phi.gather_evaluate(src, flags);
          for (unsigned int q = 0; q < phi.n_q_points; ++q)
            {
              phi.submit_value(c * phi.get_value(q), q);
              phi.submit_gradient(phi.get_gradient(q), q);
            }
          phi.integrate_scatter(flags, dst);
        }
    }

    double                          c;
    dealii::MatrixFree<dim, double> matrix_free;
  };
} // namespace matrix_free

#endif
