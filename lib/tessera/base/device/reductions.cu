// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/reduction_terms.h>
#include <tessera/base/device/reductions.h>

namespace tessera
{
  namespace device
  {
    namespace
    {
      constexpr int n_threads = internal::reduction_threads;
      constexpr int n_warps   = n_threads / 32;

      std::size_t
      n_blocks_of(const std::size_t n)
      {
        return (n + reduction_block - 1) / reduction_block;
      }



      /** Combine the values of the lanes in pairs, of which there are `width`
       * at the beginning of the warp. */
      template <typename Terms, int width>
      __device__ double
      combine_lanes(double value)
      {
        TESSERA_UNROLL
        for (int distance = 1; distance < width; distance *= 2)
          {
            // The lower one first in both: they must agree for NaNs, too.
            const double partner =
              __shfl_xor_sync(0xffffffffu, value, distance);
            value = (threadIdx.x & (unsigned int)(distance)) == 0 ?
                      Terms::combine(value, partner) :
                      Terms::combine(partner, value);
          }
        return value;
      }



      /** The result of each block. */
      template <typename Terms>
      __global__ void
      __launch_bounds__(n_threads) reduce_kernel(const Terms       terms,
                                                 const std::size_t n,
                                                 double *block_results)
      {
        TESSERA_SHARED(double, warp_results, [n_warps]);

        const std::size_t first =
          std::size_t(blockIdx.x) * reduction_block + threadIdx.x;
        double value = 0;
        TESSERA_UNROLL
        for (int k = 0; k < reduction_block; k += n_threads)
          if (first + k < n)
            value = terms.add(value, first + k);

        value = combine_lanes<Terms, 32>(value);
        if (threadIdx.x % 32 == 0)
          warp_results[threadIdx.x / 32] = value;
        __syncthreads();
        if (threadIdx.x < 32)
          {
            value = threadIdx.x < n_warps ? warp_results[threadIdx.x] : 0.;
            value = combine_lanes<Terms, n_warps>(value);
            if (threadIdx.x == 0)
              block_results[blockIdx.x] = value;
          }
      }



      /** Sums, or magnitudes, of the results of blocks. */
      template <template <typename> class Terms, typename T>
      internal::SumTerms<double>
      next_terms(const Terms<T> &, const double *results)
      {
        return {results};
      }

      template <typename T>
      internal::MagnitudeTerms<double>
      next_terms(const internal::MagnitudeTerms<T> &, const double *results)
      {
        return {results};
      }
    } // namespace



    Reductions::Reductions(const std::size_t max_n_values)
      : max_n(max_n_values)
      , device_result(1)
      , host_result(1)
    {
      const std::size_t n_blocks = n_blocks_of(max_n_values);
      block_results[0]           = Memory<double>(n_blocks);
      block_results[1]           = Memory<double>(n_blocks_of(n_blocks));
    }



    template <typename Terms>
    void
    Reductions::reduce(const Terms      &terms,
                       const std::size_t n,
                       double           *result,
                       const Stream     &stream)
    {
      TESSERA_ASSERT(n <= max_n, "more values than were announced");
      // The last pass, also of no values, has one block.
      const std::size_t n_blocks = n == 0 ? 1 : n_blocks_of(n);
      double *results = n_blocks == 1 ? result : block_results[0].data();
      launch(reduce_kernel<Terms>,
             (unsigned int)(n_blocks),
             n_threads,
             0,
             stream,
             terms,
             n,
             results);
      if (n_blocks > 1)
        {
          // The results of this pass lie where the next but one writes.
          std::swap(block_results[0], block_results[1]);
          reduce(next_terms(terms, results), n_blocks, result, stream);
          std::swap(block_results[0], block_results[1]);
        }
    }



    template <typename T>
    void
    Reductions::sum(const T          *x,
                    const std::size_t n,
                    double           *result,
                    const Stream     &stream)
    {
      reduce(internal::SumTerms<T>{x}, n, result, stream);
    }



    template <typename T>
    void
    Reductions::dot(const T          *x,
                    const T          *y,
                    const std::size_t n,
                    double           *result,
                    const Stream     &stream)
    {
      reduce(internal::ProductTerms<T>{x, y}, n, result, stream);
    }



    template <typename T>
    void
    Reductions::sum_abs(const T          *x,
                        const std::size_t n,
                        double           *result,
                        const Stream     &stream)
    {
      reduce(internal::AbsoluteTerms<T>{x}, n, result, stream);
    }



    template <typename T>
    void
    Reductions::add_and_dot(T                *x,
                            const T           a,
                            const T          *v,
                            const T          *w,
                            const std::size_t n,
                            double           *result,
                            const Stream     &stream)
    {
      reduce(internal::UpdatedProductTerms<T>{x, a, v, w}, n, result, stream);
    }



    template <typename T>
    void
    Reductions::max_abs(const T          *x,
                        const std::size_t n,
                        double           *result,
                        const Stream     &stream)
    {
      reduce(internal::MagnitudeTerms<T>{x}, n, result, stream);
    }



    double
    Reductions::fetch_result(const Stream &stream)
    {
      device_result.copy_to_host(host_result.data(), stream);
      return host_result[0];
    }



#define TESSERA_INSTANTIATE(T)                                            \
  template void Reductions::sum(const T *,                                \
                                std::size_t,                              \
                                double *,                                 \
                                const Stream &);                          \
  template void Reductions::dot(                                          \
    const T *, const T *, std::size_t, double *, const Stream &);         \
  template void Reductions::sum_abs(const T *,                            \
                                    std::size_t,                          \
                                    double *,                             \
                                    const Stream &);                      \
  template void Reductions::add_and_dot(                                  \
    T *, T, const T *, const T *, std::size_t, double *, const Stream &); \
  template void Reductions::max_abs(const T *,                            \
                                    std::size_t,                          \
                                    double *,                             \
                                    const Stream &)

    TESSERA_INSTANTIATE(float);
    TESSERA_INSTANTIATE(double);
  } // namespace device
} // namespace tessera
