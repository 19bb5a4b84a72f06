// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>

#include <petscmat.h>

#include <algorithm>
#include <utility>

#include "peer.h"

namespace benchmark
{
  namespace
  {
    using tessera::sparse::BlockMatrix;

    void
    check(const PetscErrorCode error)
    {
      if (error != 0)
        throw tessera::InputError("PETSc failed with error " +
                                  std::to_string(error) + ".");
    }

    /** A matrix of PETSc: compressed rows of numbers, or of square blocks. */
    class Matrix
    {
    public:
      explicit Matrix(const BlockMatrix<double> &A)
        : row_begin(A.pattern().row_begin(),
                    A.pattern().row_begin() + A.pattern().n_rows() + 1)
      {
        const PetscInt  n            = A.shape().rows;
        const PetscInt  n_rows       = A.pattern().n_rows() * n;
        const PetscInt  n_columns    = A.pattern().n_columns() * n;
        const PetscInt *first_column = A.pattern().column_indices();
        if (n == 1)
          {
            columns.assign(first_column, first_column + A.pattern().n_blocks());
            values.assign(A.values(), A.values() + A.n_values());
            check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF,
                                            n_rows,
                                            n_columns,
                                            row_begin.data(),
                                            columns.data(),
                                            values.data(),
                                            &matrix));
            return;
          }
        check(MatCreate(PETSC_COMM_SELF, &matrix));
        check(MatSetSizes(matrix, n_rows, n_columns, n_rows, n_columns));
        check(MatSetType(matrix, MATSEQBAIJ));
        check(MatSeqBAIJSetPreallocationCSR(
          matrix, n, row_begin.data(), first_column, A.values()));
      }

      Matrix(const Matrix &) = delete;
      Matrix &
      operator=(const Matrix &) = delete;

      ~Matrix()
      {
        MatDestroy(&matrix);
      }

      Mat matrix;

    private:
      std::vector<PetscInt>    row_begin, columns;
      std::vector<PetscScalar> values;
    };



    class PetscMatrixVector : public PeerMatrixVector
    {
    public:
      PetscMatrixVector(const BlockMatrix<double> &our_A,
                        const std::vector<double> &values_of_x)
        : A(our_A)
      {
        check(MatCreateVecs(A.matrix, &x, &y));
        PetscScalar *to;
        check(VecGetArrayWrite(x, &to));
        std::copy(values_of_x.begin(), values_of_x.end(), to);
        check(VecRestoreArrayWrite(x, &to));
      }

      ~PetscMatrixVector() override
      {
        VecDestroy(&x);
        VecDestroy(&y);
      }

      void
      multiply() override
      {
        check(MatMult(A.matrix, x, y));
      }

      std::vector<double>
      result() const override
      {
        const PetscScalar *from;
        PetscInt           n;
        check(VecGetSize(y, &n));
        check(VecGetArrayRead(y, &from));
        std::vector<double> values(from, from + n);
        check(VecRestoreArrayRead(y, &from));
        return values;
      }

    private:
      Matrix A;
      Vec    x, y;
    };



    class PetscProduct : public PeerProduct
    {
    public:
      PetscProduct(const BlockMatrix<double> &scalar_A,
                   const BlockMatrix<double> &scalar_P)
        : A(scalar_A)
        , P(scalar_P)
      {
        check(
          MatPtAP(A.matrix, P.matrix, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &A_c));
      }

      ~PetscProduct() override
      {
        MatDestroy(&A_c);
      }

      void
      multiply() override
      {
        check(
          MatPtAP(A.matrix, P.matrix, MAT_REUSE_MATRIX, PETSC_DEFAULT, &A_c));
      }

      std::vector<double>
      result() override
      {
        check(MatZeroEntries(A_c));
        multiply();
        std::vector<double> values;
        PetscInt            n_rows, n_columns;
        check(MatGetSize(A_c, &n_rows, &n_columns));
        for (PetscInt i = 0; i < n_rows; ++i)
          {
            PetscInt           n;
            const PetscScalar *row;
            check(MatGetRow(A_c, i, &n, nullptr, &row));
            values.insert(values.end(), row, row + n);
            check(MatRestoreRow(A_c, i, &n, nullptr, &row));
          }
        return values;
      }

    private:
      Matrix A, P;
      Mat    A_c;
    };
  } // namespace



  Peer::Peer()
  {
    check(PetscInitializeNoArguments());
    check(PetscPopSignalHandler());
  }

  Peer::~Peer()
  {
    PetscFinalize();
  }

  std::string
  Peer::name()
  {
    return "PETSc " + std::to_string(PETSC_VERSION_MAJOR) + "." +
           std::to_string(PETSC_VERSION_MINOR) + "." +
           std::to_string(PETSC_VERSION_SUBMINOR);
  }

  std::unique_ptr<PeerMatrixVector>
  Peer::matrix_vector(const BlockMatrix<double> &A,
                      const std::vector<double> &x) const
  {
    return std::make_unique<PetscMatrixVector>(A, x);
  }

  std::unique_ptr<PeerProduct>
  Peer::product(const BlockMatrix<double> &A,
                const BlockMatrix<double> &P) const
  {
    return std::make_unique<PetscProduct>(A, P);
  }
} // namespace benchmark
