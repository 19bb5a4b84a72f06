// Tensor products of matrices of different sizes, with several numbers for each
// entry: against sums over all indices.
#include <tessera/sipg/tensor_products.h>

#include <cmath>
#include <vector>

#include "check.h"
#include "meshes.h"

using namespace sipg_tests;
using tessera::DenseMatrix;

namespace
{
  DenseMatrix
  random_matrix(const int n_rows, const int n_columns, Random &random)
  {
    DenseMatrix A(n_rows, n_columns);
    for (int i = 0; i < n_rows; ++i)
      for (int j = 0; j < n_columns; ++j)
        A(i, j) = random();
    return A;
  }

  template <std::size_t m>
  void
  check_product(const std::array<DenseMatrix, m> &A,
                const int                         n_fast,
                TensorProducts                   &products,
                Random                           &random)
  {
    std::size_t                        n_from = 1, n_to = 1;
    std::array<const DenseMatrix *, m> pointers;
    for (std::size_t a = 0; a < m; ++a)
      {
        n_from *= A[a].n_columns();
        n_to *= A[a].n_rows();
        pointers[a] = &A[a];
      }
    std::vector<double> from(n_from * n_fast), to(n_to * n_fast, NAN);
    for (double &value : from)
      value = random();
    products.multiply(pointers, n_fast, from.data(), to.data());
    for (std::size_t i = 0; i < n_to; ++i)
      for (int s = 0; s < n_fast; ++s)
        {
          double sum = 0.;
          for (std::size_t j = 0; j < n_from; ++j)
            {
              double      product = from[j * n_fast + s];
              std::size_t row = i, column = j;
              for (std::size_t a = 0; a < m; ++a)
                {
                  product *=
                    A[a](row % A[a].n_rows(), column % A[a].n_columns());
                  row /= A[a].n_rows();
                  column /= A[a].n_columns();
                }
              sum += product;
            }
          CHECK_NEAR(to[i * n_fast + s], sum, 1e-14);
        }
  }
} // namespace

int
main()
{
  Random         random(1);
  TensorProducts products; // one for all: its scratch arrays grow
  for (const int n_fast : {1, 3, 8})
    {
      check_product<1>({random_matrix(3, 5, random)}, n_fast, products, random);
      check_product<2>({random_matrix(4, 2, random),
                        random_matrix(3, 5, random)},
                       n_fast,
                       products,
                       random);
      check_product<3>({random_matrix(5, 2, random),
                        random_matrix(2, 4, random),
                        random_matrix(6, 3, random)},
                       n_fast,
                       products,
                       random);
      check_product<3>({random_matrix(2, 4, random),
                        random_matrix(4, 3, random),
                        random_matrix(1, 2, random)},
                       n_fast,
                       products,
                       random);
    }

  const DenseMatrix A(2, 2), B(2, 2);
  const auto        matrices = one_axis<3>(B, 1, A);
  CHECK(matrices[0] == &A);
  CHECK(matrices[1] == &B);
  CHECK(matrices[2] == &A);
  return check::result();
}
