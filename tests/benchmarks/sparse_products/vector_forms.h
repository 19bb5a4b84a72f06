// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_vector_forms_h
#define tessera_tests_benchmarks_sparse_products_vector_forms_h

#include <tessera/sparse/block_matrix.h>

#include "benchmarks/sparse_products/forms.h"
#include "benchmarks/sparse_products/peer.h"

namespace benchmark
{
  /** Products of one matrix and a vector in all forms.
   * @param[in] peer nullptr: none. */
  Measurements
  measure_matrix_vector(const MeasureSettings                      &settings,
                        const Peer                                 *peer,
                        const tessera::sparse::BlockMatrix<double> &A);
} // namespace benchmark

#endif
