// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/base/execution.h>
#include <tessera/dealii/precondition_local_multigrid.h>
#include <tessera/dealii/sipg_fields.h>
#include <tessera/dealii/vector_mismatch.h>
#include <tessera/sipg/field.h>

#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    /** From the order of the triangulation to that of the forest. */
    template <int dim>
    std::vector<double>
    coefficient_of_forest(const CartesianForest<dim> &forest,
                          const std::vector<double>  &coefficient)
    {
      const std::vector<unsigned int> &indices = forest.active_cell_indices();
      if (!coefficient.empty() && coefficient.size() != indices.size())
        throw InputError("AdditionalData::coefficient has " +
                         std::to_string(coefficient.size()) +
                         " entries, the mesh " +
                         std::to_string(indices.size()) +
                         " active cells. Give one for each, by "
                         "active_cell_index(), or none.");
      std::vector<double> result(coefficient.size());
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = coefficient[indices[i]];
      return result;
    }
  } // namespace



  template <int dim>
  class PreconditionLocalMultigrid<dim>::Implementation
  {
  public:
    Implementation(const DoFHandler<dim> &dof_handler,
                   const AdditionalData  &data)
      : Implementation(dof_handler,
                       CartesianForest<dim>(dof_handler.get_triangulation(),
                                            data.boundary_conditions),
                       data)
    {}

    template <typename VectorType>
    void
    apply(VectorType &dst, const VectorType &src)
    {
      const std::string error = vector_mismatch("PreconditionLocalMultigrid",
                                                dst,
                                                src,
                                                owned_dofs,
                                                execution::HostQueue());
      if (!error.empty())
        throw InputError(error);
      fields.to_dual(src, r);
      std::visit([&](auto &cycle) { cycle->apply(r, z); }, multigrid);
      fields.from_primal(z, dst);
    }

    types::global_dof_index
    n_dofs() const
    {
      return fields.n_dofs();
    }

    std::size_t
    memory_consumption() const
    {
      return sizeof(*this) + fields.memory_consumption() +
             levels->memory_consumption() + r.memory_consumption() +
             z.memory_consumption() +
             std::visit(
               [](const auto &cycle) { return cycle->memory_consumption(); },
               multigrid);
    }

  private:
    Implementation(const DoFHandler<dim>      &dof_handler,
                   const CartesianForest<dim> &forest,
                   const AdditionalData       &data)
      : owned_dofs(dof_handler.locally_owned_dofs())
      , fields(dof_handler, forest)
      , levels(std::make_shared<const sipg::LevelHierarchy<dim>>(
          forest.forest(),
          data.block_size,
          coefficient_of_forest(forest, data.coefficient)))
    {
      const sipg::ElementMatrices matrices(fields.degree(), data.penalty);
      if (data.double_precision)
        multigrid =
          std::make_unique<sipg::LocalMultigrid<dim, double>>(levels,
                                                              matrices,
                                                              data.multigrid);
      else
        multigrid =
          std::make_unique<sipg::LocalMultigrid<dim, float>>(levels,
                                                             matrices,
                                                             data.multigrid);

      const auto layout =
        std::make_shared<const sipg::FieldLayout>(*levels, fields.degree());
      r = sipg::DualField<double>(layout);
      z = sipg::PrimalField<double>(layout);
    }

    IndexSet                                         owned_dofs;
    SipgFields<dim>                                  fields;
    std::shared_ptr<const sipg::LevelHierarchy<dim>> levels;

    std::variant<std::unique_ptr<sipg::LocalMultigrid<dim, float>>,
                 std::unique_ptr<sipg::LocalMultigrid<dim, double>>>
      multigrid;

    // Of vmult().
    sipg::DualField<double>   r;
    sipg::PrimalField<double> z;
  };



  template <int dim>
  PreconditionLocalMultigrid<dim>::PreconditionLocalMultigrid() = default;



  template <int dim>
  PreconditionLocalMultigrid<dim>::~PreconditionLocalMultigrid() = default;



  template <int dim>
  void
  PreconditionLocalMultigrid<dim>::initialize(
    const DoFHandler<dim> &dof_handler,
    const AdditionalData  &data)
  {
    clear();
    implementation = std::make_unique<Implementation>(dof_handler, data);
  }



  template <int dim>
  void
  PreconditionLocalMultigrid<dim>::clear()
  {
    implementation.reset();
  }



  template <int dim>
  typename PreconditionLocalMultigrid<dim>::Implementation &
  PreconditionLocalMultigrid<dim>::initialized() const
  {
    if (!implementation)
      throw InputError("PreconditionLocalMultigrid is used before it is "
                       "initialized: call initialize() first.");
    return *implementation;
  }



  template <int dim>
  template <typename VectorType>
  void
  PreconditionLocalMultigrid<dim>::vmult(VectorType       &dst,
                                         const VectorType &src) const
  {
    initialized().apply(dst, src);
  }



  template <int dim>
  template <typename VectorType>
  void
  PreconditionLocalMultigrid<dim>::Tvmult(VectorType       &dst,
                                          const VectorType &src) const
  {
    initialized().apply(dst, src);
  }



  template <int dim>
  types::global_dof_index
  PreconditionLocalMultigrid<dim>::m() const
  {
    return implementation ? implementation->n_dofs() : 0;
  }



  template <int dim>
  types::global_dof_index
  PreconditionLocalMultigrid<dim>::n() const
  {
    return m();
  }



  template <int dim>
  std::size_t
  PreconditionLocalMultigrid<dim>::memory_consumption() const
  {
    return sizeof(*this) +
           (implementation ? implementation->memory_consumption() : 0);
  }



#define TESSERA_INSTANTIATE_VECTOR(dim, VectorType)                         \
  template void PreconditionLocalMultigrid<dim>::vmult(VectorType &,        \
                                                       const VectorType &)  \
    const;                                                                  \
  template void PreconditionLocalMultigrid<dim>::Tvmult(VectorType &,       \
                                                        const VectorType &) \
    const;
#define TESSERA_INSTANTIATE(dim)                                              \
  template class PreconditionLocalMultigrid<dim>;                             \
  TESSERA_INSTANTIATE_VECTOR(dim, Vector<double>)                             \
  TESSERA_INSTANTIATE_VECTOR(dim, Vector<float>)                              \
  TESSERA_INSTANTIATE_VECTOR(dim, LinearAlgebra::distributed::Vector<double>) \
  TESSERA_INSTANTIATE_VECTOR(dim, LinearAlgebra::distributed::Vector<float>)
  TESSERA_INSTANTIATE(2)
  TESSERA_INSTANTIATE(3)
#undef TESSERA_INSTANTIATE
#undef TESSERA_INSTANTIATE_VECTOR
} // namespace tessera::dealii_adapters
