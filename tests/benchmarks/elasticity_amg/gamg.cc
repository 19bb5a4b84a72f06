// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/sparse/conversion.h>

#include <petscksp.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/elasticity_amg/solver.h"

namespace benchmark
{
  namespace
  {
    void
    check(const PetscErrorCode error)
    {
      if (error != 0)
        throw tessera::InputError("PETSc failed with error " +
                                  std::to_string(error) + ".");
    }

    using Options = std::vector<std::pair<const char *, const char *>>;

    /** Those that our defaults come from. The smoother has the diagonal, for
     * with diagonal blocks (pbjacobi) version 3.18 fails: aggregates of less
     * than three nodes give zero rows on the next level. */
    const Options common = {{"-ksp_type", "cg"},
                            {"-ksp_norm_type", "unpreconditioned"},
                            {"-pc_type", "gamg"},
                            {"-pc_gamg_type", "agg"},
                            {"-pc_gamg_agg_nsmooths", "1"},
                            {"-pc_gamg_threshold", "0.05"},
                            {"-pc_gamg_threshold_scale", "0.5"},
                            {"-pc_gamg_aggressive_coarsening", "1"},
                            {"-pc_gamg_coarse_eq_limit", "2000"},
                            {"-pc_gamg_reuse_interpolation", "true"},
                            {"-mg_levels_ksp_type", "chebyshev"},
                            {"-mg_levels_ksp_max_it", "2"},
                            {"-mg_levels_pc_type", "jacobi"}};

    /** Products by a transposed prolongator are faster and take memory. */
    const Options rap = {{"-matptap_via", "rap"}};

    /** PETSC_OPTIONS of the environment are stronger. */
    void
    set(const Options &options)
    {
      for (const auto &option : options)
        {
          PetscBool is_set;
          check(PetscOptionsHasName(nullptr, nullptr, option.first, &is_set));
          if (!is_set)
            check(PetscOptionsSetValue(nullptr, option.first, option.second));
        }
    }

    class GamgSolver : public Solver
    {
    public:
      GamgSolver(const Problem &problem, const Options &more_options)
      {
        check(PetscInitializeNoArguments());
        check(PetscPopSignalHandler());
        check(PetscLogDefaultBegin());
        set(common);
        set(more_options);
        const int n = problem.A.shape().rows;
        first       = matrix(problem.A);
        changed     = matrix(problem.changed);
        check(MatDuplicate(first, MAT_COPY_VALUES, &A));
        check(MatSetBlockSize(A, n));
        check(MatSetOption(A, MAT_SPD, PETSC_TRUE));
        check(MatCreateVecs(A, &x, &b));
        check(VecSetBlockSize(b, n));
        fill(b, problem.b);
        set_near_null_space(problem);
        check(PetscLogEventGetId("MatPtAPNumeric", &product_event));
      }

      ~GamgSolver() override
      {
        KSPDestroy(&ksp);
        VecDestroy(&x);
        VecDestroy(&b);
        MatDestroy(&A);
        MatDestroy(&first);
        MatDestroy(&changed);
        PetscFinalize();
      }

      void
      set_up_cold() override
      {
        const double start = product_seconds();
        check(KSPDestroy(&ksp));
        check(KSPCreate(PETSC_COMM_SELF, &ksp));
        check(KSPSetTolerances(ksp,
                               solve_tolerance,
                               PETSC_DEFAULT,
                               PETSC_DEFAULT,
                               solve_max_iterations));
        check(KSPSetFromOptions(ksp));
        check(KSPSetOperators(ksp, A, A));
        check(KSPSetUp(ksp));
        galerkin = product_seconds() - start;
      }

      void
      use_changed(const bool use) override
      {
        check(MatCopy(use ? changed : first, A, SAME_NONZERO_PATTERN));
      }

      void
      set_up_hot() override
      {
        const double start = product_seconds();
        check(KSPSetOperators(ksp, A, A));
        check(KSPSetUp(ksp));
        galerkin = product_seconds() - start;
      }

      unsigned int
      solve() override
      {
        check(KSPSolve(ksp, b, x));
        KSPConvergedReason reason;
        PetscInt           n_iterations;
        check(KSPGetConvergedReason(ksp, &reason));
        check(KSPGetIterationNumber(ksp, &n_iterations));
        return reason > 0 ? n_iterations : 0;
      }

      std::vector<double>
      solution() const override
      {
        PetscInt           n;
        const PetscScalar *from;
        check(VecGetSize(x, &n));
        check(VecGetArrayRead(x, &from));
        std::vector<double> values(from, from + n);
        check(VecRestoreArrayRead(x, &from));
        return values;
      }

      Figures
      figures() override
      {
        PC        pc;
        PetscInt  n_levels;
        PetscReal grid, operators;
        MatInfo   info;
        check(MatGetInfo(A, MAT_LOCAL, &info));
        check(KSPGetPC(ksp, &pc));
        check(PCMGGetLevels(pc, &n_levels));
        check(PCMGGetGridComplexity(pc, &grid, &operators));
        return {{"galerkin seconds", galerkin},
                {"levels", n_levels},
                {"operator complexity", operators},
                {"matrix bytes", 12. * info.nz_used}};
      }

    private:
      /** In compressed rows of numbers. */
      static Mat
      matrix(const BlockMatrix<double> &blocks)
      {
        const BlockMatrix<double>   numbers = to_scalar(blocks);
        const auto                 &pattern = numbers.pattern();
        const std::vector<PetscInt> row_begin(pattern.row_begin(),
                                              pattern.row_begin() +
                                                pattern.n_rows() + 1);
        Mat                         result;
        check(MatCreate(PETSC_COMM_SELF, &result));
        check(MatSetSizes(result,
                          pattern.n_rows(),
                          pattern.n_columns(),
                          pattern.n_rows(),
                          pattern.n_columns()));
        check(MatSetType(result, MATSEQAIJ));
        check(MatSeqAIJSetPreallocationCSR(result,
                                           row_begin.data(),
                                           pattern.column_indices(),
                                           numbers.values()));
        return result;
      }

      static void
      fill(Vec vector, const std::vector<double> &values)
      {
        PetscScalar *to;
        check(VecGetArrayWrite(vector, &to));
        std::copy(values.begin(), values.end(), to);
        check(VecRestoreArrayWrite(vector, &to));
      }

      void
      set_near_null_space(const Problem &problem)
      {
        MatNullSpace modes;
        if (problem.n_modes == 1)
          check(MatNullSpaceCreate(
            PETSC_COMM_SELF, PETSC_TRUE, 0, nullptr, &modes));
        else
          {
            Vec coordinates;
            check(VecDuplicate(b, &coordinates));
            fill(coordinates, problem.coordinates);
            check(MatNullSpaceCreateRigidBody(coordinates, &modes));
            check(VecDestroy(&coordinates));
          }
        check(MatSetNearNullSpace(A, modes));
        check(MatNullSpaceDestroy(&modes));
      }

      /** Of all numeric Galerkin products so far. */
      double
      product_seconds() const
      {
        PetscEventPerfInfo info;
        check(PetscLogEventGetPerfInfo(PETSC_DETERMINE, product_event, &info));
        return info.time;
      }

      Mat           A = nullptr, first = nullptr, changed = nullptr;
      Vec           x = nullptr, b = nullptr;
      KSP           ksp = nullptr;
      PetscLogEvent product_event;
      double        galerkin = 0.;
    };
  } // namespace



  std::vector<SolverKind>
  gamg_solvers()
  {
    const std::string version = "PETSc " + std::to_string(PETSC_VERSION_MAJOR) +
                                "." + std::to_string(PETSC_VERSION_MINOR) +
                                "." + std::to_string(PETSC_VERSION_SUBMINOR);
    std::vector<SolverKind> result;
    const auto add = [&](const std::string &name, const Options &more) {
      std::string configuration = version + ", AIJ with block size:";
      for (const Options &options : {common, more})
        for (const auto &option : options)
          configuration +=
            std::string(" ") + option.first + " " + option.second;
      result.push_back({name, false, configuration, [more](Problem problem) {
                          return std::make_unique<GamgSolver>(problem, more);
                        }});
    };
    add("PETSc GAMG", {});
    add("PETSc GAMG, rap", rap);
    return result;
  }
} // namespace benchmark
