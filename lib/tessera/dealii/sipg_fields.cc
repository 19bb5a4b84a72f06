// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/dealii/sipg_fields.h>
#include <tessera/sipg/change_of_basis.h>
#include <tessera/sipg/hermite_like_basis.h>
#include <tessera/sipg/level_hierarchy.h>
#include <tessera/sipg/shadow_transfer.h>

#include <deal.II/base/tensor_product_polynomials.h>
#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/fe/fe_poly.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    /**
     * The functions of the element in one dimension, in the order of its
     * degrees of freedom along each axis.
     * @throws InputError if there are none.
     */
    template <int dim>
    std::vector<Polynomials::Polynomial<double>>
    one_dimensional_functions(const DoFHandler<dim> &dof_handler)
    {
      if (!dof_handler.has_active_dofs())
        throw InputError("The DoFHandler has no degrees of freedom; call "
                         "distribute_dofs() first.");
      if (dof_handler.has_hp_capabilities())
        throw InputError(
          "The DoFHandler has a collection of elements (hp), where one "
          "discontinuous element on all cells is needed. Distribute one "
          "element, or use another solver.");
      const FiniteElement<dim> &fe   = dof_handler.get_fe();
      const std::string         name = fe.get_name();
      const std::string         advice =
        " Use FE_DGQHermite, FE_DGQ, FE_DGQArbitraryNodes or FE_DGQLegendre of "
        "degree 1 to 7, or another solver.";
      if (fe.n_components() != 1)
        throw InputError("The element " + name + " has " +
                         std::to_string(fe.n_components()) +
                         " components; the interior penalty method is for one."
                         " Use a DoFHandler for each component." +
                         advice);
      const auto *const polynomial = dynamic_cast<const FE_Poly<dim> *>(&fe);
      const auto *const product =
        polynomial == nullptr ?
          nullptr :
          dynamic_cast<const TensorProductPolynomials<dim> *>(
            &polynomial->get_poly_space());
      if (product == nullptr || !fe.conforms(FiniteElementData<dim>::L2) ||
          fe.conforms(FiniteElementData<dim>::H1))
        throw InputError("The element " + name +
                         " is not one of discontinuous tensor product "
                         "polynomials." +
                         advice);
      if (fe.degree < 1 || fe.degree > 7)
        throw InputError("The element " + name + " has degree " +
                         std::to_string(fe.degree) +
                         "; degrees 1 to 7 are supported." + advice);

      const std::vector<Polynomials::Polynomial<double>> &functions =
        product->get_underlying_polynomials();
      const std::size_t n = functions.size();
      bool              is_product =
        n == fe.degree + 1 && product->n() == fe.n_dofs_per_cell();
      Point<dim> x;
      for (unsigned int d = 0; d < dim; ++d)
        x[d] = 0.23 + 0.31 * d;
      for (unsigned int i = 0; is_product && i < fe.n_dofs_per_cell(); ++i)
        {
          double value = 1.;
          for (unsigned int d = 0, rest = i; d < dim; ++d, rest /= n)
            value *= functions[rest % n].value(x[d]);
          is_product = std::abs(fe.shape_value(i, x) - value) <=
                       1e-10 * std::max(1., std::abs(value));
        }
      if (!is_product)
        throw InputError("The functions of the element " + name +
                         " are not products of " +
                         std::to_string(fe.degree + 1) +
                         " polynomials, those of x fastest." + advice);
      return functions;
    }



    std::vector<double>
    entries(const FullMatrix<double> &A, const bool transposed)
    {
      std::vector<double> result;
      for (std::size_t i = 0; i < A.m(); ++i)
        for (std::size_t j = 0; j < A.n(); ++j)
          result.push_back(transposed ? A(j, i) : A(i, j));
      return result;
    }
  } // namespace



  template <int dim>
  SipgFields<dim>::SipgFields(const DoFHandler<dim>      &dof_handler,
                              const CartesianForest<dim> &forest)
    : cells(forest.forest())
  {
    const auto functions = one_dimensional_functions(dof_handler);
    degree_of_element    = int(functions.size()) - 1;
    n_entries            = dof_handler.n_dofs();

    // psi = phi S at as many points as there are functions.
    const std::size_t         n = functions.size();
    const std::vector<double> points =
      cellwise::gauss_quadrature<double>(int(n)).points;
    const DenseMatrix phi_at_points =
      sipg::HermiteLikeBasis(degree_of_element).values(points);
    FullMatrix<double> phi(n, n), psi(n, n), inverse(n, n), matrix(n, n);
    for (std::size_t q = 0; q < n; ++q)
      for (std::size_t i = 0; i < n; ++i)
        {
          phi(q, i) = phi_at_points(q, i);
          psi(q, i) = functions[i].value(points[q]);
        }
    inverse.invert(psi);
    inverse.mmult(matrix, phi);
    S_inverse            = entries(matrix, false);
    S_inverse_transposed = entries(matrix, true);
    inverse.invert(phi);
    inverse.mmult(matrix, psi);
    S            = entries(matrix, false);
    S_transposed = entries(matrix, true);
    matrix.diagadd(-1.);
    is_identity = matrix.linfty_norm() < 1e-11;

    const std::vector<sipg::CellKey> keys = cells.active_cells();
    const std::vector<unsigned int> &mesh = forest.active_cell_indices();
    const auto &triangulation             = dof_handler.get_triangulation();
    std::string difference;
    if (triangulation.n_active_cells() != mesh.size())
      difference = std::to_string(triangulation.n_active_cells()) +
                   " active cells, the forest " + std::to_string(mesh.size());
    std::vector<std::size_t> number_in_forest(mesh.size());
    for (std::size_t i = 0; i < mesh.size(); ++i)
      number_in_forest[mesh[i]] = i;

    const std::size_t N = cellwise::power(int(n), dim);
    if (n_entries != triangulation.n_active_cells() * N)
      throw InputError("The DoFHandler has " + std::to_string(n_entries) +
                       " degrees of freedom, its mesh " +
                       std::to_string(triangulation.n_active_cells()) +
                       " active cells of " + std::to_string(N) +
                       ": the mesh has changed. Call distribute_dofs() again.");
    dofs.resize(mesh.size() * N);
    std::vector<types::global_dof_index> dofs_of_cell(N);
    if (difference.empty())
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          const std::size_t i = number_in_forest[cell->active_cell_index()];
          if (!(forest.key(cell) == keys[i]))
            {
              difference = "a cell " + cell->id().to_string() +
                           " that the forest does not have";
              break;
            }
          cell->get_dof_indices(dofs_of_cell);
          std::copy(dofs_of_cell.begin(),
                    dofs_of_cell.end(),
                    dofs.begin() + i * N);
        }
    if (!difference.empty())
      throw InputError("The mesh of the DoFHandler is not that of the forest: "
                       "it has " +
                       difference +
                       ". Make a new CartesianForest when the mesh has "
                       "changed.");
  }



  template <int dim>
  int
  SipgFields<dim>::degree() const
  {
    return degree_of_element;
  }



  template <int dim>
  types::global_dof_index
  SipgFields<dim>::n_dofs() const
  {
    return n_entries;
  }



  template <int dim>
  template <typename VectorType, sipg::Space space>
  void
  SipgFields<dim>::check_sizes(const VectorType                 &v,
                               const sipg::Field<double, space> &field) const
  {
    const std::size_t n_owned = v.locally_owned_elements().n_elements();
    if (v.size() != n_entries || n_owned != n_entries)
      throw InputError(
        "A vector has " + std::to_string(v.size()) + " entries" +
        (n_owned == v.size() ?
           std::string() :
           ", " + std::to_string(n_owned) + " of them on this rank") +
        "; the DoFHandler of SipgFields has " + std::to_string(n_entries) +
        " degrees of freedom" +
        (n_owned == v.size() ? "." : ", all of them on this rank."));
    bool fits = field.shared_layout() != nullptr &&
                field.layout().dimension == dim &&
                field.layout().degree == degree_of_element &&
                int(field.layout().levels.size()) == cells.n_levels();
    for (int l = 0; fits && l < cells.n_levels(); ++l)
      {
        const std::size_t n_cells = cells.level(l).keys.size();
        const std::size_t B       = field.layout().block_size;
        fits = std::size_t(field.layout().levels[l].n_padded_cells) ==
               (n_cells + B - 1) / B * B;
      }
    if (!fits)
      throw InputError("A field is not one of degree " +
                       std::to_string(degree_of_element) +
                       " on the mesh of SipgFields: make it with a FieldLayout "
                       "of its forest and degree.");
  }



  template <int dim>
  template <typename F>
  void
  SipgFields<dim>::for_blocks(const int block_size, const F &f) const
  {
    std::size_t first = 0;
    for (int l = 0; l < cells.n_levels(); ++l)
      {
        const std::vector<char> &refined = cells.level(l).refined;
        for (std::size_t begin = 0; begin < refined.size(); begin += block_size)
          {
            const std::size_t end =
              std::min(refined.size(), begin + block_size);
            const std::size_t n_active =
              std::count(refined.begin() + begin, refined.begin() + end, 0);
            if (n_active > 0)
              f(l, begin, end, first);
            first += n_active;
          }
      }
  }



  template <int dim>
  template <typename VectorType, sipg::Space space>
  void
  SipgFields<dim>::read(const Matrix               &A,
                        const VectorType           &v,
                        sipg::Field<double, space> &field) const
  {
    check_sizes(v, field);
    const int         B       = field.layout().block_size;
    const std::size_t N       = field.layout().n_cell_values;
    const auto *const entries = v.begin();
    field.set_zero();
    for_blocks(B,
               [&](const int         l,
                   const std::size_t begin,
                   const std::size_t end,
                   std::size_t       i) {
                 double *const block = field.cells(l) + begin * N;
                 for (std::size_t c = begin; c < end; ++c)
                   if (!cells.level(l).refined[c])
                     {
                       const auto *const dof = dofs.data() + i++ * N;
                       for (std::size_t k = 0; k < N; ++k)
                         block[k * B + (c - begin)] = entries[dof[k]];
                     }
                 if (!is_identity)
                   sipg::change_basis<dim>(
                     degree_of_element, A.data(), B, block, block);
               });
  }



  template <int dim>
  template <typename VectorType, sipg::Space space>
  void
  SipgFields<dim>::write(const Matrix                     &A,
                         const sipg::Field<double, space> &field,
                         VectorType                       &v) const
  {
    check_sizes(v, field);
    using Number                = typename VectorType::value_type;
    const int           B       = field.layout().block_size;
    const std::size_t   N       = field.layout().n_cell_values;
    Number *const       entries = v.begin();
    std::vector<double> copy(is_identity ? 0 : N * B);
    for_blocks(B,
               [&](const int         l,
                   const std::size_t begin,
                   const std::size_t end,
                   std::size_t       i) {
                 const double *block = field.cells(l) + begin * N;
                 if (!is_identity)
                   {
                     sipg::change_basis<dim>(
                       degree_of_element, A.data(), B, block, copy.data());
                     block = copy.data();
                   }
                 for (std::size_t c = begin; c < end; ++c)
                   if (!cells.level(l).refined[c])
                     {
                       const auto *const dof = dofs.data() + i++ * N;
                       for (std::size_t k = 0; k < N; ++k)
                         entries[dof[k]] = Number(block[k * B + (c - begin)]);
                     }
               });
  }



  template <int dim>
  template <typename VectorType>
  void
  SipgFields<dim>::to_primal(const sipg::LevelHierarchy<dim> &levels,
                             const sipg::ElementMatrices     &matrices,
                             const VectorType                &v,
                             sipg::PrimalField<double>       &u) const
  {
    read(S, v, u);
    sipg::refresh_shadows(levels, matrices, u);
  }



  template <int dim>
  template <typename VectorType>
  void
  SipgFields<dim>::from_primal(const sipg::PrimalField<double> &u,
                               VectorType                      &v) const
  {
    write(S_inverse, u, v);
  }



  template <int dim>
  template <typename VectorType>
  void
  SipgFields<dim>::to_dual(const VectorType        &v,
                           sipg::DualField<double> &r) const
  {
    read(S_inverse_transposed, v, r);
  }



  template <int dim>
  template <typename VectorType>
  void
  SipgFields<dim>::from_dual(const sipg::DualField<double> &r,
                             VectorType                    &v) const
  {
    write(S_transposed, r, v);
  }



  template <int dim>
  std::size_t
  SipgFields<dim>::memory_consumption() const
  {
    return sizeof(*this) + dofs.size() * sizeof(dofs[0]) +
           4 * sizeof(double) * S.size();
  }



#define TESSERA_INSTANTIATE_VECTOR(dim, VectorType)                            \
  template void SipgFields<dim>::to_primal(const sipg::LevelHierarchy<dim> &,  \
                                           const sipg::ElementMatrices &,      \
                                           const VectorType &,                 \
                                           sipg::PrimalField<double> &) const; \
  template void SipgFields<dim>::from_primal(                                  \
    const sipg::PrimalField<double> &, VectorType &) const;                    \
  template void SipgFields<dim>::to_dual(const VectorType &,                   \
                                         sipg::DualField<double> &) const;     \
  template void SipgFields<dim>::from_dual(const sipg::DualField<double> &,    \
                                           VectorType &) const;
#define TESSERA_INSTANTIATE(dim)                                              \
  template class SipgFields<dim>;                                             \
  TESSERA_INSTANTIATE_VECTOR(dim, Vector<double>)                             \
  TESSERA_INSTANTIATE_VECTOR(dim, Vector<float>)                              \
  TESSERA_INSTANTIATE_VECTOR(dim, LinearAlgebra::distributed::Vector<double>) \
  TESSERA_INSTANTIATE_VECTOR(dim, LinearAlgebra::distributed::Vector<float>)
  TESSERA_INSTANTIATE(2)
  TESSERA_INSTANTIATE(3)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_VECTOR
} // namespace tessera::dealii_adapters
