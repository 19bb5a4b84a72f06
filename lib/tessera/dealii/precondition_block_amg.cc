// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/amg/block_amg.h>
#include <tessera/base/exceptions.h>
#include <tessera/dealii/matrix_in_blocks.h>
#include <tessera/dealii/precondition_block_amg.h>

#include <deal.II/lac/la_parallel_vector.h>
#ifdef DEAL_II_WITH_TRILINOS
#  include <deal.II/lac/trilinos_vector.h>
#endif

#include <algorithm>
#include <ostream>
#include <string>
#include <type_traits>

namespace tessera::dealii_adapters
{
  using namespace dealii;

  namespace
  {
    enum class KindOfMatrix
    {
      blocks,
      dealii,
      trilinos
    };

    template <typename Matrix>
    constexpr KindOfMatrix
    kind_of()
    {
      return std::is_same<Matrix, sparse::BlockMatrix<double>>::value ?
               KindOfMatrix::blocks :
             std::is_same<Matrix, SparseMatrix<double>>::value ?
               KindOfMatrix::dealii :
               KindOfMatrix::trilinos;
    }
  } // namespace



  class PreconditionBlockAMG::Implementation
  {
  public:
    template <typename Matrix>
    Implementation(const Matrix &matrix, const AdditionalData &data)
      : kind(kind_of<Matrix>())
    {
      if constexpr (kind_of<Matrix>() == KindOfMatrix::blocks)
        set_up(matrix, data);
      else
        {
          copy = matrix_in_blocks(matrix, checked_block_size(data));
          set_up(copy, data);
        }
    }

    template <typename Matrix>
    void
    update(const Matrix &matrix)
    {
      if (kind != kind_of<Matrix>())
        throw InputError("PreconditionBlockAMG is updated with another kind of "
                         "matrix than it was initialized with. Call "
                         "initialize().");
      if constexpr (kind_of<Matrix>() == KindOfMatrix::blocks)
        amg.update(matrix);
      else
        {
          copy_values(matrix, copy);
          amg.update(copy);
        }
    }

    template <typename VectorType>
    void
    apply(VectorType &dst, const VectorType &src) const
    {
      if (&dst == &src)
        throw InputError("PreconditionBlockAMG cannot overwrite its argument: "
                         "dst and src have to be different vectors.");
      if constexpr (std::is_same<VectorType,
                                 sparse::BlockVector<double>>::value)
        amg.vmult(dst, src);
      else
        {
          const std::size_t n = r.n_owned_values();
          for (const std::size_t size : {src.size(), dst.size()})
            if (size != n)
              throw InputError(
                "A vector has " + std::to_string(size) +
                " entries; the matrix that PreconditionBlockAMG was "
                "initialized with has " +
                std::to_string(n) + " rows.");
          std::copy(src.begin(), src.begin() + n, r.data());
          amg.vmult(z, r);
          std::copy(z.data(), z.data() + n, dst.begin());
        }
    }

    std::size_t
    n_rows() const
    {
      return r.n_owned_values();
    }

    std::size_t
    memory_consumption() const
    {
      return sizeof(*this) + amg.memory_consumption() +
             (kind == KindOfMatrix::blocks ? 0 : copy.memory_consumption()) +
             2 * sizeof(double) * n_rows();
    }

    const amg::HierarchyRecord &
    record() const
    {
      return amg.record();
    }

  private:
    void
    set_up(const sparse::BlockMatrix<double> &matrix,
           const AdditionalData              &data)
    {
      const amg::NearNullSpace modes = near_null_space(data, matrix);
      amg.initialize(matrix, modes, keys_of_nodes(data, matrix), data.options);
      r = sparse::BlockVector<double>(matrix.pattern().rows(),
                                      matrix.shape().rows);
      z = sparse::BlockVector<double>(matrix.pattern().rows(),
                                      matrix.shape().rows);
    }

    const KindOfMatrix          kind;
    sparse::BlockMatrix<double> copy; ///< of a matrix of numbers
    amg::BlockAMG               amg;

    // Of vmult().
    mutable sparse::BlockVector<double> r, z;
  };



  PreconditionBlockAMG::PreconditionBlockAMG() = default;



  PreconditionBlockAMG::~PreconditionBlockAMG() = default;



  template <typename Matrix>
  void
  PreconditionBlockAMG::update_or_clear(const Matrix &matrix)
  {
    try
      {
        initialized().update(matrix);
      }
    catch (...)
      {
        // A copy of the matrix may have new values that the levels have not.
        clear();
        throw;
      }
  }



  void
  PreconditionBlockAMG::initialize(const sparse::BlockMatrix<double> &matrix,
                                   const AdditionalData              &data)
  {
    clear();
    implementation = std::make_unique<Implementation>(matrix, data);
  }



  void
  PreconditionBlockAMG::initialize(const SparseMatrix<double> &matrix,
                                   const AdditionalData       &data)
  {
    clear();
    implementation = std::make_unique<Implementation>(matrix, data);
  }



  void
  PreconditionBlockAMG::update(const sparse::BlockMatrix<double> &matrix)
  {
    update_or_clear(matrix);
  }



  void
  PreconditionBlockAMG::update(const SparseMatrix<double> &matrix)
  {
    update_or_clear(matrix);
  }



#ifdef DEAL_II_WITH_TRILINOS
  void
  PreconditionBlockAMG::initialize(const TrilinosWrappers::SparseMatrix &matrix,
                                   const AdditionalData                 &data)
  {
    clear();
    implementation = std::make_unique<Implementation>(matrix, data);
  }



  void
  PreconditionBlockAMG::update(const TrilinosWrappers::SparseMatrix &matrix)
  {
    update_or_clear(matrix);
  }
#endif



  void
  PreconditionBlockAMG::clear()
  {
    implementation.reset();
  }



  PreconditionBlockAMG::Implementation &
  PreconditionBlockAMG::initialized() const
  {
    if (!implementation)
      throw InputError("PreconditionBlockAMG is used before it is initialized: "
                       "call initialize() first.");
    return *implementation;
  }



  template <typename VectorType>
  void
  PreconditionBlockAMG::vmult(VectorType &dst, const VectorType &src) const
  {
    initialized().apply(dst, src);
  }



  template <typename VectorType>
  void
  PreconditionBlockAMG::Tvmult(VectorType &dst, const VectorType &src) const
  {
    initialized().apply(dst, src);
  }



  types::global_dof_index
  PreconditionBlockAMG::m() const
  {
    return implementation ?
             static_cast<types::global_dof_index>(implementation->n_rows()) :
             0;
  }



  types::global_dof_index
  PreconditionBlockAMG::n() const
  {
    return m();
  }



  std::size_t
  PreconditionBlockAMG::memory_consumption() const
  {
    return sizeof(*this) +
           (implementation ? implementation->memory_consumption() : 0);
  }



  const amg::HierarchyRecord &
  PreconditionBlockAMG::record() const
  {
    return initialized().record();
  }



  void
  PreconditionBlockAMG::print_hierarchy(std::ostream &out) const
  {
    out << amg::print_hierarchy(initialized().record());
  }



#define TESSERA_INSTANTIATE(VectorType)                                        \
  template void PreconditionBlockAMG::vmult(VectorType &, const VectorType &)  \
    const;                                                                     \
  template void PreconditionBlockAMG::Tvmult(VectorType &, const VectorType &) \
    const;
  TESSERA_INSTANTIATE(Vector<double>)
  TESSERA_INSTANTIATE(LinearAlgebra::distributed::Vector<double>)
  TESSERA_INSTANTIATE(sparse::BlockVector<double>)
#ifdef DEAL_II_WITH_TRILINOS
  TESSERA_INSTANTIATE(TrilinosWrappers::MPI::Vector)
#endif
#undef TESSERA_INSTANTIATE
} // namespace tessera::dealii_adapters
