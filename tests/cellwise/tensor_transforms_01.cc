// SPDX-License-Identifier: LGPL-2.1-or-later
// Transforms between nodes and modes agree with products by dense matrices,
// undo each other, and turn reflections into changes of sign, bit for bit. Any
// lane policy will do; here it is a number.
#include <tessera/cellwise/reference_cell.h>
#include <tessera/cellwise/tensor_transforms.h>

#include <array>
#include <cmath>

#include "check.h"
#include "fields.h"

using namespace tessera;
using namespace tessera::cellwise;

namespace
{
  struct Scalar
  {
    using T = double;
    using V = double;

    static double
    set(const double x)
    {
      return x;
    }

    static double
    fma(const double a, const double b, const double c)
    {
      return std::fma(a, b, c);
    }
  };

  template <int N>
  using Values = std::array<double, N>;

  /** Entry (i, j) of A x ... x A. */
  template <int dim>
  double
  entry(const DenseMatrix &A, int i, int j)
  {
    const int q       = int(A.n_rows());
    double    product = 1.;
    for (int d = 0; d < dim; ++d, i /= q, j /= q)
      product *= A(i % q, j % q);
    return product;
  }

  /** Node or mode k after a reflection in direction d. */
  int
  mirrored(const int k, const int d, const int q)
  {
    const int stride = power(q, d), i = k / stride % q;
    return k + (q - 1 - 2 * i) * stride;
  }

  template <int dim, int q>
  void
  check_transform(const DenseMatrix &A, const DenseMatrix &inverse)
  {
    constexpr int N = power(q, dim);
    Values<N>     u;
    for (double &x : u)
      x = test::random_number();

    Values<N> to_modes = u, to_nodes = u;
    transform_to_modes<dim, q, Scalar>(A.data(), to_modes.data());
    transform_to_nodes<dim, q, Scalar>(A.data(), to_nodes.data());
    double error = 0.;
    for (int i = 0; i < N; ++i)
      {
        double y = 0., yt = 0.;
        for (int j = 0; j < N; ++j)
          {
            y += entry<dim>(A, i, j) * u[j];
            yt += entry<dim>(A, j, i) * u[j];
          }
        error = std::fmax(error, std::abs(y - to_modes[i]));
        error = std::fmax(error, std::abs(yt - to_nodes[i]));
      }
    CHECK(error < 1e-15 * std::pow(q * 3., dim));

    // (A^-1)^T has the same parities as A.
    Values<N>         back = to_modes;
    const DenseMatrix B    = transpose(inverse);
    transform_to_nodes<dim, q, Scalar>(B.data(), back.data());
    for (int i = 0; i < N; ++i)
      CHECK_NEAR(back[i], u[i], 1e-13);

    for (int d = 0; d < dim; ++d)
      {
        Values<N> nodes, modes;
        for (int k = 0; k < N; ++k)
          {
            const bool odd = k / power(q, d) % q % 2 == 1;
            nodes[k]       = u[mirrored(k, d, q)];
            modes[k]       = odd ? -u[k] : u[k];
          }
        transform_to_modes<dim, q, Scalar>(A.data(), nodes.data());
        transform_to_nodes<dim, q, Scalar>(A.data(), modes.data());
        for (int k = 0; k < N; ++k)
          {
            const bool odd = k / power(q, d) % q % 2 == 1;
            CHECK_EQUAL(nodes[k], odd ? -to_modes[k] : to_modes[k]);
            CHECK_EQUAL(modes[k], to_nodes[mirrored(k, d, q)]);
          }
      }
  }

  template <int q>
  void
  check_degree()
  {
    const ReferenceCell cell(q - 1);
    const DenseMatrix   St = transpose(cell.eigenvectors);
    const DenseMatrix  &Si = cell.inverse_eigenvectors;
    check_transform<1, q>(Si, cell.eigenvectors);
    check_transform<2, q>(Si, cell.eigenvectors);
    check_transform<3, q>(Si, cell.eigenvectors);
    check_transform<2, q>(St, transpose(Si));
    check_transform<3, q>(St, transpose(Si));
  }
} // namespace

int
main()
{
  check_degree<2>();
  check_degree<3>();
  check_degree<4>();
  check_degree<5>();
  check_degree<6>();
  check_degree<7>();
  check_degree<8>();
  return check::result();
}
