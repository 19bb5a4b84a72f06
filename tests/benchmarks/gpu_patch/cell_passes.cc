// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/cell_grid.h>
#include <tessera/cellwise/device/cell_operator_launchers.h>
#include <tessera/cellwise/device/device_stiffness_summation.h>
#include <tessera/cellwise/device/field_launchers.h>
#include <tessera/cellwise/stiffness_summation.h>
#include <tessera/patch/device/transfer_launchers.h>
#include <tessera/patch/level_tables.h>

#include <algorithm>
#include <cstring>

#include "benchmarks/device_kernels/bounds.h"
#include "benchmarks/gpu_patch/colour_step.h"
#include "benchmarks/gpu_patch/patch_reference.h"
#include "benchmarks/gpu_patch/sections.h"

namespace benchmark
{
  using namespace tessera::cellwise;
  using tessera::device::Memory;

  namespace
  {
    constexpr int         n_nodes = PatchReference::n_nodes;
    constexpr std::size_t B       = cells_per_device_block;
    constexpr double      value = sizeof(double), level_value = sizeof(float);

    /** Factors of the steps. */
    constexpr double a = 0.5, beta = -0.25;

    /** The fields of an iteration around levels in float, on the device. */
    struct Fields
    {
      Fields(const std::size_t cells, const tessera::device::Stream &stream)
        : n_cells(cells)
        , u(n_stored() * n_nodes)
        , b(n_stored() * n_nodes)
        , r(n_stored() * n_nodes)
        , d(n_stored() * n_nodes)
        , z(n_cells * n_nodes)
        , level_b(n_cells * n_nodes)
        , numbers(n_stored())
        , largest(1)
      {
        fill_random(u.data(), u.size(), 11, stream);
        fill_random(b.data(), b.size(), 12, stream);
        fill_random(r.data(), r.size(), 13, stream);
        fill_random(d.data(), d.size(), 14, stream);
        fill_random(z.data(), z.size(), 15, stream);
        fill_random(level_b.data(), level_b.size(), 16, stream);
        numbers.fill_bytes_async(0, stream);
        largest.fill_bytes_async(0, stream);
      }

      std::size_t
      n_stored() const
      {
        return (n_cells + B - 1) / B * B;
      }

      std::size_t                n_cells;
      Memory<double>             u, b, r, d; ///< blocked
      Memory<float>              z, level_b; ///< contiguous
      Memory<double>             numbers;    ///< of cells
      Memory<unsigned long long> largest;
    };

    /** Their values on the host, [cell][64]. */
    struct HostFields
    {
      HostFields(const Fields &f, const tessera::device::Stream &stream)
        : n_cells(f.n_cells)
        , u(unblocked(f.u, stream))
        , b(unblocked(f.b, stream))
        , r(unblocked(f.r, stream))
        , d(unblocked(f.d, stream))
        , z(in_double(f.z, stream))
        , level_b(in_double(f.level_b, stream))
      {
        numbers = to_host(f.numbers, stream);
        numbers.resize(n_cells);
        const unsigned long long bits = to_host(f.largest, stream)[0];
        std::memcpy(largest.data(), &bits, sizeof(bits));
      }

      std::vector<double>
      unblocked(const Memory<double>          &field,
                const tessera::device::Stream &stream) const
      {
        const std::vector<double> stored = to_host(field, stream);
        std::vector<double>       values(n_cells * n_nodes);
        for (std::size_t c = 0; c < n_cells; ++c)
          for (int k = 0; k < n_nodes; ++k)
            values[c * n_nodes + k] =
              stored[(c / B * n_nodes + std::size_t(k)) * B + c % B];
        return values;
      }

      static std::vector<double>
      in_double(const Memory<float>           &field,
                const tessera::device::Stream &stream)
      {
        const std::vector<float> values = to_host(field, stream);
        return std::vector<double>(values.begin(), values.end());
      }

      std::size_t         n_cells;
      std::vector<double> u, b, r, d, z, level_b, numbers;
      std::vector<double> largest = {0.};
    };

    double
    largest_difference(const HostFields &found, const HostFields &expected)
    {
      double error = 0.;
      for (const auto field : {&HostFields::u,
                               &HostFields::b,
                               &HostFields::r,
                               &HostFields::d,
                               &HostFields::z,
                               &HostFields::level_b,
                               &HostFields::numbers,
                               &HostFields::largest})
        {
          bool is_zero = true;
          for (const double x : expected.*field)
            is_zero &= x == 0.;
          // Numbers that nobody has set.
          if (is_zero && found.*field == expected.*field)
            continue;
          const double e = relative_difference(found.*field, expected.*field);
          if (!(e <= error))
            error = e;
        }
      return error;
    }



    /** Kernels on the fields of an iteration. */
    class Passes
    {
    public:
      explicit Passes(DeviceSession &s)
        : session(s)
        , reference(1.)
        , fields(n_cells_of(box_of(s.n_cells / 4)), s.stream)
        , S_inverse(reference.cell.inverse_eigenvectors.data(),
                    reference.cell.inverse_eigenvectors.data() + 16)
        , St(16)
        , eigenvalues(n_nodes)
      {
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j)
            St[i * 4 + j] = reference.cell.eigenvectors(j, i);
        const std::vector<double> &l = reference.cell.eigenvalues;
        for (int k = 0; k < n_nodes; ++k)
          eigenvalues[k] = l[k % 4] + l[k / 4 % 4] + l[k / 16];
      }

      /**
       * @param[in] bytes, operations, flops Of a cell.
       * @param[in] f f(fields), on the device.
       * @param[in] expect expect(host_fields), the same by the definition.
       */
      template <typename F, typename Expect>
      void
      measure(const std::string &name,
              const std::string &precision,
              const double       bytes,
              const double       operations,
              const double       flops,
              const F           &f,
              const Expect      &expect)
      {
        Measurement m;
        m.section    = "passes";
        m.name       = name;
        m.precision  = precision;
        m.n_cells    = fields.n_cells;
        m.n_visits   = double(fields.n_cells);
        m.bytes      = m.n_visits * bytes;
        m.operations = m.n_visits * operations;
        m.flops      = m.n_visits * flops;

        // The last block of cells is not full.
        Fields     small(70, session.stream);
        HostFields expected(small, session.stream);
        f(small);
        const HostFields before = expected;
        expect(expected);
        m.error =
          largest_difference(HostFields(small, session.stream), expected);
        // What a level takes is rounded to float.
        const bool is_rounded =
          expected.z != before.z || expected.level_b != before.level_b;
        m.tolerance = is_rounded ? 1e-6 : 1e-13;
        m.seconds   = session.time([&] { f(fields); });
        session.add(m);
      }

      /** $A x$ of all cells. */
      std::vector<double>
      laplacian(const std::vector<double> &x) const
      {
        std::vector<double> y;
        for (std::size_t i = 0; i < x.size(); i += n_nodes)
          for (const double v : reference.apply_laplacian(x.data() + i))
            y.push_back(v);
        return y;
      }

      DeviceSession       &session;
      const PatchReference reference;
      Fields               fields;
      std::vector<double>  S_inverse, St, eigenvalues;
    };

    /** x <- f x + g y. */
    void
    combine(std::vector<double>       &x,
            const double               f,
            const double               g,
            const std::vector<double> &y)
    {
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = f * x[i] + g * y[i];
    }

    /** $\max |x|$. */
    std::vector<double>
    max_abs(const std::vector<double> &x)
    {
      double largest = 0.;
      for (const double value_of_x : x)
        largest = std::fmax(largest, std::fabs(value_of_x));
      return {largest};
    }

    /** Of each cell. */
    std::vector<double>
    products(const std::vector<double> &x, const std::vector<double> &y)
    {
      std::vector<double> sums(x.size() / n_nodes, 0.);
      for (std::size_t i = 0; i < x.size(); ++i)
        sums[i / n_nodes] += x[i] * y[i];
      return sums;
    }



    void
    measure_rebalancing(DeviceSession &session)
    {
      const auto make_grid = [](const std::array<int, 3> &n_cells) {
        GridDescription<3> box;
        box.n_cells = n_cells;
        box.cell_size.fill(1.);
        return CellGrid<3>(box);
      };
      Measurement m;
      m.section   = "passes";
      m.name      = "rebalance";
      m.precision = "double";
      {
        const CellGrid<3> grid = make_grid({{5, 3, 4}});
        const CellIndex   n    = CellIndex(grid.n_local());
        const auto values = random_values<double>(std::size_t(n) * n_nodes, 17);
        DualField<double> host(n, n_nodes), result(n, n_nodes);
        for (CellIndex c = 0; c < n; ++c)
          host.set_cell(c, values.data() + std::size_t(c) * n_nodes);
        DeviceDualField<double> field(n, n_nodes, session.stream);
        field.copy_from_host(host, session.stream);
        DeviceStiffnessSummation<3>(grid, 3, session.stream)
          .rebalance(field, session.stream);
        field.copy_to_host(result, session.stream);
        StiffnessSummation<3>(grid, 3).rebalance(host);
        std::vector<double> found, expected;
        for (CellIndex c = 0; c < n; ++c)
          for (int k = 0; k < n_nodes; ++k)
            {
              found.push_back(result(c, k));
              expected.push_back(host(c, k));
            }
        m.error = relative_difference(found, expected);
      }

      const CellGrid<3> grid = make_grid(box_of(session.n_cells / 4));
      const DeviceStiffnessSummation<3> summation(grid, 3, session.stream);
      DeviceDualField<double>           field(CellIndex(grid.n_local()),
                                    n_nodes,
                                    session.stream);
      fill_random(field.data(), field.size(), 17, session.stream);
      m.n_cells  = std::size_t(grid.n_local());
      m.n_visits = double(m.n_cells);
      // Each axis reads and writes half of the values of a cell, and an index.
      m.bytes      = m.n_visits * 3. * (2 * 32 * value + 4);
      m.operations = m.flops = m.n_visits * 96;
      m.seconds =
        session.time([&] { summation.rebalance(field, session.stream); });
      session.add(m);
    }



    void
    measure_transfers(DeviceSession &session)
    {
      using tessera::patch::LevelTables;
      const PatchReference        reference(1.);
      const LevelTables<3, float> tables(reference.cell,
                                         reference.matrices,
                                         std::array<double, 3>{{1., 1., 1.}});

      /** A level and the one below it; parents in the order of families. */
      struct Levels
      {
        Levels(const std::array<int, 3>      &box,
               const tessera::device::Stream &stream)
          : step(box, false, stream)
          , u(step.n_cells() * n_nodes)
          , b(step.n_cells() * n_nodes)
          , coarse(step.n_cells() / 8 * n_nodes)
        {
          std::vector<CellIndex> numbers(step.n_cells() / 8);
          for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = CellIndex(numbers.size() - 1 - i);
          parents = Memory<CellIndex>(numbers.data(), numbers.size(), stream);
          fill_random(u.data(), u.size(), 18, stream);
          fill_random(b.data(), b.size(), 19, stream);
          fill_random(coarse.data(), coarse.size(), 20, stream);
        }

        ColourStep        step;
        Memory<float>     u, b, coarse;
        Memory<CellIndex> parents;
      };
      const auto restrict_levels = [&](Levels &l) {
        tessera::patch::on_device::restrict_residual<3>(3,
                                                        l.coarse.data(),
                                                        l.u.data(),
                                                        l.b.data(),
                                                        l.parents.data(),
                                                        l.step.cells.data(),
                                                        l.parents.size(),
                                                        tables.transfer(),
                                                        session.stream);
      };
      const auto prolongate_levels = [&](Levels &l) {
        tessera::patch::on_device::prolongate_and_add<3>(3,
                                                         l.u.data(),
                                                         l.coarse.data(),
                                                         l.parents.data(),
                                                         l.step.cells.data(),
                                                         l.parents.size(),
                                                         tables.transfer(),
                                                         session.stream);
      };

      // By the definition: of the child c, in the eigenbasis if modal.
      const auto embedding =
        [&](const bool modal, const int c, const int k, const int l) {
          double product = 1.;
          for (int d = 0, n = 1; d < 3; ++d, n *= 4)
            product *=
              (modal ?
                 reference.cell.modal_embedding :
                 reference.cell.embedding)[c >> d & 1](k / n % 4, l / n % 4);
          return product;
        };
      const auto modal_laplacian = [&](const std::vector<double> &u) {
        // S^T A u: modes of a functional.
        const std::vector<double>   Au = reference.apply_laplacian(u.data());
        const tessera::DenseMatrix &S  = reference.cell.eigenvectors;
        std::vector<double>         modes(n_nodes, 0.);
        for (int k = 0; k < n_nodes; ++k)
          for (int l = 0; l < n_nodes; ++l)
            modes[k] += S(l % 4, k % 4) * S(l / 4 % 4, k / 4 % 4) *
                        S(l / 16, k / 16) * Au[l];
        return modes;
      };

      for (const bool restricts : {true, false})
        {
          Measurement m;
          m.section   = "passes";
          m.name      = restricts ? "restrict" : "prolongate";
          m.tolerance = 1e-5;
          {
            Levels              small({{6, 2, 4}}, session.stream);
            const auto          cells = small.step.host_cells;
            std::vector<double> u =
              HostFields::in_double(small.u, session.stream);
            const auto b = HostFields::in_double(small.b, session.stream);
            std::vector<double> coarse =
              HostFields::in_double(small.coarse, session.stream);
            const auto parents = to_host(small.parents, session.stream);
            for (std::size_t i = 0; i < parents.size(); ++i)
              {
                double *parent =
                  coarse.data() + std::size_t(parents[i]) * n_nodes;
                if (restricts)
                  std::fill_n(parent, n_nodes, 0.);
                for (int c = 0; c < 8; ++c)
                  {
                    const std::size_t first =
                      std::size_t(cells[8 * i + c]) * n_nodes;
                    std::vector<double> r(n_nodes, 0.);
                    if (restricts)
                      r = modal_laplacian(
                        std::vector<double>(u.begin() + first,
                                            u.begin() + first + n_nodes));
                    for (int k = 0; k < n_nodes; ++k)
                      for (int l = 0; l < n_nodes; ++l)
                        if (restricts)
                          parent[l] +=
                            embedding(true, c, k, l) * (b[first + k] - r[k]);
                        else
                          u[first + k] += embedding(false, c, k, l) * parent[l];
                  }
              }
            if (restricts)
              restrict_levels(small);
            else
              prolongate_levels(small);
            m.error =
              relative_difference(to_host(restricts ? small.coarse : small.u,
                                          session.stream),
                                  restricts ? coarse : u);
          }

          Levels large(box_of(session.n_cells / 4), session.stream);
          m.n_cells    = large.step.n_cells();
          m.n_visits   = double(m.n_cells);
          m.bytes      = m.n_visits * (136 * level_value + 4 + 4. / 8);
          m.operations = m.n_visits * (restricts ? 1408 : 832);
          m.flops      = m.operations; // at least
          m.seconds    = session.time([&] {
            if (restricts)
              restrict_levels(large);
            else
              prolongate_levels(large);
          });
          session.add(m);
        }
    }
  } // namespace



  void
  measure_cell_passes(DeviceSession &session)
  {
    {
      Passes      passes(session);
      const auto &stream = session.stream;
      const auto *S      = passes.S_inverse.data();
      const auto *l      = passes.eigenvalues.data();
      const auto  n      = [](const Fields &f) { return CellIndex(f.n_cells); };
      const std::vector<float> S_float(passes.S_inverse.begin(),
                                       passes.S_inverse.end());
      const std::vector<float> l_float(passes.eigenvalues.begin(),
                                       passes.eigenvalues.end());

      passes.measure(
        "A u",
        "double",
        2 * 64 * value,
        1216,
        1600,
        [&](Fields &f) {
          on_device::apply_laplacian<3, double, Layout::blocked>(
            3, f.r.data(), f.u.data(), S, l, n(f), stream);
        },
        [&](HostFields &f) { f.r = passes.laplacian(f.u); });
      passes.measure(
        "b - A u",
        "double",
        3 * 64 * value,
        1280,
        1664,
        [&](Fields &f) {
          on_device::laplacian_residual<3, double, Layout::blocked>(
            3, f.r.data(), f.b.data(), f.u.data(), S, l, n(f), stream);
        },
        [&](HostFields &f) {
          f.r = f.b;
          combine(f.r, 1., -1., passes.laplacian(f.u));
        });
      passes.measure(
        "A u on a level",
        "float",
        2 * 64 * level_value,
        1216,
        1600,
        [&](Fields &f) {
          on_device::apply_laplacian<3, float, Layout::contiguous>(
            3,
            f.level_b.data(),
            f.z.data(),
            S_float.data(),
            l_float.data(),
            n(f),
            stream);
        },
        [&](HostFields &f) { f.level_b = passes.laplacian(f.z); });
      passes.measure(
        "u + a z, b - A u",
        "double",
        4 * 64 * value + 64 * level_value,
        1344,
        1792,
        [&](Fields &f) {
          on_device::correct_and_residual<3>(3,
                                             f.u.data(),
                                             a,
                                             f.z.data(),
                                             f.r.data(),
                                             f.b.data(),
                                             S,
                                             l,
                                             n(f),
                                             n(f),
                                             f.largest.data(),
                                             stream);
        },
        [&](HostFields &f) {
          combine(f.u, 1., a, f.z);
          f.r = f.b;
          combine(f.r, 1., -1., passes.laplacian(f.u));
          f.largest = max_abs(f.r);
        });
      passes.measure(
        "beta d + a z, (d, A d)",
        "double",
        2 * 64 * value + 64 * level_value + value,
        832,
        1152,
        [&](Fields &f) {
          on_device::scale_and_add_energy<3>(3,
                                             f.numbers.data(),
                                             f.d.data(),
                                             beta,
                                             a,
                                             f.z.data(),
                                             S,
                                             l,
                                             n(f),
                                             stream);
        },
        [&](HostFields &f) {
          combine(f.d, beta, a, f.z);
          f.numbers = products(f.d, passes.laplacian(f.d));
        });
      passes.measure(
        "u + a d, r - a A d",
        "double",
        5 * 64 * value,
        1344,
        1856,
        [&](Fields &f) {
          on_device::step_along_direction<3>(3,
                                             f.u.data(),
                                             f.r.data(),
                                             a,
                                             f.d.data(),
                                             S,
                                             l,
                                             n(f),
                                             n(f),
                                             f.largest.data(),
                                             stream);
        },
        [&](HostFields &f) {
          combine(f.u, 1., a, f.d);
          combine(f.r, 1., -a, passes.laplacian(f.d));
          f.largest = max_abs(f.r);
        });
      passes.measure(
        "(r, z)",
        "double",
        64 * (value + level_value) + value,
        64,
        128,
        [&](Fields &f) {
          on_device::dot(
            f.numbers.data(), f.r.data(), f.z.data(), n(f), n_nodes, stream);
        },
        [&](HostFields &f) { f.numbers = products(f.r, f.z); });
      passes.measure(
        "max |r|",
        "double",
        64 * value,
        192,
        192,
        [&](Fields &f) {
          on_device::max_abs(
            f.r.data(), n(f), n_nodes, f.largest.data(), stream);
        },
        [](HostFields &f) { f.largest = max_abs(f.r); });
      passes.measure(
        "to a level",
        "double",
        64 * (value + level_value),
        640,
        832,
        [&](Fields &f) {
          on_device::transform_and_scale<3>(
            3, f.level_b.data(), a, passes.St.data(), f.r.data(), n(f), stream);
        },
        [&](HostFields &f) {
          const tessera::DenseMatrix &E = passes.reference.cell.eigenvectors;
          for (std::size_t i = 0; i < f.r.size(); ++i)
            {
              const int k  = int(i % n_nodes);
              f.level_b[i] = 0.;
              for (int m = 0; m < n_nodes; ++m)
                f.level_b[i] += a * E(m % 4, k % 4) * E(m / 4 % 4, k / 4 % 4) *
                                E(m / 16, k / 16) * f.r[i - k + m];
            }
        });
      passes.measure(
        "u + a z",
        "double",
        64 * (2 * value + level_value),
        64,
        128,
        [&](Fields &f) {
          on_device::add(f.u.data(), a, f.z.data(), n(f), n_nodes, stream);
        },
        [](HostFields &f) { combine(f.u, 1., a, f.z); });
      passes.measure(
        "to the layout of levels",
        "double",
        64 * (value + level_value),
        0,
        0,
        [&](Fields &f) {
          on_device::
            convert<float, Layout::contiguous, double, Layout::blocked>(
              f.z.data(), f.u.data(), n(f), n_nodes, stream);
        },
        [](HostFields &f) { f.z = f.u; });
    }
    measure_rebalancing(session);
    measure_transfers(session);
  }
} // namespace benchmark
