// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/nodal_forces.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_values.h>

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    /** $x \times f$. */
    Tensor<1, 1>
    moment_of_force(const Tensor<1, 2> &x, const Tensor<1, 2> &f)
    {
      Tensor<1, 1> moment;
      moment[0] = x[0] * f[1] - x[1] * f[0];
      return moment;
    }



    Tensor<1, 3>
    moment_of_force(const Tensor<1, 3> &x, const Tensor<1, 3> &f)
    {
      return cross_product_3d(x, f);
    }
  } // namespace



  template <int dim>
  Resultant<dim>
  compute_resultant(const Mapping<dim>    &mapping,
                    const DoFHandler<dim> &dof_handler,
                    const Vector<double>  &forces,
                    const Vector<double>  *displacement)
  {
    const FiniteElement<dim> &fe = dof_handler.get_fe();
    std::vector<Point<dim>>   points(dof_handler.n_dofs());
    DoFTools::map_dofs_to_support_points(mapping, dof_handler, points);

    Resultant<dim>                       result;
    std::vector<bool>                    is_done(dof_handler.n_dofs(), false);
    std::vector<types::global_dof_index> dofs(fe.n_dofs_per_cell());
    for (const auto &cell : dof_handler.active_cell_iterators())
      {
        cell->get_dof_indices(dofs);
        for (unsigned int a = 0; a < dofs.size() / dim; ++a)
          {
            const auto first = dofs[fe.component_to_system_index(0, a)];
            if (is_done[first])
              continue;
            is_done[first] = true;

            Tensor<1, dim> x = points[first];
            Tensor<1, dim> f;
            for (unsigned int i = 0; i < dim; ++i)
              {
                const auto dof = dofs[fe.component_to_system_index(i, a)];
                f[i]           = forces[dof];
                if (displacement != nullptr)
                  x[i] += (*displacement)[dof];
              }
            result.force += f;
            result.moment += moment_of_force(x, f);
          }
      }
    return result;
  }



  template <int dim>
  std::vector<Tensor<1, dim>>
  compute_reactions(const Mapping<dim>         &mapping,
                    const DoFHandler<dim>      &dof_handler,
                    const std::vector<Support> &supports,
                    const Vector<double>       &residual)
  {
    const FiniteElement<dim> &fe = dof_handler.get_fe();
    FEFaceValues<dim>         values(mapping,
                             fe,
                             QMidpoint<dim - 1>(),
                             update_normal_vectors);

    std::vector<Tensor<1, dim>>          reactions(supports.size());
    std::vector<bool>                    is_done(dof_handler.n_dofs(), false);
    std::vector<types::global_dof_index> dofs;
    for (unsigned int s = 0; s < supports.size(); ++s)
      for (const auto &cell : dof_handler.active_cell_iterators())
        for (const unsigned int face : cell->face_indices())
          {
            if (!cell->face(face)->at_boundary() ||
                cell->face(face)->boundary_id() != supports[s].boundary)
              continue;
            values.reinit(cell, face);
            dofs.resize(fe.n_dofs_per_face(face));
            cell->face(face)->get_dof_indices(dofs);
            for (unsigned int k = 0; k < dofs.size(); ++k)
              {
                const unsigned int i =
                  fe.face_system_to_component_index(k, face).first;
                if (is_done[dofs[k]] ||
                    !supports[s].holds(i, values.normal_vector(0)))
                  continue;
                is_done[dofs[k]] = true;
                reactions[s][i] -= residual[dofs[k]];
              }
          }
    return reactions;
  }



  template Resultant<2>
  compute_resultant<2>(const Mapping<2> &,
                       const DoFHandler<2> &,
                       const Vector<double> &,
                       const Vector<double> *);
  template Resultant<3>
  compute_resultant<3>(const Mapping<3> &,
                       const DoFHandler<3> &,
                       const Vector<double> &,
                       const Vector<double> *);
  template std::vector<Tensor<1, 2>>
  compute_reactions<2>(const Mapping<2> &,
                       const DoFHandler<2> &,
                       const std::vector<Support> &,
                       const Vector<double> &);
  template std::vector<Tensor<1, 3>>
  compute_reactions<3>(const Mapping<3> &,
                       const DoFHandler<3> &,
                       const std::vector<Support> &,
                       const Vector<double> &);
} // namespace tessera::elasticity
