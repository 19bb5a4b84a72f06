// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/field_output.h"

#include <tessera/base/communication_mpi.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/text_file.h>

#include <deal.II/base/mpi.h>
#include <deal.II/base/utilities.h>

#include <filesystem>
#include <sstream>

namespace tessera::apps
{
  namespace
  {
    /** Most files a cycle. */
    constexpr unsigned int max_pieces = 32;

    namespace filesystem = std::filesystem;



    std::string
    cannot_be_written(const filesystem::path &file)
    {
      return "'" + file.string() +
             "' cannot be written; is the disk full, or the results directory "
             "gone?";
    }



    /**
     * Copy a `.pvtu` file and its pieces, whose names begin as its own, up to
     * the extension.
     * @throws InputError if a file cannot be written.
     */
    void
    copy_files(const std::string      &pvtu,
               const filesystem::path &from,
               const filesystem::path &to)
    {
      const std::string beginning =
        filesystem::path(pvtu).stem().string() + '.';
      for (const auto &entry : filesystem::directory_iterator(from))
        {
          const filesystem::path name = entry.path().filename();
          if (name.string().compare(0, beginning.size(), beginning) != 0)
            continue;
          std::error_code code;
          filesystem::copy_file(entry.path(),
                                to / name,
                                filesystem::copy_options::overwrite_existing,
                                code);
          if (code)
            throw InputError(cannot_be_written(to / name));
        }
    }
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

    // Four digits keep the files in order.
    const std::string pvtu =
      file_name + "_" + dealii::Utilities::int_to_string(cycle, 4) + ".pvtu";
    // Some files are written by rank 0 alone, and deal.II's errors do not
    // always name the file.
    std::string message;
    try
      {
        data.write_vtu_with_pvtu_record(
          directory + "/", file_name, cycle, mpi_communicator, 4, n_pieces);
      }
    catch (const dealii::ExceptionBase &)
      {
        message = cannot_be_written(filesystem::path(directory) / pvtu);
      }
    make_communicator(mpi_communicator).throw_collectively(message);
    data.clear();
    triangulation = nullptr;
    degree        = 1;

    times_and_names.emplace_back(time, pvtu);
    write_list();
    return directory + "/" + pvtu;
  }



  template <int dim>
  std::vector<std::string>
  FieldOutput<dim>::take_over(const FieldFiles  &earlier,
                              const std::string &from_directory)
  {
    const Communicator communicator = make_communicator(mpi_communicator);

    std::vector<int> is_there(earlier.size());
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      std::error_code code;
      const bool same = filesystem::equivalent(from_directory, directory, code);
      for (std::size_t i = 0; i < earlier.size(); ++i)
        {
          const std::string &pvtu = earlier[i].second;
          is_there[i] =
            filesystem::exists(filesystem::path(from_directory) / pvtu, code);
          if (is_there[i] != 0 && !same)
            copy_files(pvtu, from_directory, directory);
        }
    });
    is_there = communicator.broadcast(std::move(is_there));

    std::vector<std::string> missing;
    times_and_names.clear();
    for (std::size_t i = 0; i < earlier.size(); ++i)
      if (is_there[i] != 0)
        times_and_names.push_back(earlier[i]);
      else
        missing.push_back(earlier[i].second);
    if (!times_and_names.empty())
      write_list();
    return missing;
  }



  template <int dim>
  void
  FieldOutput<dim>::write_list() const
  {
    const Communicator communicator = make_communicator(mpi_communicator);
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      const filesystem::path file =
        filesystem::path(directory) / (file_name + ".pvd");
      std::ostringstream pvd;
      dealii::DataOutBase::write_pvd_record(pvd, times_and_names);
      if (!replace_file(file.string(), pvd.str()).empty())
        throw InputError(cannot_be_written(file));
    });
  }



  template class FieldOutput<2>;
  template class FieldOutput<3>;
} // namespace tessera::apps
