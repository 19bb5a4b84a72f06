// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_cell_storage_h
#define tessera_sipg_cell_storage_h

#include <tessera/cellwise/degree.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/scalar_tensors.h>

#include <vector>

namespace tessera
{
  namespace sipg
  {
    /**
     * Reads and writes cells and shadow cells, one by one, in the storage of
     * FieldLayout. For scalar code.
     */
    template <int dim>
    class CellStorage
    {
    public:
      CellStorage(const int degree, const int block_size)
        : n(degree + 1)
        , B(block_size)
      {}

      /** The coefficients of a cell: n x ... x n. */
      template <typename Number>
      ScalarTensor
      cell(const Number *cells, const CellIndex c) const
      {
        ScalarTensor      u(std::vector<int>(dim, n));
        const std::size_t N = u.values.size();
        for (std::size_t k = 0; k < N; ++k)
          u.values[k] = cells[blocked_position(c, k, N, B)];
        return u;
      }

      template <typename Number>
      void
      set_cell(Number *cells, const CellIndex c, const ScalarTensor &u) const
      {
        const std::size_t N = u.values.size();
        for (std::size_t k = 0; k < N; ++k)
          cells[blocked_position(c, k, N, B)] = Number(u.values[k]);
      }

      /** The two layers of a shadow cell: extent 2 along the axis, n along the
       * others. */
      template <typename Number>
      ScalarTensor
      shadow(const Number *shadows, const CellIndex s, const int axis) const
      {
        ScalarTensor      u(two_layers(axis));
        const std::size_t N = u.values.size();
        for (std::size_t k = 0; k < N; ++k)
          u.values[k] =
            shadows[blocked_position(s, shadow_value(k, axis), N, B)];
        return u;
      }

      template <typename Number>
      void
      set_shadow(Number             *shadows,
                 const CellIndex     s,
                 const int           axis,
                 const ScalarTensor &u) const
      {
        const std::size_t N = u.values.size();
        for (std::size_t k = 0; k < N; ++k)
          shadows[blocked_position(s, shadow_value(k, axis), N, B)] =
            Number(u.values[k]);
      }

    private:
      int n, B;

      std::vector<int>
      two_layers(const int axis) const
      {
        std::vector<int> extents(dim, n);
        extents[axis] = 2;
        return extents;
      }

      std::size_t
      shadow_value(const std::size_t k, const int axis) const
      {
        const std::size_t stride = cellwise::power(n, axis);
        const std::size_t layer  = k / stride % 2;
        return layer * cellwise::power(n, dim - 1) + k / stride / 2 * stride +
               k % stride;
      }
    };
  } // namespace sipg
} // namespace tessera

#endif
