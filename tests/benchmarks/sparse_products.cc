// SPDX-License-Identifier: LGPL-2.1-or-later
// Products of sparse matrices of blocks, with vectors and with prolongators:
// each algorithm against the bytes that it has to move, against the others,
// and against PETSc. On one process.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>
#include <tessera/sparse/conversion.h>
#include <tessera/sparse/product/galerkin_product.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "brick/brick_matrix.h"
#include "program.h"
#include "sparse_products/forms.h"
#include "sparse_products/peer.h"
#include "sparse_products/smoothed_prolongator.h"

namespace benchmark
{
  using namespace brick;
  using namespace tessera;
  using namespace tessera::sparse;

  constexpr char usage[] =
    "Usage: sparse_products [--k K] [--problems LIST] [--algorithms LIST]\n"
    "                       [--repeats N] [--megabytes M] [--memory M]\n"
    "                       [--one-by-one] [--no-peer] [--json FILE]\n"
    "\n"
    "Products of matrices of blocks, for quadratic elements on a beam of 10 K "
    "x K x K\ncubes (default 8): elasticity, blocks 3 x 3, and the next level of "
    "smoothed\naggregation, blocks 6 x 6; and for the Laplace operator on "
    "(3 K)^3 cubes, blocks\n1 x 1. LIST: words separated by commas; --problems "
    "of elasticity and laplace,\n--algorithms those for P^T A P (two-pass, "
    "fused, ...); default: all.\n"
    "What is compared takes turns, N times (default 7); the median is printed. "
    "Where\nall forms of a product do not fit into M megabytes (--memory; "
    "default: four\nfifths of what is free), or with --one-by-one, they are "
    "made and measured one\nafter the other, and those that do not fit alone "
    "are left out.\n"
    "Times are seconds of the processor, so that other programs that share it "
    "do not\ncount, but in what they take of caches and memory. Copies of M "
    "megabytes\n(--megabytes, default 256) are the measure. --no-peer leaves "
    "PETSc out.\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\ninstruction set; the default is the widest.\n";

  const char elasticity_problem[] = "elasticity", laplace_problem[] = "laplace";

  struct Settings
  {
    int                           k = 8;
    std::vector<std::string>      problems{elasticity_problem, laplace_problem};
    std::vector<ProductAlgorithm> algorithms{ProductAlgorithm::cached_positions,
                                             ProductAlgorithm::two_pass,
                                             ProductAlgorithm::tiled,
                                             ProductAlgorithm::schedule,
                                             ProductAlgorithm::outer_product,
                                             ProductAlgorithm::fused,
                                             ProductAlgorithm::fused_ordered};
    MeasureSettings               measure;
    bool                          no_peer = false;
    std::string                   json;

    bool
    has(const std::string &problem) const
    {
      return std::find(problems.begin(), problems.end(), problem) !=
             problems.end();
    }
  };

  /** The words of a list. */
  std::vector<std::string>
  words(const std::string &list)
  {
    std::vector<std::string> result;
    std::istringstream       stream(list);
    for (std::string word; std::getline(stream, word, ',');)
      result.push_back(word);
    return result;
  }

  /** @throws InputError if there is no such problem or algorithm. */
  void
  set_lists(const std::string &problems,
            const std::string &algorithms,
            Settings          &settings)
  {
    if (!problems.empty())
      settings.problems = words(problems);
    for (const std::string &problem : settings.problems)
      if (problem != elasticity_problem && problem != laplace_problem)
        throw InputError("There is no problem '" + problem +
                         "'; allowed for --problems are " + elasticity_problem +
                         " and " + laplace_problem + ".");
    if (algorithms.empty())
      return;
    settings.algorithms.clear();
    for (const std::string &name : words(algorithms))
      {
        settings.algorithms.push_back(product_algorithm_from_string(name));
        if (settings.algorithms.back() == ProductAlgorithm::automatic)
          throw InputError("'" + name +
                           "' of --algorithms is no algorithm: it "
                           "chooses one.");
      }
  }

  template <typename Number>
  std::vector<double>
  values_of(const BlockMatrix<Number> &A)
  {
    return std::vector<double>(A.values(), A.values() + A.n_values());
  }

  template <typename Number>
  double
  bytes_of(const BlockMatrix<Number> &A)
  {
    return sizeof(Number) * double(A.n_values()) +
           4. * double(A.pattern().n_blocks());
  }

  /** Bytes of compressed rows of numbers: 8 of the number, 4 of its column. */
  double
  bytes_as_numbers(const BlockMatrix<double> &A)
  {
    return 12. * double(A.n_values());
  }

  /** Bytes of a product of matrix and vector: each array once. */
  template <typename Number>
  double
  bytes_of_product(const BlockMatrix<Number> &A)
  {
    const double rows = A.pattern().n_rows(), columns = A.pattern().n_columns();
    return sizeof(Number) *
             (rows * A.shape().rows + columns * A.shape().columns) +
           bytes_of(A) + 16. * rows;
  }

  double
  value_of_x(const std::size_t i)
  {
    return 1. + double(i % 17);
  }

  /** Matrix, vectors and the product. */
  template <typename Number>
  class VectorWork : public Work
  {
  public:
    explicit VectorWork(BlockMatrix<Number> matrix)
      : A(std::move(matrix))
      , x(A.pattern().columns(), A.shape().columns)
      , y(A.pattern().rows(), A.shape().rows)
      , product(A)
    {
      for (std::size_t i = 0; i < x.n_values(); ++i)
        x.data()[i] = Number(value_of_x(i));
      bytes     = bytes_of_product(A);
      tolerance = sizeof(Number) == 8 ? 1e-12 : 1e-5;
    }

    void
    run() override
    {
      product.multiply(A, x, y);
    }

    std::vector<double>
    result() override
    {
      return std::vector<double>(y.data(), y.data() + y.n_owned_values());
    }

  private:
    BlockMatrix<Number>  A;
    BlockVector<Number>  x, y;
    MatrixVector<Number> product;
  };

  class PeerVectorWork : public Work
  {
  public:
    PeerVectorWork(std::unique_ptr<PeerMatrixVector> peer_product,
                   const double                      bytes_of_a_run)
      : product(std::move(peer_product))
    {
      bytes = bytes_of_a_run;
    }

    void
    run() override
    {
      product->multiply();
    }

    std::vector<double>
    result() override
    {
      return product->result();
    }

  private:
    std::unique_ptr<PeerMatrixVector> product;
  };

  std::unique_ptr<Work>
  peer_vector_work(const Peer &peer, const BlockMatrix<double> &A)
  {
    std::vector<double> x;
    for (LocalIndex i = 0; i < A.pattern().n_columns() * A.shape().columns; ++i)
      x.push_back(value_of_x(i));
    return std::make_unique<PeerVectorWork>(peer.matrix_vector(A, x),
                                            bytes_of_product(A));
  }

  /** Products of one matrix and a vector in all forms. */
  Measurements
  measure_matrix_vector(const Settings            &settings,
                        const Peer                *peer,
                        const BlockMatrix<double> &A)
  {
    const int         n    = A.shape().rows;
    const std::string form = std::to_string(n) + " x " + std::to_string(n);
    std::vector<Form> forms;
    forms.push_back({form + ", double", bytes_of(A), [&A] {
                       return std::make_unique<VectorWork<double>>(A.copy());
                     }});
    forms.push_back({form + ", float", 0.5 * bytes_of(A), [&A] {
                       return std::make_unique<VectorWork<float>>(
                         convert<float>(A));
                     }});
    if (n > 1)
      forms.push_back({"1 x 1, double", bytes_as_numbers(A), [&A] {
                         return std::make_unique<VectorWork<double>>(
                           to_scalar(A));
                       }});
    if (peer)
      {
        // Ours as numbers, and the peer's.
        forms.push_back({"PETSc AIJ", 2 * bytes_as_numbers(A), [&A, peer] {
                           return peer_vector_work(*peer, to_scalar(A));
                         }});
        if (n > 1)
          forms.push_back({"PETSc BAIJ", bytes_of(A), [&A, peer] {
                             return peer_vector_work(*peer, A);
                           }});
      }
    return measure_forms(settings.measure, forms);
  }

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
      std::vector<double>       blocks(std::size_t(q) * q * pattern.n_blocks());
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

  const char peer_product[] = "PETSc MatPtAP";

  ProductResults
  measure_product(const Settings            &settings,
                  const Peer                *peer,
                  const std::string         &name,
                  const BlockMatrix<double> &A,
                  const SmoothedProlongator &prolongator)
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
    for (const ProductAlgorithm algorithm : settings.algorithms)
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
    result.measured =
      measure_forms(settings.measure, forms, values_of(result.A_c));
    return result;
  }

  void
  print_how(const Measurements &m)
  {
    std::printf("%s\n",
                m.in_turns ?
                  "All forms are there at once and take turns." :
                  "Forms are made and measured one after the other.");
    for (const std::string &form : m.left_out)
      std::printf("Left out: %s.\n", form.c_str());
    std::fflush(stdout);
  }

  void
  print_matrix_vector(const std::string &name, const Measurements &m)
  {
    std::printf("\nProducts of matrix and vector, %s\n\n"
                "%-26s %9s %9s %8s %8s %8s\n",
                name.c_str(),
                "form",
                "ms",
                "MB",
                "GB/s",
                "to copy",
                "peak MB");
    const auto print = [&](const Measured &t) {
      const double rate = t.bytes / t.seconds.median;
      std::printf("%-26s %9.3f %9.1f %8.1f %8.2f",
                  t.name.c_str(),
                  1e3 * t.seconds.median,
                  1e-6 * t.bytes,
                  1e-9 * rate,
                  rate / m.copy_rate());
      if (t.peak_memory > 0)
        std::printf(" %8.0f", 1e-6 * t.peak_memory);
      std::printf("\n");
    };
    for (const Measured &form : m.forms)
      print(form);
    print(m.copy);
    print_how(m);
  }

  /** Two decimals, or a dash for what was not measured. */
  std::string
  decimals(const double value)
  {
    char text[32];
    std::snprintf(text, sizeof(text), "%.2f", value);
    return std::isfinite(value) ? text : "-";
  }

  void
  print_product(const ProductResults &r)
  {
    const ProductSizes &s = r.sizes;
    std::printf("\nGalerkin products, %s\n"
                "m_F %.0f, Z_A %.0f, Z_P %.0f (unfiltered %zu), n_P %.2f, "
                "Z_W %.0f, w %.2f,\nm_C %.0f, Z_C %.0f, blocks %d and %d\n\n"
                "%-26s %9s %9s %8s %8s %8s %8s %8s %8s %8s\n",
                r.name.c_str(),
                s.n_fine_rows,
                s.n_blocks_A,
                s.n_blocks_P,
                r.n_unfiltered_blocks,
                s.blocks_per_row(),
                s.n_blocks_W,
                s.fill_growth(),
                s.n_coarse_rows,
                s.n_blocks_C,
                s.fine,
                s.coarse,
                "algorithm",
                "ms",
                "floor MB",
                "GB/s",
                "to floor",
                "to ours",
                "set-up",
                "first",
                "kept MB",
                "peak MB");
    const double ours  = r.seconds(ProductAlgorithm::cached_positions);
    const auto   print = [&](const Measured &t) {
      std::printf("%-26s %9.3f", t.name.c_str(), 1e3 * t.seconds.median);
      const double rate = t.bytes / t.seconds.median;
      if (t.bytes > 0)
        std::printf(" %9.1f %8.1f %8.2f",
                    1e-6 * t.bytes,
                    1e-9 * rate,
                    r.measured.copy_rate() / rate);
      else
        std::printf(" %9s %8s %8s", "-", "-", "-");
      std::printf(" %8s", decimals(t.seconds.median / ours).c_str());
      if (t.first_seconds > 0)
        std::printf(" %8.2f %8.2f %8.1f",
                    1e3 * t.set_up_seconds,
                    1e3 * t.first_seconds,
                    1e-6 * t.bytes_kept);
      else
        std::printf(" %8s %8s %8s", "-", "-", "-");
      if (t.peak_memory > 0)
        std::printf(" %8.0f", 1e-6 * t.peak_memory);
      std::printf("\n");
    };
    for (const Measured &form : r.measured.forms)
      print(form);
    print(r.measured.copy);
    print_how(r.measured);

    const auto   two_pass = ProductAlgorithm::two_pass;
    const auto   schedule = ProductAlgorithm::schedule;
    const double values_W = s.bytes_W() * s.n_blocks_W;
    std::printf(
      "\nfused / two-pass: %s at n_P = %.2f. two-pass / schedule: %s.\n"
      "Schedule, of the values of W: %s. Symbolic and first numeric phase, "
      "ms:\nschedule %s, two-pass %s, cached positions %s.\n",
      decimals(r.seconds(ProductAlgorithm::fused) / r.seconds(two_pass))
        .c_str(),
      s.blocks_per_row(),
      decimals(r.seconds(two_pass) / r.seconds(schedule)).c_str(),
      decimals((r.bytes_kept(schedule) - r.bytes_kept(two_pass)) / values_W)
        .c_str(),
      decimals(1e3 * r.first_seconds(schedule)).c_str(),
      decimals(1e3 * r.first_seconds(two_pass)).c_str(),
      decimals(1e3 * r.first_seconds(ProductAlgorithm::cached_positions))
        .c_str());
    std::fflush(stdout);
  }

#ifdef TESSERA_HAVE_JSON
  nlohmann::ordered_json
  to_json(const Measurements &m)
  {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Measured &t : m.forms)
      {
        nlohmann::ordered_json entry = {{"name", t.name},
                                        {"bytes", t.bytes},
                                        {"seconds", to_json(t.seconds)},
                                        {"peak_memory_bytes", t.peak_memory}};
        if (t.first_seconds > 0)
          {
            entry["set_up_seconds"] = t.set_up_seconds;
            entry["first_seconds"]  = t.first_seconds;
            entry["bytes_kept"]     = t.bytes_kept;
          }
        list.push_back(entry);
      }
    list.push_back({{"name", m.copy.name},
                    {"bytes", m.copy.bytes},
                    {"seconds", to_json(m.copy.seconds)}});
    return list;
  }

  nlohmann::ordered_json
  to_json(const std::string &name, const Measurements &m)
  {
    return {{"matrix", name},
            {"in_turns", m.in_turns},
            {"left_out", m.left_out},
            {"results", to_json(m)}};
  }

  nlohmann::ordered_json
  to_json(const ProductResults &r)
  {
    return {{"matrix", r.name},
            {"fine", r.sizes.fine},
            {"coarse", r.sizes.coarse},
            {"n_fine_rows", r.sizes.n_fine_rows},
            {"n_coarse_rows", r.sizes.n_coarse_rows},
            {"n_blocks_A", r.sizes.n_blocks_A},
            {"n_blocks_P", r.sizes.n_blocks_P},
            {"n_blocks_P_unfiltered", r.n_unfiltered_blocks},
            {"n_blocks_W", r.sizes.n_blocks_W},
            {"n_blocks_C", r.sizes.n_blocks_C},
            {"in_turns", r.measured.in_turns},
            {"left_out", r.measured.left_out},
            {"results", to_json(r.measured)}};
  }
#endif

  /** Measurements of all problems, printed as they come. */
  class Program
  {
  public:
    Program(const Settings &all_settings, const Peer *the_peer)
      : settings(all_settings)
      , peer(the_peer)
    {}

    void
    measure_elasticity()
    {
      const Brick               bar = beam(settings.k);
      const BlockMatrix<double> A   = brick_matrix(bar, 3, elasticity(bar));
      measure_vectors("elasticity", A);
      SmoothedProlongator P =
        smoothed_prolongator(A, rigid_modes(bar), 6, AggregationOptions());
      measure("elasticity, first level", A, P);
      const BlockMatrix<double> A_c = std::move(products.back().A_c);
      P = smoothed_prolongator(A_c, P.coarse_modes, 6, {0.025, false, 0.015});
      measure("elasticity, second level", A_c, P);
    }

    void
    measure_laplace()
    {
      const int                 n = 3 * settings.k;
      const Brick               cube{{{n, n, n}}, 1. / n};
      const BlockMatrix<double> A = brick_matrix(cube, 1, laplace(cube));
      measure_vectors("Laplace operator", A);
      measure("Laplace operator",
              A,
              smoothed_prolongator(
                A, Modes(cube.n_nodes(), 1.), 1, AggregationOptions()));
      products.back().A_c = {};
    }

    /** The figures that matter most, of the problem that came first. */
    void
    print_summary() const
    {
      const Measurements &m     = vectors[0].second;
      const Measured     &first = m.forms[0];
      std::printf("\n%s, %s: %.0f %% of the bandwidth of a copy. %s:\n",
                  vectors[0].first.c_str(),
                  first.name.c_str(),
                  100. * first.bytes / first.seconds.median / m.copy_rate(),
                  products[0].name.c_str());
      const double ratio =
        products[0].measured.seconds(peer_product) /
        products[0].seconds(ProductAlgorithm::cached_positions);
      if (!peer)
        std::printf("no peer.\n");
      else if (std::isfinite(ratio))
        std::printf("%.2f times as fast as MatPtAP of PETSc.\n", ratio);
    }

    std::vector<std::pair<std::string, Measurements>> vectors;
    std::vector<ProductResults>                       products;

  private:
    void
    measure_vectors(const std::string &name, const BlockMatrix<double> &A)
    {
      vectors.emplace_back(name, measure_matrix_vector(settings, peer, A));
      print_matrix_vector(name, vectors.back().second);
    }

    void
    measure(const std::string         &name,
            const BlockMatrix<double> &A,
            const SmoothedProlongator &P)
    {
      products.push_back(measure_product(settings, peer, name, A, P));
      print_product(products.back());
    }

    const Settings &settings;
    const Peer     *peer;
  };

  void
  run(const Settings &settings)
  {
    const InstructionSet        set = active_instruction_set();
    std::unique_ptr<const Peer> peer;
    if (!settings.no_peer && !Peer::name().empty())
      peer = std::make_unique<const Peer>();
    std::printf("Instruction set %s (%u bits), beam with k = %d, median of %u, "
                "peer: %s\n",
                to_string(set).c_str(),
                simd_bits(set),
                settings.k,
                settings.measure.repeats.n_repeats,
                peer             ? Peer::name().c_str() :
                settings.no_peer ? "left out" :
                                   "left out, PETSc was not found");

    Program program(settings, peer.get());
    if (settings.has(elasticity_problem))
      program.measure_elasticity();
    if (settings.has(laplace_problem))
      program.measure_laplace();
    program.print_summary();

#ifdef TESSERA_HAVE_JSON
    if (settings.json.empty())
      return;
    nlohmann::ordered_json product_list = nlohmann::ordered_json::array(),
                           vector_list  = nlohmann::ordered_json::array();
    for (const auto &v : program.vectors)
      vector_list.push_back(to_json(v.first, v.second));
    for (const ProductResults &r : program.products)
      product_list.push_back(to_json(r));
    write_json(settings.json,
               {{"benchmark", "sparse_products"},
                {"git_revision", git_revision()},
                {"instruction_set", to_string(set)},
                {"simd_bits", simd_bits(set)},
                {"peer", peer ? Peer::name() : ""},
                {"clock", "seconds of the thread"},
                {"k", settings.k},
                {"n_repeats", settings.measure.repeats.n_repeats},
                {"matrix_vector", vector_list},
                {"products", product_list}});
#endif
  }
} // namespace benchmark

int
main(int argc, char **argv)
{
  const tessera::CommunicationSession session(argc, argv);
  const tessera::Communicator         ranks = tessera::Communicator::world();
  return benchmark::run_program(ranks, [&] {
    benchmark::Settings settings;
    std::string         problems, algorithms;
    benchmark::Options  options(benchmark::usage);
    options.add_number("--k", settings.k, 16);
    options.add_text("--problems", problems);
    options.add_text("--algorithms", algorithms);
    options.add_number("--repeats", settings.measure.repeats.n_repeats, 100);
    options.add_number("--megabytes", settings.measure.megabytes, 4096);
    options.add_number("--memory", settings.measure.memory, 1000000);
    options.add_flag("--one-by-one", settings.measure.one_by_one);
    options.add_flag("--no-peer", settings.no_peer);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    benchmark::set_lists(problems, algorithms, settings);
    benchmark::require_one_process(ranks);
    benchmark::run(settings);
  });
}
