// SPDX-License-Identifier: LGPL-2.1-or-later
// Products of sparse matrices of blocks, with vectors and with prolongators:
// each algorithm against the bytes that it has to move, against the others,
// and against PETSc. On one process.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>
#include <tessera/sparse/conversion.h>
#include <tessera/sparse/product/galerkin_product.h>

#include <time.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "brick/brick_matrix.h"
#include "machine_kernels.h"
#include "program.h"
#include "sparse_products/peer.h"
#include "sparse_products/smoothed_prolongator.h"

namespace benchmark
{
  using namespace brick;
  using namespace tessera;
  using namespace tessera::sparse;

  constexpr char usage[] =
    "Usage: sparse_products [--k K] [--repeats N] [--megabytes M] [--no-peer]\n"
    "                       [--json FILE]\n"
    "\n"
    "Products of matrices of blocks, for quadratic elements on a beam of 10 K "
    "x K x K\ncubes (default 8): elasticity, blocks 3 x 3, and the next level of "
    "smoothed\naggregation, blocks 6 x 6; and for the Laplace operator on "
    "(3 K)^3 cubes, blocks\n1 x 1. What is compared takes turns, N times "
    "(default 7); the median is printed.\nTimes are seconds of the processor, "
    "so that other programs that share it do not\ncount, but in what they take "
    "of caches and memory. Copies of M megabytes (default\n256) are the "
    "measure. --no-peer leaves PETSc out.\n"
    "\n"
    "The environment variable TESSERA_SIMD (generic, avx2, avx512) selects "
    "the\ninstruction set; the default is the widest.\n";

  struct Settings
  {
    int         k = 8;
    Repeats     repeats{1, 7};
    std::size_t megabytes = 256;
    bool        no_peer   = false;
    std::string json;
  };

  /** Seconds that this thread has used. */
  double
  processor_seconds()
  {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  }

  /** What is measured beside others. */
  struct Task
  {
    std::string           name;
    double                bytes; ///< that have to be moved
    std::function<void()> run;
    Statistics            seconds;
  };

  /** What takes longer needs no warm-up. */
  constexpr double seconds_of_long_tasks = 0.5;

  /** In turns, so that all of them see the same machine; each twice, of which
   * the second counts, unless it is long. */
  void
  measure_in_turns(const Settings &settings, std::vector<Task> &tasks)
  {
    const auto time = [](const Task &task) {
      const double start = processor_seconds();
      task.run();
      return processor_seconds() - start;
    };
    std::vector<std::vector<double>> seconds(tasks.size());
    for (unsigned int n = 0; n < settings.repeats.n_repeats; ++n)
      for (std::size_t i = 0; i < tasks.size(); ++i)
        {
          double last = time(tasks[i]);
          if (last < seconds_of_long_tasks)
            last = time(tasks[i]);
          seconds[i].push_back(last);
        }
    for (std::size_t i = 0; i < tasks.size(); ++i)
      tasks[i].seconds = statistics(seconds[i]);
  }

  /** Two arrays, one copied to the other. */
  class Copy
  {
  public:
    explicit Copy(const Settings &settings)
      : from(settings.megabytes * 1000000 / 256 * 16, 1.)
      , to(from.size(), 0.)
    {}

    Task
    task()
    {
      return {"copy",
              16. * double(from.size()),
              [this] {
                TESSERA_CALL_SIMD(copy(to.data(), from.data(), from.size()));
              },
              {}};
    }

  private:
    AlignedVector<double> from, to;
  };

  /** Times of what gives different results are not comparable.
   * @throws std::runtime_error */
  void
  require_equal(const std::string         &what,
                const std::vector<double> &values,
                const std::vector<double> &expected)
  {
    double error = 0., norm = 0.;
    if (values.size() == expected.size())
      for (std::size_t i = 0; i < values.size(); ++i)
        {
          error += (values[i] - expected[i]) * (values[i] - expected[i]);
          norm += expected[i] * expected[i];
        }
    if (values.size() != expected.size() ||
        !(std::sqrt(error) <= 1e-12 * std::sqrt(norm)))
      throw std::runtime_error("'" + what +
                               "' gives another result: its difference is " +
                               std::to_string(std::sqrt(error / norm)) + ", " +
                               std::to_string(values.size()) + " values of " +
                               std::to_string(expected.size()) + ".");
  }

  template <typename Number>
  std::vector<double>
  values_of(const BlockMatrix<Number> &A)
  {
    return std::vector<double>(A.values(), A.values() + A.n_values());
  }

  /** Bytes of a product of matrix and vector: each array once. */
  template <typename Number>
  double
  bytes_of_product(const BlockMatrix<Number> &A)
  {
    const double rows = A.pattern().n_rows(), columns = A.pattern().n_columns();
    return sizeof(Number) * (double(A.n_values()) + rows * A.shape().rows +
                             columns * A.shape().columns) +
           4. * double(A.pattern().n_blocks()) + 16. * rows;
  }

  /** Matrix, vectors and the product, ready to run. */
  template <typename Number>
  struct VectorCase
  {
    VectorCase(BlockMatrix<Number> matrix)
      : A(std::move(matrix))
      , x(A.pattern().columns(), A.shape().columns)
      , y(A.pattern().rows(), A.shape().rows)
      , product(A)
    {
      for (std::size_t i = 0; i < x.n_values(); ++i)
        x.data()[i] = Number(1. + double(i % 17));
    }

    Task
    task(const std::string &name)
    {
      return {name,
              bytes_of_product(A),
              [this] { product.multiply(A, x, y); },
              {}};
    }

    std::vector<double>
    values_of_x() const
    {
      return std::vector<double>(x.data(), x.data() + x.n_values());
    }

    std::vector<double>
    values_of_y() const
    {
      return std::vector<double>(y.data(), y.data() + y.n_owned_values());
    }

    BlockMatrix<Number>  A;
    BlockVector<Number>  x, y;
    MatrixVector<Number> product;
  };

  /** Products of one matrix and a vector in all forms; the last task is the
   * copy. */
  std::vector<Task>
  measure_matrix_vector(const Settings            &settings,
                        const Peer                *peer,
                        const BlockMatrix<double> &A)
  {
    const int          n    = A.shape().rows;
    const std::string  form = std::to_string(n) + " x " + std::to_string(n);
    VectorCase<double> blocks(A.copy());
    VectorCase<float>  float_blocks(convert<float>(A));
    Copy               copy(settings);
    std::vector<Task>  tasks = {blocks.task(form + ", double"),
                                float_blocks.task(form + ", float")};

    const BlockMatrix<double>           numbers = to_scalar(A);
    std::unique_ptr<VectorCase<double>> scalar;
    if (n > 1)
      {
        scalar = std::make_unique<VectorCase<double>>(numbers.copy());
        tasks.push_back(scalar->task("1 x 1, double"));
      }
    std::unique_ptr<PeerMatrixVector> aij, baij;
    if (peer)
      {
        const auto add = [&](const std::string                 &name,
                             std::unique_ptr<PeerMatrixVector> &object,
                             const int                          block_size,
                             const double                       bytes) {
          object =
            peer->matrix_vector(numbers, blocks.values_of_x(), block_size);
          tasks.push_back({name, bytes, [&object] { object->multiply(); }, {}});
        };
        add("PETSc AIJ", aij, 1, bytes_of_product(numbers));
        if (n > 1)
          add("PETSc BAIJ", baij, n, bytes_of_product(A));
      }
    tasks.push_back(copy.task());
    measure_in_turns(settings, tasks);

    if (scalar)
      require_equal("1 x 1", scalar->values_of_y(), blocks.values_of_y());
    if (aij)
      require_equal("PETSc AIJ", aij->result(), blocks.values_of_y());
    if (baij)
      require_equal("PETSc BAIJ", baij->result(), blocks.values_of_y());
    return tasks;
  }

  /** An algorithm for $P^T A P$ that is measured. */
  struct Variant
  {
    std::string    name;
    ProductOptions options;
    double         set_up_seconds = 0.; ///< the symbolic phase
    double         first_seconds  = 0.; ///< the first numeric phase
    double         bytes_kept     = 0.;

    std::unique_ptr<GalerkinProduct<double>> product;
    BlockMatrix<double>                      A_c;
  };

  /** The fused forms take far too long where blocks are numbers. */
  std::vector<Variant>
  all_variants(const bool with_fused)
  {
    std::vector<Variant> result;
    const auto           add = [&](const ProductAlgorithm algorithm,
                         const FusedOrder       order) {
      Variant variant;
      variant.name                = to_string(algorithm);
      variant.options.algorithm   = algorithm;
      variant.options.fused_order = order;
      if (algorithm == ProductAlgorithm::fused_ordered)
        variant.name += ", " + to_string(order);
      result.push_back(std::move(variant));
    };
    for (const ProductAlgorithm algorithm : {ProductAlgorithm::cached_positions,
                                             ProductAlgorithm::two_pass,
                                             ProductAlgorithm::tiled,
                                             ProductAlgorithm::schedule,
                                             ProductAlgorithm::outer_product})
      add(algorithm, FusedOrder::natural);
    if (with_fused)
      {
        add(ProductAlgorithm::fused, FusedOrder::natural);
        for (const FusedOrder order : {FusedOrder::natural,
                                       FusedOrder::minimum_fine_index,
                                       FusedOrder::rcm})
          add(ProductAlgorithm::fused_ordered, order);
      }
    return result;
  }

  /** Products of one pair of matrices by all algorithms. */
  struct ProductResults
  {
    std::string          name;
    ProductSizes         sizes;
    std::size_t          n_unfiltered_blocks;
    std::vector<Variant> variants;
    std::vector<Task>    tasks; ///< variants, float, perhaps peer, copy

    double
    seconds(const std::string &task) const
    {
      for (const Task &t : tasks)
        if (t.name == task)
          return t.seconds.median;
      return std::nan("");
    }

    const Variant &
    variant(const ProductAlgorithm algorithm) const
    {
      for (const Variant &v : variants)
        if (v.options.algorithm == algorithm)
          return v;
      throw std::logic_error("there is no such variant");
    }

    double
    seconds(const ProductAlgorithm algorithm) const
    {
      return seconds(to_string(algorithm));
    }
  };

  const char ours_in_float[] = "cached positions, float";
  const char peer_product[]  = "PETSc MatPtAP";

  ProductResults
  measure_product(const Settings            &settings,
                  const Peer                *peer,
                  const std::string         &name,
                  const BlockMatrix<double> &A,
                  const SmoothedProlongator &prolongator)
  {
    const BlockMatrix<double> &P = prolongator.P;
    const int      fine = A.shape().rows, coarse = P.shape().columns;
    ProductResults result{
      name, {}, prolongator.n_unfiltered_blocks, all_variants(coarse > 1), {}};
    for (Variant &v : result.variants)
      {
        std::vector<double> set_up, first;
        for (int repeat = 0;
             repeat < 3 && (repeat == 0 || first[0] < seconds_of_long_tasks);
             ++repeat)
          {
            v.product.reset();
            const double start = processor_seconds();
            v.product          = std::make_unique<GalerkinProduct<double>>(
              A.pattern(), P.pattern(), fine, coarse, v.options);
            set_up.push_back(processor_seconds() - start);
            v.A_c =
              BlockMatrix<double>(v.product->pattern(), v.product->shape());
            const double middle = processor_seconds();
            v.product->multiply(A, P, v.A_c);
            first.push_back(processor_seconds() - middle);
          }
        v.set_up_seconds = statistics(set_up).median;
        v.first_seconds  = statistics(first).median;
        v.bytes_kept     = double(v.product->memory_consumption());
        result.tasks.push_back(
          {v.name,
           v.product->traffic().floor_bytes,
           [&v, &A, &P] { v.product->multiply(A, P, v.A_c); },
           {}});
      }
    result.sizes = result.variants[0].product->sizes();

    const BlockMatrix<float> float_A = convert<float>(A),
                             float_P = convert<float>(P);
    GalerkinProduct<float> float_product(
      A.pattern(), P.pattern(), fine, coarse, result.variants[0].options);
    BlockMatrix<float> float_A_c(float_product.pattern(),
                                 float_product.shape());
    result.tasks.push_back(
      {ours_in_float,
       float_product.traffic().floor_bytes,
       [&] { float_product.multiply(float_A, float_P, float_A_c); },
       {}});
    std::unique_ptr<PeerProduct> peers;
    if (peer)
      {
        peers = peer->product(to_scalar(A), to_scalar(P));
        result.tasks.push_back({peer_product,
                                result.tasks[0].bytes,
                                [&peers] { peers->multiply(); },
                                {}});
      }
    Copy copy(settings);
    result.tasks.push_back(copy.task());
    measure_in_turns(settings, result.tasks);

    const std::vector<double> expected = values_of(result.variants[0].A_c);
    for (const Variant &v : result.variants)
      require_equal(v.name, values_of(v.A_c), expected);
    if (peers)
      require_equal(peer_product,
                    peers->result(),
                    values_of(to_scalar(result.variants[0].A_c)));
    return result;
  }

  double
  copy_rate(const std::vector<Task> &tasks)
  {
    return tasks.back().bytes / tasks.back().seconds.median;
  }

  void
  print_matrix_vector(const std::string &name, const std::vector<Task> &tasks)
  {
    std::printf(
      "\nProducts of matrix and vector, %s\n\n%-26s %9s %9s %8s %8s\n",
      name.c_str(),
      "form",
      "ms",
      "MB",
      "GB/s",
      "to copy");
    for (const Task &t : tasks)
      {
        const double rate = t.bytes / t.seconds.median;
        std::printf("%-26s %9.3f %9.1f %8.1f %8.2f\n",
                    t.name.c_str(),
                    1e3 * t.seconds.median,
                    1e-6 * t.bytes,
                    1e-9 * rate,
                    rate / copy_rate(tasks));
      }
  }

  void
  print_product(const ProductResults &r)
  {
    const ProductSizes &s = r.sizes;
    std::printf("\nGalerkin products, %s\n"
                "m_F %.0f, Z_A %.0f, Z_P %.0f (unfiltered %zu), n_P %.2f, "
                "Z_W %.0f, w %.2f,\nm_C %.0f, Z_C %.0f, blocks %d and %d\n\n"
                "%-26s %9s %9s %8s %8s %8s %8s %8s %8s\n",
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
                "kept MB");
    const double ours = r.seconds(ProductAlgorithm::cached_positions);
    for (std::size_t i = 0; i < r.tasks.size(); ++i)
      {
        const Task  &t    = r.tasks[i];
        const double rate = t.bytes / t.seconds.median;
        std::printf("%-26s %9.3f %9.1f %8.1f %8.2f %8.2f",
                    t.name.c_str(),
                    1e3 * t.seconds.median,
                    1e-6 * t.bytes,
                    1e-9 * rate,
                    copy_rate(r.tasks) / rate,
                    t.seconds.median / ours);
        if (i < r.variants.size())
          std::printf(" %8.2f %8.2f %8.1f",
                      1e3 * r.variants[i].set_up_seconds,
                      1e3 * r.variants[i].first_seconds,
                      1e-6 * r.variants[i].bytes_kept);
        std::printf("\n");
      }

    const auto   two_pass = ProductAlgorithm::two_pass;
    const auto   schedule = ProductAlgorithm::schedule;
    const double values_W = s.bytes_W() * s.n_blocks_W;
    std::printf("\n");
    if (s.coarse > 1)
      std::printf("fused / two-pass: %.2f at n_P = %.2f. ",
                  r.seconds(ProductAlgorithm::fused) / r.seconds(two_pass),
                  s.blocks_per_row());
    std::printf(
      "two-pass / schedule: %.2f.\n"
      "Schedule, of the values of W: %.2f. Symbolic and first numeric "
      "phase:\n"
      "schedule %.1f ms, two-pass %.1f ms, cached positions %.1f ms.\n",
      r.seconds(two_pass) / r.seconds(schedule),
      (r.variant(schedule).bytes_kept - r.variant(two_pass).bytes_kept) /
        values_W,
      1e3 * (r.variant(schedule).set_up_seconds +
             r.variant(schedule).first_seconds),
      1e3 * (r.variant(two_pass).set_up_seconds +
             r.variant(two_pass).first_seconds),
      1e3 * (r.variants[0].set_up_seconds + r.variants[0].first_seconds));
    std::fflush(stdout);
  }

#ifdef TESSERA_HAVE_JSON
  nlohmann::ordered_json
  to_json(const std::vector<Task> &tasks)
  {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Task &t : tasks)
      list.push_back({{"name", t.name},
                      {"bytes", t.bytes},
                      {"seconds", to_json(t.seconds)}});
    return list;
  }

  nlohmann::ordered_json
  to_json(const ProductResults &r)
  {
    nlohmann::ordered_json variants = nlohmann::ordered_json::array();
    for (const Variant &v : r.variants)
      variants.push_back({{"name", v.name},
                          {"set_up_seconds", v.set_up_seconds},
                          {"first_seconds", v.first_seconds},
                          {"bytes_kept", v.bytes_kept}});
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
            {"variants", variants},
            {"results", to_json(r.tasks)}};
  }
#endif

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
                settings.repeats.n_repeats,
                peer             ? Peer::name().c_str() :
                settings.no_peer ? "left out" :
                                   "left out, PETSc was not found");

    const Brick               bar = beam(settings.k);
    const BlockMatrix<double> A   = brick_matrix(bar, 3, elasticity(bar));
    const std::vector<Task>   vectors =
      measure_matrix_vector(settings, peer.get(), A);
    print_matrix_vector("elasticity", vectors);

    std::vector<ProductResults> products;
    const auto                  add = [&](const std::string         &name,
                         const BlockMatrix<double> &matrix,
                         const SmoothedProlongator &prolongator) {
      products.push_back(
        measure_product(settings, peer.get(), name, matrix, prolongator));
      print_product(products.back());
    };
    const SmoothedProlongator fine =
      smoothed_prolongator(A, rigid_modes(bar), 6, AggregationOptions());
    add("elasticity, first level", A, fine);
    add("elasticity, second level",
        products[0].variants[0].A_c,
        smoothed_prolongator(products[0].variants[0].A_c,
                             fine.coarse_modes,
                             6,
                             {0.025, false, 0.015}));

    const int                 n = 3 * settings.k;
    const Brick               cube{{{n, n, n}}, 1. / n};
    const BlockMatrix<double> scalar = brick_matrix(cube, 1, laplace(cube));
    const std::vector<Task>   scalar_vectors =
      measure_matrix_vector(settings, peer.get(), scalar);
    print_matrix_vector("Laplace operator", scalar_vectors);
    add("Laplace operator",
        scalar,
        smoothed_prolongator(
          scalar, Modes(cube.n_nodes(), 1.), 1, AggregationOptions()));

    const ProductResults &first = products[0];
    const double          share =
      vectors[0].bytes / vectors[0].seconds.median / copy_rate(vectors);
    std::printf("\nElasticity, 3 x 3, double: %.0f %% of the bandwidth of a "
                "copy. First level:\n",
                100. * share);
    if (peer)
      std::printf("%.2f times as fast as MatPtAP of PETSc.\n",
                  first.seconds(peer_product) /
                    first.seconds(ProductAlgorithm::cached_positions));
    else
      std::printf("no peer.\n");

#ifdef TESSERA_HAVE_JSON
    if (settings.json.empty())
      return;
    nlohmann::ordered_json product_list = nlohmann::ordered_json::array();
    for (const ProductResults &r : products)
      product_list.push_back(to_json(r));
    write_json(settings.json,
               {{"benchmark", "sparse_products"},
                {"git_revision", git_revision()},
                {"instruction_set", to_string(set)},
                {"simd_bits", simd_bits(set)},
                {"peer", peer ? Peer::name() : ""},
                {"clock", "seconds of the thread"},
                {"k", settings.k},
                {"n_repeats", settings.repeats.n_repeats},
                {"matrix_vector",
                 {{{"matrix", "elasticity"}, {"results", to_json(vectors)}},
                  {{"matrix", "Laplace operator"},
                   {"results", to_json(scalar_vectors)}}}},
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
    benchmark::Options  options(benchmark::usage);
    options.add_number("--k", settings.k, 16);
    options.add_number("--repeats", settings.repeats.n_repeats, 100);
    options.add_number("--megabytes", settings.megabytes, 4096);
    options.add_flag("--no-peer", settings.no_peer);
    options.add_json(settings.json);
    if (!options.parse(argc, argv, ranks))
      return;
    benchmark::require_one_process(ranks);
    benchmark::run(settings);
  });
}
