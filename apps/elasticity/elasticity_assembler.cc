// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/elasticity_assembler.h"

#include <sstream>

#include "elasticity/cell_integrals.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** Call @p work(integrals, cell) for all cells, with the displacement set
     * where there is one. @throws InvertedCell */
    template <int dim, typename F>
    void
    loop_over_cells(const Body<dim>      &body,
                    const Vector<double> *displacement,
                    const F              &work)
    {
      const Constitution &constitution = body.constitution;
      CellIntegrals<dim>  integrals(body.mapping,
                                   body.dof_handler.get_fe(),
                                   constitution.model);
      Vector<double>      cell_displacement(integrals.n_dofs());
      for (const auto &cell : body.dof_handler.active_cell_iterators())
        {
          integrals.reinit(cell,
                           constitution.materials[cell->material_id()],
                           constitution.factor);
          if (displacement != nullptr)
            {
              cell->get_dof_values(*displacement, cell_displacement);
              const double determinant =
                integrals.set_displacement(cell_displacement);
              if (!(determinant > 0.))
                {
                  std::ostringstream message;
                  message << "The displacement turns a cell inside out: the "
                             "determinant of the deformation gradient is "
                          << determinant << " in the cell about the point ("
                          << cell->center()
                          << "). The load step is too large; take more steps.";
                  throw InvertedCell(message.str());
                }
            }
          work(integrals, cell);
        }
    }
  } // namespace



  template <int dim>
  ElasticityAssembler<dim>::ElasticityAssembler(const Body<dim> &discretization)
    : body(discretization)
  {}



  template <int dim>
  void
  ElasticityAssembler<dim>::for_each_cell(const Vector<double> &displacement,
                                          const double          load_factor,
                                          const CellConsumer   &consume) const
  {
    const unsigned int n = body.dof_handler.get_fe().n_dofs_per_cell();
    FullMatrix<double> matrix(n, n);
    Vector<double>     residual(n), forces(n);
    std::vector<types::global_dof_index> dofs(n);
    loop_over_cells<dim>(body,
                         &displacement,
                         [&](CellIntegrals<dim> &integrals, const auto &cell) {
                           integrals.tangent(matrix);
                           integrals.external_forces(body.loads, residual);
                           integrals.internal_forces(forces);
                           residual.sadd(load_factor, -1., forces);
                           cell->get_dof_indices(dofs);
                           consume(matrix, residual, dofs);
                         });
  }



  template <int dim>
  void
  ElasticityAssembler<dim>::residual(
    const Vector<double>            &displacement,
    const double                     load_factor,
    const AffineConstraints<double> &constraints,
    Vector<double>                  &residual) const
  {
    const unsigned int n = body.dof_handler.get_fe().n_dofs_per_cell();
    Vector<double>     cell_residual(n), forces(n);
    std::vector<types::global_dof_index> dofs(n);
    residual.reinit(body.dof_handler.n_dofs());
    loop_over_cells<dim>(body,
                         &displacement,
                         [&](CellIntegrals<dim> &integrals, const auto &cell) {
                           integrals.external_forces(body.loads, cell_residual);
                           integrals.internal_forces(forces);
                           cell_residual.sadd(load_factor, -1., forces);
                           cell->get_dof_indices(dofs);
                           constraints.distribute_local_to_global(cell_residual,
                                                                  dofs,
                                                                  residual);
                         });
  }



  template <int dim>
  void
  ElasticityAssembler<dim>::external_forces(
    const AffineConstraints<double> &constraints,
    Vector<double>                  &forces) const
  {
    const unsigned int n = body.dof_handler.get_fe().n_dofs_per_cell();
    Vector<double>     cell_forces(n);
    std::vector<types::global_dof_index> dofs(n);
    forces.reinit(body.dof_handler.n_dofs());
    loop_over_cells<dim>(
      body, nullptr, [&](CellIntegrals<dim> &integrals, const auto &cell) {
        integrals.external_forces(body.loads, cell_forces);
        cell->get_dof_indices(dofs);
        constraints.distribute_local_to_global(cell_forces, dofs, forces);
      });
  }



  template <int dim>
  double
  ElasticityAssembler<dim>::strain_energy(
    const Vector<double> &displacement) const
  {
    double energy = 0.;
    loop_over_cells<dim>(body,
                         &displacement,
                         [&](CellIntegrals<dim> &integrals, const auto &) {
                           energy += integrals.strain_energy();
                         });
    return energy;
  }



  template class ElasticityAssembler<2>;
  template class ElasticityAssembler<3>;
} // namespace tessera::elasticity
