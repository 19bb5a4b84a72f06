// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/device.h>
#include <tessera/base/device/warp_lanes.h>
#include <tessera/base/exceptions.h>
#include <tessera/patch/device/brick_slots.h>
#include <tessera/patch/device/brick_sweep.h>
#include <tessera/patch/device/patch_step.h>

#include <algorithm>
#include <type_traits>

namespace tessera
{
  namespace patch
  {
    using cellwise::no_cell;
    using cellwise::power;

    namespace
    {
      constexpr unsigned int max_warps = 12;

      /** Values that are loaded and stored as one. */
      template <typename T, int n>
      struct alignas(n * sizeof(T)) Piece
      {
        T values[n];
      };

      /** Copy n values whose place is aligned as n values in pieces are. */
      template <int n, typename T>
      __device__ __forceinline__ void
      copy_values(const T *from, T *to)
      {
        constexpr int in_vector = 16 / int(sizeof(T));
        constexpr int m         = n % in_vector == 0 ? in_vector : 1;
        using P                 = Piece<T, m>;
        TESSERA_UNROLL
        for (int i = 0; i < n / m; ++i)
          {
            const P piece = reinterpret_cast<const P *>(from)[i];
            TESSERA_UNROLL
            for (int k = 0; k < m; ++k)
              to[i * m + k] = piece.values[k];
          }
      }

      /** The way back. */
      template <int n, typename T>
      __device__ __forceinline__ void
      add_values(const T *from, T *to)
      {
        constexpr int in_vector = 16 / int(sizeof(T));
        constexpr int m         = n % in_vector == 0 ? in_vector : 1;
        using P                 = Piece<T, m>;
        TESSERA_UNROLL
        for (int i = 0; i < n / m; ++i)
          {
            P piece = reinterpret_cast<const P *>(to)[i];
            TESSERA_UNROLL
            for (int k = 0; k < m; ++k)
              piece.values[k] = piece.values[k] + from[i * m + k];
            reinterpret_cast<P *>(to)[i] = piece;
          }
      }

      /** Update the patches of a group, by one warp.
       * @param[in] word See BrickLane. */
      template <int dim, int degree, typename T>
      __device__ __forceinline__ void
      update_group(const std::uint32_t               word,
                   T                                *u_slots,
                   const T                          *b_slots,
                   const T                          *eigenvalues,
                   const StepTables<dim, degree, T> &tables)
      {
        using Slots        = BrickSlots<dim, degree, T>;
        using Update       = PatchUpdate<dim, degree, device::WarpLanes<T>>;
        constexpr int slab = Update::slab;

        const int      slot   = int(word & BrickLane::slot_mask);
        T *const       u      = u_slots + slot * Slots::stride;
        const T *const b      = b_slots + slot * Slots::stride;
        const bool     stored = (word & BrickLane::stored_mask) != 0;

        using Eigenvalues  = const T(&)[Update::n_modes];
        const int  end     = int(threadIdx.x % Slots::n_lanes);
        const auto inverse = reinterpret_cast<const T(*)[Update::n_modes]>(
          eigenvalues + end * Slots::eigenvalue_stride);
        const Update update(tables.pointers(), Eigenvalues(*inverse));
        update((word >> BrickLane::mirrored_bit) & BrickLane::mirrored_mask,
               [&](const int z, T(&buffer)[slab]) {
                 copy_values<slab>(u + z * slab, buffer);
                 return static_cast<const T *>(buffer);
               },
               [&](const int z, T(&buffer)[slab]) {
                 // Lanes of mirror images, and those that repeat a patch, have
                 // read what others are going to write.
                 if (z == 0)
                   __syncwarp();
                 copy_values<slab>(b + z * slab, buffer);
                 return static_cast<const T *>(buffer);
               },
               [&](const int z, T(&c)[slab]) {
                 if (stored)
                   add_values<slab>(c, u + z * slab);
               });
      }

      /** Moves of cells, at most Slots::moves_of_warp of them, by one warp:
       * consecutive lanes have consecutive pieces of u, then b, of a cell. All
       * that comes is under way before the first piece is written. */
      template <typename Slots, typename T>
      __device__ __forceinline__ void
      move_cells(const BrickMove *moves,
                 const int        n_moves,
                 T               *u,
                 const T         *b,
                 T               *u_slots,
                 T               *b_slots)
      {
        using P                = Piece<T, Slots::piece_values>;
        constexpr int n_pieces = Slots::n_pieces;
        constexpr int n_rounds =
          (Slots::moves_of_warp * 2 * n_pieces + 31) / 32;
        const int lane = int(threadIdx.x % 32u);

        struct Place
        {
          BrickMove move;
          bool      is_u;
          int       piece;
        };
        const auto find = [&](const int round) {
          const int i     = round * 32 + lane;
          const int n     = i / (2 * n_pieces);
          const int piece = i % (2 * n_pieces);
          return Place{n < n_moves ? moves[n] : BrickMove{no_cell, no_cell, 0},
                       piece < n_pieces,
                       piece % n_pieces};
        };

        P values[n_rounds];
        TESSERA_UNROLL
        for (int round = 0; round < n_rounds; ++round)
          {
            const Place place = find(round);
            values[round]     = P();
            if (place.move.loaded != no_cell)
              values[round] = reinterpret_cast<const P *>(
                place.is_u ?
                  u :
                  b)[std::size_t(place.move.loaded) * n_pieces + place.piece];
          }
        TESSERA_UNROLL
        for (int round = 0; round < n_rounds; ++round)
          {
            const Place place = find(round);
            P *const    slot =
              reinterpret_cast<P *>((place.is_u ? u_slots : b_slots) +
                                    place.move.slot * Slots::stride) +
              place.piece;
            if (place.move.stored != no_cell && place.is_u)
              reinterpret_cast<P *>(
                u)[std::size_t(place.move.stored) * n_pieces + place.piece] =
                *slot;
            if (place.move.loaded != no_cell)
              *slot = values[round];
          }
      }

      /** One brick a block. */
      template <int dim, int degree, typename T>
      __global__ void
      __launch_bounds__(max_warps * 32, 1) update_bricks_kernel(
        T *u,
        const T *__restrict__ b,
        const DeviceBricks      bricks,
        const __grid_constant__ StepTables<dim, degree, T> tables)
      {
        using Slots = BrickSlots<dim, degree, T>;
        TESSERA_DYNAMIC_SHARED(T, slots);
        const int          n_slots     = int(bricks.launch.n_slots);
        T *const           b_slots     = slots + n_slots * Slots::stride;
        T *const           eigenvalues = b_slots + n_slots * Slots::stride;
        const unsigned int warp        = threadIdx.x / 32u;
        const unsigned int n_warps     = blockDim.x / 32u;

        for (unsigned int i = threadIdx.x; i < Slots::n_modes * Slots::n_lanes;
             i += blockDim.x)
          eigenvalues[i % Slots::n_lanes * Slots::eigenvalue_stride +
                      i / Slots::n_lanes] = tables.inverse_eigenvalues[i];
        __syncthreads();

        const std::uint32_t *const own =
          bricks.begin + bricks.launch.begin + blockIdx.x;
        const std::uint32_t end = own[1];
        for (std::uint32_t step = own[0]; step < end; ++step)
          {
            const BrickStep    now      = bricks.steps[step];
            const BrickStep    next     = bricks.steps[step + 1];
            const unsigned int n_groups = next.first_group - now.first_group;
            const unsigned int n_moves  = next.first_move - now.first_move;
            const unsigned int n_chunks =
              (n_moves + Slots::moves_of_warp - 1) / Slots::moves_of_warp;
            for (unsigned int i = warp; i < n_groups; i += n_warps)
              update_group<dim, degree>(
                bricks
                  .lanes[std::size_t(now.first_group + i) * brick_group_lanes +
                         threadIdx.x % brick_group_lanes],
                slots,
                b_slots,
                eigenvalues,
                tables);

            // Meanwhile, by the warps that have no group.
            const unsigned int first_mover = n_groups < n_warps ? n_groups : 0u;
            if (warp >= first_mover)
              for (unsigned int i = warp - first_mover; i < n_chunks;
                   i += n_warps - first_mover)
                {
                  const unsigned int first = i * Slots::moves_of_warp;
                  const unsigned int rest  = n_moves - first;
                  move_cells<Slots>(bricks.moves + now.first_move + first,
                                    int(rest < Slots::moves_of_warp ?
                                          rest :
                                          Slots::moves_of_warp),
                                    u,
                                    b,
                                    slots,
                                    b_slots);
                }
            __syncthreads();
          }
      }

      /** Call f with the degree as a constant, 1 to max_device_degree. */
      template <int dim, typename T, typename F>
      auto
      with_degree(const int degree, const F &f)
      {
        if (degree == 1)
          return f(std::integral_constant<int, 1>());
        if (degree == 2)
          return f(std::integral_constant<int, 2>());
        if constexpr (dim == 2 || std::is_same<T, float>::value)
          return f(std::integral_constant<int, 3>());
        else
          throw InputError(
            "A sweep by bricks in 3D with degree 3 in double was "
            "asked for. It takes degree 3 in 3D in float only: "
            "sweep by colours, or take the host back end.");
      }

      template <int dim, typename T>
      unsigned int
      find_max_slots(const int degree, const std::size_t shared_bytes)
      {
        return with_degree<dim, T>(degree, [&](const auto p) {
          return (unsigned int)(std::min<std::size_t>(
            BrickSlots<dim, decltype(p)::value, T>::max_slots(shared_bytes),
            BrickLane::slot_mask));
        });
      }
    } // namespace



    namespace on_device
    {
      template <int dim, typename T>
      void
      update_bricks(T                               *u,
                    const T                         *b,
                    const DeviceBricks              &bricks,
                    const DevicePatchTables<dim, T> &tables,
                    const device::Stream            &stream)
      {
        const BrickLaunch &launch = bricks.launch;
        with_degree<dim, T>(tables.degree(), [&](const auto p) {
          constexpr int n = decltype(p)::value;
          using Slots     = BrickSlots<dim, n, T>;
          const unsigned int n_items =
            launch.max_groups_of_step +
            (launch.max_moves_of_step + Slots::moves_of_warp - 1) /
              Slots::moves_of_warp;
          device::launch(update_bricks_kernel<dim, n, T>,
                         launch.end - launch.begin,
                         32u * std::min(max_warps, n_items),
                         Slots::shared_bytes(launch.n_slots),
                         stream,
                         u,
                         b,
                         bricks,
                         StepTables<dim, n, T>(tables.tables()));
        });
      }



      template void
      update_bricks(float *,
                    const float *,
                    const DeviceBricks &,
                    const DevicePatchTables<2, float> &,
                    const device::Stream &);
      template void
      update_bricks(double *,
                    const double *,
                    const DeviceBricks &,
                    const DevicePatchTables<2, double> &,
                    const device::Stream &);
      template void
      update_bricks(float *,
                    const float *,
                    const DeviceBricks &,
                    const DevicePatchTables<3, float> &,
                    const device::Stream &);
      template void
      update_bricks(double *,
                    const double *,
                    const DeviceBricks &,
                    const DevicePatchTables<3, double> &,
                    const device::Stream &);
    } // namespace on_device



    template <int dim, typename T>
    DeviceBrickSweep<dim, T>::Program::Program(
      const BrickSchedule<dim> &schedule,
      const std::size_t         bytes_of_cell,
      const device::Stream     &stream)
      : lanes(schedule.lanes().data(), schedule.lanes().size(), stream)
      , moves(schedule.moves().data(), schedule.moves().size(), stream)
      , steps(schedule.steps().data(), schedule.steps().size(), stream)
      , begin(schedule.brick_begin().data(),
              schedule.brick_begin().size(),
              stream)
      , launches(schedule.launches())
      , n_bytes((2 * schedule.n_loaded_cells() + schedule.n_stored_cells()) *
                  bytes_of_cell +
                lanes.size() * sizeof(std::uint32_t) +
                moves.size() * sizeof(BrickMove) +
                steps.size() * sizeof(BrickStep) +
                begin.size() * sizeof(std::uint32_t))
    {}



    template <int dim, typename T>
    DeviceBrickSweep<dim, T>::DeviceBrickSweep(
      const cellwise::CellGrid<dim> &grid,
      const PatchSchedule<dim>      &patches,
      const ColourOrder              order,
      const int                      degree,
      const PatchTables<T>          &tables,
      const device::Stream          &stream,
      const std::size_t              shared_bytes)
      : patch_tables(degree, tables, stream)
    {
      const unsigned int max_slots = find_max_slots<dim, T>(
        degree,
        shared_bytes > 0 ?
          shared_bytes :
          device::available_device().properties.shared_bytes_per_block);
      for (const bool reversed : {false, true})
        programs[reversed] =
          Program(BrickSchedule<dim>(grid, patches, order, reversed, max_slots),
                  power(degree + 1, dim) * sizeof(T),
                  stream);
    }



    template <int dim, typename T>
    void
    DeviceBrickSweep<dim, T>::apply(T                    *u,
                                    const T              *b,
                                    const bool            reversed,
                                    const device::Stream &stream) const
    {
      const Program &program = programs[reversed];
      for (const BrickLaunch &launch : program.launches)
        on_device::update_bricks<dim>(u,
                                      b,
                                      {program.lanes.data(),
                                       program.moves.data(),
                                       program.steps.data(),
                                       program.begin.data(),
                                       launch},
                                      patch_tables,
                                      stream);
    }



    template <int dim, typename T>
    std::size_t
    DeviceBrickSweep<dim, T>::bytes_of_sweep(const bool reversed) const
    {
      return programs[reversed].n_bytes;
    }



    template <int dim, typename T>
    std::size_t
    DeviceBrickSweep<dim, T>::memory_consumption() const
    {
      std::size_t n_bytes = patch_tables.memory_consumption();
      for (const Program &program : programs)
        n_bytes += program.lanes.size() * sizeof(std::uint32_t) +
                   program.moves.size() * sizeof(BrickMove) +
                   program.steps.size() * sizeof(BrickStep) +
                   program.begin.size() * sizeof(std::uint32_t);
      return n_bytes;
    }



    template class DeviceBrickSweep<2, float>;
    template class DeviceBrickSweep<2, double>;
    template class DeviceBrickSweep<3, float>;
    template class DeviceBrickSweep<3, double>;
  } // namespace patch
} // namespace tessera
