// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_sipg_meshes_h
#define tessera_tests_sipg_meshes_h

// Forests for the tests of the interior penalty method.

#include <tessera/sipg/forest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace sipg_tests
{
  using namespace tessera::sipg;

  /** Numbers in [-1, 1), the same with all standard libraries. */
  class Random
  {
  public:
    explicit Random(const unsigned int seed)
      : generator(seed)
    {}

    double
    operator()()
    {
      return 2. * (generator() / 4294967296.) - 1.;
    }

  private:
    std::mt19937 generator;
  };

  /** A box of 2^dim, or 2 x 2 x ..., coarse cells less those of the corner
   * above the middle in all directions: an L-shape, a Fichera corner. */
  template <int dim>
  CoarseMesh<dim>
  corner_mesh(const typename CoarseMesh<dim>::FaceConditions &boundary = {})
  {
    std::array<int, dim> n;
    Point<dim>           lower, upper;
    n.fill(2);
    lower.fill(-1.);
    upper.fill(1.);
    CoarseMesh<dim> mesh = box_mesh<dim>(n, lower, upper, boundary);
    mesh.positions.pop_back();
    mesh.boundary.pop_back();
    return mesh;
  }

  /** The unit cube as n^dim coarse cells. */
  template <int dim>
  CoarseMesh<dim>
  cube_mesh(const int                                       n,
            const typename CoarseMesh<dim>::FaceConditions &boundary = {})
  {
    std::array<int, dim> n_cells;
    Point<dim>           lower, upper;
    n_cells.fill(n);
    lower.fill(0.);
    upper.fill(1.);
    return box_mesh<dim>(n_cells, lower, upper, boundary);
  }

  /** Two cells side by side, with other lengths in each direction. */
  template <int dim>
  CoarseMesh<dim>
  stretched_mesh(const typename CoarseMesh<dim>::FaceConditions &boundary = {})
  {
    std::array<int, dim> n;
    Point<dim>           lower, upper;
    for (int a = 0; a < dim; ++a)
      {
        n[a]     = a == 0 ? 2 : 1;
        lower[a] = 0.;
        upper[a] = 1. + 0.3 * a;
      }
    return box_mesh<dim>(n, lower, upper, boundary);
  }

  /** Refine each active cell with the given probability, again and again. */
  template <int dim>
  Forest<dim>
  random_forest(const CoarseMesh<dim> &mesh,
                const int              n_passes,
                const double           probability,
                const unsigned int     seed,
                const Balance          balance = Balance::corners)
  {
    Random      random(seed);
    Forest<dim> forest(mesh);
    for (int pass = 0; pass < n_passes; ++pass)
      forest = forest.refine(
        [&](const CellKey &) { return random() < 2. * probability - 1.; },
        balance);
    return forest;
  }

  /** k between 2^-exponent and 2^exponent. */
  inline std::vector<double>
  random_coefficient(const std::size_t  n,
                     const unsigned int seed,
                     const double       exponent = 3.)
  {
    Random              random(seed);
    std::vector<double> k(n);
    for (double &value : k)
      value = std::exp2(exponent * random());
    return k;
  }

  /** In each pass refine the cells of the finest level that meet the sphere
   * |x - c| = radius, c = (0.5, ...). */
  template <int dim>
  Forest<dim>
  shell_forest(Forest<dim>  forest,
               const int    n_passes,
               const double radius = 0.3)
  {
    for (int pass = 0; pass < n_passes; ++pass)
      {
        const unsigned int finest = forest.n_levels() - 1;
        const Point<dim>   h      = forest.cell_size(finest);
        const Forest<dim>  old    = forest;
        forest                    = old.refine([&](const CellKey &key) {
          if (key.level != finest)
            return false;
          const Point<dim> corner  = old.lower_corner(key);
          double           nearest = 0., farthest = 0.;
          for (int d = 0; d < dim; ++d)
            {
              const double lower = corner[d] - 0.5, upper = lower + h[d];
              const double near = std::fmax(0., std::fmax(lower, -upper));
              const double far  = std::fmax(std::fabs(lower), std::fabs(upper));
              nearest += near * near;
              farthest += far * far;
            }
          return std::sqrt(nearest) <= radius && std::sqrt(farthest) >= radius;
        });
      }
    return forest;
  }

  /** One condition for all faces with given exceptions. */
  template <int dim>
  typename CoarseMesh<dim>::FaceConditions
  neumann_at(const std::vector<int> &faces)
  {
    typename CoarseMesh<dim>::FaceConditions conditions{};
    for (const int face : faces)
      conditions[face] = BoundaryCondition::neumann;
    return conditions;
  }
} // namespace sipg_tests

#endif
