// SPDX-License-Identifier: LGPL-2.1-or-later
// Domains, boundary ids, balance, and the order of cells of the meshes of a
// study; the coefficient at centres of cells.
#include <tessera/sipg/forest.h>

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "check.h"
#include "sipg_adaptive/domain.h"
#include "sipg_adaptive/mesh.h"
#include "sipg_adaptive/problem.h"

using namespace tessera;
using namespace tessera::sipg_adaptive;

namespace
{
  template <int dim>
  Parameters
  make_parameters(const Domain domain)
  {
    Parameters parameters;
    parameters.domain           = domain;
    parameters.box.lower_corner = {-1., 0.5, 2.};
    parameters.box.upper_corner = {1., 2., 3.};
    parameters.box.coarse_cells = {4, 2, 2};
    parameters.box.lower_corner.resize(dim);
    parameters.box.upper_corner.resize(dim);
    parameters.box.coarse_cells.resize(dim);
    parameters.n_refinements           = 1;
    parameters.problem.right_hand_side = "0";
    parameters.coefficient             = "2 + x + y^2";
    return parameters;
  }



  template <int dim>
  void
  check_domain(const Parameters &parameters, const Mesh<dim> &mesh)
  {
    const auto   lower  = parameters.box.template lower<dim>();
    const auto   upper  = parameters.box.template upper<dim>();
    const int    n_axes = int(n_halved_axes(parameters.domain));
    double       volume = 0., box = 1.;
    unsigned int n_faces_at_corner = 0;
    for (int d = 0; d < dim; ++d)
      box *= upper[d] - lower[d];
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        volume += cell->measure();
        bool is_missing = n_axes > 0;
        for (int d = 0; d < n_axes; ++d)
          is_missing =
            is_missing && cell->center()[d] > (lower[d] + upper[d]) / 2.;
        CHECK(!is_missing);
        for (const unsigned int f : cell->face_indices())
          if (cell->face(f)->at_boundary())
            {
              const int    d  = int(f) / 2;
              const double x  = cell->face(f)->center()[d];
              const auto   id = int(cell->face(f)->boundary_id());
              if (id < 2 * dim)
                CHECK_NEAR(x, id % 2 == 0 ? lower[d] : upper[d], 1e-14);
              else
                {
                  CHECK_NEAR(x, (lower[d] + upper[d]) / 2., 1e-14);
                  ++n_faces_at_corner;
                }
              CHECK_EQUAL(id < 2 * dim ? id / 2 : id - 2 * dim, d);
            }
      }
    CHECK_NEAR(volume, filled_part(parameters.domain) * box, 1e-12);
    CHECK_EQUAL(n_faces_at_corner > 0, n_axes > 0);
  }



  /** All cells that touch differ by one level at most. */
  template <int dim>
  void
  check_balance(const Mesh<dim> &mesh)
  {
    bool is_balanced = true;
    for (const auto &a : mesh.triangulation().active_cell_iterators())
      for (const auto &b : mesh.triangulation().active_cell_iterators())
        if (b->level() > a->level() + 1)
          {
            double gap = 0.;
            for (int d = 0; d < dim; ++d)
              gap = std::max(
                gap,
                std::abs(a->center()[d] - b->center()[d]) -
                  (a->extent_in_direction(d) + b->extent_in_direction(d)) / 2.);
            is_balanced = is_balanced && gap > 1e-10;
          }
    CHECK(is_balanced);
  }



  /** Lists in the order of the forest, and what they are for deal.II. */
  template <int dim>
  void
  check_order(const Parameters &parameters, const Mesh<dim> &mesh)
  {
    const Problem<dim>        problem(parameters);
    const std::vector<double> k = problem.coefficient(mesh.forest());
    std::vector<double>       levels;
    for (const sipg::CellKey &key : mesh.forest().active_cells())
      levels.push_back(key.level);
    const auto k_of_cells      = mesh.in_order_of_triangulation(k);
    const auto levels_of_cells = mesh.in_order_of_triangulation(levels);
    CHECK_EQUAL(levels_of_cells.size(), mesh.triangulation().n_active_cells());
    for (const auto &cell : mesh.triangulation().active_cell_iterators())
      {
        const auto         x = cell->center();
        const unsigned int i = cell->active_cell_index();
        CHECK_EQUAL(int(levels_of_cells[i]), cell->level());
        CHECK_NEAR(k_of_cells[i], 2. + x[0] + x[1] * x[1], 1e-6);
      }
  }



  template <int dim>
  void
  test(const Domain domain)
  {
    const Parameters parameters = make_parameters<dim>(domain);
    Mesh<dim>        mesh(parameters, {});
    check_domain(parameters, mesh);

    std::mt19937 generator(dim + 10 * int(domain));
    for (int pass = 0; pass < 3; ++pass)
      {
        const std::vector<sipg::CellKey> before = mesh.forest().active_cells();
        std::vector<char>                marked(before.size());
        for (char &m : marked)
          m = generator() % 12 == 0;
        mesh.refine(marked);
        for (std::size_t i = 0; i < before.size(); ++i)
          if (marked[i])
            {
              const sipg::CellIndex c = mesh.forest().find(before[i]);
              CHECK(mesh.forest().level(int(before[i].level)).refined[c]);
            }
        check_balance(mesh);
        check_order(parameters, mesh);
      }
    CHECK(mesh.forest().n_levels() >= 4);
    check_domain(parameters, mesh);

    // The way back from a list of keys.
    const std::vector<sipg::CellKey> keys = mesh.forest().active_cells();
    Mesh<dim>                        copy(parameters, {});
    copy.refine_to(sipg::Forest<dim>(copy.forest().coarse_mesh(), keys));
    CHECK(copy.forest().active_cells() == keys);
    CHECK_EQUAL(copy.triangulation().n_active_cells(), keys.size());
    check_order(parameters, copy);
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  test<2>(Domain::box);
  test<2>(Domain::l_shape);
  test<3>(Domain::box);
  test<3>(Domain::l_shape);
  test<3>(Domain::fichera);
  return check::result();
}
