// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_warp_functions_h
#define tessera_tests_device_emulation_warp_functions_h

// CUDA's functions of warps.

#include <cstring>

#include "device_emulation/execution.h"

namespace emulation
{
  template <typename T>
  std::uint64_t
  to_bits(const T value)
  {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable<T>::value,
                  "Warps exchange values of up to 64 bits.");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }

  template <typename T>
  T
  from_bits(const std::uint64_t bits)
  {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }

  template <typename T>
  T
  shuffle(const unsigned int mask,
          const T            value,
          const int          source,
          const char        *name,
          const Place        place)
  {
    return from_bits<T>(warp_operation(
      WarpOperation::shuffle, mask, to_bits(value), source, name, place));
  }

  /** Combine 32-bit integers over the lanes of a mask. */
  template <typename T>
  T
  reduce(const WarpOperation operation,
         const unsigned int  mask,
         const T             value,
         const char         *name,
         const Place         place)
  {
    static_assert(std::is_same<T, int>::value, "CUDA has more than we serve.");
    return T(warp_operation(operation, mask, to_bits(value), 0, name, place));
  }

  inline int
  own_lane()
  {
    return int(current_thread->lane);
  }
} // namespace emulation

template <typename T>
inline T
__shfl_sync(const unsigned int mask,
            const T            value,
            const int          source,
            const int          width = 32,
            TESSERA_EMULATION_CALLER)
{
  const int first = emulation::own_lane() & ~(width - 1);
  return emulation::shuffle(
    mask, value, first | (source & (width - 1)), "__shfl_sync", {file, line});
}

template <typename T>
inline T
__shfl_xor_sync(const unsigned int mask,
                const T            value,
                const int          lane_mask,
                const int          width = 32,
                TESSERA_EMULATION_CALLER)
{
  // A group may read from lower groups, not from higher ones.
  const int lane = emulation::own_lane(), partner = lane ^ lane_mask;
  return emulation::shuffle(mask,
                            value,
                            partner > (lane | (width - 1)) ? lane : partner,
                            "__shfl_xor_sync",
                            {file, line});
}

template <typename T>
inline T
__shfl_up_sync(const unsigned int mask,
               const T            value,
               const unsigned int delta,
               const int          width = 32,
               TESSERA_EMULATION_CALLER)
{
  const int lane = emulation::own_lane(), source = lane - int(delta);
  return emulation::shuffle(mask,
                            value,
                            source < (lane & ~(width - 1)) ? lane : source,
                            "__shfl_up_sync",
                            {file, line});
}

template <typename T>
inline T
__shfl_down_sync(const unsigned int mask,
                 const T            value,
                 const unsigned int delta,
                 const int          width = 32,
                 TESSERA_EMULATION_CALLER)
{
  const int lane = emulation::own_lane(), source = lane + int(delta);
  return emulation::shuffle(mask,
                            value,
                            source > (lane | (width - 1)) ? lane : source,
                            "__shfl_down_sync",
                            {file, line});
}

inline unsigned int
__ballot_sync(const unsigned int mask,
              const int          predicate,
              TESSERA_EMULATION_CALLER)
{
  return (
    unsigned int)emulation::warp_operation(emulation::WarpOperation::ballot,
                                           mask,
                                           predicate != 0,
                                           0,
                                           "__ballot_sync",
                                           {file, line});
}

inline int
__any_sync(const unsigned int mask,
           const int          predicate,
           TESSERA_EMULATION_CALLER)
{
  return int(emulation::warp_operation(emulation::WarpOperation::any,
                                       mask,
                                       predicate != 0,
                                       0,
                                       "__any_sync",
                                       {file, line}));
}

inline int
__all_sync(const unsigned int mask,
           const int          predicate,
           TESSERA_EMULATION_CALLER)
{
  return int(emulation::warp_operation(emulation::WarpOperation::all,
                                       mask,
                                       predicate != 0,
                                       0,
                                       "__all_sync",
                                       {file, line}));
}

template <typename T>
inline T
__reduce_add_sync(const unsigned int mask,
                  const T            value,
                  TESSERA_EMULATION_CALLER)
{
  return emulation::reduce(emulation::WarpOperation::add,
                           mask,
                           value,
                           "__reduce_add_sync",
                           {file, line});
}

template <typename T>
inline T
__reduce_min_sync(const unsigned int mask,
                  const T            value,
                  TESSERA_EMULATION_CALLER)
{
  return emulation::reduce(emulation::WarpOperation::minimum,
                           mask,
                           value,
                           "__reduce_min_sync",
                           {file, line});
}

template <typename T>
inline T
__reduce_max_sync(const unsigned int mask,
                  const T            value,
                  TESSERA_EMULATION_CALLER)
{
  return emulation::reduce(emulation::WarpOperation::maximum,
                           mask,
                           value,
                           "__reduce_max_sync",
                           {file, line});
}

inline void
__syncwarp(const unsigned int mask = 0xffffffffu, TESSERA_EMULATION_CALLER)
{
  emulation::warp_operation(emulation::WarpOperation::synchronize,
                            mask,
                            0,
                            0,
                            "__syncwarp",
                            {file, line});
}

inline unsigned int
__activemask()
{
  return emulation::active_mask();
}

#endif
