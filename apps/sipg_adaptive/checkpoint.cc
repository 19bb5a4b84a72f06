// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/checkpoint.h"

#include <tessera/base/exceptions.h>
#include <tessera/base/version.h>
#include <tessera/sipg/shadow_transfer.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>

#include "sipg_adaptive/starting_point.h"

namespace tessera::sipg_adaptive
{
  namespace filesystem = std::filesystem;
  using json           = RunRecord::json;

  namespace
  {
    /** An entry of run.json, where numbers that are not finite are text. */
    json
    with_numbers(json value)
    {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      if (value == "nan")
        return std::numeric_limits<double>::quiet_NaN();
      if (value == "inf" || value == "-inf")
        return value == "inf" ? infinity : -infinity;
      if (value.is_structured())
        for (json &entry : value)
          entry = with_numbers(std::move(entry));
      return value;
    }



    void
    add_cells(const std::vector<sipg::CellKey> &cells,
              apps::Checkpoint                 &checkpoint)
    {
      std::vector<std::uint32_t> coarse_cells, levels;
      std::vector<std::uint64_t> morton;
      for (const sipg::CellKey &key : cells)
        {
          coarse_cells.push_back(key.coarse_cell);
          levels.push_back(key.level);
          morton.push_back(key.morton);
        }
      checkpoint.add("coarse cells", coarse_cells);
      checkpoint.add("levels", levels);
      checkpoint.add("Morton numbers", morton);
    }

    std::vector<sipg::CellKey>
    cells_of(const apps::Checkpoint &checkpoint)
    {
      const auto coarse_cells =
        checkpoint.values<std::uint32_t>("coarse cells");
      const auto levels = checkpoint.values<std::uint32_t>("levels");
      const auto morton = checkpoint.values<std::uint64_t>("Morton numbers");
      if (levels.size() != coarse_cells.size() ||
          morton.size() != coarse_cells.size())
        throw InputError("The checkpoint '" + checkpoint.file +
                         "' has parts of different lengths.");
      std::vector<sipg::CellKey> cells;
      for (std::size_t i = 0; i < morton.size(); ++i)
        cells.push_back({coarse_cells[i], levels[i], morton[i]});
      return cells;
    }



    /** Refine a mesh until it has these active cells; false if it cannot be
     * done. */
    template <int dim>
    bool
    refine_to(const std::vector<sipg::CellKey> &active_cells, Mesh<dim> &mesh)
    {
      const sipg::Forest<dim> target(mesh.forest().coarse_mesh(), active_cells);
      for (const sipg::CellKey &key : mesh.forest().active_cells())
        if (target.find(key) == sipg::no_cell)
          return false;
      mesh.refine_to(target);
      return mesh.forest().active_cells() == target.active_cells();
    }



    /** Places of the coarse cells, which keys refer to by number. */
    template <int dim>
    std::vector<std::int32_t>
    coarse_places(const Mesh<dim> &mesh)
    {
      std::vector<std::int32_t> places;
      for (const auto &position : mesh.forest().coarse_mesh().positions)
        places.insert(places.end(), position.begin(), position.end());
      return places;
    }



    /** Call f(value in a field) for all coefficients of all active cells. */
    template <int dim, typename FieldType, typename F>
    void
    for_each_value(const sipg::LevelHierarchy<dim> &levels,
                   FieldType                       &u,
                   const F                         &f)
    {
      for (int l = 0; l < levels.n_levels(); ++l)
        for (sipg::CellIndex c = 0; c < levels.level(l).n_owned_cells; ++c)
          if (levels.level(l).active[c] != 0)
            for (int k = 0; k < u.layout().n_cell_values; ++k)
              f(u(l, c, k));
    }


    template <int dim>
    std::vector<double>
    values_of(const StudyState<dim> &state)
    {
      std::vector<double> values;
      values.reserve(state.discretization->n_dofs());
      for_each_value(*state.discretization->levels,
                     state.solution,
                     [&](const double u) { values.push_back(u); });
      return values;
    }
  } // namespace



  template <int dim>
  StudyCheckpoints<dim>::StudyCheckpoints(const Parameters &param,
                                          apps::RunContext &run_context)
    : parameters(param)
    , context(run_context)
    , store(context.results_directory, context.communicator)
  {}



  template <int dim>
  void
  StudyCheckpoints<dim>::restore(const apps::Checkpoint &checkpoint,
                                 const Problem<dim>     &problem,
                                 StudyState<dim>        &state) const
  {
    if (checkpoint.values<std::int32_t>("coarse mesh") !=
        coarse_places(state.mesh))
      throw InputError("The checkpoint '" + checkpoint.file +
                       "' numbers the coarse cells in another way; use the "
                       "same version of deal.II.");
    if (!refine_to(cells_of(checkpoint), state.mesh))
      throw InputError("The cells of the checkpoint '" + checkpoint.file +
                       "' cannot be made from the mesh of the first cycle.");
    state.discretization =
      std::make_shared<const Discretization<dim>>(parameters,
                                                  problem,
                                                  state.mesh);
    const Discretization<dim> &discretization = *state.discretization;

    const auto values = checkpoint.values<double>("solution");
    state.indicators  = checkpoint.values<double>("indicators");
    if (values.size() != discretization.n_dofs() ||
        state.indicators.size() != discretization.n_cells())
      throw InputError("The checkpoint '" + checkpoint.file +
                       "' has parts of different lengths.");
    state.solution = sipg::PrimalField<double>(discretization.layout);
    auto value     = values.begin();
    for_each_value(*discretization.levels, state.solution, [&](double &u) {
      u = *value++;
    });
    sipg::refresh_shadows(*discretization.levels,
                          discretization.matrices,
                          state.solution);

    state.cycles.clear();
    for (const json &cycle : checkpoint.header.at("cycles"))
      {
        state.cycles.push_back(with_numbers(cycle));
        context.record.new_cycle() = state.cycles.back();
      }
  }



  template <int dim>
  std::pair<apps::FieldFiles, std::string>
  StudyCheckpoints<dim>::field_files(const apps::Checkpoint &checkpoint)
  {
    return {checkpoint.header.at("field_files").get<apps::FieldFiles>(),
            filesystem::path(checkpoint.file).parent_path().string()};
  }



  template <int dim>
  void
  StudyCheckpoints<dim>::write(const StudyState<dim>  &state,
                               const apps::FieldFiles &files)
  {
    apps::Checkpoint checkpoint;
    json            &header = checkpoint.header;
    header["application"]   = application_name;
    header["version"]       = version();
    header["cycles_done"]   = state.n_cycles();
    header["parameters"]    = context.record.data()["parameters"];
    header["field_files"]   = files;
    header["cycles"]        = context.record.document()["cycles"];

    checkpoint.add("coarse mesh", coarse_places(state.mesh));
    add_cells(state.mesh.forest().active_cells(), checkpoint);
    checkpoint.add("indicators", state.indicators);
    checkpoint.add("solution", values_of(state));
    store.write(checkpoint);
  }



  template class StudyCheckpoints<2>;
  template class StudyCheckpoints<3>;
} // namespace tessera::sipg_adaptive
