// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/degree.h>
#include <tessera/patch/device/sweep.h>

#include <algorithm>
#include <string>

namespace tessera
{
  namespace patch
  {
    namespace
    {
      using cellwise::power;

      int
      check_degree(const int degree)
      {
        if (degree < 1 || degree > max_device_degree)
          throw InputError("There is no patch smoother of degree " +
                           std::to_string(degree) +
                           " on the device: it takes degrees 1 to " +
                           std::to_string(max_device_degree) +
                           ". Take the host back end for other degrees.");
        return degree;
      }

      /** Where the steps begin among the runs; and the end. */
      template <int dim>
      std::vector<std::size_t>
      find_steps(const PatchSchedule<dim> &schedule)
      {
        const std::vector<CellIndex> &cells = schedule.cells();
        const auto largest = std::max_element(cells.begin(), cells.end());
        std::vector<std::size_t> begin;

        // The step that a cell was last in. Its patches may have it twice.
        std::vector<std::size_t> last_step(
          largest == cells.end() ? 0 : *largest + 1, 0);
        for (std::size_t i = 0; i < schedule.runs().size(); ++i)
          {
            const PatchRun &run = schedule.runs()[i];
            const auto first = cells.begin() + (std::size_t(run.begin) << dim);
            const auto last  = cells.begin() + (std::size_t(run.end) << dim);
            if (begin.empty() ||
                std::any_of(first, last, [&](const CellIndex c) {
                  return last_step[c] == begin.size();
                }))
              begin.push_back(i);
            std::for_each(first, last, [&](const CellIndex c) {
              last_step[c] = begin.size();
            });
          }
        begin.push_back(schedule.runs().size());
        return begin;
      }
    } // namespace



    template <int dim, typename T>
    DevicePatchTables<dim, T>::DevicePatchTables(const int             degree,
                                                 const PatchTables<T> &tables,
                                                 const device::Stream &stream)
      : p(check_degree(degree))
      , inverse_eigenvalues(tables.inverse_eigenvalues,
                            std::size_t(power(degree, dim)) << dim,
                            stream)
    {
      const int q = degree + 1;
      entries.reserve(q * q + power(q, dim) + 2 * degree * (q + degree));
      const auto add = [&](const T *table, const int n) {
        const T *copy = entries.data() + entries.size();
        entries.insert(entries.end(), table, table + n);
        return copy;
      };
      pointers.inverse_eigenvectors = add(tables.inverse_eigenvectors, q * q);
      pointers.cell_eigenvalues = add(tables.cell_eigenvalues, power(q, dim));
      for (int a = 0; a < 2; ++a)
        {
          pointers.forward[a]  = add(tables.forward[a], degree * q);
          pointers.backward[a] = add(tables.backward[a], degree * degree);
        }
      pointers.inverse_eigenvalues = inverse_eigenvalues.data();
    }



    template <int dim, typename T>
    int
    DevicePatchTables<dim, T>::degree() const
    {
      return p;
    }



    template <int dim, typename T>
    const PatchTables<T> &
    DevicePatchTables<dim, T>::tables() const
    {
      return pointers;
    }



    template <int dim, typename T>
    std::size_t
    DevicePatchTables<dim, T>::memory_consumption() const
    {
      return inverse_eigenvalues.size() * sizeof(T);
    }



    template <int dim, typename T>
    DeviceSweep<dim, T>::DeviceSweep(const int                 degree,
                                     const PatchTables<T>     &tables,
                                     const PatchSchedule<dim> &schedule,
                                     const device::Stream     &stream)
      : patch_tables(degree, tables, stream)
      , cells(schedule.cells().data(), schedule.cells().size(), stream)
      , runs(schedule.runs())
      , step_begin(find_steps(schedule))
    {
      const auto is_mirrored = [](const PatchRun &run) {
        return run.mirrored != 0;
      };
      if (!std::any_of(runs.begin(), runs.end(), is_mirrored))
        return;
      std::vector<std::uint8_t> flags(schedule.n_patches(), 0);
      for (const PatchRun &run : runs)
        std::fill(flags.begin() + run.begin,
                  flags.begin() + run.end,
                  std::uint8_t(run.mirrored));
      mirrored = {flags.data(), flags.size(), stream};
    }



    template <int dim, typename T>
    void
    DeviceSweep<dim, T>::apply(T                    *u,
                               const T              *b,
                               const bool            reversed,
                               const device::Stream &stream) const
    {
      const int n = n_steps();
      for (int i = 0; i < n; ++i)
        on_device::update_patches(
          u, b, step(reversed ? n - 1 - i : i), patch_tables, stream);
    }



    template <int dim, typename T>
    int
    DeviceSweep<dim, T>::n_steps() const
    {
      return int(step_begin.size()) - 1;
    }



    template <int dim, typename T>
    DevicePatches
    DeviceSweep<dim, T>::step(const int i) const
    {
      return patches(step_begin[i], step_begin[i + 1]);
    }



    template <int dim, typename T>
    std::vector<DevicePatches>
    DeviceSweep<dim, T>::steps(const RunRange &range) const
    {
      std::vector<DevicePatches> result;
      auto                       next =
        std::upper_bound(step_begin.begin(), step_begin.end(), range.begin);
      for (std::size_t begin = range.begin; begin < range.end;)
        {
          const std::size_t end = std::min(*next++, range.end);
          result.push_back(patches(begin, end));
          begin = end;
        }
      return result;
    }



    template <int dim, typename T>
    DevicePatches
    DeviceSweep<dim, T>::patches(const std::size_t first_run,
                                 const std::size_t end_run) const
    {
      const std::int32_t begin = runs[first_run].begin;
      const bool         is_mirrored =
        std::any_of(runs.begin() + first_run,
                    runs.begin() + end_run,
                    [](const PatchRun &run) { return run.mirrored != 0; });
      return {cells.data() + (std::size_t(begin) << dim),
              is_mirrored ? mirrored.data() + begin : nullptr,
              runs[end_run - 1].end - begin};
    }



    template <int dim, typename T>
    const DevicePatchTables<dim, T> &
    DeviceSweep<dim, T>::tables() const
    {
      return patch_tables;
    }



    template <int dim, typename T>
    std::size_t
    DeviceSweep<dim, T>::memory_consumption() const
    {
      return cells.size() * sizeof(CellIndex) + mirrored.size() +
             patch_tables.memory_consumption();
    }



    template class DevicePatchTables<2, float>;
    template class DevicePatchTables<2, double>;
    template class DevicePatchTables<3, float>;
    template class DevicePatchTables<3, double>;
    template class DeviceSweep<2, float>;
    template class DeviceSweep<2, double>;
    template class DeviceSweep<3, float>;
    template class DeviceSweep<3, double>;
  } // namespace patch
} // namespace tessera
