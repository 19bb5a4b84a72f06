// SPDX-License-Identifier: LGPL-2.1-or-later
// The local multigrid cycle is the recursion of its theory, written without
// levels and shadows: on each mesh that is truncated to levels up to l, with
// the matrix of an independent assembly, block-Jacobi on the cells of level l
// alone, and the embedding of the mesh truncated to levels up to l - 1. Also
// with a coefficient, stretched cells and Neumann faces.
#include <tessera/base/dense_matrix.h>
#include <tessera/sipg/local_multigrid.h>

#include <cmath>
#include <iostream>
#include <map>
#include <memory>

#include "check.h"
#include "nonmatching_sipg.h"

using namespace sipg_tests;

namespace
{
  using tessera::DenseMatrix;

  /** A symmetric positive definite matrix, decomposed. */
  class Cholesky
  {
  public:
    explicit Cholesky(DenseMatrix matrix)
      : factor(std::move(matrix))
    {
      for (std::size_t i = 0; i < factor.n_rows(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
          {
            double rest = factor(i, j);
            for (std::size_t k = 0; k < j; ++k)
              rest -= factor(i, k) * factor(j, k);
            factor(i, j) = j < i ? rest / factor(j, j) : std::sqrt(rest);
          }
    }

    void
    solve(double *x) const
    {
      const std::size_t n = factor.n_rows();
      for (std::size_t i = 0; i < n; ++i)
        {
          for (std::size_t k = 0; k < i; ++k)
            x[i] -= factor(i, k) * x[k];
          x[i] /= factor(i, i);
        }
      for (std::size_t i = n; i-- > 0;)
        {
          for (std::size_t k = i + 1; k < n; ++k)
            x[i] -= factor(k, i) * x[k];
          x[i] /= factor(i, i);
        }
    }

  private:
    DenseMatrix factor;
  };

  /** $B_l$, with all matrices assembled. */
  template <int dim>
  class Recursion
  {
  public:
    /** @param[in] k of the active cells of the forest. */
    Recursion(const Forest<dim>               &forest,
              const int                        l,
              const int                        degree,
              const Penalty                   &penalty,
              const std::map<CellKey, double> &k,
              const MultigridOptions          &multigrid_options)
      : matrices(degree, penalty)
      , N(tessera::cellwise::power(degree + 1, dim))
      , options(multigrid_options)
      , keys(forest.active_cells())
    {
      std::vector<double> coefficient;
      for (const CellKey &key : keys)
        coefficient.push_back(k.at(key));
      const NonmatchingSIPG<dim> sipg(forest, degree, penalty, coefficient);
      const std::size_t          n = sipg.size();
      matrix                       = DenseMatrix(n, n);
      ActiveVector unit(n);
      for (std::size_t j = 0; j < n; ++j)
        {
          unit[j]                = 1.;
          const ActiveVector row = sipg.apply(unit); // symmetric
          for (std::size_t i = 0; i < n; ++i)
            matrix(j, i) = row[i];
          unit[j] = 0.;
        }
      if (l == 0)
        {
          exact = std::make_unique<Cholesky>(matrix);
          return;
        }

      std::vector<CellKey>      coarse_cells;
      std::map<CellKey, double> coarse_k;
      for (std::size_t c = 0; c < keys.size(); ++c)
        if (int(keys[c].level) < l)
          {
            coarse_cells.push_back(keys[c]);
            coarse_k[keys[c]] = coefficient[c];
          }
        else
          {
            DenseMatrix block(N, N);
            for (std::size_t i = 0; i < N; ++i)
              for (std::size_t j = 0; j < N; ++j)
                block(i, j) = matrix(c * N + i, c * N + j);
            blocks.emplace(c, block);
            const CellKey above = tessera::sipg::parent<dim>(keys[c]);
            if (tessera::sipg::child_number<dim>(keys[c]) == 0)
              coarse_cells.push_back(above);
            coarse_k[above] += coefficient[c] / (1 << dim);
          }
      coarse = std::make_unique<Recursion>(Forest<dim>(forest.coarse_mesh(),
                                                       coarse_cells),
                                           l - 1,
                                           degree,
                                           penalty,
                                           coarse_k,
                                           options);
      for (std::size_t c = 0; c < coarse->keys.size(); ++c)
        coarse_number[coarse->keys[c]] = c;
    }

    ActiveVector
    apply(const ActiveVector &r) const
    {
      ActiveVector x(r.size());
      if (coarse == nullptr)
        {
          x = r;
          exact->solve(x.data());
          return x;
        }
      smooth(r, x);
      const ActiveVector rest = residual(r, x);
      ActiveVector       coarse_rest(coarse->matrix.n_rows());
      embed([&](const std::size_t i, const std::size_t j, const double p) {
        coarse_rest[j] += p * rest[i];
      });
      const ActiveVector correction = coarse->apply(coarse_rest);
      embed([&](const std::size_t i, const std::size_t j, const double p) {
        x[i] += p * correction[j];
      });
      smooth(r, x);
      return x;
    }

  private:
    ElementMatrices                 matrices;
    std::size_t                     N;
    MultigridOptions                options;
    std::vector<CellKey>            keys;
    DenseMatrix                     matrix;
    std::unique_ptr<Cholesky>       exact;
    std::map<std::size_t, Cholesky> blocks; ///< of cells of level l
    std::unique_ptr<Recursion>      coarse;
    std::map<CellKey, std::size_t>  coarse_number;

    ActiveVector
    residual(ActiveVector r, const ActiveVector &x) const
    {
      for (std::size_t i = 0; i < r.size(); ++i)
        for (std::size_t j = 0; j < r.size(); ++j)
          r[i] -= matrix(i, j) * x[j];
      return r;
    }

    void
    smooth(const ActiveVector &r, ActiveVector &x) const
    {
      const double a = 2. / options.smoothing_range, b = 2.;
      const int    n = options.n_smoothing_steps;
      for (int k = 1; k <= n; ++k)
        {
          const double omega =
            1. / ((b + a) / 2. +
                  (b - a) / 2. * std::cos(M_PI * (2 * k - 1) / (2. * n)));
          ActiveVector rest = residual(r, x);
          for (const auto &block : blocks)
            {
              double *values = rest.data() + block.first * N;
              block.second.solve(values);
              for (std::size_t i = 0; i < N; ++i)
                x[block.first * N + i] += omega * values[i];
            }
        }
    }

    /** Call f(i, j, p) for the entries of the embedding. */
    template <typename F>
    void
    embed(const F &f) const
    {
      for (std::size_t c = 0; c < keys.size(); ++c)
        if (blocks.count(c) == 0)
          {
            const std::size_t other = coarse_number.at(keys[c]);
            for (std::size_t i = 0; i < N; ++i)
              f(c * N + i, other * N + i, 1.);
          }
        else
          {
            const std::size_t other =
              coarse_number.at(tessera::sipg::parent<dim>(keys[c]));
            const int number = tessera::sipg::child_number<dim>(keys[c]);
            for (std::size_t i = 0; i < N; ++i)
              for (std::size_t j = 0; j < N; ++j)
                {
                  double      p   = 1.;
                  std::size_t row = i, column = j;
                  for (int a = 0; a < dim; ++a)
                    {
                      p *=
                        matrices.child[(number >> a) & 1](row % matrices.n,
                                                          column % matrices.n);
                      row /= matrices.n;
                      column /= matrices.n;
                    }
                  f(c * N + i, other * N + j, p);
                }
          }
    }
  };

  /** @param[in] contrast k is random in [1/contrast, contrast] */
  template <int dim>
  void
  check_recursion(const Forest<dim>      &forest,
                  const int               degree,
                  const char             *name,
                  const double            contrast = 1.,
                  const Penalty          &penalty  = Penalty(),
                  const MultigridOptions &options  = MultigridOptions())
  {
    const ElementMatrices     matrices(degree, penalty);
    std::vector<double>       coefficient;
    std::map<CellKey, double> k;
    Random                    random(7);
    for (const CellKey &key : forest.active_cells())
      {
        coefficient.push_back(std::pow(contrast, random()));
        k[key] = coefficient.back();
      }
    const auto levels =
      std::make_shared<const LevelHierarchy<dim>>(forest, 8, coefficient);
    CHECK(levels->n_levels() >= 3);
    CHECK(levels->n_slots() > 0);
    LocalMultigrid<dim, double> B(levels, matrices, options);
    const Recursion<dim>        recursion(
      forest, forest.n_levels() - 1, degree, penalty, k, options);

    const auto layout = std::make_shared<const FieldLayout>(*levels, degree);
    for (int i = 0; i < 2; ++i)
      {
        const ActiveVector r =
          random_vector(levels->n_active_cells() * layout->n_cell_values,
                        30 + i);
        DualField<double>   field(layout);
        PrimalField<double> z(layout);
        set_active(*levels, r, field);
        B.apply(field, z);
        const ActiveVector result   = get_active(*levels, z);
        const ActiveVector expected = recursion.apply(r);
        double             error = 0., size = 0.;
        for (std::size_t j = 0; j < r.size(); ++j)
          {
            error += std::pow(result[j] - expected[j], 2);
            size += std::pow(expected[j], 2);
          }
        if (!(error < 1e-22 * size))
          std::cerr << name << ", dim " << dim << ", degree " << degree
                    << ": relative difference " << std::sqrt(error / size)
                    << std::endl;
        CHECK(error < 1e-22 * size);
      }
  }
} // namespace

int
main()
{
  const Forest<2> corner =
    random_forest(corner_mesh<2>(neumann_at<2>({1})), 3, 0.25, 5);
  const Forest<2> stretched = random_forest(box_mesh<2>({{2, 1}},
                                                        Point<2>{{0., 0.}},
                                                        Point<2>{{1., 1.3}},
                                                        neumann_at<2>({2})),
                                            3,
                                            0.5,
                                            9,
                                            Balance::faces);
  for (int degree = 1; degree <= 3; ++degree)
    check_recursion(corner, degree, "corner");
  check_recursion(stretched, 1, "stretched cells");
  check_recursion(stretched, 2, "stretched cells with coefficient", 4.);
  check_recursion(corner, 2, "coefficient", 1e3);
  Penalty other;
  other.factor          = 2.5;
  other.boundary_factor = 1.25;
  MultigridOptions options;
  options.n_smoothing_steps = 2;
  options.smoothing_range   = 8.;
  check_recursion(corner, 2, "other parameters", 2., other, options);
  const Forest<3> cube = random_forest(cube_mesh<3>(1), 2, 0.5, 9);
  check_recursion(cube, 1, "cube");
  check_recursion(cube, 1, "cube with coefficient", 4.);
  return check::result();
}
