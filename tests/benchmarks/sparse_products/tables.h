// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_tables_h
#define tessera_tests_benchmarks_sparse_products_tables_h

#include <string>

#include "benchmarks/program.h"
#include "benchmarks/sparse_products/forms.h"
#include "benchmarks/sparse_products/product_forms.h"

namespace benchmark
{
  void
  print_matrix_vector(const std::string &name, const Measurements &m);

  void
  print_product(const ProductResults &r);

#ifdef TESSERA_HAVE_JSON
  nlohmann::ordered_json
  to_json(const std::string &name, const Measurements &m);

  nlohmann::ordered_json
  to_json(const ProductResults &r);
#endif
} // namespace benchmark

#endif
