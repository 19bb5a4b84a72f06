// Forests: numbering, places, refinement with balance, and the messages for
// what is refused.
#include <tessera/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "check.h"
#include "meshes.h"

using tessera::InputError;
using namespace sipg_tests;

namespace
{
  bool
  contains(const std::string &text, const std::string &part)
  {
    if (text.find(part) != std::string::npos)
      return true;
    std::cerr << "  message: " << text << std::endl;
    return false;
  }

  /** Of a lattice of a size, that of a position in space. */
  template <int dim>
  void
  check_numbering(const Forest<dim> &forest)
  {
    double volume = 0.;
    for (int l = 0; l < forest.n_levels(); ++l)
      {
        const auto      &cells = forest.level(l);
        const Point<dim> h     = forest.cell_size(l);
        CHECK(std::is_sorted(cells.keys.begin(), cells.keys.end()));
        if (l > 0)
          CHECK_EQUAL(cells.keys.size() % (1 << dim), 0u);
        for (std::size_t i = 0; i < cells.keys.size(); ++i)
          {
            const CellKey key = cells.keys[i];
            CHECK_EQUAL(forest.find(key), CellIndex(i));
            CellKey same;
            CHECK(forest.key_at(l, forest.coordinates(key), same));
            CHECK(same == key);
            const Point<dim> corner = forest.lower_corner(key);
            if (l > 0)
              {
                const CellKey    up     = parent<dim>(key);
                const Point<dim> origin = forest.lower_corner(up);
                const int        c      = child_number<dim>(key);
                CHECK(child<dim>(up, c) == key);
                for (int d = 0; d < dim; ++d)
                  CHECK_NEAR(corner[d],
                             origin[d] + ((c >> d) & 1) * h[d],
                             1e-14);
                const CellIndex up_index = forest.find(up);
                CHECK(up_index != no_cell);
                CHECK_EQUAL(int(forest.level(l - 1).refined[up_index]), 1);
              }
            for (int face = 0; face < 2 * dim; ++face)
              {
                CellKey beyond, back;
                if (!forest.neighbour_key(key, face / 2, face % 2, beyond))
                  continue;
                CHECK(
                  forest.neighbour_key(beyond, face / 2, 1 - face % 2, back));
                CHECK(back == key);
                const Point<dim> other = forest.lower_corner(beyond);
                for (int d = 0; d < dim; ++d)
                  CHECK_NEAR(other[d],
                             corner[d] + (d == face / 2 ?
                                            (face % 2 == 1 ? h[d] : -h[d]) :
                                            0.),
                             1e-14);
              }
            double cell_volume = 1.;
            for (int d = 0; d < dim; ++d)
              cell_volume *= h[d];
            if (!cells.refined[i])
              volume += cell_volume;
          }
      }
    double coarse_volume = double(forest.coarse_mesh().positions.size());
    for (int d = 0; d < dim; ++d)
      coarse_volume *= forest.coarse_mesh().cell_size[d];
    CHECK_NEAR(volume, coarse_volume, 1e-12);
    CHECK_EQUAL(forest.active_cells().size(), forest.n_active_cells());
  }

  /** Levels of active cells whose closures meet, in places across faces only
   * or in all. */
  template <int dim>
  int
  largest_difference(const Forest<dim> &forest, const bool corners)
  {
    const std::vector<CellKey> keys   = forest.active_cells();
    int                        result = 0;
    for (const CellKey &a : keys)
      for (const CellKey &b : keys)
        {
          int touching = 0, overlapping = 0;
          for (int d = 0; d < dim; ++d)
            {
              const double a0     = forest.lower_corner(a)[d],
                           b0     = forest.lower_corner(b)[d],
                           a1     = a0 + forest.cell_size(a.level)[d],
                           b1     = b0 + forest.cell_size(b.level)[d];
              const double common = std::fmin(a1, b1) - std::fmax(a0, b0);
              if (common > 1e-10)
                ++overlapping;
              else if (common > -1e-10)
                ++touching;
            }
          if (touching + overlapping == dim &&
              (corners || overlapping == dim - 1))
            result = std::max(result, std::abs(int(a.level) - int(b.level)));
        }
    return result;
  }

  void
  check_refinement()
  {
    const Forest<2> two = Forest<2>::uniform(cube_mesh<2>(1), 2);
    CHECK_EQUAL(two.n_active_cells(), 16u);
    CHECK_EQUAL(two.n_levels(), 3);

    for (unsigned int seed = 1; seed < 5; ++seed)
      {
        const Forest<2> faces =
          random_forest(cube_mesh<2>(2), 4, 0.2, seed, Balance::faces);
        const Forest<2> corners = random_forest(cube_mesh<2>(2), 4, 0.2, seed);
        CHECK_EQUAL(largest_difference(faces, false), 1);
        CHECK_EQUAL(largest_difference(corners, true), 1);
        check_numbering(faces);
        check_numbering(corners);
      }
    // The two kinds of balance differ.
    int across_corners = 0;
    for (unsigned int seed = 1; seed < 5; ++seed)
      across_corners =
        std::max(across_corners,
                 largest_difference(
                   random_forest(cube_mesh<2>(2), 4, 0.2, seed, Balance::faces),
                   true));
    CHECK_EQUAL(across_corners, 2);
    const Forest<3> fichera = random_forest(corner_mesh<3>(), 3, 0.1, 7);
    CHECK_EQUAL(largest_difference(fichera, true), 1);
    check_numbering(fichera);
    check_numbering(random_forest(
      box_mesh<3>({{3, 1, 2}}, {{0., -1., 2.}}, {{1., 0.5, 3.}}), 2, 0.3, 8));

    // The order of the active cells does not matter.
    std::vector<CellKey> keys = fichera.active_cells();
    std::reverse(keys.begin(), keys.end());
    const Forest<3> same(fichera.coarse_mesh(), keys);
    CHECK(same.active_cells() == fichera.active_cells());

    // Cells of the known shell: 512 and after three passes 21512.
    CHECK_EQUAL(
      shell_forest(Forest<3>::uniform(cube_mesh<3>(2), 2), 3).n_active_cells(),
      21512u);
  }

  void
  check_cell_lists()
  {
    const CoarseMesh<2>  mesh = cube_mesh<2>(2);
    std::vector<CellKey> keys = Forest<2>(mesh).active_cells();

    auto missing = keys;
    missing.pop_back();
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh, missing)),
                   "cover 3 of 4 coarse cells"));
    CHECK_THROWS(InputError, Forest<2>(mesh, std::vector<CellKey>()));
    auto twice = keys;
    twice.push_back(keys[1]);
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh, twice)),
                   "given twice"));
    auto unknown           = keys;
    unknown[3].coarse_cell = 4;
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh, unknown)),
                   "There is no cell 4_0:"));
    auto wrong      = keys;
    wrong[3].morton = 1;
    CHECK_THROWS(InputError, Forest<2>(mesh, wrong));
    auto deep = keys;
    deep.push_back({0, 21, 0});
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh, deep)),
                   "cell of level 21"));

    // One of four siblings is missing; a cell and its child.
    auto incomplete = keys;
    incomplete.erase(incomplete.begin());
    for (int c = 0; c < 3; ++c)
      incomplete.push_back(child<2>(keys[0], c));
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh, incomplete)),
                   "cell 0_1:3 is missing"));
    auto nested = keys;
    for (int c = 0; c < 4; ++c)
      nested.push_back(child<2>(keys[0], c));
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh, nested)),
                   "cell 0_0: and cells inside of it"));

    // Two levels across a face, within a coarse cell and between two.
    auto unbalanced = keys;
    unbalanced.erase(unbalanced.begin());
    for (int c = 0; c < 4; ++c)
      if (c != 1)
        unbalanced.push_back(child<2>(keys[0], c));
      else
        for (int k = 0; k < 4; ++k)
          unbalanced.push_back(child<2>(child<2>(keys[0], c), k));
    const std::string message =
      CHECK_THROWS(InputError, Forest<2>(mesh, unbalanced));
    CHECK(contains(message, "not balanced"));
    CHECK(contains(message, "cell 0_2:11"));
    CHECK(contains(message, "cell 1_0:"));
    CHECK(contains(message, "differ by 2 levels"));
    // At the boundary of the domain and across a corner it is allowed.
    auto at_corner = keys;
    at_corner.erase(at_corner.begin());
    for (int c = 0; c < 4; ++c)
      if (c != 0)
        at_corner.push_back(child<2>(keys[0], c));
      else
        for (int k = 0; k < 4; ++k)
          at_corner.push_back(child<2>(child<2>(keys[0], c), k));
    CHECK_EQUAL(Forest<2>(mesh, at_corner).n_active_cells(), 10u);
  }

  void
  check_coarse_meshes()
  {
    const double nan = std::numeric_limits<double>::quiet_NaN();

    CoarseMesh<2> mesh = cube_mesh<2>(2);
    mesh.positions[1]  = mesh.positions[2];
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh)),
                   "cells 1 and 2 are at the same place"));
    mesh                 = cube_mesh<2>(2);
    mesh.positions[0][1] = -1;
    CHECK_THROWS(InputError, Forest<2>(mesh));
    mesh                 = cube_mesh<2>(2);
    mesh.positions[0][1] = max_coarse_cells;
    CHECK_THROWS(InputError, Forest<2>(mesh));
    mesh = cube_mesh<2>(2);
    mesh.boundary.pop_back();
    CHECK_THROWS(InputError, Forest<2>(mesh));
    for (const double size : {0., -1., nan})
      {
        mesh              = cube_mesh<2>(2);
        mesh.cell_size[1] = size;
        CHECK_THROWS(InputError, Forest<2>(mesh));
      }
    CHECK_THROWS(InputError, Forest<3>(CoarseMesh<3>()));
    CHECK_THROWS(InputError, box_mesh<2>({{2, 0}}, {{0., 0.}}, {{1., 1.}}));

    // A periodic face at the boundary is refused; one inside is no face of it.
    mesh                = cube_mesh<2>(2);
    mesh.boundary[2][0] = BoundaryCondition::periodic;
    CHECK(contains(CHECK_THROWS(InputError, Forest<2>(mesh)),
                   "Face 0 of coarse cell 2 is periodic"));
    mesh                = cube_mesh<2>(2);
    mesh.boundary[2][1] = BoundaryCondition::periodic;
    CHECK_EQUAL(Forest<2>(mesh).n_active_cells(), 4u);
  }

  void
  check_vertices()
  {
    // An L-shape whose cells come in any order, away from the origin.
    const std::array<int, 2>     places[] = {{{1, 0}}, {{0, 1}}, {{0, 0}}};
    std::vector<CellVertices<2>> cells;
    std::vector<CoarseMesh<2>::FaceConditions> conditions(3,
                                                          neumann_at<2>({2}));
    for (const auto &place : places)
      {
        CellVertices<2> cell;
        for (int v = 0; v < 4; ++v)
          cell[v] = {
            {-3. + 0.1 * (place[0] + v % 2), 7. + 0.3 * (place[1] + v / 2)}};
        cells.push_back(cell);
      }
    const CoarseMesh<2> mesh = coarse_mesh_from_vertices<2>(cells, conditions);
    for (int c = 0; c < 3; ++c)
      CHECK(mesh.positions[c] == places[c]);
    CHECK_NEAR(mesh.origin[0], -3., 1e-14);
    CHECK_NEAR(mesh.cell_size[0], 0.1, 1e-14);
    CHECK_NEAR(mesh.cell_size[1], 0.3, 1e-14);
    CHECK(mesh.boundary[1][2] == BoundaryCondition::neumann);
    CHECK_EQUAL(Forest<2>(mesh).n_active_cells(), 3u);

    const auto message = [&](const std::vector<CellVertices<2>> &changed) {
      return CHECK_THROWS(InputError,
                          coarse_mesh_from_vertices<2>(changed, conditions));
    };
    auto skewed = cells;
    skewed[1][3][0] += 1e-4;
    CHECK(contains(message(skewed), "Coarse cell 1 at"));
    auto bent = cells;
    bent[1][2][0] += 1e-4;
    CHECK(contains(message(bent), "is not an axis-aligned box"));
    auto rotated = cells;
    rotated[2]   = {{cells[2][1], cells[2][3], cells[2][0], cells[2][2]}};
    CHECK(contains(message(rotated), "one orientation"));
    auto swapped = cells; // x and y exchanged
    std::swap(swapped[2][1], swapped[2][2]);
    CHECK(contains(message(swapped), "Coarse cell 2"));
    auto larger = cells;
    for (const int v : {1, 3})
      larger[0][v][0] += 0.05;
    CHECK(contains(message(larger), "must be of one size"));
    auto shifted = cells;
    for (int v = 0; v < 4; ++v)
      shifted[0][v][1] += 0.15;
    CHECK(contains(message(shifted), "not at a place of the lattice"));
    auto undefined     = cells;
    undefined[0][0][0] = std::numeric_limits<double>::quiet_NaN();
    CHECK(!message(undefined).empty());
    CHECK_THROWS(InputError, coarse_mesh_from_vertices<2>({}, {}));
    conditions.pop_back();
    CHECK(!message(cells).empty());
  }
} // namespace

int
main()
{
  check_refinement();
  check_cell_lists();
  check_coarse_meshes();
  check_vertices();
  return check::result();
}
