// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_table_packer_h
#define tessera_patch_table_packer_h

#include <tessera/base/aligned_vector.h>
#include <tessera/base/dense_matrix.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace tessera
{
  namespace patch
  {
    /** Tables of kernels, converted to Number, one after the other in one
     * array, each aligned. */
    template <typename Number>
    class TablePacker
    {
    public:
      explicit TablePacker(AlignedVector<Number> &packed)
        : entries(packed)
      {}

      /** Queue a table; @p place will point to it after pack(). */
      void
      add(const Number *&place, const std::vector<double> &table)
      {
        places.push_back({&place, values.size()});
        values.insert(values.end(), table.begin(), table.end());
        constexpr std::size_t alignment = memory_alignment / sizeof(Number);
        values.resize((values.size() + alignment - 1) / alignment * alignment);
      }

      /** Queue the entries of a matrix, row-major. */
      void
      add(const Number *&place, const DenseMatrix &A)
      {
        add(place,
            std::vector<double>(A.data(),
                                A.data() + A.n_rows() * A.n_columns()));
      }

      void
      pack()
      {
        entries.resize(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
          entries[i] = Number(values[i]);
        for (const auto &[place, offset] : places)
          *place = entries.data() + offset;
      }

    private:
      AlignedVector<Number>                               &entries;
      std::vector<double>                                  values;
      std::vector<std::pair<const Number **, std::size_t>> places;
    };
  } // namespace patch
} // namespace tessera

#endif
