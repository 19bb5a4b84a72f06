// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sparse_product_schedule_kernels_h
#define tessera_sparse_product_schedule_kernels_h

#include <tessera/base/instruction_set.h>
#include <tessera/sparse/product/contribution_lists.h>
#include <tessera/sparse/product/product_shape.h>

#include <cstddef>
#include <cstdint>

namespace tessera
{
  namespace sparse
  {
    // $C = A B$ as a sweep over the blocks of C, each summed in registers and
    // written once. Number is float or double. Local, deterministic; the same
    // bits from every instruction set.
    TESSERA_DECLARE_SIMD(
      /** @param[in] begin, contributions As in ContributionLists. */
      template <typename Number>
      void multiply_by_lists(ProductShape        shape,
                             std::size_t         n_blocks,
                             const std::int64_t *begin,
                             const Contribution *contributions,
                             const Number       *a,
                             const Number       *b,
                             Number             *c);

      /** @param[in] n_contributions, offsets As in ContributionSchedule. */
      template <typename Number>
      void multiply_by_schedule(ProductShape            shape,
                                std::size_t             n_tiles,
                                const ContributionTile *tiles,
                                const std::uint32_t    *n_contributions,
                                const std::uint16_t    *offsets,
                                const Number           *a,
                                const Number           *b,
                                Number                 *c);)
  } // namespace sparse
} // namespace tessera

#endif
