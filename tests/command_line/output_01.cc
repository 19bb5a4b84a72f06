// SPDX-License-Identifier: LGPL-2.1-or-later
// Tables and fields as files, on any number of ranks.
#include <tessera/base/communication_mpi.h>
#include <tessera/dealii/compatibility.h>

#include <deal.II/base/convergence_table.h>
#include <deal.II/base/mpi.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/la_parallel_vector.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check.h"
#include "common/field_output.h"
#include "common/tables.h"

using namespace tessera;

namespace
{
  std::string
  content(const std::string &file)
  {
    std::ifstream      in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }



  bool
  contains(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }



  void
  test_tables(const Communicator &communicator, const std::string &directory)
  {
    dealii::ConvergenceTable table;
    for (unsigned int i = 0; i < 3; ++i)
      {
        table.add_value("cells", 1u << i);
        table.add_value("L2, relative", 1. / (3u << (2 * i)));
        table.add_value("solver", std::string("says \"") + char('a' + i) + '"');
      }
    table.set_precision("L2, relative", 2);
    table.set_scientific("L2, relative", true);

    std::ostringstream before, csv, after;
    table.write_text(before);
    apps::write_csv(table, csv);
    table.write_text(after);
    // Full precision there leaves the table on the screen as it was.
    CHECK_EQUAL(before.str(), after.str());

    std::ostringstream         screen;
    dealii::ConditionalOStream out(screen, true);
    apps::print_table(table, out);
    const std::string printed = screen.str();
    CHECK(!contains(printed, " \n")); // no blanks at the end of a line
    CHECK_EQUAL(std::count(printed.begin(), printed.end(), '\n'), 4);

    std::istringstream lines(csv.str());
    std::string        line;
    std::getline(lines, line);
    CHECK_EQUAL(line, "cells,\"L2, relative\",solver");
    for (unsigned int i = 0; i < 3; ++i)
      {
        CHECK(static_cast<bool>(std::getline(lines, line)));
        const auto first = line.find(','), second = line.find(',', first + 1);
        CHECK_EQUAL(std::stoul(line.substr(0, first)), 1ul << i);
        CHECK_EQUAL(std::stod(line.substr(first + 1, second - first - 1)),
                    1. / (3u << (2 * i)));
        CHECK_EQUAL(line.substr(second + 1),
                    std::string("\"says \"\"") + char('a' + i) + "\"\"\"");
      }
    CHECK(!std::getline(lines, line));

    table.evaluate_convergence_rates(
      "L2, relative", dealii::ConvergenceTable::reduction_rate_log2);
    apps::write_table(table, directory + "/table", communicator);
    communicator.barrier();
    CHECK(
      contains(content(directory + "/table.csv"), "3.3333333333333331e-01"));
    CHECK(contains(content(directory + "/table.tex"), "\\begin{tabular}"));
    CHECK_THROWS(InputError,
                 apps::write_table(table,
                                   directory + "/no/table",
                                   communicator));
  }



  template <int dim>
  void
  test_fields(const Communicator &communicator,
              const std::string  &directory,
              const bool          high_order)
  {
    const std::string name = "solution-" + std::to_string(dim) + "d";
    dealii::parallel::distributed::Triangulation<dim> triangulation(
      MPI_COMM_WORLD);
    dealii::GridGenerator::hyper_cube(triangulation);
    CHECK(dealii_compatibility::get_mpi_communicator(triangulation) !=
          MPI_COMM_NULL);

    apps::FieldOutputOptions options;
    options.high_order = high_order;
    apps::FieldOutput<dim> output(directory, name, MPI_COMM_WORLD, options);
    for (unsigned int cycle = 0; cycle < 2; ++cycle)
      {
        triangulation.refine_global(1);
        const dealii::FE_Q<dim>     scalar_fe(2);
        const dealii::FESystem<dim> vector_fe(dealii::FE_Q<dim>(1), dim);
        dealii::DoFHandler<dim> scalar(triangulation), vector(triangulation);
        scalar.distribute_dofs(scalar_fe);
        vector.distribute_dofs(vector_fe);

        // One vector without ghosts, one with.
        dealii::LinearAlgebra::distributed::Vector<double> u(
          scalar.locally_owned_dofs(), MPI_COMM_WORLD);
        u = 0.75;
        dealii::IndexSet relevant;
        dealii::DoFTools::extract_locally_relevant_dofs(vector, relevant);
        dealii::LinearAlgebra::distributed::Vector<float> v(
          vector.locally_owned_dofs(), relevant, MPI_COMM_WORLD);
        v = 2.f;
        v.update_ghost_values();
        dealii::Vector<float> indicator(triangulation.n_active_cells());

        output.add_field(scalar, u, "u");
        output.add_field(vector, v, "displacement");
        output.add_cell_field(indicator, "indicator");
        const std::string file =
          output.write(dealii::MappingQ<dim>(1), cycle, 0.5 * cycle);
        CHECK_EQUAL(file,
                    directory + "/" + name + "_000" + std::to_string(cycle) +
                      ".pvtu");
        communicator.barrier();

        const std::string pvtu = content(file);
        for (const char *field :
             {"\"u\"", "\"displacement\"", "\"indicator\"", "\"partition\""})
          CHECK(contains(pvtu, field));
        CHECK(contains(pvtu, "NumberOfComponents=\"3\""));
        const auto        piece = pvtu.find("Piece Source=\"") + 14;
        const std::string vtu =
          pvtu.substr(piece, pvtu.find('"', piece) - piece);
        CHECK(std::filesystem::file_size(directory + "/" + vtu) > 500);

        const std::string pvd = content(directory + "/" + name + ".pvd");
        CHECK(contains(pvd, name + "_0000.pvtu"));
        CHECK_EQUAL(contains(pvd, name + "_0001.pvtu"), cycle == 1);
        CHECK_EQUAL(contains(pvd, "0.5"), cycle == 1);
        communicator.barrier(); // nobody writes while others read
      }

    // A run that goes on, in the same directory and in another, where a file
    // is missing.
    apps::FieldFiles files = output.files();
    CHECK_EQUAL(files.size(), 2u);
    files.emplace_back(7., name + "_0007.pvtu");
    const auto list = [&](const std::string &place) {
      const std::string text = content(place + "/" + name + ".pvd");
      return text.substr(text.find("-->")); // without the date
    };
    const std::string before = list(directory);
    for (const std::string &to : {directory, directory + "/other"})
      {
        communicator.barrier();
        if (communicator.rank() == 0)
          std::filesystem::create_directory(to);
        apps::FieldOutput<dim>         next(to, name, MPI_COMM_WORLD, options);
        const std::vector<std::string> missing =
          next.take_over(files, directory);
        CHECK(missing == std::vector<std::string>{name + "_0007.pvtu"});
        CHECK(next.files() == output.files());
        communicator.barrier();
        CHECK_EQUAL(list(to), before);
        for (const std::string end : {"_0000.pvtu", "_0001.0.vtu"})
          CHECK(content(to + "/" + name + end) ==
                content(directory + "/" + name + end));
        CHECK(std::filesystem::exists(to + "/" + name + "_0001.0.vtu"));
        CHECK(!std::filesystem::exists(to + "/" + name + "_0007.pvtu"));
      }
  }
} // namespace



int
main(int argc, char **argv)
{
  dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const Communicator communicator = make_communicator(MPI_COMM_WORLD);
  const std::string  directory =
    "output_01-on-" + std::to_string(communicator.n_ranks());
  if (communicator.rank() == 0)
    {
      std::filesystem::remove_all(directory);
      std::filesystem::create_directory(directory);
    }
  communicator.barrier();

  test_tables(communicator, directory);
  test_fields<2>(communicator, directory, false);
  test_fields<3>(communicator, directory, true);
  return check::result();
}
