// E^T A_split E is the matrix of the interior penalty method on the
// non-matching mesh, assembled independently; the pairing of a split dual with
// a consistent primal field is that of the assembled ones.
#include <tessera/base/eigenproblem.h>
#include <tessera/sipg/reference_operator.h>
#include <tessera/sipg/shadow_transfer.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include "check.h"
#include "nonmatching_sipg.h"

using namespace sipg_tests;

namespace
{
  double
  max_abs(const ActiveVector &x)
  {
    double result = 0.;
    for (const double value : x)
      result =
        std::fmax(result, std::isnan(value) ? INFINITY : std::abs(value));
    return result;
  }

  double
  max_difference(ActiveVector x, const ActiveVector &y)
  {
    CHECK_EQUAL(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] -= y[i];
    return max_abs(x);
  }

  double
  dot(const ActiveVector &x, const ActiveVector &y)
  {
    double sum = 0.;
    for (std::size_t i = 0; i < x.size(); ++i)
      sum += x[i] * y[i];
    return sum;
  }

  template <typename F>
  void
  poison(F &field)
  {
    std::fill(field.data(),
              field.data() + field.size(),
              std::numeric_limits<typename F::value_type>::quiet_NaN());
  }

  template <int dim>
  void
  check_operator(const Forest<dim> &forest,
                 const int          degree,
                 const int          block_size,
                 const bool         with_coefficient)
  {
    const std::vector<double> coefficient =
      with_coefficient ? random_coefficient(forest.n_active_cells(), 11) :
                         std::vector<double>();
    const Penalty             penalty = {2.3, 1.7};
    const ElementMatrices     matrices(degree, penalty);
    const LevelHierarchy<dim> levels(forest, block_size, coefficient);
    const auto layout = std::make_shared<FieldLayout>(levels, degree);
    const NonmatchingSIPG<dim> oracle(forest, degree, penalty, coefficient);

    const ActiveVector x  = random_vector(oracle.size(), 1);
    const ActiveVector z  = random_vector(oracle.size(), 2);
    const ActiveVector Ax = oracle.apply(x);

    PrimalField<double> X(layout), Z(layout);
    set_active(levels, x, X);
    set_active(levels, z, Z);
    for (int l = 0; l < levels.n_levels(); ++l)
      for (CellIndex s = 0; s < levels.level(l).n_shadow_cells(); ++s)
        for (int k = 0; k < layout->n_shadow_values; ++k)
          X.shadow(l, s, k) = Z.shadow(l, s, k) =
            std::numeric_limits<double>::quiet_NaN();
    refresh_shadows(levels, matrices, X);
    refresh_shadows(levels, matrices, Z);
    DualField<double> Y(layout);
    // Gaps between the parts are not the operator's.
    for (int l = 0; l < levels.n_levels(); ++l)
      {
        const FieldLayout::Part &part = layout->levels[l];
        std::fill_n(Y.cells(l),
                    std::size_t(part.n_padded_cells) * layout->n_cell_values,
                    std::numeric_limits<double>::quiet_NaN());
        std::fill_n(Y.shadows(l),
                    std::size_t(part.n_padded_shadow_cells) *
                      layout->n_shadow_values,
                    std::numeric_limits<double>::quiet_NaN());
      }
    apply_reference(levels, matrices, X, Y);

    const double zAx = dot(z, Ax);
    CHECK_NEAR(pairing(Y, Z) / max_abs(Ax) / max_abs(z),
               zAx / max_abs(Ax) / max_abs(z),
               1e-11);

    DualField<double> assembled;
    assembled.copy_from(Y);
    assemble_shadows(levels, matrices, assembled);
    const ActiveVector y     = get_active(levels, assembled);
    const double       error = max_difference(y, Ax) / max_abs(Ax);
    CHECK(error <= 1e-12);
    if (!(error <= 1e-12))
      std::cerr << "  dim " << dim << ", degree " << degree << ", error "
                << error << std::endl;
    // Assembly moves parts, it does not change the functional; twice is once.
    CHECK_NEAR(pairing(assembled, Z) / max_abs(Ax),
               pairing(Y, Z) / max_abs(Ax),
               1e-11);
    DualField<double> again;
    again.copy_from(assembled);
    assemble_shadows(levels, matrices, again);
    CHECK(max_difference(get_active(levels, again), y) == 0.);

    // Symmetry and positivity: (z, A x) = (x, A z), (x, A x) > 0.
    apply_reference(levels, matrices, Z, Y);
    CHECK_NEAR(pairing(Y, X) / max_abs(Ax), zAx / max_abs(Ax), 1e-11);
    CHECK(dot(x, Ax) > 0.);

    // Single precision.
    PrimalField<float> X_float(layout);
    DualField<float>   Y_float(layout);
    set_active(levels, x, X_float);
    refresh_shadows(levels, matrices, X_float);
    apply_reference(levels, matrices, X_float, Y_float);
    assemble_shadows(levels, matrices, Y_float);
    CHECK(max_difference(get_active(levels, Y_float), Ax) <=
          2e-6 * max_abs(Ax));
  }

  /** The operator of a level is that of the mesh cut at this level, on cells
   * of the level, if the shadows are those of the cells around. */
  template <int dim>
  void
  check_level_operator(const Forest<dim> &forest, const int degree)
  {
    const ElementMatrices matrices(degree);
    const int             finest = forest.n_levels() - 1;
    for (int l = 1; l < finest; ++l)
      {
        // Cells of finer levels are replaced by their ancestors.
        std::vector<CellKey> keys;
        for (int k = 0; k <= l; ++k)
          for (std::size_t i = 0; i < forest.level(k).keys.size(); ++i)
            if (k == l || !forest.level(k).refined[i])
              keys.push_back(forest.level(k).keys[i]);
        const Forest<dim>         cut(forest.coarse_mesh(), keys);
        const LevelHierarchy<dim> cut_levels(cut, 4);
        const LevelHierarchy<dim> levels(forest, 4);
        const auto layout = std::make_shared<FieldLayout>(levels, degree);
        const auto cut_layout =
          std::make_shared<FieldLayout>(cut_levels, degree);
        CHECK_EQUAL(levels.level(l).n_slots, cut_levels.level(l).n_slots);

        PrimalField<double> X(cut_layout);
        set_active(
          cut_levels,
          random_vector(cut_levels.n_active_cells() * layout->n_cell_values, 5),
          X);
        refresh_shadows(cut_levels, matrices, X);
        DualField<double> expected(cut_layout), found(layout);
        poison(found);
        apply_reference(cut_levels, matrices, X, expected);
        apply_reference(levels.level(l),
                        matrices,
                        CellSet::level,
                        X.cells(l),
                        X.shadows(l),
                        found.cells(l),
                        found.shadows(l));
        for (CellIndex c = 0; c < levels.level(l).n_padded_cells; ++c)
          for (int k = 0; k < layout->n_cell_values; ++k)
            CHECK_NEAR(found(l, c, k), expected(l, c, k), 1e-12);
        for (CellIndex s = 0; s < levels.level(l).n_padded_shadow_cells; ++s)
          for (int k = 0; k < layout->n_shadow_values; ++k)
            CHECK_NEAR(found.shadow(l, s, k), expected.shadow(l, s, k), 1e-12);
      }
  }

  /** The smallest eigenvalue of A for cells whose coefficients differ much. */
  double
  smallest_eigenvalue(const int p, const double penalty_factor)
  {
    const Forest<2> forest =
      Forest<2>(cube_mesh<2>(2)).refine([](const CellKey &key) {
        return key.coarse_cell == 0;
      });
    const std::vector<double> coefficient = {1e3, 1., 1., 1e-2, 1., 1e3, 1e2};
    const NonmatchingSIPG<2>  oracle(forest,
                                    p,
                                    {penalty_factor, 2.},
                                    coefficient);
    const std::size_t         n = oracle.size();
    tessera::DenseMatrix      A(n, n);
    for (std::size_t j = 0; j < n; ++j)
      {
        ActiveVector unit(n);
        unit[j]                   = 1.;
        const ActiveVector column = oracle.apply(unit);
        for (std::size_t i = 0; i < n; ++i)
          A(i, j) = column[i];
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        {
          CHECK_NEAR(A(i, j), A(j, i), 1e-11);
          A(i, j) = A(j, i);
        }
    return tessera::generalized_eigenpairs(A,
                                           tessera::identity_matrix<double>(n))
      .values[0];
  }

  /** Refined cells are left alone by the operator of the active mesh, and
   * their coefficients are not looked at. */
  void
  check_refined_cells()
  {
    const Forest<2>         forest = random_forest(cube_mesh<2>(3), 2, 0.4, 21);
    const LevelHierarchy<2> levels(forest, 8);
    const ElementMatrices   matrices(2);
    const auto              layout = std::make_shared<FieldLayout>(levels, 2);
    PrimalField<double>     X(layout);
    const ActiveVector      x =
      random_vector(levels.n_active_cells() * layout->n_cell_values, 3);
    set_active(levels, x, X);
    refresh_shadows(levels, matrices, X);
    DualField<double> expected(layout), found(layout);
    apply_reference(levels, matrices, X, expected);
    int n_refined = 0;
    for (int l = 0; l < levels.n_levels(); ++l)
      for (CellIndex c = 0; c < levels.level(l).n_cells; ++c)
        if (!levels.level(l).active[c])
          {
            ++n_refined;
            for (int k = 0; k < layout->n_cell_values; ++k)
              {
                CHECK_EQUAL(expected(l, c, k), 0.);
                X(l, c, k) = std::numeric_limits<double>::quiet_NaN();
              }
          }
    CHECK(n_refined > 3);
    apply_reference(levels, matrices, X, found);
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK_EQUAL(found.data()[i], expected.data()[i]);
  }
} // namespace

int
main()
{
  const CoarseMesh<2> stretched =
    box_mesh<2>({{2, 3}}, {{-1., 0.5}}, {{0., 2.1}}, neumann_at<2>({1, 2}));
  const CoarseMesh<3> stretched_3d  = box_mesh<3>({{2, 1, 1}},
                                                 {{0., 0., 0.}},
                                                 {{1., 0.7, 0.4}},
                                                 neumann_at<3>({0, 5}));
  const int           block_sizes[] = {1, 2, 8, 32};
  for (int p = 1; p <= 4; ++p)
    {
      const int B = block_sizes[p - 1];
      check_operator(random_forest(cube_mesh<2>(2), 3, 0.3, p), p, B, false);
      check_operator(
        random_forest(cube_mesh<2>(2), 3, 0.3, 10 + p, Balance::faces),
        p,
        B,
        true);
      check_operator(random_forest(stretched, 2, 0.3, 20 + p), p, 32, true);
      check_operator(
        random_forest(corner_mesh<2>(neumann_at<2>({3})), 2, 0.4, 30 + p),
        p,
        4,
        p % 2 == 0);
    }
  check_operator(random_forest(cube_mesh<3>(1), 3, 0.3, 41), 1, 4, true);
  check_operator(random_forest(stretched_3d, 2, 0.4, 42), 2, 32, true);
  check_operator(random_forest(cube_mesh<3>(2), 1, 0.3, 43), 3, 8, true);
  check_operator(random_forest(stretched_3d, 1, 0.5, 44), 4, 1, true);
  check_operator(random_forest(corner_mesh<3>(), 1, 0.3, 45), 2, 16, false);
  // A mesh without shadows, and degrees above those of the proof by numbers.
  check_operator(Forest<2>::uniform(cube_mesh<2>(1), 2), 5, 32, true);
  check_operator(random_forest(cube_mesh<2>(2), 2, 0.3, 46), 7, 32, true);

  for (int p = 1; p <= 3; ++p)
    check_level_operator(random_forest(cube_mesh<2>(2), 4, 0.3, 50 + p), p);
  check_level_operator(random_forest(cube_mesh<3>(2), 3, 0.15, 60), 2);
  check_refined_cells();
  for (int p = 1; p <= 3; ++p)
    {
      CHECK(smallest_eigenvalue(p, 2.) > 0.);
      CHECK(smallest_eigenvalue(p, 0.1) < 0.);
    }
  return check::result();
}
