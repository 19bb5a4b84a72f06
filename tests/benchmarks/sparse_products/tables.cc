// SPDX-License-Identifier: LGPL-2.1-or-later
#include "benchmarks/sparse_products/tables.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace benchmark
{
  using namespace tessera;
  using namespace tessera::sparse;

  namespace
  {
    void
    print_how(const Measurements &m)
    {
      std::printf("%s\n",
                  m.in_turns ?
                    "All forms are there at once and take turns." :
                    "Forms are made and measured one after the other.");
      for (const std::string &form : m.left_out)
        std::printf("Left out: %s.\n", form.c_str());
      std::fflush(stdout);
    }

    /** Two decimals, or a dash for what was not measured. */
    std::string
    decimals(const double value)
    {
      char text[32];
      std::snprintf(text, sizeof(text), "%.2f", value);
      return std::isfinite(value) ? text : "-";
    }

#ifdef TESSERA_HAVE_JSON
    nlohmann::ordered_json
    list_of(const Measurements &m)
    {
      nlohmann::ordered_json list = nlohmann::ordered_json::array();
      for (const Measured &t : m.forms)
        {
          nlohmann::ordered_json entry = {{"name", t.name},
                                          {"bytes", t.bytes},
                                          {"seconds",
                                           benchmark::to_json(t.seconds)},
                                          {"peak_memory_bytes", t.peak_memory}};
          if (t.first_seconds > 0)
            {
              entry["set_up_seconds"] = t.set_up_seconds;
              entry["first_seconds"]  = t.first_seconds;
              entry["bytes_kept"]     = t.bytes_kept;
            }
          list.push_back(entry);
        }
      list.push_back({{"name", m.copy.name},
                      {"bytes", m.copy.bytes},
                      {"seconds", benchmark::to_json(m.copy.seconds)}});
      return list;
    }
#endif
  } // namespace



  void
  print_matrix_vector(const std::string &name, const Measurements &m)
  {
    std::printf("\nProducts of matrix and vector, %s\n\n"
                "%-26s %9s %9s %8s %8s %8s\n",
                name.c_str(),
                "form",
                "ms",
                "MB",
                "GB/s",
                "to copy",
                "peak MB");
    const auto print = [&](const Measured &t) {
      const double rate = t.bytes / t.seconds.median;
      std::printf("%-26s %9.3f %9.1f %8.1f %8.2f",
                  t.name.c_str(),
                  1e3 * t.seconds.median,
                  1e-6 * t.bytes,
                  1e-9 * rate,
                  rate / m.copy_rate());
      if (t.peak_memory > 0)
        std::printf(" %8.0f", 1e-6 * t.peak_memory);
      std::printf("\n");
    };
    for (const Measured &form : m.forms)
      print(form);
    print(m.copy);
    print_how(m);
  }

  void
  print_product(const ProductResults &r)
  {
    const ProductSizes &s = r.sizes;
    std::printf("\nGalerkin products, %s\n"
                "m_F %.0f, Z_A %.0f, Z_P %.0f (unfiltered %zu), n_P %.2f, "
                "Z_W %.0f, w %.2f,\nm_C %.0f, Z_C %.0f, blocks %d and %d\n\n"
                "%-26s %9s %9s %8s %8s %8s %8s %8s %8s %8s\n",
                r.name.c_str(),
                s.n_fine_rows,
                s.n_blocks_A,
                s.n_blocks_P,
                r.n_unfiltered_blocks,
                s.blocks_per_row(),
                s.n_blocks_W,
                s.fill_growth(),
                s.n_coarse_rows,
                s.n_blocks_C,
                s.fine,
                s.coarse,
                "algorithm",
                "ms",
                "floor MB",
                "GB/s",
                "to floor",
                "to ours",
                "set-up",
                "first",
                "kept MB",
                "peak MB");
    const double ours  = r.seconds(ProductAlgorithm::cached_positions);
    const auto   print = [&](const Measured &t) {
      std::printf("%-26s %9.3f", t.name.c_str(), 1e3 * t.seconds.median);
      const double rate = t.bytes / t.seconds.median;
      if (t.bytes > 0)
        std::printf(" %9.1f %8.1f %8.2f",
                    1e-6 * t.bytes,
                    1e-9 * rate,
                    r.measured.copy_rate() / rate);
      else
        std::printf(" %9s %8s %8s", "-", "-", "-");
      std::printf(" %8s", decimals(t.seconds.median / ours).c_str());
      if (t.first_seconds > 0)
        std::printf(" %8.2f %8.2f %8.1f",
                    1e3 * t.set_up_seconds,
                    1e3 * t.first_seconds,
                    1e-6 * t.bytes_kept);
      else
        std::printf(" %8s %8s %8s", "-", "-", "-");
      if (t.peak_memory > 0)
        std::printf(" %8.0f", 1e-6 * t.peak_memory);
      std::printf("\n");
    };
    for (const Measured &form : r.measured.forms)
      print(form);
    print(r.measured.copy);
    print_how(r.measured);

    const auto   two_pass = ProductAlgorithm::two_pass;
    const auto   schedule = ProductAlgorithm::schedule;
    const double values_W = s.bytes_W() * s.n_blocks_W;
    std::printf(
      "\nfused / two-pass: %s at n_P = %.2f. two-pass / schedule: %s.\n"
      "Schedule, of the values of W: %s. Symbolic and first numeric phase, "
      "ms:\nschedule %s, two-pass %s, cached positions %s.\n",
      decimals(r.seconds(ProductAlgorithm::fused) / r.seconds(two_pass))
        .c_str(),
      s.blocks_per_row(),
      decimals(r.seconds(two_pass) / r.seconds(schedule)).c_str(),
      decimals((r.bytes_kept(schedule) - r.bytes_kept(two_pass)) / values_W)
        .c_str(),
      decimals(1e3 * r.first_seconds(schedule)).c_str(),
      decimals(1e3 * r.first_seconds(two_pass)).c_str(),
      decimals(1e3 * r.first_seconds(ProductAlgorithm::cached_positions))
        .c_str());
    std::fflush(stdout);
  }


#ifdef TESSERA_HAVE_JSON
  nlohmann::ordered_json
  to_json(const std::string &name, const Measurements &m)
  {
    return {{"matrix", name},
            {"in_turns", m.in_turns},
            {"left_out", m.left_out},
            {"results", list_of(m)}};
  }

  nlohmann::ordered_json
  to_json(const ProductResults &r)
  {
    return {{"matrix", r.name},
            {"fine", r.sizes.fine},
            {"coarse", r.sizes.coarse},
            {"n_fine_rows", r.sizes.n_fine_rows},
            {"n_coarse_rows", r.sizes.n_coarse_rows},
            {"n_blocks_A", r.sizes.n_blocks_A},
            {"n_blocks_P", r.sizes.n_blocks_P},
            {"n_blocks_P_unfiltered", r.n_unfiltered_blocks},
            {"n_blocks_W", r.sizes.n_blocks_W},
            {"n_blocks_C", r.sizes.n_blocks_C},
            {"in_turns", r.measured.in_turns},
            {"left_out", r.measured.left_out},
            {"results", list_of(r.measured)}};
  }
#endif
} // namespace benchmark
