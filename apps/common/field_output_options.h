// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_field_output_options_h
#define tessera_apps_common_field_output_options_h

#include "common/parameter_set.h"

namespace tessera::apps
{
  /** How FieldOutput writes fields. */
  struct FieldOutputOptions
  {
    /** Into how many pieces a direction a cell is cut, on each of which fields
     * are multilinear; 0: the degree of the finite element. */
    unsigned int n_subdivisions = 0;

    /** Write Lagrange cells of order n_subdivisions instead of pieces. Smaller
     * errors, but only newer readers (ParaView >= 5.5) know them. */
    bool high_order = false;

    /** Declare "Subdivisions" and "High order" in the present section. */
    void
    declare(ParameterSet &set);
  };
} // namespace tessera::apps

#endif
