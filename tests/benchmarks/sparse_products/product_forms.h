// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_benchmarks_sparse_products_product_forms_h
#define tessera_tests_benchmarks_sparse_products_product_forms_h

#include <tessera/sparse/product/galerkin_product.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "benchmarks/sparse_products/forms.h"
#include "benchmarks/sparse_products/peer.h"
#include "benchmarks/sparse_products/smoothed_prolongator.h"

namespace benchmark
{
  using tessera::sparse::ProductAlgorithm;
  using tessera::sparse::ProductSizes;

  /** Products of one pair of matrices by all algorithms. */
  struct ProductResults
  {
    std::string         name;
    ProductSizes        sizes;
    std::size_t         n_unfiltered_blocks;
    Measurements        measured;
    BlockMatrix<double> A_c;

    double
    seconds(const ProductAlgorithm algorithm) const
    {
      return measured.seconds(to_string(algorithm));
    }

    /** Of the symbolic and the first numeric phase. */
    double
    first_seconds(const ProductAlgorithm algorithm) const
    {
      const Measured *form = find(algorithm);
      return form ? form->set_up_seconds + form->first_seconds : std::nan("");
    }

    double
    bytes_kept(const ProductAlgorithm algorithm) const
    {
      const Measured *form = find(algorithm);
      return form ? form->bytes_kept : std::nan("");
    }

  private:
    const Measured *
    find(const ProductAlgorithm algorithm) const
    {
      for (const Measured &form : measured.forms)
        if (form.name == to_string(algorithm))
          return &form;
      return nullptr;
    }
  };

  constexpr char peer_product[] = "PETSc MatPtAP";

  /** $A_c = P^T A P$ by the given algorithms, one of them in float as well, and
   * by a peer.
   * @param[in] peer nullptr: none. */
  ProductResults
  measure_product(const MeasureSettings               &settings,
                  const std::vector<ProductAlgorithm> &algorithms,
                  const Peer                          *peer,
                  const std::string                   &name,
                  const BlockMatrix<double>           &A,
                  const SmoothedProlongator           &prolongator);
} // namespace benchmark

#endif
