// Level tables: neighbours, slots, and variants are those that coordinates
// give; coefficients; the storage of fields.
#include <tessera/base/exceptions.h>
#include <tessera/sipg/field.h>
#include <tessera/sipg/level_hierarchy.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "check.h"
#include "meshes.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  /** Centre of a cell. */
  template <int dim>
  Point<dim>
  centre(const Forest<dim> &forest, const int l, const CellIndex c)
  {
    Point<dim> x = forest.lower_corner(forest.level(l).keys[c]);
    for (int d = 0; d < dim; ++d)
      x[d] += forest.cell_size(l)[d] / 2.;
    return x;
  }

  template <int dim>
  bool
  near(const Point<dim> &x, const Point<dim> &y)
  {
    for (int d = 0; d < dim; ++d)
      if (std::abs(x[d] - y[d]) > 1e-12)
        return false;
    return true;
  }

  /** The cell of a level that contains a point, or no_cell. */
  template <int dim>
  CellIndex
  cell_at(const Forest<dim> &forest, const int l, const Point<dim> &x)
  {
    for (std::size_t c = 0; c < forest.level(l).keys.size(); ++c)
      {
        const Point<dim> middle = centre<dim>(forest, l, CellIndex(c));
        bool             inside = true;
        for (int d = 0; d < dim; ++d)
          inside = inside && std::abs(x[d] - middle[d]) <
                               forest.cell_size(l)[d] * (0.5 + 1e-10);
        if (inside)
          return CellIndex(c);
      }
    return no_cell;
  }

  template <int dim>
  void
  check_level(const LevelHierarchy<dim> &levels, const int l)
  {
    const Forest<dim>    &forest = levels.forest();
    const LevelData<dim> &level  = levels.level(l);
    const int             B      = levels.block_size();
    CHECK_EQUAL(level.n_cells, CellIndex(forest.level(l).keys.size()));
    CHECK_EQUAL(level.n_owned_cells, level.n_cells);
    CHECK_EQUAL(level.n_padded_cells % B, 0);
    CHECK(level.n_padded_cells >= level.n_cells &&
          level.n_padded_cells < level.n_cells + B);
    CHECK_EQUAL(level.n_padded_shadow_cells % B, 0);
    CHECK(level.n_padded_shadow_cells >= level.n_shadow_cells());

    std::set<CellIndex> shadows;
    CellIndex           n_active = 0;
    for (CellIndex c = 0; c < level.n_cells; ++c)
      {
        n_active += level.active[c];
        CHECK_EQUAL(int(level.active[c]), forest.level(l).refined[c] ? 0 : 1);
        for (int face = 0; face < 2 * dim; ++face)
          {
            const int       axis = face / 2, side = face % 2;
            const Neighbour beyond = level.neighbour_of(c, axis, side);
            Point<dim>      x      = centre<dim>(forest, l, c);
            x[axis] += (side == 1 ? 1. : -1.) * level.cell_size[axis];
            const CellIndex same_size = cell_at<dim>(forest, l, x);
            const CellIndex larger =
              l == 0 ? no_cell : cell_at<dim>(forest, l - 1, x);
            EndKind expected = EndKind::neighbour;
            if (same_size != no_cell)
              {
                CHECK(beyond.kind == NeighbourKind::cell);
                CHECK_EQUAL(beyond.index, same_size);
              }
            else if (larger != no_cell)
              {
                CHECK(beyond.kind == NeighbourKind::shadow);
                const CellIndex s    = beyond.index;
                const CellIndex slot = s / level.n_face_children;
                CHECK(s >= 0 && s < level.n_shadow_cells());
                CHECK(shadows.insert(s).second);
                CHECK_EQUAL(level.slot_face(slot), face);
                CHECK_EQUAL(level.slot_parent[slot], larger);
                CHECK_EQUAL(level.slot_group[slot], c / level.group_size);
                CHECK_EQUAL(level.cell_at_shadow(s), c);
                CHECK_EQUAL(int(levels.level(l - 1).active[larger]), 1);
                CHECK_EQUAL(int(level.active[c]), 1);
                // The virtual child of the larger cell is at x.
                const int child =
                  child_at_face<dim>(s % level.n_face_children, axis, 1 - side);
                CHECK_EQUAL(tangential_child<dim>(child, axis),
                            int(s % level.n_face_children));
                Point<dim> virtual_centre =
                  forest.lower_corner(forest.level(l - 1).keys[larger]);
                for (int d = 0; d < dim; ++d)
                  virtual_centre[d] +=
                    (((child >> d) & 1) + 0.5) * level.cell_size[d];
                CHECK(near<dim>(virtual_centre, x));
              }
            else
              {
                const BoundaryCondition condition =
                  forest.boundary_condition(forest.level(l).keys[c],
                                            axis,
                                            side);
                expected = condition == BoundaryCondition::dirichlet ?
                             EndKind::dirichlet :
                             EndKind::neumann;
                CHECK(beyond.kind ==
                      (condition == BoundaryCondition::dirichlet ?
                         NeighbourKind::dirichlet :
                         NeighbourKind::neumann));
              }
            CHECK(end_kind(level.variant[c], axis, side) == expected);
          }
        if (l > 0)
          CHECK_EQUAL(level.group_parent[c / level.group_size],
                      cell_at<dim>(forest, l - 1, centre<dim>(forest, l, c)));
      }
    CHECK_EQUAL(CellIndex(shadows.size()), level.n_shadow_cells());
    CHECK_EQUAL(n_active, level.n_active_cells);
    // What is in the padding does no harm.
    for (CellIndex c = level.n_cells; c < level.n_padded_cells; ++c)
      {
        CHECK_EQUAL(int(level.active[c]), 0);
        if (c / level.group_size >= level.n_groups())
          for (int face = 0; face < 2 * dim; ++face)
            {
              const Neighbour beyond =
                level.neighbour_of(c, face / 2, face % 2);
              CHECK(beyond.kind == NeighbourKind::neumann ||
                    (beyond.kind == NeighbourKind::cell &&
                     beyond.index >= level.n_cells));
            }
      }
    // A parent is met once at most by the slots of a face.
    for (int face = 0; face < 2 * dim; ++face)
      {
        std::set<CellIndex> parents;
        for (CellIndex slot = level.slot_begin[face];
             slot < level.slot_begin[face + 1];
             ++slot)
          {
            CHECK(parents.insert(level.slot_parent[slot]).second);
            if (slot > level.slot_begin[face])
              CHECK(level.slot_group[slot - 1] < level.slot_group[slot]);
          }
      }
  }

  template <int dim>
  void
  check_levels(const Forest<dim> &forest, const int block_size)
  {
    const LevelHierarchy<dim> levels(forest, block_size);
    CHECK_EQUAL(levels.n_levels(), forest.n_levels());
    CHECK_EQUAL(levels.n_active_cells(), forest.n_active_cells());
    std::size_t n_slots = 0;
    for (int l = 0; l < levels.n_levels(); ++l)
      {
        check_level(levels, l);
        n_slots += levels.level(l).n_slots;
      }
    CHECK_EQUAL(levels.n_slots(), n_slots);
    CHECK(n_slots > 0);
    CHECK(levels.memory_consumption() > forest.n_active_cells());
  }

  void
  check_coefficients()
  {
    const Forest<2>     forest = random_forest(cube_mesh<2>(2), 3, 0.4, 5);
    const std::size_t   n      = forest.n_active_cells();
    std::vector<double> k(n);
    for (std::size_t i = 0; i < n; ++i)
      k[i] = 1. + double(i);
    const LevelHierarchy<2> levels(forest, 8, k);
    std::size_t             next = 0;
    for (int l = 0; l < levels.n_levels(); ++l)
      {
        const LevelData<2> &level = levels.level(l);
        CHECK(level.has_coefficient);
        for (CellIndex c = 0; c < level.n_padded_cells; ++c)
          if (level.active[c])
            CHECK_EQUAL(level.coefficient[c], k[next++]);
          else if (c >= level.n_cells)
            CHECK_EQUAL(level.coefficient[c], 1.);
        for (CellIndex c = 0; c < level.n_cells; ++c)
          for (int face = 0; face < 4; ++face)
            {
              const Neighbour beyond =
                level.neighbour_of(c, face / 2, face % 2);
              const double own   = level.coefficient[c];
              double       other = own;
              if (beyond.kind == NeighbourKind::cell)
                other = level.coefficient[beyond.index];
              else if (beyond.kind == NeighbourKind::shadow)
                other = levels.level(l - 1)
                          .coefficient[level.slot_parent[beyond.index / 2]];
              CHECK_NEAR(level.face_weight(c, face / 2, face % 2),
                         2. / (1. / own + 1. / other),
                         1e-14);
            }
        if (l > 0)
          for (CellIndex g = 0; g < level.n_groups(); ++g)
            CHECK_NEAR(
              levels.level(l - 1).coefficient[level.group_parent[g]],
              (level.coefficient[4 * g] + level.coefficient[4 * g + 1] +
               level.coefficient[4 * g + 2] + level.coefficient[4 * g + 3]) /
                4.,
              1e-14);
      }
    CHECK_EQUAL(next, n);
    CHECK_NEAR(LevelData<2>::harmonic_mean(1e200, 3e200) / 1e200, 1.5, 1e-14);
    CHECK_EQUAL(LevelData<2>::harmonic_mean(0.1, 0.1), 0.1);

    // Ones need no table.
    const LevelHierarchy<2> ones(forest, 8, std::vector<double>(n, 1.));
    CHECK(!ones.level(0).has_coefficient);
    CHECK_EQUAL(ones.level(0).face_weight(0, 0, 1), 1.);

    for (const double wrong : {0.,
                               -1.,
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()})
      {
        std::vector<double> changed(k);
        changed[3] = wrong;
        const std::string message =
          CHECK_THROWS(InputError, LevelHierarchy<2>(forest, 8, changed));
        CHECK(message.find("lower corner (") != std::string::npos);
      }
    k.pop_back();
    CHECK_THROWS(InputError, LevelHierarchy<2>(forest, 8, k));
    for (const int B : {0, -1, 3, 2048})
      CHECK_THROWS(InputError, LevelHierarchy<2>(forest, B));
  }

  template <int dim>
  void
  check_fields(const int degree, const int block_size)
  {
    const LevelHierarchy<dim> levels(
      random_forest(cube_mesh<dim>(2), 2, 0.3, 9), block_size);
    const auto layout = std::make_shared<FieldLayout>(levels, degree);
    CHECK_EQUAL(layout->n_cell_values, int(std::pow(degree + 1, dim) + 0.5));
    CHECK_EQUAL(layout->n_shadow_values,
                2 * int(std::pow(degree + 1, dim - 1) + 0.5));

    // Each value has a place of its own, inside of the part of its level.
    PrimalField<double>      u(layout);
    std::set<const double *> places;
    for (int l = 0; l < levels.n_levels(); ++l)
      {
        CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(u.cells(l)) % 64, 0u);
        CHECK_EQUAL(reinterpret_cast<std::uintptr_t>(u.shadows(l)) % 64, 0u);
        for (CellIndex c = 0; c < levels.level(l).n_cells; ++c)
          for (int k = 0; k < layout->n_cell_values; ++k)
            {
              const double *const place = &u(l, c, k);
              CHECK(places.insert(place).second);
              CHECK(place >= u.cells(l) && place < u.shadows(l));
              CHECK_EQUAL(place - u.cells(l),
                          std::ptrdiff_t(c / block_size) * block_size *
                              layout->n_cell_values +
                            std::ptrdiff_t(k) * block_size + c % block_size);
            }
        for (CellIndex s = 0; s < levels.level(l).n_shadow_cells(); ++s)
          for (int k = 0; k < layout->n_shadow_values; ++k)
            {
              const double *const place = &u.shadow(l, s, k);
              CHECK(places.insert(place).second);
              CHECK(place >= u.shadows(l) &&
                    place < u.data() + layout->levels[l].end);
            }
      }
    CHECK_EQUAL(layout->size, u.size());
    CHECK_EQUAL(layout->levels.back().end, u.size());

    DualField<double> y(layout);
    double            expected = 0.;
    Random            random(4);
    for (std::size_t i = 0; i < u.size(); ++i)
      {
        CHECK_EQUAL(u.data()[i], 0.);
        u.data()[i] = random();
        y.data()[i] = random();
        expected += u.data()[i] * y.data()[i];
      }
    CHECK_NEAR(pairing(y, u), expected, 1e-13);
    PrimalField<double> v;
    v.copy_from(u);
    add(0.5, u, v);
    for (std::size_t i = 0; i < u.size(); ++i)
      CHECK_NEAR(v.data()[i], 1.5 * u.data()[i], 1e-15);
    v.set_zero();
    CHECK_EQUAL(pairing(y, v), 0.);
    CHECK_EQUAL(v.memory_consumption(), 8 * v.size());
  }
} // namespace

int
main()
{
  for (const int B : {1, 2, 8, 64})
    check_levels(random_forest(cube_mesh<2>(2), 4, 0.3, B), B);
  check_levels(random_forest(cube_mesh<2>(3), 3, 0.3, 17, Balance::faces), 4);
  check_levels(random_forest(corner_mesh<2>(neumann_at<2>({1, 2})), 3, 0.3, 18),
               16);
  check_levels(random_forest(corner_mesh<3>(neumann_at<3>({4})), 2, 0.2, 19),
               32);
  check_levels(random_forest(cube_mesh<3>(1), 3, 0.3, 41), 4);
  check_coefficients();
  check_fields<2>(1, 1);
  check_fields<2>(3, 32);
  check_fields<3>(2, 8);
  return check::result();
}
