// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/conversion.h>

#include <AztecOO.h>
#include <Epetra_CrsMatrix.h>
#include <Epetra_LinearProblem.h>
#include <Epetra_Map.h>
#include <Epetra_MpiComm.h>
#include <Epetra_Vector.h>
#include <ml_MultiLevelPreconditioner.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "benchmarks/elasticity_amg/solver.h"

namespace benchmark
{
  namespace
  {
    void
    check(const int error)
    {
      if (error < 0)
        throw tessera::InputError("Trilinos failed with error " +
                                  std::to_string(error) + ".");
    }

    class MLSolver : public Solver
    {
    public:
      MLSolver(Problem problem, const double the_threshold)
        : threshold(the_threshold)
        , n_modes(problem.n_modes)
        , block_size(problem.A.shape().rows)
        , communicator(MPI_COMM_SELF)
        , map(int(problem.b.size()), 0, communicator)
        , A(matrix(problem.A, map))
        , x(map)
        , b(map)
        , modes(problem.modes.size())
      {
        first   = values(A);
        changed = values(matrix(problem.changed, map));
        std::copy(problem.b.begin(), problem.b.end(), b.Values());
        const std::size_t n = problem.b.size();
        for (std::size_t i = 0; i < n; ++i)
          for (int mode = 0; mode < n_modes; ++mode)
            modes[mode * n + i] = problem.modes[i * n_modes + mode];
      }

      void
      set_up_cold() override
      {
        preconditioner.reset();
        Teuchos::ParameterList list;
        ML_Epetra::SetDefaults("SA", list);
        list.set("ML output", 0);
        list.set("PDE equations", block_size);
        list.set("aggregation: type", "Uncoupled");
        list.set("aggregation: threshold", threshold);
        list.set("smoother: type", "Chebyshev");
        list.set("smoother: sweeps", 2);
        list.set("coarse: max size", 2000);
        list.set("null space: type", "pre-computed");
        list.set("null space: dimension", n_modes);
        list.set("null space: vectors", modes.data());
        list.set("null space: add default vectors", false);
        list.set("reuse: enable", true);
        preconditioner =
          std::make_unique<ML_Epetra::MultiLevelPreconditioner>(A, list);
      }

      void
      use_changed(const bool use) override
      {
        const std::vector<double> &from = use ? changed : first;
        std::copy(from.begin(), from.end(), data(A));
      }

      void
      set_up_hot() override
      {
        check(preconditioner->ReComputePreconditioner());
      }

      unsigned int
      solve() override
      {
        x.PutScalar(0.);
        Epetra_LinearProblem problem(&A, &x, &b);
        AztecOO              cg(problem);
        check(cg.SetPrecOperator(preconditioner.get()));
        cg.SetAztecOption(AZ_solver, AZ_cg);
        cg.SetAztecOption(AZ_conv, AZ_rhs);
        cg.SetAztecOption(AZ_output, AZ_none);
        const int error = cg.Iterate(solve_max_iterations, solve_tolerance);
        return error == 0 ? cg.NumIters() : 0;
      }

      std::vector<double>
      solution() const override
      {
        return std::vector<double>(x.Values(), x.Values() + x.MyLength());
      }

      Figures
      figures() override
      {
        const ML *hierarchy = preconditioner->GetML();
        const int n_levels  = hierarchy->ML_num_actual_levels;
        const int finest    = hierarchy->ML_finest_level;
        double    entries   = 0.;
        for (int l = 0; l < n_levels; ++l)
          entries += hierarchy->Amat[std::abs(finest - l)].N_nonzeros;
        Figures result;
        result["levels"]              = n_levels;
        result["operator complexity"] = entries / A.NumMyNonzeros();
        result["matrix bytes"]        = 12. * A.NumMyNonzeros();
        result["galerkin seconds"]    = seconds_of_products();
        return result;
      }

    private:
      /** Its products once more, for it tells no times. */
      double
      seconds_of_products() const
      {
        ML          *hierarchy = const_cast<ML *>(preconditioner->GetML());
        const int    finest    = hierarchy->ML_finest_level;
        const double start     = process_seconds();
        for (int l = 0; l + 1 < hierarchy->ML_num_actual_levels; ++l)
          {
            ML_Operator *product = ML_Operator_Create(hierarchy->comm);
            const int    fine    = std::abs(finest - l),
                      coarse     = std::abs(finest - l - 1);
            ML_rap(&hierarchy->Rmat[fine],
                   &hierarchy->Amat[fine],
                   &hierarchy->Pmat[coarse],
                   product,
                   ML_CSR_MATRIX);
            ML_Operator_Destroy(&product);
          }
        return process_seconds() - start;
      }

      static Epetra_CrsMatrix
      matrix(const BlockMatrix<double> &blocks, const Epetra_Map &rows)
      {
        const BlockMatrix<double> numbers = to_scalar(blocks);
        const auto               &pattern = numbers.pattern();
        std::vector<int>          lengths;
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          lengths.push_back(pattern.row_begin()[i + 1] -
                            pattern.row_begin()[i]);
        Epetra_CrsMatrix result(Copy, rows, rows, lengths.data(), true);
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            const std::int64_t begin = pattern.row_begin()[i];
            check(result.InsertMyValues(i,
                                        lengths[i],
                                        numbers.values() + begin,
                                        const_cast<int *>(
                                          pattern.column_indices() + begin)));
          }
        check(result.FillComplete());
        check(result.OptimizeStorage());
        return result;
      }

      /** All values, row by row. */
      static double *
      data(const Epetra_CrsMatrix &A)
      {
        int    *row_begin, *columns;
        double *values;
        check(A.ExtractCrsDataPointers(row_begin, columns, values));
        return values;
      }

      static std::vector<double>
      values(const Epetra_CrsMatrix &A)
      {
        return std::vector<double>(data(A), data(A) + A.NumMyNonzeros());
      }

      double              threshold;
      int                 n_modes, block_size;
      Epetra_MpiComm      communicator;
      Epetra_Map          map;
      Epetra_CrsMatrix    A;
      std::vector<double> first, changed;
      Epetra_Vector       x, b;
      std::vector<double> modes; ///< [mode][number]

      std::unique_ptr<ML_Epetra::MultiLevelPreconditioner> preconditioner;
    };
  } // namespace



  std::vector<SolverKind>
  ml_solvers()
  {
    // A larger threshold makes set-ups faster and the solution slower.
    std::vector<SolverKind> result;
    for (const double threshold : {1e-4, 0.01})
      {
        char name[64];
        std::snprintf(name, sizeof(name), "ML, threshold %g", threshold);
        result.push_back(
          {name,
           false,
           "ML of Trilinos, conjugate gradients of AztecOO; defaults SA, PDE "
           "equations 3, Uncoupled, Chebyshev of degree 2, coarse size 2000, "
           "rigid motions as pre-computed null space, reuse",
           [threshold](Problem problem) {
             return std::make_unique<MLSolver>(std::move(problem), threshold);
           }});
      }
    return result;
  }
} // namespace benchmark
