// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/sparse_products/product_forms.h"

#include <tessera/sparse/conversion.h>

#include <memory>
#include <utility>

#include "benchmarks/sparse_products/matrix_bytes.h"

namespace benchmark
{
  using namespace tessera;
  using namespace tessera::sparse;

  namespace
  {
    /** $A_c = P^T A P$ by an algorithm. */
    template <typename Number>
    class ProductWork : public Work
    {
    public:
      ProductWork(std::shared_ptr<const BlockMatrix<Number>> matrix,
                  std::shared_ptr<const BlockMatrix<Number>> prolongator,
                  const ProductOptions                      &options)
        : A(std::move(matrix))
        , P(std::move(prolongator))
      {
        std::vector<double> set_up, first;
        for (int repeat = 0;
             repeat < 3 && (repeat == 0 || first[0] < seconds_of_long_tasks);
             ++repeat)
          {
            product.reset();
            A_c                = {};
            const double start = processor_seconds();
            product =
              std::make_unique<GalerkinProduct<Number>>(A->pattern(),
                                                        P->pattern(),
                                                        A->shape().rows,
                                                        P->shape().columns,
                                                        options);
            set_up.push_back(processor_seconds() - start);
            A_c = BlockMatrix<Number>(product->pattern(), product->shape());
            const double middle = processor_seconds();
            product->multiply(*A, *P, A_c);
            first.push_back(processor_seconds() - middle);
          }
        set_up_seconds = statistics(set_up).median;
        first_seconds  = statistics(first).median;
        bytes          = product->traffic().floor_bytes;
        bytes_kept     = double(product->memory_consumption());
        tolerance      = sizeof(Number) == 8 ? 1e-12 : 1e-5;
      }

      void
      run() override
      {
        product->multiply(*A, *P, A_c);
      }

      std::vector<double>
      result() override
      {
        return values_of(A_c);
      }

    private:
      std::shared_ptr<const BlockMatrix<Number>> A, P;
      std::unique_ptr<GalerkinProduct<Number>>   product;
      BlockMatrix<Number>                        A_c;
    };

    class PeerProductWork : public Work
    {
    public:
      /** @param[in] coarse_pattern Of $A_c$, whose blocks are q x q. */
      PeerProductWork(std::unique_ptr<PeerProduct> peer_product,
                      const BlockPattern          &coarse_pattern,
                      const int                    block_size)
        : product(std::move(peer_product))
        , pattern(coarse_pattern)
        , q(block_size)
      {}

      void
      run() override
      {
        product->multiply();
      }

      /** The peer has rows of numbers. */
      std::vector<double>
      result() override
      {
        const std::vector<double> rows = product->result();
        std::vector<double> blocks(std::size_t(q) * q * pattern.n_blocks());
        if (rows.size() != blocks.size())
          return rows;
        for (LocalIndex i = 0; i < pattern.n_rows(); ++i)
          {
            const std::size_t begin = pattern.row_begin()[i],
                              n     = pattern.row_begin()[i + 1] - begin;
            for (int r = 0; r < q; ++r)
              for (std::size_t k = 0; k < n; ++k)
                for (int c = 0; c < q; ++c)
                  blocks[((begin + k) * q + r) * q + c] =
                    rows[begin * q * q + (r * n + k) * q + c];
          }
        return blocks;
      }

    private:
      std::unique_ptr<PeerProduct> product;
      BlockPattern                 pattern;
      int                          q;
    };

    /** What is not to be deleted by the last who knows it. */
    std::shared_ptr<const BlockMatrix<double>>
    borrowed(const BlockMatrix<double> &A)
    {
      return {&A, [](const BlockMatrix<double> *) {}};
    }
  } // namespace



  ProductResults
  measure_product(const MeasureSettings               &settings,
                  const std::vector<ProductAlgorithm> &algorithms,
                  const Peer                          *peer,
                  const std::string                   &name,
                  const BlockMatrix<double>           &A,
                  const SmoothedProlongator           &prolongator)
  {
    const BlockMatrix<double> &P    = prolongator.P;
    const int                  fine = A.shape().rows, q = P.shape().columns;

    // Sizes, and what all have to give.
    ProductResults result{name, {}, prolongator.n_unfiltered_blocks, {}, {}};
    {
      ProductOptions options;
      options.algorithm = ProductAlgorithm::cached_positions;
      GalerkinProduct<double> product(
        A.pattern(), P.pattern(), fine, q, options);
      result.sizes = product.sizes();
      result.A_c   = BlockMatrix<double>(product.pattern(), product.shape());
      product.multiply(A, P, result.A_c);
    }

    std::vector<Form> forms;
    for (const ProductAlgorithm algorithm : algorithms)
      {
        const bool is_ordered = algorithm == ProductAlgorithm::fused_ordered;
        std::vector<FusedOrder> orders = {FusedOrder::natural};
        if (is_ordered)
          orders = {FusedOrder::natural,
                    FusedOrder::minimum_fine_index,
                    FusedOrder::rcm};
        // With numbers for blocks, once is long enough.
        if (is_ordered && q == 1)
          continue;
        for (const FusedOrder order : orders)
          {
            ProductOptions options;
            options.algorithm   = algorithm;
            options.fused_order = order;
            forms.push_back(
              {is_ordered ? "fused, " + to_string(order) : to_string(algorithm),
               traffic(result.sizes, algorithm).peak_bytes +
                 bytes_of(result.A_c),
               [&A, &P, options] {
                 return std::make_unique<ProductWork<double>>(borrowed(A),
                                                              borrowed(P),
                                                              options);
               }});
          }
        if (algorithm == ProductAlgorithm::cached_positions)
          {
            ProductOptions options;
            options.algorithm = algorithm;
            forms.push_back(
              {to_string(algorithm) + ", float",
               traffic(result.sizes, algorithm).peak_bytes +
                 0.5 * (bytes_of(A) + bytes_of(P) + bytes_of(result.A_c)),
               [&A, &P, options] {
                 return std::make_unique<ProductWork<float>>(
                   std::make_shared<BlockMatrix<float>>(convert<float>(A)),
                   std::make_shared<BlockMatrix<float>>(convert<float>(P)),
                   options);
               }});
          }
      }
    if (peer)
      // Ours as numbers and the peer's; its A P.
      forms.push_back({peer_product,
                       2 * (bytes_as_numbers(A) + bytes_as_numbers(P)) +
                         12. * fine * q * result.sizes.n_blocks_W +
                         bytes_as_numbers(result.A_c),
                       [&A, &P, peer, q, &result] {
                         return std::make_unique<PeerProductWork>(
                           peer->product(to_scalar(A), to_scalar(P)),
                           result.A_c.pattern(),
                           q);
                       }});
    result.measured = measure_forms(settings, forms, values_of(result.A_c));
    return result;
  }
} // namespace benchmark
