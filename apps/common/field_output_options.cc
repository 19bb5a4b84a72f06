// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/field_output_options.h"

namespace tessera::apps
{
  void
  FieldOutputOptions::declare(ParameterSet &set)
  {
    set.add("Subdivisions",
            n_subdivisions,
            "Pieces a direction that a cell is cut into in the VTU files. 0: "
            "the polynomial degree.",
            dealii::Patterns::Integer(0, 16));
    set.add("High order",
            high_order,
            "Write Lagrange cells of high order instead of pieces; ParaView "
            "5.5 or newer shows them.",
            dealii::Patterns::Bool());
  }
} // namespace tessera::apps
