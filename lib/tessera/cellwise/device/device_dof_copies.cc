// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>
#include <tessera/cellwise/device/device_dof_copies.h>
#include <tessera/cellwise/device/layout.h>

#include <cstring>
#include <string>
#include <vector>

namespace tessera
{
  namespace cellwise
  {
    namespace
    {
      constexpr int B = cells_per_device_block;

      /** The lists of a field in blocked order, with ghosts numbered as they
       * come in messages. */
      std::vector<unsigned int>
      in_blocks(const DoFCopies &copies)
      {
        const std::size_t         n_owned = copies.plan.n_owned();
        std::vector<unsigned int> place_of_ghost(copies.plan.n_ghosts());
        unsigned int              place = 0;
        for (const unsigned int ghost : copies.plan.receive_ghosts())
          place_of_ghost[ghost] = place++;

        const std::size_t         N = copies.n_nodes;
        std::vector<unsigned int> result((std::size_t(copies.n_cells) + B - 1) /
                                           B * B * N,
                                         no_dof);
        for (std::size_t c = 0; c < std::size_t(copies.n_cells); ++c)
          for (std::size_t k = 0; k < N; ++k)
            {
              const unsigned int dof = copies.dof_of_copy[c * N + k];
              result[(c / B * N + k) * B + c % B] =
                dof == no_dof || dof < n_owned ?
                  dof :
                  n_owned + place_of_ghost[dof - n_owned];
            }
        return result;
      }

      template <typename T>
      device::Memory<T>
      on_device_of(const std::vector<T> &values, const device::Stream &stream)
      {
        return device::Memory<T>(values.data(), values.size(), stream);
      }
    } // namespace



    DeviceDoFCopies::DeviceDoFCopies(const DoFCopies      &copies,
                                     const device::Stream &queue)
      : stream(queue)
      , degree(copies.degree)
      , n_nodes(copies.n_nodes)
      , n_cells(copies.n_cells)
      , exchange(copies.plan, sizeof(double), queue)
      , sent_dofs(on_device_of(copies.plan.send_items(), queue))
      , dof_of_copy(on_device_of(in_blocks(copies), queue))
      , copy_of_dof(on_device_of(copies.copy_of_dof, queue))
      , inner_faces(on_device_of(copies.inner_faces, queue))
      , largest(1)
      , largest_on_host(1)
    {
      TESSERA_ASSERT(copies.plan.n_owned() == copies.copy_of_dof.size(),
                     "one copy for each degree of freedom");
    }



    template <typename Number>
    double
    DeviceDoFCopies::max_abs(const Number *v)
    {
      largest.fill_bytes_async(0, stream);
      on_device::max_abs_of_dofs(
        v, copy_of_dof.data(), n_owned(), largest.data(), stream);
      largest.copy_to_host(largest_on_host.data(), stream);
      double value;
      std::memcpy(&value, largest_on_host.data(), sizeof(value));
      return value;
    }



    template <typename Number>
    void
    DeviceDoFCopies::gather(DevicePrimalField<double> &u, const Number *v)
    {
      gather(u, v, nullptr);
    }



    template <typename Number>
    void
    DeviceDoFCopies::distribute(DeviceDualField<double> &r, const Number *v)
    {
      gather(r, v, inner_faces.data());
    }



    template <typename Field, typename Number>
    void
    DeviceDoFCopies::gather(Field               &field,
                            const Number        *v,
                            const unsigned char *faces)
    {
      TESSERA_ASSERT(field.n_cells() >= n_cells && field.n_nodes() == n_nodes,
                     "a field of these cells");
      using Direction = device::BufferExchange::Direction;
      exchange.check_idle();
      on_device::pack_dofs(reinterpret_cast<double *>(exchange.owner_buffer()),
                           v,
                           sent_dofs.data(),
                           sent_dofs.size(),
                           stream);
      exchange.start(Direction::owner_to_ghost);
      exchange.finish(Direction::owner_to_ghost);
      on_device::gather_dofs(field.data(),
                             v,
                             reinterpret_cast<const double *>(
                               exchange.ghost_buffer()),
                             (unsigned int)(n_owned()),
                             dof_of_copy.data(),
                             faces,
                             n_cells,
                             degree + 1,
                             n_nodes,
                             stream);
    }



    std::size_t
    DeviceDoFCopies::memory_consumption() const
    {
      return exchange.memory_consumption() +
             (sent_dofs.size() + dof_of_copy.size() + copy_of_dof.size()) *
               sizeof(unsigned int) +
             inner_faces.size() + largest.size() * sizeof(largest.data()[0]);
    }



#define TESSERA_INSTANTIATE(Number)                                      \
  template double DeviceDoFCopies::max_abs(const Number *);              \
  template void   DeviceDoFCopies::gather(DevicePrimalField<double> &,   \
                                        const Number *);               \
  template void   DeviceDoFCopies::distribute(DeviceDualField<double> &, \
                                            const Number *)
    TESSERA_INSTANTIATE(float);
    TESSERA_INSTANTIATE(double);
#undef TESSERA_INSTANTIATE
  } // namespace cellwise
} // namespace tessera
