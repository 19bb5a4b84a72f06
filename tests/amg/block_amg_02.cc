// SPDX-License-Identifier: LGPL-2.1-or-later
// The preconditioner is symmetric, positive and deterministic, the same with
// all product algorithms; an update has the bits of a set-up, without symbolic
// work.
#include <tessera/amg/spectrum.h>
#include <tessera/base/counters.h>
#include <tessera/base/memory.h>

#include "amg/amg_problem.h"
#include "check.h"

using namespace tessera;
using namespace amg_problem;
using amg::LevelPrecision;
using sparse::ProductAlgorithm;

namespace
{
  Options
  three_levels(const LevelPrecision precision)
  {
    Options options;
    options.level_precision   = precision;
    options.aggressive_levels = 0;
    options.coarse_size_limit = 200;
    return options;
  }

  void
  check_symmetry(const Problem &problem, const Options &options)
  {
    BlockAMG C;
    initialize(C, problem, options);
    CHECK(C.record().levels.size() >= 3);
    const bool is_double =
      options.level_precision == LevelPrecision::double_precision;

    BlockVector<double> x = problem.b.copy(), y = problem.b.copy();
    for (unsigned int seed = 0; seed < 3; ++seed)
      {
        fill_random(x, seed);
        fill_random(y, 100 + seed);
        const BlockVector<double> Cx = apply(C, x), Cy = apply(C, y);
        const double              scale = std::sqrt(dot(x, Cx) * dot(y, Cy));
        CHECK(dot(x, Cx) > 0 && dot(y, Cy) > 0);
        CHECK_NEAR((dot(y, Cx) - dot(x, Cy)) / scale,
                   0.,
                   is_double ? 1e-13 : 1e-5);
      }

    // Linear; exactly so for powers of two, from the smallest to the largest
    // numbers that make sense.
    const BlockVector<double> Cx = apply(C, x);
    for (const double factor : {0.5, std::ldexp(1., 200), std::ldexp(1., -200)})
      {
        BlockVector<double> scaled = x.copy();
        for (std::size_t i = 0; i < x.n_owned_values(); ++i)
          scaled.data()[i] *= factor;
        BlockVector<double> z = apply(C, scaled);
        for (std::size_t i = 0; i < x.n_owned_values(); ++i)
          z.data()[i] /= factor;
        CHECK(same_bits(z, Cx));
      }
    x.set_zero();
    CHECK_EQUAL(dot(apply(C, x), apply(C, x)), 0.);
  }

  /** The same matrix with values that vary along the beam. */
  BlockMatrix<double>
  changed(const BlockMatrix<double> &A)
  {
    BlockMatrix<double> result  = A.copy();
    double *const       values  = result.values_to_write();
    const auto         &pattern = A.pattern();
    const int           size    = A.shape().size();
    const auto          factor  = [&](const sparse::LocalIndex i) {
      return 1 + 0.2 * std::sin(6.28 * i / pattern.n_rows());
    };
    for (sparse::LocalIndex i = 0; i < pattern.n_rows(); ++i)
      for (std::int64_t k = pattern.row_begin()[i];
           k < pattern.row_begin()[i + 1];
           ++k)
        for (int e = 0; e < size; ++e)
          values[k * size + e] *=
            factor(i) * factor(pattern.column_indices()[k]);
    return result;
  }

  void
  check_update(const Problem &problem, const Options &options)
  {
    BlockAMG fresh, updated;
    initialize(fresh, problem, options);
    const BlockVector<double> z      = apply(fresh, problem.b);
    const std::size_t         memory = fresh.memory_consumption();
    CHECK(!fresh.record().is_update);
    CHECK_EQUAL(fresh.record().memory, memory);

    // Again with the same values: the same bits, in the same memory.
    fresh.update(problem.A);
    CHECK(fresh.record().is_update);
    CHECK(same_bits(apply(fresh, problem.b), z));
    CHECK_EQUAL(fresh.memory_consumption(), memory);

    // With others and back.
    const BlockMatrix<double> A = changed(problem.A);
    fresh.update(A);
    CHECK(distance(apply(fresh, problem.b), z) > 1e-3);
    CHECK_NEAR(fresh.record().levels[0].largest_eigenvalue,
               amg::largest_eigenvalue(A,
                                       sparse::inverse_diagonal_blocks(A),
                                       amg::InactiveComponents(),
                                       problem.keys),
               options.level_precision == LevelPrecision::double_precision ?
                 0. :
                 1e-5);
    BlockVector<double> x(A.pattern().columns(), A.shape().rows);
    CHECK(amg::solve(A, fresh, problem.b, x).n_iterations <= 26);

    // A copy of the matrix will do, too.
    const BlockMatrix<double> copy        = problem.A.copy();
    Counters                 &counters    = Counters::process();
    const CounterSnapshot     before      = counters.snapshot();
    const std::uint64_t       peak_before = allocated_bytes();
    reset_peak_allocated_bytes();
    fresh.update(copy);
    const CounterSnapshot counted = counters.snapshot().since(before);
    CHECK(same_bits(apply(fresh, problem.b), z));
    CHECK_EQUAL(counted.value(Counters::scalar_block_conversions).total, 0u);
    CHECK_EQUAL(counted.value(Counters::exchange_bytes).total, 0u);

    // Only matrices are converted: prolongators are kept in single precision.
    std::uint64_t n_values = 0;
    if (options.level_precision == LevelPrecision::single_precision)
      for (std::size_t l = 0; l + 1 < fresh.record().levels.size(); ++l)
        {
          const amg::LevelRecord &level = fresh.record().levels[l];
          n_values += level.n_blocks * level.block_size * level.block_size;
        }
    CHECK_EQUAL(counted.value(Counters::converted_values).total, n_values);

    // Large arrays are there already.
    CHECK(peak_allocated_bytes() - peak_before <
          problem.A.n_values() * sizeof(double) / 4);

    // Moved.
    updated = std::move(fresh);
    CHECK(same_bits(apply(updated, problem.b), z));
    updated.clear();
    CHECK(!updated.is_initialized());
    CHECK_EQUAL(updated.memory_consumption(), 0u);
  }

  /** Where prolongators do not depend on values, an update is a set-up: all
   * nodes that have a block in common are strongly coupled, and nothing is
   * smoothed. */
  void
  check_update_beside_setup(const Problem &problem, Options options)
  {
    options.strength_threshold    = 0.;
    options.prolongator_smoothing = false;
    Problem other;
    other.A    = changed(problem.A);
    other.B    = problem.B.copy();
    other.keys = problem.keys;
    BlockAMG updated, fresh;
    initialize(updated, problem, options);
    CHECK(updated.record().levels.size() >= 3);
    updated.update(other.A);
    initialize(fresh, other, options);
    CHECK(same_bits(apply(updated, problem.b), apply(fresh, problem.b)));
    for (std::size_t l = 0; l < fresh.record().levels.size(); ++l)
      CHECK_EQUAL(updated.record().levels[l].largest_eigenvalue,
                  fresh.record().levels[l].largest_eigenvalue);
  }

  void
  check_products(const Problem &problem)
  {
    Options options           = three_levels(LevelPrecision::double_precision);
    options.product.algorithm = ProductAlgorithm::two_pass;
    BlockAMG C;
    initialize(C, problem, options);
    const BlockVector<double> z = apply(C, problem.b);
    initialize(C, problem, options);
    CHECK(same_bits(apply(C, problem.b), z));
    CHECK_EQUAL(C.record().levels[0].product_algorithm, "two-pass");

    for (const ProductAlgorithm algorithm : {ProductAlgorithm::automatic,
                                             ProductAlgorithm::tiled,
                                             ProductAlgorithm::schedule,
                                             ProductAlgorithm::cached_positions,
                                             ProductAlgorithm::fused,
                                             ProductAlgorithm::fused_ordered,
                                             ProductAlgorithm::outer_product})
      {
        options.product.algorithm = algorithm;
        initialize(C, problem, options);
        const BlockVector<double> other = apply(C, problem.b);
        const bool other_sums = algorithm == ProductAlgorithm::fused ||
                                algorithm == ProductAlgorithm::fused_ordered ||
                                algorithm == ProductAlgorithm::outer_product;
        CHECK(other_sums ? distance(other, z) < 1e-10 : same_bits(other, z));
      }
  }
} // namespace



int
main()
{
  const Problem problem = beam(4, 1);
  for (const LevelPrecision precision :
       {LevelPrecision::single_precision, LevelPrecision::double_precision})
    {
      check_symmetry(problem, three_levels(precision));
      check_update(problem, three_levels(precision));
      check_update_beside_setup(problem, three_levels(precision));
    }
  check_products(problem);
  return check::result();
}
