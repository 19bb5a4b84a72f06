// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_sipg_text_h
#define tessera_sipg_text_h

#include <tessera/sipg/cell_key.h>
#include <tessera/sipg/types.h>

#include <string>

namespace tessera
{
  namespace sipg
  {
    /** @name For messages
     * @{ */
    template <int dim>
    std::string
    text(const CellKey &key)
    {
      std::string digits;
      for (int l = int(key.level) - 1; l >= 0; --l)
        digits += std::to_string((key.morton >> (dim * l)) &
                                 ((std::uint64_t(1) << dim) - 1));
      return "cell " + std::to_string(key.coarse_cell) + "_" +
             std::to_string(key.level) + ":" + digits;
    }

    inline constexpr char how_to_name_cells[] =
      " (cells are named coarse cell_level:children on the way down)";

    template <int dim>
    std::string
    text(const Point<dim> &x)
    {
      std::string sum;
      for (int d = 0; d < dim; ++d)
        sum += (d > 0 ? ", " : "(") + std::to_string(x[d]);
      return sum + ")";
    }
    /** @} */
  } // namespace sipg
} // namespace tessera

#endif
