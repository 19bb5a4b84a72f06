// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/device_kernels/repeated_laplacian.h"

#include <tessera/cellwise/reference_cell.h>

#include <algorithm>

#include "benchmarks/device_kernels/bounds.h"
#include "benchmarks/gpu_patch/patch_reference.h"
#include "benchmarks/gpu_patch/sections.h"

namespace benchmark
{
  using tessera::DenseMatrix;
  using tessera::cellwise::cells_per_device_block;
  using tessera::cellwise::ReferenceCell;
  using tessera::device::Memory;

  namespace
  {
    constexpr int q = 4, n_nodes = 64;

    /** Of rows: not less than the largest eigenvalue. */
    double
    largest_sum(const DenseMatrix &A)
    {
      double largest = 0.;
      for (int i = 0; i < q; ++i)
        {
          double sum = 0.;
          for (int j = 0; j < q; ++j)
            sum += std::fabs(A(i, j));
          largest = std::fmax(largest, sum);
        }
      return largest;
    }



    /** A weight s with which values do not grow. */
    double
    make_weight(const ReferenceCell &cell)
    {
      return 1. / (3. * std::pow(largest_sum(cell.mass), 2) *
                   largest_sum(cell.stiffness));
    }



    RepeatedLaplacianTables<float>
    make_tables(const ReferenceCell &cell)
    {
      const double                   weight = make_weight(cell);
      RepeatedLaplacianTables<float> tables;
      for (int i = 0; i < q; ++i)
        for (int j = 0; j < q; ++j)
          {
            tables.mass[i * q + j] = float(cell.mass(i, j));
            tables.scaled_stiffness[i * q + j] =
              float(weight * cell.stiffness(i, j));
            tables.inverse_eigenvectors[i * q + j] =
              float(cell.inverse_eigenvectors(i, j));
          }
      for (int k = 0; k < n_nodes; ++k)
        tables.eigenvalues[k] = float(weight * (cell.eigenvalues[k % q] +
                                                cell.eigenvalues[k / q % q] +
                                                cell.eigenvalues[k / (q * q)]));
      return tables;
    }



    /** Where value k of a cell is. */
    std::size_t
    position(const std::size_t cell, const int k)
    {
      return cell / cells_per_device_block * cells_per_device_block * n_nodes +
             std::size_t(k) * cells_per_device_block +
             cell % cells_per_device_block;
    }



    double
    error_on_small_problem(const DeviceSession                  &session,
                           const ReferenceCell                  &cell,
                           const RepeatedLaplacianTables<float> &tables,
                           const bool                            in_eigenbasis)
    {
      // The last block of threads is not full.
      constexpr std::size_t    n_cells = 3 * cells_per_device_block;
      const std::vector<float> u = random_values<float>(n_cells * n_nodes, 3);
      Memory<float>            device_u(u.data(), u.size(), session.stream);
      apply_laplacian_repeatedly(
        in_eigenbasis, n_cells, tables, device_u.data(), session.stream);

      const PatchReference reference(make_weight(cell));
      std::vector<double>  expected(u.size());
      for (std::size_t c = 0; c < n_cells; ++c)
        {
          std::vector<double> v(n_nodes);
          for (int k = 0; k < n_nodes; ++k)
            v[k] = double(u[position(c, k)]);
          for (int i = 0; i < n_applications; ++i)
            v = reference.apply_laplacian(v.data());
          for (int k = 0; k < n_nodes; ++k)
            expected[position(c, k)] = v[k];
        }
      return relative_difference(to_host(device_u, session.stream), expected);
    }
  } // namespace



  void
  measure_repeated_laplacian(DeviceSession &session)
  {
    const ReferenceCell                  cell(3);
    const RepeatedLaplacianTables<float> tables = make_tables(cell);

    for (const bool in_eigenbasis : {false, true})
      {
        const double error =
          error_on_small_problem(session, cell, tables, in_eigenbasis);
        for (const bool large : {false, true})
          {
            // 2^19 and 2^22 cells by default, as in the table.
            const std::size_t n_cells =
              std::max<std::size_t>(session.n_cells / (large ? 2 : 16) /
                                      cells_per_device_block *
                                      cells_per_device_block,
                                    cells_per_device_block);
            Memory<float> start(n_cells * n_nodes), u(n_cells * n_nodes);
            fill_random(start.data(), start.size(), 4, session.stream);

            Measurement m;
            m.section = "table4";
            m.name    = in_eigenbasis ? "in the eigenbasis" : "by contractions";
            m.n_cells = n_cells;
            m.n_visits = double(n_cells);
            m.bytes    = 2. * n_nodes * sizeof(float) * m.n_visits;
            m.flops =
              m.n_visits * n_applications * laplacian_flops[in_eigenbasis];
            m.operations =
              m.n_visits * n_applications * laplacian_operations[in_eigenbasis];
            m.error     = error;
            m.tolerance = 1e-4;
            if (!in_eigenbasis)
              {
                m.published.seconds          = large ? 6.647e-3 : 0.839e-3;
                m.published.flops_per_second = large ? 18.74e12 : 18.56e12;
              }
            m.seconds = session.time(
              [&] { u.copy_from_device_async(start, session.stream); },
              [&] {
                apply_laplacian_repeatedly(
                  in_eigenbasis, n_cells, tables, u.data(), session.stream);
              });
            session.add(m);
          }
      }
  }
} // namespace benchmark
