// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/cell_integrals.h"

#include <deal.II/fe/fe_q.h>

#include <algorithm>
#include <cmath>

#include "elasticity/constitutive_law.h"

namespace tessera::elasticity
{
  using namespace dealii;

  namespace
  {
    template <int dim>
    const FiniteElement<dim> &
    scalar_element(const FiniteElement<dim> &fe)
    {
      if (fe.n_base_elements() != 1 || fe.element_multiplicity(0) != dim ||
          dynamic_cast<const FE_Q<dim> *>(&fe.base_element(0)) == nullptr)
        throw InputError("The element of the displacement is " + fe.get_name() +
                         ". It has to be FESystem(FE_Q(p), " +
                         std::to_string(dim) + ").");
      return fe.base_element(0);
    }



    /**
     * Gram matrix with weights, $S_{rc} = \sum_q w_q\, g_{qr}\, g_{qc}$,
     * symmetric to the last bit.
     *
     * @param[in] g [weights.size()][n]
     * @param[out] S [n][n]
     */
    void
    weighted_gram_matrix(const std::vector<double> &g,
                         const std::vector<double> &weights,
                         const unsigned int         n,
                         std::vector<double>       &S)
    {
      const unsigned int n_points = weights.size();
      S.assign(std::size_t(n) * n, 0.);
      for (unsigned int r = 0; r < n; ++r)
        {
          double      *row = S.data() + std::size_t(r) * n;
          unsigned int q   = 0;
          // Four points at a time, to load and store a row less often.
          for (; q + 4 <= n_points; q += 4)
            {
              const double *g0 = g.data() + std::size_t(q) * n;
              const double *g1 = g0 + n;
              const double *g2 = g1 + n;
              const double *g3 = g2 + n;
              const double  s0 = weights[q] * g0[r];
              const double  s1 = weights[q + 1] * g1[r];
              const double  s2 = weights[q + 2] * g2[r];
              const double  s3 = weights[q + 3] * g3[r];
              for (unsigned int c = r; c < n; ++c)
                row[c] += (s0 * g0[c] + s1 * g1[c]) + (s2 * g2[c] + s3 * g3[c]);
            }
          for (; q < n_points; ++q)
            {
              const double *g0 = g.data() + std::size_t(q) * n;
              const double  s0 = weights[q] * g0[r];
              for (unsigned int c = r; c < n; ++c)
                row[c] += s0 * g0[c];
            }
        }
      for (unsigned int r = 0; r < n; ++r)
        for (unsigned int c = 0; c < r; ++c)
          S[std::size_t(r) * n + c] = S[std::size_t(c) * n + r];
    }
  } // namespace



  template <int dim>
  CellIntegrals<dim>::CellIntegrals(const Mapping<dim>       &mapping,
                                    const FiniteElement<dim> &fe,
                                    const MaterialModel       model)
    : law(model)
    , n_nodes(scalar_element(fe).n_dofs_per_cell())
    , dof_indices(dim * n_nodes)
    , fe_values(mapping,
                scalar_element(fe),
                QGauss<dim>(fe.degree + 1),
                update_gradients | update_JxW_values | update_quadrature_points)
    , load_values(mapping,
                  scalar_element(fe),
                  QGauss<dim>(fe.degree + 2),
                  update_values | update_JxW_values | update_quadrature_points)
    , face_values(mapping,
                  scalar_element(fe),
                  QGauss<dim - 1>(fe.degree + 2),
                  update_values | update_JxW_values | update_quadrature_points)
    , n_points(fe_values.n_quadrature_points)
    , weights(n_points)
    , gradients(n_points * dim * n_nodes)
    , node_displacements(dim * n_nodes)
    , log_determinants(n_points)
    , stresses(n_points)
  {
    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int a = 0; a < n_nodes; ++a)
        dof_indices[i * n_nodes + a] = fe.component_to_system_index(i, a);
    if (law == MaterialModel::neo_hookean)
      spatial_gradients.resize(gradients.size());
  }



  template <int dim>
  unsigned int
  CellIntegrals<dim>::n_dofs() const
  {
    return dof_indices.size();
  }



  template <int dim>
  void
  CellIntegrals<dim>::reinit(const CellIterator  &cell,
                             const Material      &material,
                             const ModulusFactor &factor)
  {
    current_cell     = cell;
    moduli           = material;
    has_displacement = false;

    fe_values.reinit(typename Triangulation<dim>::cell_iterator(cell));
    for (unsigned int q = 0; q < n_points; ++q)
      {
        weights[q] = fe_values.JxW(q);
        if (!factor.is_one())
          weights[q] *= factor(fe_values.quadrature_point(q));
        for (unsigned int a = 0; a < n_nodes; ++a)
          {
            const Tensor<1, dim> &gradient = fe_values.shape_grad(a, q);
            for (unsigned int d = 0; d < dim; ++d)
              gradients[(q * dim + d) * n_nodes + a] = gradient[d];
          }
      }
  }



  template <int dim>
  double
  CellIntegrals<dim>::set_displacement(const Vector<double> &displacement)
  {
    AssertDimension(displacement.size(), n_dofs());
    for (unsigned int k = 0; k < dof_indices.size(); ++k)
      node_displacements[k] = displacement[dof_indices[k]];

    double smallest_determinant = 1.;
    energy                      = 0.;
    for (unsigned int q = 0; q < n_points; ++q)
      {
        Tensor<2, dim> H;
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int J = 0; J < dim; ++J)
            {
              const double *u = node_displacements.data() + i * n_nodes;
              const double *g = gradients.data() + (q * dim + J) * n_nodes;
              for (unsigned int a = 0; a < n_nodes; ++a)
                H[i][J] += u[a] * g[a];
            }

        // The modulus factor is part of the weights.
        const StressState<dim> state = evaluate_stress(law, moduli, 1., H);
        if (!state.is_valid())
          return state.determinant > 0. ? -state.determinant :
                                          state.determinant;
        smallest_determinant =
          std::min(smallest_determinant, state.determinant);
        stresses[q] = weights[q] * state.first_piola;
        energy += weights[q] * state.energy_density;

        if (law == MaterialModel::neo_hookean)
          {
            log_determinants[q] = std::log(state.determinant);
            const Tensor<2, dim> F_inverse =
              invert(H + Tensor<2, dim>(unit_symmetric_tensor<dim>()));
            for (unsigned int i = 0; i < dim; ++i)
              {
                double *g = spatial_gradients.data() + (q * dim + i) * n_nodes;
                std::fill(g, g + n_nodes, 0.);
                for (unsigned int J = 0; J < dim; ++J)
                  {
                    const double *gradient =
                      gradients.data() + (q * dim + J) * n_nodes;
                    for (unsigned int a = 0; a < n_nodes; ++a)
                      g[a] += F_inverse[J][i] * gradient[a];
                  }
              }
          }
      }
    has_displacement = true;
    return smallest_determinant;
  }



  template <int dim>
  void
  CellIntegrals<dim>::tangent(FullMatrix<double> &matrix)
  {
    AssertDimension(matrix.m(), n_dofs());
    AssertDimension(matrix.n(), n_dofs());
    const unsigned int n = dim * n_nodes;

    // For products with [i*n_nodes+a][k*n_nodes+b], second with i and k
    // exchanged, and node_products with [a][b]:
    // K = first_factor * products + second_factor * second + delta_ik * node
    double                     first_factor  = moduli.lambda;
    double                     second_factor = moduli.mu;
    const std::vector<double> *second        = &products;
    if (law == MaterialModel::linear || !has_displacement)
      {
        weighted_gram_matrix(gradients, weights, n, products);
        node_products.assign(n_nodes * n_nodes, 0.);
        for (unsigned int d = 0; d < dim; ++d)
          for (unsigned int a = 0; a < n_nodes; ++a)
            for (unsigned int b = 0; b < n_nodes; ++b)
              node_products[a * n_nodes + b] +=
                moduli.mu *
                products[std::size_t(d * n_nodes + a) * n + d * n_nodes + b];
      }
    else
      {
        weighted_gram_matrix(spatial_gradients, weights, n, products);

        scaled_weights.resize(n_points);
        for (unsigned int q = 0; q < n_points; ++q)
          scaled_weights[q] =
            weights[q] * (moduli.mu - moduli.lambda * log_determinants[q]);
        weighted_gram_matrix(spatial_gradients,
                             scaled_weights,
                             n,
                             second_products);
        second        = &second_products;
        second_factor = 1.;

        // Each direction of each gradient is like a point.
        scaled_weights.resize(n_points * dim);
        for (unsigned int q = 0; q < n_points; ++q)
          for (unsigned int d = 0; d < dim; ++d)
            scaled_weights[q * dim + d] = weights[q] * moduli.mu;
        weighted_gram_matrix(gradients, scaled_weights, n_nodes, node_products);
      }

    for (unsigned int i = 0; i < dim; ++i)
      for (unsigned int a = 0; a < n_nodes; ++a)
        {
          double *row = &matrix(dof_indices[i * n_nodes + a], 0);
          for (unsigned int k = 0; k < dim; ++k)
            {
              const double *first_row = products.data() +
                                        std::size_t(i * n_nodes + a) * n +
                                        k * n_nodes;
              const double *second_row =
                second->data() + std::size_t(k * n_nodes + a) * n + i * n_nodes;
              const double *node_row = node_products.data() + a * n_nodes;
              const double  delta    = i == k ? 1. : 0.;
              for (unsigned int b = 0; b < n_nodes; ++b)
                row[dof_indices[k * n_nodes + b]] =
                  first_factor * first_row[b] + second_factor * second_row[b] +
                  delta * node_row[b];
            }
        }
  }



  template <int dim>
  void
  CellIntegrals<dim>::internal_forces(Vector<double> &forces) const
  {
    AssertDimension(forces.size(), n_dofs());
    forces = 0.;
    if (!has_displacement)
      return;
    for (unsigned int q = 0; q < n_points; ++q)
      for (unsigned int i = 0; i < dim; ++i)
        for (unsigned int J = 0; J < dim; ++J)
          {
            const double  stress = stresses[q][i][J];
            const double *g      = gradients.data() + (q * dim + J) * n_nodes;
            for (unsigned int a = 0; a < n_nodes; ++a)
              forces[dof_indices[i * n_nodes + a]] += stress * g[a];
          }
  }



  template <int dim>
  double
  CellIntegrals<dim>::strain_energy() const
  {
    return has_displacement ? energy : 0.;
  }



  template <int dim>
  void
  CellIntegrals<dim>::add_load(const FEValuesBase<dim> &values,
                               const Function<dim>     &load,
                               Vector<double>          &forces)
  {
    Vector<double> density(dim);
    for (unsigned int q = 0; q < values.n_quadrature_points; ++q)
      {
        load.vector_value(values.quadrature_point(q), density);
        density *= values.JxW(q);
        for (unsigned int i = 0; i < dim; ++i)
          for (unsigned int a = 0; a < n_nodes; ++a)
            forces[dof_indices[i * n_nodes + a]] +=
              density[i] * values.shape_value(a, q);
      }
  }



  template <int dim>
  void
  CellIntegrals<dim>::external_forces(const Loads<dim> &loads,
                                      Vector<double>   &forces)
  {
    AssertDimension(forces.size(), n_dofs());
    forces = 0.;
    const typename Triangulation<dim>::cell_iterator mesh_cell(current_cell);
    if (loads.body_force != nullptr)
      {
        load_values.reinit(mesh_cell);
        add_load(load_values, *loads.body_force, forces);
      }
    if (loads.tractions.empty() || !current_cell->at_boundary())
      return;
    for (const unsigned int face : current_cell->face_indices())
      if (current_cell->face(face)->at_boundary())
        {
          const auto traction =
            loads.tractions.find(current_cell->face(face)->boundary_id());
          if (traction == loads.tractions.end())
            continue;
          face_values.reinit(mesh_cell, face);
          add_load(face_values, *traction->second, forces);
        }
  }



  template class CellIntegrals<2>;
  template class CellIntegrals<3>;
} // namespace tessera::elasticity
