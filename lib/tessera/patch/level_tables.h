// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_patch_level_tables_h
#define tessera_patch_level_tables_h

#include <tessera/base/aligned_vector.h>
#include <tessera/cellwise/element_weights.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/level_kernels.h>
#include <tessera/patch/patch_matrices.h>

#include <cstddef>

namespace tessera
{
  namespace patch
  {
    /**
     * The tables of the kernels of a level, computed in double and rounded to
     * the precision of the level; host memory, each aligned to 64 bytes.
     */
    template <int dim, typename Number>
    class LevelTables
    {
    public:
      /** @param[in] weights See Level. */
      LevelTables(const cellwise::ReferenceCell       &cell,
                  const PatchMatrices                 &patch_matrices,
                  const cellwise::ElementWeights<dim> &weights);

      // The tables point into the object.
      LevelTables(const LevelTables &) = delete;
      LevelTables &
      operator=(const LevelTables &) = delete;

      const PatchTables<Number> &
      patch() const;

      const TransferTables<Number> &
      transfer() const;

      std::size_t
      memory_consumption() const;

    private:
      AlignedVector<Number>  entries;
      PatchTables<Number>    patch_tables;
      TransferTables<Number> transfer_tables;
    };
  } // namespace patch
} // namespace tessera

#endif
