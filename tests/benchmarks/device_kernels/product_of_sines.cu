// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/device/cuda_port.h>
#include <tessera/base/exceptions.h>
#include <tessera/base/macros.h>
#include <tessera/cellwise/device/layout.h>

#include <algorithm>
#include <cstddef>

#include "benchmarks/device_kernels/product_of_sines.h"

namespace benchmark
{
  using tessera::cellwise::cells_per_device_block;
  using tessera::device::launch;
  using tessera::device::Stream;

  namespace
  {
    constexpr int q         = 4; // nodes a direction
    constexpr int n_nodes   = q * q * q;
    constexpr int n_threads = 128;

    /** Of a formula in one direction, as a parameter of a kernel: in the
     * constant memory of a device. */
    struct ErrorFormula
    {
      double phi[max_error_points][q];
      double weights[max_error_points];
      int    n_points;
    };

    /** Coordinates of a cell. */
    struct Position
    {
      __device__
      Position(const int cell, const int n)
        : x(cell % n)
        , y(cell / n % n)
        , z(cell / (n * n))
      {}

      int x, y, z;
    };

    __host__ __device__ inline int
    n_cells_of_cube(const int n)
    {
      return n * n * n;
    }

    /** A thread for every cell, and for the padding of the last block. */
    inline unsigned int
    n_blocks_of_cube(const int n)
    {
      return (unsigned int)((n_cells_of_cube(n) + n_threads - 1) / n_threads);
    }

    /** Whether there is a place for this cell. */
    __device__ inline bool
    is_stored(const int cell, const int n)
    {
      constexpr int B = cells_per_device_block;
      return cell < (n_cells_of_cube(n) + B - 1) / B * B;
    }

    /** Of value k of a cell. */
    __device__ inline std::size_t
    place(const int cell, const int k)
    {
      constexpr int B = cells_per_device_block;
      return (std::size_t(cell / B) * n_nodes + std::size_t(k)) * B +
             std::size_t(cell % B);
    }

    __device__ inline int
    cell_of_thread()
    {
      return int(blockIdx.x * blockDim.x + threadIdx.x);
    }



    __global__ void
    __launch_bounds__(n_threads)
      right_hand_side_of_sines_kernel(double       *b,
                                      const double  a,
                                      const double *loads,
                                      const int     n)
    {
      const int cell = cell_of_thread();
      if (!is_stored(cell, n))
        return;
      const bool     is_cell = cell < n_cells_of_cube(n);
      const Position at(is_cell ? cell : 0, n);
      TESSERA_UNROLL
      for (int k = 0; k < q; ++k)
        TESSERA_UNROLL
      for (int j = 0; j < q; ++j)
        {
          const double in_zy = a * loads[at.z * q + k] * loads[at.y * q + j];
          TESSERA_UNROLL
          for (int i = 0; i < q; ++i)
            b[place(cell, (k * q + j) * q + i)] =
              is_cell ? in_zy * loads[at.x * q + i] : 0.;
        }
    }



    __global__ void
    __launch_bounds__(n_threads)
      squared_errors_kernel(double            *squares,
                            const double      *u,
                            const double      *sines,
                            const ErrorFormula formula,
                            const int          n)
    {
      const int cell = cell_of_thread();
      if (!is_stored(cell, n))
        return;
      if (cell >= n_cells_of_cube(n))
        {
          squares[cell] = 0.;
          return;
        }
      const Position at(cell, n);
      const int      m      = formula.n_points;
      const double  *sine_x = sines + at.x * m;
      const double  *sine_y = sines + at.y * m;
      const double  *sine_z = sines + at.z * m;

      double values[n_nodes];
      TESSERA_UNROLL
      for (int k = 0; k < n_nodes; ++k)
        values[k] = u[place(cell, k)];

      double sum = 0.;
      for (int z = 0; z < m; ++z)
        {
          double in_plane[q * q];
          TESSERA_UNROLL
          for (int i = 0; i < q * q; ++i)
            {
              in_plane[i] = 0.;
              TESSERA_UNROLL
              for (int k = 0; k < q; ++k)
                in_plane[i] =
                  ::fma(formula.phi[z][k], values[k * q * q + i], in_plane[i]);
            }
          for (int y = 0; y < m; ++y)
            {
              double in_line[q];
              TESSERA_UNROLL
              for (int i = 0; i < q; ++i)
                {
                  in_line[i] = 0.;
                  TESSERA_UNROLL
                  for (int k = 0; k < q; ++k)
                    in_line[i] =
                      ::fma(formula.phi[y][k], in_plane[k * q + i], in_line[i]);
                }
              const double sine_zy   = sine_z[z] * sine_y[y];
              const double weight_zy = formula.weights[z] * formula.weights[y];
              for (int x = 0; x < m; ++x)
                {
                  double at_point = 0.;
                  TESSERA_UNROLL
                  for (int k = 0; k < q; ++k)
                    at_point = ::fma(formula.phi[x][k], in_line[k], at_point);
                  const double error = sine_zy * sine_x[x] - at_point;
                  sum += weight_zy * formula.weights[x] * error * error;
                }
            }
        }
      squares[cell] = sum;
    }
  } // namespace



  void
  right_hand_side_of_sines(double       *b,
                           const double  a,
                           const double *loads,
                           const int     n,
                           const Stream &stream)
  {
    launch(right_hand_side_of_sines_kernel,
           n_blocks_of_cube(n),
           n_threads,
           0,
           stream,
           b,
           a,
           loads,
           n);
  }



  void
  squared_errors(double       *squares,
                 const double *u,
                 const int     n_points,
                 const double *sines,
                 const double *phi,
                 const double *weights,
                 const int     n,
                 const Stream &stream)
  {
    TESSERA_ASSERT(n_points <= max_error_points, "the formula fits");
    ErrorFormula formula{};
    formula.n_points = n_points;
    for (int k = 0; k < n_points; ++k)
      {
        formula.weights[k] = weights[k];
        std::copy_n(phi + k * q, q, formula.phi[k]);
      }
    launch(squared_errors_kernel,
           n_blocks_of_cube(n),
           n_threads,
           0,
           stream,
           squares,
           u,
           sines,
           formula,
           n);
  }
} // namespace benchmark
