// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/field_output.h"

#include <tessera/base/communication_mpi.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <fstream>

namespace tessera::apps
{
  namespace
  {
    /** Most files a cycle. */
    constexpr unsigned int max_pieces = 32;
  } // namespace



  template <int dim>
  FieldOutput<dim>::FieldOutput(const std::string        &output_directory,
                                const std::string        &name,
                                MPI_Comm                  communicator,
                                const FieldOutputOptions &output_options)
    : directory(output_directory)
    , file_name(name)
    , mpi_communicator(communicator)
    , options(output_options)
  {}



  template <int dim>
  std::string
  FieldOutput<dim>::write(const dealii::Mapping<dim> &mapping,
                          const unsigned int          cycle)
  {
    return write(mapping, cycle, cycle);
  }



  template <int dim>
  std::string
  FieldOutput<dim>::write(const dealii::Mapping<dim> &mapping,
                          const unsigned int          cycle,
                          const double                time)
  {
    AssertThrow(triangulation != nullptr,
                dealii::ExcMessage("There is no field to be written."));

    dealii::Vector<float> partition(triangulation->n_active_cells());
    partition = static_cast<float>(
      dealii::Utilities::MPI::this_mpi_process(mpi_communicator));
    data.add_data_vector(partition,
                         "partition",
                         dealii::DataOut<dim>::type_cell_data);

    const unsigned int n_subdivisions =
      options.n_subdivisions == 0 ? degree : options.n_subdivisions;
    dealii::DataOutBase::VtkFlags flags;
    flags.cycle = static_cast<int>(cycle);
    flags.time  = time;
    // A cell without inner points is the same in both forms.
    flags.write_higher_order_cells = options.high_order && n_subdivisions > 1;
    data.set_flags(flags);
    data.build_patches(mapping,
                       n_subdivisions,
                       dealii::DataOut<dim>::curved_inner_cells);

    // Pieces of several ranks are written through MPI, which fails where MPI
    // cannot make its files in shared memory. 0 stands for a piece a rank.
    const unsigned int n_ranks =
      dealii::Utilities::MPI::n_mpi_processes(mpi_communicator);
    const unsigned int n_pieces = n_ranks <= max_pieces ? 0 : max_pieces;

    // Some files are written by rank 0 alone, and deal.II's errors do not
    // always name the file.
    const auto write_file = [&](const std::string &file, const auto &f) {
      std::string message;
      try
        {
          f();
        }
      catch (const dealii::ExceptionBase &)
        {
          message = "'" + directory + "/" + file +
                    "' cannot be written; is the disk full, or the results "
                    "directory gone?";
        }
      make_communicator(mpi_communicator).throw_collectively(message);
    };

    // Four digits keep the files in order.
    const std::string pvtu =
      file_name + "_" + dealii::Utilities::int_to_string(cycle, 4) + ".pvtu";
    write_file(pvtu, [&]() {
      data.write_vtu_with_pvtu_record(
        directory + "/", file_name, cycle, mpi_communicator, 4, n_pieces);
    });
    data.clear();
    triangulation = nullptr;
    degree        = 1;

    times_and_names.emplace_back(time, pvtu);
    write_file(file_name + ".pvd", [&]() {
      if (dealii::Utilities::MPI::this_mpi_process(mpi_communicator) != 0)
        return;
      std::ofstream pvd(directory + "/" + file_name + ".pvd");
      dealii::DataOutBase::write_pvd_record(pvd, times_and_names);
      AssertThrow(pvd.flush(), dealii::ExcIO());
    });
    return directory + "/" + pvtu;
  }



  template class FieldOutput<2>;
  template class FieldOutput<3>;
} // namespace tessera::apps
