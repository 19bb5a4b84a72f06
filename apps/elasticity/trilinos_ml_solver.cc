// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/trilinos_ml_solver.h"

#include <tessera/amg/inactive_components.h>
#include <tessera/base/exceptions.h>

#include <deal.II/base/config.h>
#ifdef DEAL_II_WITH_TRILINOS
#  include <deal.II/base/index_set.h>
#  include <deal.II/lac/trilinos_precondition.h>
#  include <deal.II/lac/trilinos_sparse_matrix.h>

#  include <Epetra_Operator.h>
#  include <Epetra_Vector.h>
#  include <ml_MultiLevelPreconditioner.h>

#  include "elasticity/scalar_rows.h"

namespace tessera::elasticity
{
  using namespace dealii;

  class TrilinosMLSolver::Implementation
  {
  public:
    Implementation(const sparse::BlockMatrix<double> &A,
                   const amg::NearNullSpace          &modes,
                   const int                          coarse_size_limit)
      : matrix(complete_index_set(n_rows(A)), MPI_COMM_SELF, row_lengths(A))
    {
      copy_values(A);

      // Mode after mode, without constrained components.
      const amg::InactiveComponents inactive = amg::find_inactive_components(A);
      const std::size_t             n        = n_rows(A);
      const int                     size     = A.shape().rows;
      null_space.resize(n * modes.n_modes());
      for (int mode = 0; mode < modes.n_modes(); ++mode)
        for (std::size_t i = 0; i < n; ++i)
          null_space[mode * n + i] =
            inactive.is_inactive(sparse::LocalIndex(i / size), int(i % size)) ?
              0. :
              modes.data()[i * modes.n_modes() + mode];

      Teuchos::ParameterList list;
      ML_Epetra::SetDefaults("SA", list);
      list.set("ML output", 0);
      list.set("initialize random seed", true);
      list.set("aggregation: type", "Uncoupled");
      list.set("aggregation: threshold", 0.);
      list.set("smoother: type", "Chebyshev");
      list.set("smoother: sweeps", 2);
      list.set("smoother: Chebyshev alpha", 10.);
      list.set("coarse: type", "Amesos-KLU");
      list.set("coarse: max size", coarse_size_limit);
      list.set("cycle applications", 1);
      list.set("prec type", "MGV");
      list.set("PDE equations", A.shape().rows);
      list.set("null space: type", "pre-computed");
      list.set("null space: dimension", modes.n_modes());
      list.set("null space: vectors", null_space.data());
      list.set("null space: add default vectors", false);
      preconditioner.initialize(matrix, list);
    }

    void
    apply(sparse::BlockVector<double>       &z,
          const sparse::BlockVector<double> &r) const
    {
      const Epetra_Operator &C     = preconditioner.trilinos_operator();
      const Epetra_Map      &range = C.OperatorRangeMap();
      // Epetra has no view of constant values.
      const Epetra_Vector source(View, range, const_cast<double *>(r.data()));
      Epetra_Vector       target(View, range, z.data());
      const int           status = C.ApplyInverse(source, target);
      if (status != 0)
        throw SolverBreakdown("Trilinos ML failed with status " +
                              std::to_string(status) + '.');
    }

    std::size_t
    memory_consumption() const
    {
      return matrix.memory_consumption() + preconditioner.memory_consumption() +
             null_space.size() * sizeof(double);
    }

  private:
    static types::global_dof_index
    n_rows(const sparse::BlockMatrix<double> &A)
    {
      return static_cast<types::global_dof_index>(A.pattern().n_rows()) *
             A.shape().rows;
    }

    static std::vector<unsigned int>
    row_lengths(const sparse::BlockMatrix<double> &A)
    {
      std::vector<unsigned int> result;
      for_each_scalar_row(A,
                          [&](const auto, const auto &columns, const auto &) {
                            result.push_back(
                              static_cast<unsigned int>(columns.size()));
                          });
      return result;
    }

    void
    copy_values(const sparse::BlockMatrix<double> &A)
    {
      for_each_scalar_row(
        A, [&](const auto row, const auto &columns, const auto &values) {
          matrix.set(row, columns, values);
        });
      matrix.compress(VectorOperation::insert);
    }

    TrilinosWrappers::SparseMatrix    matrix;
    std::vector<double>               null_space;
    TrilinosWrappers::PreconditionAMG preconditioner;
  };



  TrilinosMLSolver::TrilinosMLSolver(const LinearSolverOptions &options)
    : LinearSolver(options)
  {}



  void
  TrilinosMLSolver::initialize(const sparse::BlockMatrix<double> &A,
                               const amg::NearNullSpace          &modes,
                               const std::vector<std::uint64_t> &)
  {
    implementation.reset();
    implementation = std::make_unique<Implementation>(
      A, modes, int(get_options().block_amg.coarse_size_limit));
  }



  amg::SolveResult
  TrilinosMLSolver::solve_system(const sparse::BlockVector<double> &b,
                                 sparse::BlockVector<double>       &x,
                                 const amg::SolveOptions &solve_options)
  {
    return amg::solve(
      matrix(),
      [this](auto &z, const auto &r) { implementation->apply(z, r); },
      b,
      x,
      solve_options);
  }



  std::size_t
  TrilinosMLSolver::memory_consumption() const
  {
    return implementation ? implementation->memory_consumption() : 0;
  }



  TrilinosMLSolver::~TrilinosMLSolver() = default;



  std::string
  TrilinosMLSolver::description() const
  {
    return "conjugate gradients with Trilinos ML (rigid-body modes, Chebyshev "
           "smoothers of degree 2)";
  }
} // namespace tessera::elasticity
#endif
