// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_field_output_h
#define tessera_apps_common_field_output_h

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/fe/mapping.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/data_postprocessor.h>

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "common/field_output_options.h"

namespace tessera::apps
{
  /** Files and their places in a list. */
  using FieldFiles = std::vector<std::pair<double, std::string>>;

  /**
   * Writes the fields of each cycle or time step for ParaView and VisIt:
   * `<name>_<cycle>.pvtu` with its `.vtu` pieces, and `<name>.pvd`, which lists
   * all cycles so far and is the file to open.
   *
   * @code
   * FieldOutput<dim> output(context.results_directory, "solution",
   *                         context.mpi_communicator);
   * // in each cycle:
   * output.add_field(dof_handler, solution, "u");
   * output.add_field(dof_handler, error, "error");
   * output.add_cell_field(indicators, "indicator");
   * output.write(mapping, cycle);
   * @endcode
   * A cell field `partition`, the rank that owns a cell, is added always.
   *
   * Up to 32 ranks write a piece each; more share 32 pieces through MPI. All
   * functions but the constructor are collective.
   */
  template <int dim>
  class FieldOutput
  {
  public:
    /**
     * @param[in] directory An existing directory.
     * @param[in] name Beginning of the names of all files.
     */
    FieldOutput(const std::string        &directory,
                const std::string        &name,
                MPI_Comm                  mpi_communicator,
                const FieldOutputOptions &options = FieldOutputOptions());

    /**
     * Add a finite element field: a scalar, or, for an element with dim
     * components, a vector. Other elements with several components become
     * scalars `<name>_0`, `<name>_1`, ...
     *
     * @param[in] values Locally owned entries, or those and ghosts; kept by
     * deal.II as a copy with ghosts.
     */
    template <typename VectorType>
    void
    add_field(const dealii::DoFHandler<dim> &dof_handler,
              const VectorType              &values,
              const std::string             &name);

    /**
     * Add what a postprocessor makes of a finite element field, which has to
     * live until write().
     */
    template <typename VectorType>
    void
    add_field(const dealii::DoFHandler<dim>        &dof_handler,
              const VectorType                     &values,
              const dealii::DataPostprocessor<dim> &postprocessor);

    /**
     * Add a field that is constant on cells, numbered as the active cells of
     * the triangulation; entries of cells that this rank does not own are
     * ignored. At least one add_field() is needed beside it. The values must
     * live until write().
     */
    template <typename Number>
    void
    add_cell_field(const dealii::Vector<Number> &values,
                   const std::string            &name);

    /**
     * Write the fields added since the last call, forget them, and write the
     * list of cycles again.
     *
     * @param[in] time The place in the list; that of the cycle by default.
     * @return the path of the `.pvtu` file.
     * @throws dealii::ExceptionBase if a file cannot be written.
     */
    std::string
    write(const dealii::Mapping<dim> &mapping, unsigned int cycle, double time);

    std::string
    write(const dealii::Mapping<dim> &mapping, unsigned int cycle);

    /** The list of cycles so far: their places, and their `.pvtu` files without
     * the directory. */
    const FieldFiles &
    files() const
    {
      return times_and_names;
    }

    /**
     * Begin the list of cycles, for a run that goes on, with the files that an
     * earlier run has written, and write the list if there are any. From
     * another directory they are copied.
     *
     * @return the files that are not there, and that the list is without; on
     * all ranks.
     * @throws InputError on all ranks if a file cannot be written.
     */
    std::vector<std::string>
    take_over(const FieldFiles &earlier, const std::string &from_directory);

  private:
    std::string        directory;
    std::string        file_name;
    MPI_Comm           mpi_communicator;
    FieldOutputOptions options;

    dealii::DataOut<dim>              data;
    const dealii::Triangulation<dim> *triangulation = nullptr;
    unsigned int                      degree        = 1;

    FieldFiles times_and_names;

    /** @throws InputError on all ranks. */
    void
    write_list() const;
  };



  template <int dim>
  template <typename VectorType>
  void
  FieldOutput<dim>::add_field(const dealii::DoFHandler<dim> &dof_handler,
                              const VectorType              &values,
                              const std::string             &name)
  {
    using Interpretation =
      dealii::DataComponentInterpretation::DataComponentInterpretation;
    const dealii::FiniteElement<dim> &fe = dof_handler.get_fe();
    const unsigned int                n  = fe.n_components();

    std::vector<std::string> names;
    Interpretation           interpretation =
      dealii::DataComponentInterpretation::component_is_scalar;
    if (n == dim && n > 1)
      {
        names.assign(n, name);
        interpretation =
          dealii::DataComponentInterpretation::component_is_part_of_vector;
      }
    else if (n == 1)
      names.push_back(name);
    else
      for (unsigned int c = 0; c < n; ++c)
        names.push_back(name + "_" + std::to_string(c));

    data.add_data_vector(dof_handler,
                         values,
                         names,
                         std::vector<Interpretation>(n, interpretation));
    triangulation = &dof_handler.get_triangulation();
    degree        = std::max(degree, fe.degree);
  }



  template <int dim>
  template <typename VectorType>
  void
  FieldOutput<dim>::add_field(
    const dealii::DoFHandler<dim>        &dof_handler,
    const VectorType                     &values,
    const dealii::DataPostprocessor<dim> &postprocessor)
  {
    data.add_data_vector(dof_handler, values, postprocessor);
    triangulation = &dof_handler.get_triangulation();
    degree        = std::max(degree, dof_handler.get_fe().degree);
  }



  template <int dim>
  template <typename Number>
  void
  FieldOutput<dim>::add_cell_field(const dealii::Vector<Number> &values,
                                   const std::string            &name)
  {
    AssertThrow(triangulation != nullptr,
                dealii::ExcMessage(
                  "Call add_field() before add_cell_field()."));
    data.add_data_vector(values, name, dealii::DataOut<dim>::type_cell_data);
  }
} // namespace tessera::apps

#endif
