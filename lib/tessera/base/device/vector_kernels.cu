// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/device/reduction_terms.h>
#include <tessera/base/device/vector_kernels.h>

namespace tessera
{
  namespace device
  {
    namespace
    {
      constexpr int n_threads       = 256;
      constexpr int n_of_thread     = 4;
      constexpr int values_of_block = n_threads * n_of_thread;

      /** Entry i of each operation. @{ */
      template <typename T>
      struct Constant
      {
        T a;

        __device__ T
        operator()(const std::size_t) const
        {
          return a;
        }
      };

      template <typename T, typename U>
      struct Converted
      {
        const U *v;

        __device__ T
        operator()(const std::size_t i) const
        {
          return T(v[i]);
        }
      };

      template <typename T>
      struct Shifted
      {
        const T *x;
        T        a;

        __device__ T
        operator()(const std::size_t i) const
        {
          return x[i] + a;
        }
      };

      template <typename T>
      struct Multiple
      {
        T        a;
        const T *v;

        __device__ T
        operator()(const std::size_t i) const
        {
          return a * v[i];
        }
      };

      template <typename T>
      struct Product
      {
        const T *x, *v;

        __device__ T
        operator()(const std::size_t i) const
        {
          return x[i] * v[i];
        }
      };

      template <typename T>
      struct SumOfMultiples
      {
        T        s;
        const T *x;
        T        a;
        const T *v;

        __device__ T
        operator()(const std::size_t i) const
        {
          return internal::fused_multiply_add(a, v[i], s * x[i]);
        }
      };

      template <typename T>
      struct SumOfThree
      {
        const T *x;
        T        a;
        const T *v;
        T        b;
        const T *w;

        __device__ T
        operator()(const std::size_t i) const
        {
          return internal::fused_multiply_add(
            b, w[i], internal::fused_multiply_add(a, v[i], x[i]));
        }
      };
      /** @} */



      /** Four values a thread, all of which are read before the first one is
       * written: the reads overlap although arrays may be the same. */
      template <typename T, typename Entry>
      __global__ void
      __launch_bounds__(n_threads)
        vector_kernel(T *x, const Entry entry, const std::size_t n)
      {
        const std::size_t first =
          std::size_t(blockIdx.x) * values_of_block + threadIdx.x;
        T values[n_of_thread] = {};
        TESSERA_UNROLL
        for (int k = 0; k < n_of_thread; ++k)
          if (first + k * n_threads < n)
            values[k] = entry(first + k * n_threads);
        TESSERA_UNROLL
        for (int k = 0; k < n_of_thread; ++k)
          if (first + k * n_threads < n)
            x[first + k * n_threads] = values[k];
      }



      template <typename T, typename Entry>
      void
      assign(T                *x,
             const Entry      &entry,
             const std::size_t n,
             const Stream     &stream)
      {
        launch(vector_kernel<T, Entry>,
               (unsigned int)((n + values_of_block - 1) / values_of_block),
               n_threads,
               0,
               stream,
               x,
               entry,
               n);
      }
    } // namespace



    template <typename T>
    void
    vectors::set(T *x, const T a, const std::size_t n, const Stream &stream)
    {
      assign(x, Constant<T>{a}, n, stream);
    }



    template <typename T, typename U>
    void
    vectors::convert(T                *x,
                     const U          *v,
                     const std::size_t n,
                     const Stream     &stream)
    {
      assign(x, Converted<T, U>{v}, n, stream);
    }



    template <typename T>
    void
    vectors::shift(T *x, const T a, const std::size_t n, const Stream &stream)
    {
      assign(x, Shifted<T>{x, a}, n, stream);
    }



    template <typename T>
    void
    vectors::scale(T *x, const T a, const std::size_t n, const Stream &stream)
    {
      assign(x, Multiple<T>{a, x}, n, stream);
    }



    template <typename T>
    void
    vectors::scale(T *x, const T *v, const std::size_t n, const Stream &stream)
    {
      assign(x, Product<T>{x, v}, n, stream);
    }



    template <typename T>
    void
    vectors::set_to_multiple(T                *x,
                             const T           a,
                             const T          *v,
                             const std::size_t n,
                             const Stream     &stream)
    {
      assign(x, Multiple<T>{a, v}, n, stream);
    }



    template <typename T>
    void
    vectors::scale_and_add(T                *x,
                           const T           s,
                           const T           a,
                           const T          *v,
                           const std::size_t n,
                           const Stream     &stream)
    {
      assign(x, SumOfMultiples<T>{s, x, a, v}, n, stream);
    }



    template <typename T>
    void
    vectors::add_two(T                *x,
                     const T           a,
                     const T          *v,
                     const T           b,
                     const T          *w,
                     const std::size_t n,
                     const Stream     &stream)
    {
      assign(x, SumOfThree<T>{x, a, v, b, w}, n, stream);
    }



    template void
    vectors::convert(float *, const double *, std::size_t, const Stream &);
    template void
    vectors::convert(double *, const float *, std::size_t, const Stream &);

#define TESSERA_INSTANTIATE(T)                                               \
  template void vectors::set(T *, T, std::size_t, const Stream &);           \
  template void vectors::shift(T *, T, std::size_t, const Stream &);         \
  template void vectors::scale(T *, T, std::size_t, const Stream &);         \
  template void vectors::scale(T *, const T *, std::size_t, const Stream &); \
  template void vectors::set_to_multiple(                                    \
    T *, T, const T *, std::size_t, const Stream &);                         \
  template void vectors::scale_and_add(                                      \
    T *, T, T, const T *, std::size_t, const Stream &);                      \
  template void vectors::add_two(                                            \
    T *, T, const T *, T, const T *, std::size_t, const Stream &)

    TESSERA_INSTANTIATE(float);
    TESSERA_INSTANTIATE(double);
  } // namespace device
} // namespace tessera
