// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_tests_command_line_checkpoints_h
#define tessera_tests_command_line_checkpoints_h

#include <cstdint>
#include <limits>
#include <vector>

#include "check.h"
#include "common/checkpoint_file.h"

/** A checkpoint with contents that depend on n, and n + 7 * size values. */
inline tessera::apps::Checkpoint
numbered_checkpoint(const unsigned int n, const unsigned int size)
{
  tessera::apps::Checkpoint checkpoint;
  checkpoint.header["cycle"] = n;
  checkpoint.header["third"] = (n + 1) / 3.;
  checkpoint.header["text"]  = "two\nlines, \"quoted\", \xc3\xa4";

  std::vector<double> values = {-0.,
                                std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::infinity(),
                                double(n)};
  for (unsigned int i = 0; i < 7 * size; ++i)
    values.push_back((i + .1) * (n + 1));
  checkpoint.add("values", values);
  checkpoint.add("keys",
                 std::vector<std::uint64_t>{n, ~std::uint64_t(0), 1u << 31});
  checkpoint.add("none", std::vector<float>());
  return checkpoint;
}



/** Whether two checkpoints are the same, to the last bit. */
inline bool
same(const tessera::apps::Checkpoint &a, const tessera::apps::Checkpoint &b)
{
  return a.header == b.header && a.data == b.data;
}

#endif
