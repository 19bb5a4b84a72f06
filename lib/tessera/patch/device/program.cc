// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/patch/device/program.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace tessera
{
  namespace patch
  {
    using cellwise::power;
    using on_device::ProgramBarrier;
    using on_device::ProgramStepKind;

    namespace
    {
      /** A matrix that is the same in all tables. */
      template <typename T>
      void
      copy_matrix(const T *from, const int n, T *to)
      {
        TESSERA_ASSERT(std::all_of(to,
                                   to + n,
                                   [](const T entry) { return entry == 0; }) ||
                         std::equal(to, to + n, from),
                       "matrices are the same on all levels");
        std::copy_n(from, n, to);
      }
    } // namespace



    template <int dim, typename T>
    bool
    DeviceProgram<dim, T>::supports(const int degree)
    {
      return degree >= 1 && degree <= max_program_degree<dim, T>;
    }



    template <int dim, typename T>
    unsigned int
    DeviceProgram<dim, T>::max_blocks(const int degree)
    {
      return on_device::max_program_blocks<dim, T>(degree);
    }



    template <int dim, typename T>
    unsigned int
    DeviceProgram<dim, T>::n_pieces(const DeviceSweep<dim, T> &sweep)
    {
      unsigned int largest = 0;
      for (int i = 0; i < sweep.n_steps(); ++i)
        largest =
          std::max(largest,
                   n_step_blocks<dim>(std::size_t(sweep.step(i).n_patches)));
      return largest;
    }



    template <int dim, typename T>
    DeviceProgram<dim, T>::DeviceProgram(const int p)
      : degree(p)
      , matrices()
    {
      if (!supports(degree))
        throw InputError("There is no program of elements of degree " +
                         std::to_string(degree) + " in " + std::to_string(dim) +
                         " dimensions on the device: it takes degrees 1 to " +
                         std::to_string(max_program_degree<dim, T>) +
                         ". Launch the steps one by one for others.");
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::set_zero(T *values, const std::size_t n)
    {
      Step step{};
      step.kind    = ProgramStepKind::set_zero;
      step.n       = n;
      step.written = values;
      add(step);
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::update_patches(
      T                               *u,
      const T                         *b,
      const DevicePatches             &patches,
      const DevicePatchTables<dim, T> &tables)
    {
      TESSERA_ASSERT(tables.degree() == degree, "the degree of the program");
      const PatchTables<T> &t = tables.tables();
      const int             q = degree + 1;
      copy_matrix(t.inverse_eigenvectors, q * q, matrices.inverse_eigenvectors);
      for (int a = 0; a < 2; ++a)
        {
          copy_matrix(t.forward[a], degree * q, matrices.forward[a]);
          copy_matrix(t.backward[a], degree * degree, matrices.backward[a]);
        }

      Step step{};
      step.kind                = ProgramStepKind::update_patches;
      step.n                   = std::size_t(patches.n_patches);
      step.written             = u;
      step.read[0]             = b;
      step.cells               = patches.cells;
      step.mirrored            = patches.mirrored;
      step.inverse_eigenvalues = t.inverse_eigenvalues;
      add(step, t.cell_eigenvalues);
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::restrict_residual(const int                p,
                                             T                       *coarse_b,
                                             const T                 *u,
                                             const T                 *b,
                                             const CellIndex         *parents,
                                             const CellIndex         *children,
                                             const std::size_t        n_parents,
                                             const TransferTables<T> &tables)
    {
      TESSERA_ASSERT(p == degree, "the degree of the program");
      const int n = (p + 1) * (p + 1);
      copy_matrix(tables.inverse_eigenvectors,
                  n,
                  matrices.inverse_eigenvectors);
      for (int c = 0; c < 2; ++c)
        copy_matrix(tables.modal_embedding[c], n, matrices.modal_embedding[c]);

      Step step{};
      step.kind     = ProgramStepKind::restrict_residual;
      step.n        = n_parents;
      step.written  = coarse_b;
      step.read[0]  = u;
      step.read[1]  = b;
      step.cells    = parents;
      step.children = children;
      add(step, tables.cell_eigenvalues);
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::prolongate_and_add(const int         p,
                                              T                *u,
                                              const T          *coarse_u,
                                              const CellIndex  *parents,
                                              const CellIndex  *children,
                                              const std::size_t n_parents,
                                              const TransferTables<T> &tables)
    {
      TESSERA_ASSERT(p == degree, "the degree of the program");
      for (int c = 0; c < 2; ++c)
        copy_matrix(tables.embedding[c],
                    (p + 1) * (p + 1),
                    matrices.embedding[c]);

      Step step{};
      step.kind     = ProgramStepKind::prolongate_and_add;
      step.n        = n_parents;
      step.written  = u;
      step.read[0]  = coarse_u;
      step.cells    = parents;
      step.children = children;
      add(step);
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::Fields::add(const Step &step)
    {
      written.push_back(step.written);
      for (const T *field : step.read)
        if (field != nullptr)
          read.push_back(field);
    }



    template <int dim, typename T>
    bool
    DeviceProgram<dim, T>::Fields::conflict_with(const Step &step) const
    {
      const auto is_written = [&](const T *field) {
        return std::find(written.begin(), written.end(), field) !=
               written.end();
      };
      return is_written(step.written) ||
             std::find(read.begin(), read.end(), step.written) != read.end() ||
             std::any_of(std::begin(step.read),
                         std::end(step.read),
                         is_written);
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::add(Step step, const T *eigenvalues)
    {
      if (step.n == 0)
        return;

      const unsigned int n_pieces =
        step.kind == ProgramStepKind::set_zero ?
          (unsigned int)((step.n - 1) / on_device::n_zeros_of_piece + 1) :
          n_step_blocks<dim>(step.n);
      largest_step = std::max(largest_step, n_pieces);

      const bool is_of_first_block = n_pieces == 1;
      if (of_all_blocks.conflict_with(step) ||
          (!is_of_first_block && of_first_block.conflict_with(step)))
        {
          step.barrier = ProgramBarrier::of_grid;
          ++number_of_barriers;
          of_all_blocks = of_first_block = recent_of_first_block = Fields();
        }
      else if (is_of_first_block && recent_of_first_block.conflict_with(step))
        {
          step.barrier = ProgramBarrier::of_block;
          ++number_of_block_barriers;
          recent_of_first_block = Fields();
        }
      if (is_of_first_block)
        {
          of_first_block.add(step);
          recent_of_first_block.add(step);
        }
      else
        of_all_blocks.add(step);

      steps.push_back(step);
      first_eigenvalue.push_back(
        eigenvalues == nullptr ? 0 : find_cell_eigenvalues(eigenvalues));
    }



    template <int dim, typename T>
    std::size_t
    DeviceProgram<dim, T>::find_cell_eigenvalues(const T *eigenvalues)
    {
      const std::size_t n     = std::size_t(power(degree + 1, dim));
      std::size_t       first = 0;
      for (; first < cell_eigenvalues.size(); first += n)
        if (std::equal(eigenvalues,
                       eigenvalues + n,
                       cell_eigenvalues.begin() + first))
          return first;
      cell_eigenvalues.insert(cell_eigenvalues.end(),
                              eigenvalues,
                              eigenvalues + n);
      return first;
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::prepare(const device::Stream &stream,
                                   const unsigned int    at_most)
    {
      TESSERA_ASSERT(at_most > 0, "there is a block");
      number_of_blocks = std::min(largest_step, at_most);
      if (number_of_blocks > 1)
        number_of_blocks = std::min(number_of_blocks, max_blocks(degree));
      device_cell_eigenvalues = {cell_eigenvalues.data(),
                                 cell_eigenvalues.size(),
                                 stream};
      for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i].cell_eigenvalues =
          device_cell_eigenvalues.data() + first_eigenvalue[i];
      device_steps = {steps.data(), steps.size(), stream};
    }



    template <int dim, typename T>
    void
    DeviceProgram<dim, T>::run(const device::Stream &stream) const
    {
      TESSERA_ASSERT(device_steps.size() == steps.size(),
                     "the program is prepared");
      if (!steps.empty())
        on_device::run_program<dim>(degree,
                                    device_steps.data(),
                                    steps.size(),
                                    matrices,
                                    number_of_blocks,
                                    stream);
    }



    template <int dim, typename T>
    std::size_t
    DeviceProgram<dim, T>::n_steps() const
    {
      return steps.size();
    }



    template <int dim, typename T>
    std::size_t
    DeviceProgram<dim, T>::n_barriers() const
    {
      return number_of_barriers;
    }



    template <int dim, typename T>
    std::size_t
    DeviceProgram<dim, T>::n_block_barriers() const
    {
      return number_of_block_barriers;
    }



    template <int dim, typename T>
    unsigned int
    DeviceProgram<dim, T>::n_blocks() const
    {
      return number_of_blocks;
    }



    template <int dim, typename T>
    std::size_t
    DeviceProgram<dim, T>::memory_consumption() const
    {
      return device_steps.size() * sizeof(Step) +
             device_cell_eigenvalues.size() * sizeof(T);
    }



    template class DeviceProgram<2, float>;
    template class DeviceProgram<2, double>;
    template class DeviceProgram<3, float>;
    template class DeviceProgram<3, double>;
  } // namespace patch
} // namespace tessera
