// SPDX-License-Identifier: LGPL-2.1-or-later
// Products of sparse matrices of blocks, with vectors and with prolongators:
// each algorithm against the bytes that it has to move, against the others,
// and against PETSc. On one process.
#include <tessera/base/communication_session.h>
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>

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
#include "sparse_products/tables.h"
#include "sparse_products/vector_forms.h"

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
      vectors.emplace_back(name,
                           measure_matrix_vector(settings.measure, peer, A));
      print_matrix_vector(name, vectors.back().second);
    }

    void
    measure(const std::string         &name,
            const BlockMatrix<double> &A,
            const SmoothedProlongator &P)
    {
      products.push_back(measure_product(
        settings.measure, settings.algorithms, peer, name, A, P));
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
