// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/cellwise/device/layout.h>
#include <tessera/cellwise/reference_cell.h>
#include <tessera/patch/patch_matrices.h>
#include <tessera/patch/variant_tables.h>

#include <algorithm>

#include "benchmarks/device_kernels/bounds.h"
#include "benchmarks/device_kernels/patch_prototype.h"
#include "benchmarks/gpu_patch/colour_step.h"
#include "benchmarks/gpu_patch/patch_reference.h"
#include "benchmarks/gpu_patch/sections.h"

namespace benchmark
{
  using namespace tessera::patch;
  using tessera::cellwise::cells_per_device_block;
  using tessera::device::Memory;

  namespace
  {
    constexpr int n_nodes = 64, n_modes = 27;

    /** Flops in the operations, see prototype_operations. */
    constexpr int prototype_flops[] = {5073, 5073, 3409, 3415, 2499};

    constexpr const char *variant_names[] = {"1 nodal",
                                             "2 accumulator chain",
                                             "3 cell eigenbasis",
                                             "4 merged transforms",
                                             "5 reflection symmetry"};

    constexpr const char *access_names[] = {"blocked", "cell a lane", "staged"};

    /** The kernel and the traffic alone, in each access. */
    constexpr double published_kernel[]  = {0.257e-3, 0.752e-3, 0.268e-3};
    constexpr double published_traffic[] = {0.226e-3, 0.795e-3, 0.219e-3};

    /** By the arithmetic, blocked. */
    constexpr double published_variant[]       = {0.526e-3,
                                                  0.468e-3,
                                                  0.430e-3,
                                                  0.379e-3,
                                                  0.259e-3};
    constexpr double published_variant_traffic = 0.227e-3;

    Published
    published_step(const double seconds)
    {
      Published p;
      p.seconds          = seconds;
      p.bytes_per_second = double(1 << 20) * prototype_bytes / seconds;
      return p;
    }



    /** Tables for cells with the weights 1, and what of them is on the device.
     */
    class Tables
    {
    public:
      explicit Tables(const tessera::device::Stream &stream)
        : reference(1.)
      {
        const VariantTablesOfLevel  of_level(reference.cell,
                                            reference.matrices,
                                            {{1., 1., 1.}});
        const VariantTables<float> &t = of_level.tables();
        std::copy_n(t.mass, 16, tables.mass);
        std::copy_n(t.scaled_stiffness[0], 16, tables.scaled_stiffness);
        std::copy_n(t.patch.inverse_eigenvectors,
                    16,
                    tables.inverse_eigenvectors);
        std::copy_n(t.patch.cell_eigenvalues, n_nodes, tables.cell_eigenvalues);
        for (int a = 0; a < 2; ++a)
          {
            std::copy_n(t.patch.forward[a], 12, tables.own_forward[a]);
            std::copy_n(t.patch.backward[a], 9, tables.own_backward[a]);
            for (int b = 0; b < 2; ++b)
              {
                std::copy_n(t.nodal_forward[a][b],
                            9,
                            tables.nodal_forward[a][b]);
                std::copy_n(t.modal_forward[a][b],
                            12,
                            tables.modal_forward[a][b]);
                std::copy_n(t.backward[a][b], 9, tables.backward[a][b]);
              }
          }
        std::vector<float> inverse(8 * n_modes);
        for (std::size_t i = 0; i < inverse.size(); ++i)
          inverse[i] = -t.patch.inverse_eigenvalues[i];
        minus_inverse = Memory<float>(inverse.data(), inverse.size(), stream);
        tables.minus_inverse_eigenvalues = minus_inverse.data();
      }

      PatchReference  reference;
      PrototypeTables tables;

    private:
      Memory<float> minus_inverse;
    };



    std::size_t
    position(const CellAccess  access,
             const std::size_t cell,
             const int         k,
             const int         n)
    {
      constexpr std::size_t B = cells_per_device_block;
      return access == CellAccess::blocked ?
               (cell / B * n + std::size_t(k)) * B + cell % B :
               cell * n + std::size_t(k);
    }

    /** Both kernels on a few patches: one block of threads is not full. */
    class SmallProblem
    {
    public:
      SmallProblem(const Tables &t, const tessera::device::Stream &s)
        : tables(t)
        , stream(s)
        , step({{6, 4, 2}}, true, s)
      {
        const std::size_t n_cells = step.n_cells();
        u                         = random_values<float>(n_cells * n_nodes, 5);
        corrections.resize(n_cells * n_modes);
        for (std::size_t first = 0; first < n_cells; first += 8)
          {
            std::vector<double> r;
            for (int c = 0; c < 8; ++c)
              {
                const float *of_cell =
                  u.data() + std::size_t(step.host_cells[first + c]) * n_nodes;
                for (const double Au : tables.reference.apply_laplacian(
                       std::vector<double>(of_cell, of_cell + n_nodes).data()))
                  r.push_back(-Au);
              }
            const std::vector<double> correction =
              tables.reference.correction(r);
            for (int c = 0; c < 8; ++c)
              for (int m = 0; m < n_modes; ++m)
                corrections[std::size_t(step.host_cells[first + c]) * n_modes +
                            m] = correction[c * n_modes + m];
          }
      }

      double
      error_of_correction(const PatchVariant variant,
                          const CellAccess   access) const
      {
        return error(access, corrections, [&](float *c, const float *values) {
          correct_patches(
            variant, access, c, values, step.patches(), tables.tables, stream);
        });
      }

      double
      error_of_traffic(const CellAccess access) const
      {
        std::vector<double> expected;
        for (std::size_t i = 0; i < u.size(); i += n_nodes)
          for (int m = 0; m < n_modes; ++m)
            expected.push_back(
              u[i + m] + u[i + m + n_modes] +
              (m + 2 * n_modes < n_nodes ? u[i + m + 2 * n_modes] : 0.f));
        return error(access, expected, [&](float *c, const float *values) {
          move_patches(access, c, values, step.patches(), stream);
        });
      }

    private:
      template <typename F>
      double
      error(const CellAccess           access,
            const std::vector<double> &expected,
            const F                   &f) const
      {
        const std::size_t  n_cells  = step.n_cells();
        const std::size_t  n_stored = (n_cells + 31) / 32 * 32;
        std::vector<float> arranged(n_stored * n_nodes);
        for (std::size_t cell = 0; cell < n_cells; ++cell)
          for (int k = 0; k < n_nodes; ++k)
            arranged[position(access, cell, k, n_nodes)] =
              u[cell * n_nodes + k];
        const Memory<float> device_u(arranged.data(), arranged.size(), stream);
        Memory<float>       device_c(n_stored * n_modes);
        device_c.fill_bytes_async(0xff, stream);
        f(device_c.data(), device_u.data());
        const std::vector<float> result = to_host(device_c, stream);
        std::vector<float>       in_order(expected.size());
        for (std::size_t cell = 0; cell < n_cells; ++cell)
          for (int m = 0; m < n_modes; ++m)
            in_order[cell * n_modes + m] =
              result[position(access, cell, m, n_modes)];
        return relative_difference(in_order, expected);
      }

      const Tables                  &tables;
      const tessera::device::Stream &stream;
      const ColourStep               step;
      std::vector<float>             u;           ///< [cell][64]
      std::vector<double>            corrections; ///< [cell][27]
    };



    /** The fields of a step, and what measures on them. */
    class LargeProblem
    {
    public:
      LargeProblem(DeviceSession &s, const Tables &t)
        : session(s)
        , tables(t)
        , step(box_of(s.n_medium_cells()), false, s.stream)
        , u(step.n_cells() * n_nodes)
        , c(step.n_cells() * n_modes)
      {
        fill_random(u.data(), u.size(), 6, session.stream);
      }

      Measurement
      line(const std::string &section, const std::string &name) const
      {
        Measurement m;
        m.section  = section;
        m.name     = name;
        m.n_cells  = step.n_cells();
        m.n_visits = double(step.n_cells());
        m.bytes    = m.n_visits * prototype_bytes;
        return m;
      }

      void
      measure_correction(Measurement        m,
                         const PatchVariant variant,
                         const CellAccess   access,
                         const double       error)
      {
        m.operations = m.n_visits * prototype_operations[int(variant)];
        m.flops      = m.n_visits * prototype_flops[int(variant)];
        m.error      = error;
        m.tolerance  = 2e-6;
        m.seconds    = session.time([&] {
          correct_patches(variant,
                          access,
                          c.data(),
                          u.data(),
                          step.patches(),
                          tables.tables,
                          session.stream);
        });
        session.add(m);
      }

      void
      measure_traffic(Measurement      m,
                      const CellAccess access,
                      const double     error)
      {
        m.error   = error;
        m.seconds = session.time([&] {
          move_patches(
            access, c.data(), u.data(), step.patches(), session.stream);
        });
        session.add(m);
      }

    private:
      DeviceSession   &session;
      const Tables    &tables;
      const ColourStep step;
      Memory<float>    u, c;
    };
  } // namespace



  void
  measure_layouts(DeviceSession &session)
  {
    const Tables       tables(session.stream);
    const SmallProblem small(tables, session.stream);
    LargeProblem       large(session, tables);
    for (int a = 0; a < n_cell_accesses; ++a)
      {
        const CellAccess  access = CellAccess(a);
        const std::string name   = access_names[a];
        Measurement       m      = large.line("table6", name + ", kernel");
        m.published              = published_step(published_kernel[a]);
        large.measure_correction(
          m,
          PatchVariant::reflection_symmetry,
          access,
          small.error_of_correction(PatchVariant::reflection_symmetry, access));
        m           = large.line("table6", name + ", traffic alone");
        m.published = published_step(published_traffic[a]);
        large.measure_traffic(m, access, small.error_of_traffic(access));
      }
  }



  void
  measure_arithmetic(DeviceSession &session)
  {
    const Tables       tables(session.stream);
    const SmallProblem small(tables, session.stream);
    LargeProblem       large(session, tables);
    for (int v = 0; v < n_patch_variants; ++v)
      {
        Measurement m = large.line("table8", variant_names[v]);
        m.published   = published_step(published_variant[v]);
        if (PatchVariant(v) == PatchVariant::reflection_symmetry)
          m.published.flops_per_second = 0.60 * published_float_peak; // Table 7
        large.measure_correction(
          m,
          PatchVariant(v),
          CellAccess::blocked,
          small.error_of_correction(PatchVariant(v), CellAccess::blocked));
      }
    Measurement m = large.line("table8", "traffic alone");
    m.published   = published_step(published_variant_traffic);
    large.measure_traffic(m,
                          CellAccess::blocked,
                          small.error_of_traffic(CellAccess::blocked));
  }
} // namespace benchmark
