// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_dealii_elastic_bar_h
#define tessera_tests_dealii_elastic_bar_h

#include <deal.II/base/function.h>
#include <deal.II/base/point.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/component_mask.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/vector_tools.h>

#include <vector>

namespace elastic_bar
{
  using namespace dealii;

  enum class Numbering
  {
    by_cells,
    by_nodes,
    by_component
  };



  struct BarOptions
  {
    unsigned int degree        = 1;
    bool         hanging_nodes = false;
    bool         sliding       = false; ///< u_y = 0 on a side
    Numbering    numbering     = Numbering::by_nodes;
    double       cell_length_x = 1.;
    unsigned int n_cells       = 4;
    bool         reaction      = false; ///< a mass matrix with it
  };



  /** Isotropic elasticity (lambda = mu = 0.4) of a bar that is clamped at x = 0
   * and loaded by a body force. */
  template <int dim>
  class ElasticBar
  {
  public:
    explicit ElasticBar(const BarOptions &chosen)
      : options(chosen)
      , fe(FE_Q<dim>(options.degree), dim)
      , dof_handler(triangulation)
    {
      Point<dim>                corner;
      std::vector<unsigned int> n_cells(dim, options.n_cells);
      n_cells[0] *= 3;
      corner[0] = n_cells[0] * options.cell_length_x;
      for (unsigned int d = 1; d < dim; ++d)
        corner[d] = n_cells[d];
      GridGenerator::subdivided_hyper_rectangle(
        triangulation, n_cells, Point<dim>(), corner, /*colours:*/ true);
      if (options.hanging_nodes)
        {
          for (const auto &cell : triangulation.active_cell_iterators())
            if (cell->center()[0] < 0.3 * corner[0] &&
                cell->center()[1] < 0.6 * corner[1])
              cell->set_refine_flag();
          triangulation.execute_coarsening_and_refinement();
        }
      dof_handler.distribute_dofs(fe);
      if (options.numbering == Numbering::by_nodes)
        DoFRenumbering::support_point_wise(dof_handler);
      else if (options.numbering == Numbering::by_component)
        DoFRenumbering::component_wise(dof_handler);

      VectorTools::interpolate_boundary_values(
        dof_handler, 0, Functions::ZeroFunction<dim>(dim), constraints);
      if (options.sliding)
        {
          ComponentMask mask(dim, false);
          mask.set(1, true);
          VectorTools::interpolate_boundary_values(
            dof_handler,
            2,
            Functions::ConstantFunction<dim>(0.1, dim),
            constraints,
            mask);
        }
      DoFTools::make_hanging_node_constraints(dof_handler, constraints);
      constraints.close();

      DynamicSparsityPattern dynamic_pattern(dof_handler.n_dofs());
      DoFTools::make_sparsity_pattern(dof_handler,
                                      dynamic_pattern,
                                      constraints,
                                      /* keep constrained: */ false);
      sparsity_pattern.copy_from(dynamic_pattern);
      A.reinit(sparsity_pattern);
      b.reinit(dof_handler.n_dofs());
      assemble(
        [&](const auto &cell_matrix, const auto &cell_rhs, const auto &dofs) {
          constraints.distribute_local_to_global(
            cell_matrix, cell_rhs, dofs, A, b);
        });
    }

    /** consume(matrix, right-hand side, degrees of freedom) of cells. */
    template <typename Consumer>
    void
    assemble(const Consumer &consume) const
    {
      const QGauss<dim>                    quadrature(options.degree + 1);
      FEValues<dim>                        values(mapping,
                           fe,
                           quadrature,
                           update_values | update_gradients |
                             update_JxW_values);
      const unsigned int                   n = fe.n_dofs_per_cell();
      FullMatrix<double>                   cell_matrix(n, n);
      Vector<double>                       cell_rhs(n);
      std::vector<types::global_dof_index> dofs(n);
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          values.reinit(cell);
          cell_matrix = 0.;
          cell_rhs    = 0.;
          for (unsigned int i = 0; i < n; ++i)
            {
              const unsigned int c_i = fe.system_to_component_index(i).first;
              for (unsigned int j = 0; j < n; ++j)
                {
                  const unsigned int c_j =
                    fe.system_to_component_index(j).first;
                  for (const unsigned int q : values.quadrature_point_indices())
                    {
                      const Tensor<1, dim> g = values.shape_grad(i, q);
                      const Tensor<1, dim> h = values.shape_grad(j, q);
                      double integrand = g[c_i] * h[c_j] + g[c_j] * h[c_i];
                      if (c_i == c_j)
                        integrand += g * h;
                      if (c_i == c_j && options.reaction)
                        integrand +=
                          values.shape_value(i, q) * values.shape_value(j, q);
                      cell_matrix(i, j) += 0.4 * integrand * values.JxW(q);
                    }
                }
              for (const unsigned int q : values.quadrature_point_indices())
                cell_rhs(i) +=
                  (0.3 + 0.2 * c_i) * values.shape_value(i, q) * values.JxW(q);
            }
          cell->get_dof_indices(dofs);
          consume(cell_matrix, cell_rhs, dofs);
        }
    }

    const BarOptions          options;
    Triangulation<dim>        triangulation;
    FESystem<dim>             fe;
    DoFHandler<dim>           dof_handler;
    MappingQ1<dim>            mapping;
    AffineConstraints<double> constraints;
    SparsityPattern           sparsity_pattern;
    SparseMatrix<double>      A;
    Vector<double>            b;
  };
} // namespace elastic_bar

#endif
