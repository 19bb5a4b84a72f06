// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/instruction_set.h>
#include <tessera/base/version.h>

#include <deal.II/base/config.h>
#include <deal.II/base/vectorization.h>

#include <sstream>

#include "common/command_line.h"

namespace tessera::apps
{
  std::string
  version_text(const std::string &program)
  {
    const unsigned int n_lanes = dealii::VectorizedArray<double>::size();

    std::string compiled_in;
    for (const InstructionSet set : {InstructionSet::generic,
                                     InstructionSet::avx2,
                                     InstructionSet::avx512})
      if (is_compiled_in(set))
        compiled_in += (compiled_in.empty() ? "" : ", ") + to_string(set);
    const InstructionSet active = active_instruction_set();

    std::ostringstream text;
    print_version(
      text,
      program,
      version_information(
        {{"SIMD",
          to_string(active) + " (" + std::to_string(simd_bits(active)) +
            " bits); compiled in: " + compiled_in},
         {"deal.II", DEAL_II_PACKAGE_VERSION},
         {"deal.II vectors",
          "VectorizedArray<double>::size() = " + std::to_string(n_lanes) +
            " (" + std::to_string(64 * n_lanes) + " bits)"}}));
    return text.str();
  }
} // namespace tessera::apps
