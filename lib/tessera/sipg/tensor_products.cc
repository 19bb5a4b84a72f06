// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/sipg/tensor_products.h>

namespace tessera
{
  namespace sipg
  {
    void
    multiply_index(const DenseMatrix &A,
                   const std::size_t  n_slow,
                   const std::size_t  n_fast,
                   const double      *from,
                   double            *to)
    {
      const std::size_t n_to = A.n_rows(), n_from = A.n_columns();
      for (std::size_t slow = 0; slow < n_slow; ++slow)
        for (std::size_t i = 0; i < n_to; ++i)
          {
            const double *x = from + slow * n_from * n_fast;
            double       *y = to + (slow * n_to + i) * n_fast;
            const double  a = A(i, 0);
            for (std::size_t s = 0; s < n_fast; ++s)
              y[s] = a * x[s];
            for (std::size_t k = 1; k < n_from; ++k)
              {
                x += n_fast;
                const double b = A(i, k);
                for (std::size_t s = 0; s < n_fast; ++s)
                  y[s] += b * x[s];
              }
          }
    }



    void
    TensorProducts::multiply(const DenseMatrix *const *matrices,
                             const std::size_t         m,
                             const std::size_t         n_fast,
                             const double             *from,
                             double                   *to)
    {
      std::size_t n_slow = 1, stride = n_fast;
      for (std::size_t a = 1; a < m; ++a)
        n_slow *= matrices[a]->n_columns();
      for (std::size_t a = 0; a < m; ++a)
        {
          const std::size_t n_rows = matrices[a]->n_rows();
          double           *target = to;
          if (a + 1 < m)
            {
              std::vector<double> &buffer = scratch[a % 2];
              if (buffer.size() < n_slow * n_rows * stride)
                buffer.resize(n_slow * n_rows * stride);
              target = buffer.data();
            }
          multiply_index(*matrices[a], n_slow, stride, from, target);
          from = target;
          stride *= n_rows;
          if (a + 1 < m)
            n_slow /= matrices[a + 1]->n_columns();
        }
    }
  } // namespace sipg
} // namespace tessera
