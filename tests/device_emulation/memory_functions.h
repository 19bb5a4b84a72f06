// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_device_emulation_memory_functions_h
#define tessera_tests_device_emulation_memory_functions_h

// CUDA's atomic operations, fences and loads. The atomic operations are relaxed
// ones, as on the device, so that the thread sanitizer does not take them for
// synchronization.

#include <type_traits>

namespace emulation
{
  /** The value the address had; it now has f of it. */
  template <typename T, typename F>
  T
  atomic_update(T *const address, const F &f)
  {
    T old;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    for (;;)
      {
        T updated = f(old);
        if (__atomic_compare_exchange(address,
                                      &old,
                                      &updated,
                                      false,
                                      __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
          return old;
      }
  }

  /** A parameter that is converted to the type of another one. */
  template <typename T>
  using Same = typename std::common_type<T>::type;
} // namespace emulation

template <typename T>
inline T
atomicAdd(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address,
                                  [=](const T old) { return T(old + value); });
}

template <typename T>
inline T
atomicSub(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address,
                                  [=](const T old) { return T(old - value); });
}

template <typename T>
inline T
atomicMax(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address, [=](const T old) {
    return old < value ? value : old;
  });
}

template <typename T>
inline T
atomicMin(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address, [=](const T old) {
    return value < old ? value : old;
  });
}

template <typename T>
inline T
atomicAnd(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address,
                                  [=](const T old) { return T(old & value); });
}

template <typename T>
inline T
atomicOr(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address,
                                  [=](const T old) { return T(old | value); });
}

template <typename T>
inline T
atomicExch(T *const address, const emulation::Same<T> value)
{
  return emulation::atomic_update(address, [=](const T) { return value; });
}

/** As CUDA's, this compares bits and not values. */
template <typename T>
inline T
atomicCAS(T *const                 address,
          emulation::Same<T>       expected,
          const emulation::Same<T> value)
{
  static_assert(std::is_integral<T>::value, "CUDA has it for integers.");
  T desired = value;
  __atomic_compare_exchange(
    address, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

// Threads of the emulation take turns: memory is always consistent, and a
// missing fence is not found.
inline void
__threadfence()
{}

inline void
__threadfence_block()
{}

template <typename T>
inline T
__ldg(const T *const address)
{
  return *address;
}

#endif
