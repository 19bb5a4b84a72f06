// Transfer to a refined mesh is exact: the same values at random points, the
// same active mesh gives the same coefficients, and shadows are consistent;
// coarsening is refused.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/shadow_transfer.h>
#include <tessera/sipg/solution_transfer.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "check.h"
#include "nonmatching_sipg.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  PrimalField<double>
  nan_field(const std::shared_ptr<const FieldLayout> &layout)
  {
    PrimalField<double> field(layout);
    std::fill(field.data(), field.data() + field.size(), NAN);
    return field;
  }

  /** u at a point of a cell, from the basis. */
  template <int dim>
  double
  value_at(const LevelHierarchy<dim> &levels,
           const PrimalField<double> &u,
           const int                  l,
           const CellIndex            c,
           const Point<dim>          &x)
  {
    const HermiteLikeBasis basis(u.layout().degree);
    const Forest<dim>     &forest = levels.forest();
    const Point<dim> corner = forest.lower_corner(forest.level(l).keys[c]);
    std::vector<tessera::DenseMatrix> factors;
    for (int d = 0; d < dim; ++d)
      factors.push_back(basis.values(std::vector<double>{
        (x[d] - corner[d]) / levels.level(l).cell_size[d]}));
    double sum = 0.;
    for (int k = 0; k < u.layout().n_cell_values; ++k)
      {
        double product = u(l, c, k);
        for (int d = 0, rest = k; d < dim; ++d, rest /= u.layout().n)
          product *= factors[d](0, rest % u.layout().n);
        sum += product;
      }
    return sum;
  }

  /** The active cell a point is in. */
  template <int dim>
  void
  locate(const LevelHierarchy<dim> &levels,
         const Point<dim>          &x,
         int                       &level,
         CellIndex                 &cell)
  {
    for (int l = 0; l < levels.n_levels(); ++l)
      for (CellIndex c = 0; c < levels.level(l).n_cells; ++c)
        {
          const Point<dim> corner =
            levels.forest().lower_corner(levels.forest().level(l).keys[c]);
          bool inside = levels.level(l).active[c] == 1;
          for (int d = 0; d < dim; ++d)
            inside = inside && x[d] >= corner[d] &&
                     x[d] <= corner[d] + levels.level(l).cell_size[d];
          if (inside)
            {
              level = l;
              cell  = c;
              return;
            }
        }
    CHECK(false);
  }

  template <int dim>
  void
  check_transfer(const CoarseMesh<dim> &mesh,
                 const int              p,
                 const int              n_steps,
                 const unsigned int     seed)
  {
    const Forest<dim> forest  = random_forest(mesh, 1, 0.5, seed);
    Forest<dim>       refined = forest;
    Random            random(seed + 1);
    for (int step = 0; step < n_steps; ++step)
      refined =
        refined.refine([&](const CellKey &) { return random() < -0.2; });
    CHECK(refined.n_levels() >= forest.n_levels() + (n_steps > 1));
    const LevelHierarchy<dim> from(forest, 8), to(refined, 16);
    const ElementMatrices     matrices(p);

    PrimalField<double> u = nan_field(std::make_shared<FieldLayout>(from, p));
    set_active(from,
               random_vector(from.n_active_cells() * u.layout().n_cell_values,
                             seed + 2),
               u);
    PrimalField<double> v = nan_field(std::make_shared<FieldLayout>(to, p));
    transfer_to_refined(from, u, to, matrices, v);

    for (int test = 0; test < 200; ++test)
      {
        // In a random coarse cell, which may not be all of a box.
        const std::size_t coarse =
          std::size_t(0.5 * (random() + 1.) * mesh.positions.size());
        Point<dim> x;
        for (int d = 0; d < dim; ++d)
          x[d] = mesh.origin[d] +
                 mesh.cell_size[d] *
                   (mesh.positions[coarse][d] + 0.5 * (random() + 1.));
        int       l = 0;
        CellIndex c = 0;
        locate<dim>(from, x, l, c);
        const double expected = value_at<dim>(from, u, l, c, x);
        locate<dim>(to, x, l, c);
        CHECK_NEAR(value_at<dim>(to, v, l, c, x), expected, 1e-12);
      }

    // Nothing but active cells and consistent shadows.
    PrimalField<double> consistent(v.shared_layout());
    set_active(to, get_active(to, v), consistent);
    refresh_shadows(to, matrices, consistent);
    bool same = true;
    for (std::size_t i = 0; i < v.size(); ++i)
      same = same && v.data()[i] == consistent.data()[i];
    CHECK(same);

    // Coarser meshes, and meshes that are coarser somewhere.
    const std::string message =
      CHECK_THROWS(InputError, transfer_to_refined(to, v, from, matrices, u));
    CHECK(message.find("The mesh was coarsened at (") != std::string::npos);
    CHECK(message.find("cell ") != std::string::npos);
  }

  void
  check_same_mesh()
  {
    const Forest<2>         forest = random_forest(corner_mesh<2>(), 3, 0.3, 5);
    const LevelHierarchy<2> from(forest, 32), to(forest, 1);
    PrimalField<double>     u(std::make_shared<FieldLayout>(from, 4));
    PrimalField<double>     v(std::make_shared<FieldLayout>(to, 4));
    const ActiveVector      x = random_vector(25 * forest.n_active_cells(), 6);
    set_active(from, x, u);
    transfer_to_refined(from, u, to, ElementMatrices(4), v);
    CHECK(get_active(to, v) == x);

    // Other origin; other sizes; a cell more.
    CoarseMesh<2> moved = corner_mesh<2>(), stretched = corner_mesh<2>();
    moved.origin[1] += 0.1;
    stretched.cell_size[0] *= 2.;
    for (const CoarseMesh<2> &mesh :
         {moved, stretched, box_mesh<2>({{2, 2}}, {{-1., -1.}}, {{1., 1.}})})
      {
        const LevelHierarchy<2> other(Forest<2>::uniform(mesh, 3), 1);
        PrimalField<double>     w(std::make_shared<FieldLayout>(other, 4));
        const std::string       message = CHECK_THROWS(
          InputError,
          transfer_to_refined(from, u, other, ElementMatrices(4), w));
        CHECK(message.find("other coarse cells") != std::string::npos);
      }
  }
} // namespace

int
main()
{
  for (int p = 1; p <= 7; ++p)
    check_transfer(box_mesh<2>({{2, 3}}, {{-0.5, 0.1}}, {{0.9, 1.2}}),
                   p,
                   1 + p % 3,
                   p);
  check_transfer(corner_mesh<2>(), 3, 2, 20);
  check_transfer(cube_mesh<3>(1), 2, 1, 30);
  check_transfer(corner_mesh<3>(), 3, 2, 31);
  check_same_mesh();
  return check::result();
}
