// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_dealii_assembled_sipg_h
#define tessera_tests_dealii_assembled_sipg_h

// The interior penalty method on adaptively refined meshes, assembled with
// FEInterfaceValues: quadrature on the faces of the smaller cells, functions
// of the element of deal.II, no shadows. And meshes to do it on.

#include <tessera/dealii/cartesian_forest.h>
#include <tessera/sipg/element_matrices.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_interface_values.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/sparsity_pattern.h>
#include <deal.II/meshworker/mesh_loop.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace assembled_sipg
{
  using namespace dealii;
  using tessera::dealii_adapters::BoundaryConditions;

  /** Numbers in [-1, 1), the same with all standard libraries. */
  class Random
  {
  public:
    explicit Random(const unsigned int seed)
      : generator(seed)
    {}

    double
    operator()()
    {
      return 2. * (generator() / 4294967296.) - 1.;
    }

  private:
    std::mt19937 generator;
  };

  /** Refine active cells with the given probability, again and again; one at
   * least. */
  template <int dim>
  void
  refine_randomly(Triangulation<dim> &triangulation,
                  const int           n_passes,
                  const double        probability,
                  const unsigned int  seed)
  {
    Random random(seed);
    for (int pass = 0; pass < n_passes; ++pass)
      {
        triangulation.last_active()->set_refine_flag();
        for (const auto &cell : triangulation.active_cell_iterators())
          if (random() < 2. * probability - 1.)
            cell->set_refine_flag();
        triangulation.execute_coarsening_and_refinement();
      }
  }

  /** In each pass refine the cells of the finest level that meet the sphere
   * |x - c| = 0.3, c = (0.5, ...). */
  template <int dim>
  void
  refine_shell(Triangulation<dim> &triangulation, const int n_passes)
  {
    for (int pass = 0; pass < n_passes; ++pass)
      {
        const int finest = int(triangulation.n_levels()) - 1;
        for (const auto &cell : triangulation.active_cell_iterators())
          {
            double nearest = 0., farthest = 0.;
            for (unsigned int d = 0; d < dim; ++d)
              {
                const double lower = cell->vertex(0)[d] - 0.5;
                const double upper = lower + cell->extent_in_direction(d);
                const double near  = std::max({0., lower, -upper});
                const double far   = std::max(std::abs(lower), std::abs(upper));
                nearest += near * near;
                farthest += far * far;
              }
            if (cell->level() == finest && std::sqrt(nearest) <= 0.3 &&
                std::sqrt(farthest) >= 0.3)
              cell->set_refine_flag();
          }
        triangulation.execute_coarsening_and_refinement();
      }
  }



  /**
   * $a(u,v)$ of sipg::ElementMatrices as a matrix of deal.II.
   */
  template <int dim>
  class AssembledSIPG
  {
  public:
    /** @param[in] coefficient k by the index of the active cell; empty: 1. */
    AssembledSIPG(const DoFHandler<dim>        &dof_handler,
                  const tessera::sipg::Penalty &penalty     = {},
                  const BoundaryConditions     &conditions  = {},
                  const std::vector<double>    &coefficient = {})
    {
      DynamicSparsityPattern pattern(dof_handler.n_dofs());
      DoFTools::make_flux_sparsity_pattern(dof_handler, pattern);
      sparsity.copy_from(pattern);
      A.reinit(sparsity);
      assemble(dof_handler, penalty, conditions, coefficient);
    }

    const SparseMatrix<double> &
    matrix() const
    {
      return A;
    }

  private:
    SparsityPattern      sparsity;
    SparseMatrix<double> A;

    struct Scratch
    {
      explicit Scratch(const FiniteElement<dim> &fe)
        : values(mapping,
                 fe,
                 QGauss<dim>(fe.degree + 1),
                 update_gradients | update_JxW_values)
        , faces(mapping,
                fe,
                QGauss<dim - 1>(fe.degree + 1),
                update_values | update_gradients | update_JxW_values |
                  update_normal_vectors)
      {}

      Scratch(const Scratch &other)
        : Scratch(other.values.get_fe())
      {}

      MappingQ1<dim>         mapping;
      FEValues<dim>          values;
      FEInterfaceValues<dim> faces;
    };

    /** What is added to the matrix at once. */
    struct Copy
    {
      struct Block
      {
        FullMatrix<double>                   matrix;
        std::vector<types::global_dof_index> dofs;
      };
      std::vector<Block> blocks;
    };

    void
    assemble(const DoFHandler<dim>        &dof_handler,
             const tessera::sipg::Penalty &penalty,
             const BoundaryConditions     &conditions,
             const std::vector<double>    &coefficient)
    {
      using Iterator = typename DoFHandler<dim>::active_cell_iterator;
      const double p = dof_handler.get_fe().degree;
      const auto   k = [&](const Iterator &cell) {
        return coefficient.empty() ? 1. :
                                       coefficient[cell->active_cell_index()];
      };

      const auto add_cell =
        [&](const Iterator &cell, Scratch &scratch, Copy &copy) {
          scratch.values.reinit(cell);
          const unsigned int N = scratch.values.dofs_per_cell;
          copy.blocks.clear();
          copy.blocks.emplace_back();
          auto &block = copy.blocks.back();
          block.matrix.reinit(N, N);
          block.dofs.resize(N);
          cell->get_dof_indices(block.dofs);
          std::vector<Tensor<1, dim>> gradient(N);
          for (const unsigned int q : scratch.values.quadrature_point_indices())
            {
              for (unsigned int i = 0; i < N; ++i)
                gradient[i] = scratch.values.shape_grad(i, q);
              const double w = k(cell) * scratch.values.JxW(q);
              for (unsigned int i = 0; i < N; ++i)
                for (unsigned int j = 0; j < N; ++j)
                  block.matrix(i, j) += w * (gradient[i] * gradient[j]);
            }
        };

      // sigma [u][v] - kappa {d_n u} [v] - kappa [u] {d_n v}
      const auto add_face = [&](const FEInterfaceValues<dim> &faces,
                                const double                  sigma,
                                const double                  kappa,
                                Copy                         &copy) {
        const unsigned int N = faces.n_current_interface_dofs();
        copy.blocks.emplace_back();
        auto &block = copy.blocks.back();
        block.matrix.reinit(N, N);
        block.dofs = faces.get_interface_dof_indices();
        std::vector<double> jump(N), slope(N);
        for (const unsigned int q : faces.quadrature_point_indices())
          {
            for (unsigned int i = 0; i < N; ++i)
              {
                jump[i]  = faces.jump_in_shape_values(i, q);
                slope[i] = kappa * (faces.average_of_shape_gradients(i, q) *
                                    faces.normal(q));
              }
            const double w = faces.JxW(q);
            for (unsigned int i = 0; i < N; ++i)
              for (unsigned int j = 0; j < N; ++j)
                block.matrix(i, j) +=
                  w * (sigma * jump[i] * jump[j] - slope[j] * jump[i] -
                       jump[j] * slope[i]);
          }
      };

      const auto add_interior_face = [&](const Iterator     &cell,
                                         const unsigned int &f,
                                         const unsigned int &sf,
                                         const Iterator     &neighbour,
                                         const unsigned int &nf,
                                         const unsigned int &nsf,
                                         Scratch            &scratch,
                                         Copy               &copy) {
        scratch.faces.reinit(cell, f, sf, neighbour, nf, nsf);
        const double h     = std::min(cell->extent_in_direction(f / 2),
                                  neighbour->extent_in_direction(f / 2));
        const double kappa = 2. / (1. / k(cell) + 1. / k(neighbour));
        add_face(scratch.faces,
                 penalty.factor * p * (p + 1.) * kappa / h,
                 kappa,
                 copy);
      };

      const auto add_boundary_face = [&](const Iterator     &cell,
                                         const unsigned int &f,
                                         Scratch            &scratch,
                                         Copy               &copy) {
        const auto condition = conditions.find(cell->face(f)->boundary_id());
        if (condition != conditions.end() &&
            condition->second == tessera::sipg::BoundaryCondition::neumann)
          return;
        scratch.faces.reinit(cell, f);
        add_face(scratch.faces,
                 penalty.boundary_factor * penalty.factor * p * (p + 1.) *
                   k(cell) / cell->extent_in_direction(f / 2),
                 k(cell),
                 copy);
      };

      const auto add_to_matrix = [&](const Copy &copy) {
        for (const auto &block : copy.blocks)
          A.add(block.dofs, block.matrix, false);
      };

      const Scratch scratch(dof_handler.get_fe());
      MeshWorker::mesh_loop(dof_handler.active_cell_iterators(),
                            add_cell,
                            add_to_matrix,
                            scratch,
                            Copy(),
                            MeshWorker::assemble_own_cells |
                              MeshWorker::assemble_boundary_faces |
                              MeshWorker::assemble_own_interior_faces_once,
                            add_boundary_face,
                            add_interior_face);
    }
  };
} // namespace assembled_sipg

#endif
