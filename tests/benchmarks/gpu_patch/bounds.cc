// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/device_kernels/bounds.h"

#include <algorithm>

#include "benchmarks/gpu_patch/sections.h"

namespace benchmark
{
  using tessera::device::Memory;

  namespace
  {
    /** The copy of n values by @p copy(a, b, n). */
    template <typename T, typename Copy>
    void
    measure_copy(DeviceSession     &session,
                 const std::string &name,
                 const std::string &precision,
                 const std::size_t  n,
                 const Copy        &copy)
    {
      Memory<T> a(n), b(n);
      fill_random(b.data(), n, 1, session.stream);

      Measurement m;
      m.section   = "bounds";
      m.name      = name;
      m.precision = precision;
      m.n_cells   = n;
      m.bytes     = 2. * double(n) * sizeof(T);

      // All values of a small copy, of a number that fills no block.
      const std::size_t n_small = std::min<std::size_t>(n, 5000);
      Memory<T>         small_a(n_small), small_b(n_small);
      fill_random(small_b.data(), n_small, 2, session.stream);
      small_a.fill_bytes_async(0xff, session.stream);
      copy(small_a, small_b);
      m.error = relative_difference(to_host(small_a, session.stream),
                                    to_host(small_b, session.stream));

      m.seconds = session.time([&] { copy(a, b); });
      if (!device_is_emulated)
        {
          const double rate   = m.bytes / m.seconds.median;
          session.bounds.copy = std::fmax(session.bounds.copy, rate);
        }
      session.add(m);
    }



    template <typename T>
    void
    measure_fma(DeviceSession     &session,
                const std::string &precision,
                double            &peak)
    {
      const int n_multiprocessors =
        tessera::device::available_device().properties.n_multiprocessors;
      const int n_blocks = device_is_emulated ? 1 : 64 * n_multiprocessors;
      const int n_steps  = device_is_emulated ? 64 : 2048;
      Memory<T> results(std::size_t(n_blocks) * n_fma_threads);

      Measurement m;
      m.section    = "bounds";
      m.name       = "fused multiply-adds";
      m.precision  = precision;
      m.n_cells    = results.size();
      m.operations = double(results.size()) * n_device_fma_chains * n_steps;
      m.flops      = 2. * m.operations;
      const auto f = [&] {
        fma_chains(
          n_blocks, n_steps, T(0.5), T(1), results.data(), session.stream);
      };
      f();
      // x <- x/2 + 1 rounds to 2 in the end.
      m.error   = relative_difference(to_host(results, session.stream),
                                    std::vector<T>(results.size(),
                                                   T(2 * n_device_fma_chains)));
      m.seconds = session.time(f);
      if (!device_is_emulated)
        peak = m.flops / m.seconds.median;
      session.add(m);
    }
  } // namespace



  void
  measure_bounds(DeviceSession &session)
  {
    const auto by_kernel = [&](auto &a, const auto &b) {
      copy_values(a.data(), b.data(), b.size(), session.stream);
    };
    const auto by_runtime = [&](auto &a, const auto &b) {
      a.copy_from_device_async(b, session.stream);
    };
    // Of the largest, which caches do not hold, the best is the bound. Smaller
    // ones come after: they are faster where a cache holds them.
    const std::size_t n = 64 * session.n_cells;
    measure_copy<float>(session, "copy of the runtime", "float", n, by_runtime);
    measure_copy<float>(session, "copy by a kernel", "float", n, by_kernel);
    measure_copy<double>(
      session, "copy by a kernel", "double", n / 2, by_kernel);
    const double bound = session.bounds.copy;
    measure_copy<float>(session,
                        "copy by a kernel, an eighth",
                        "float",
                        64 * session.n_medium_cells(),
                        by_kernel);
    measure_copy<float>(session,
                        "copy by a kernel, in cache",
                        "float",
                        std::min<std::size_t>(n, std::size_t(1) << 21),
                        by_kernel);
    session.bounds.copy = bound;

    measure_fma<float>(session, "float", session.bounds.float_peak);
    measure_fma<double>(session, "double", session.bounds.double_peak);
  }
} // namespace benchmark
