// SPDX-License-Identifier: LGPL-2.1-or-later
// Names, the choice of an instruction set, and its override by the environment
// variable TESSERA_SIMD, in child processes because the choice is made once.
#include <tessera/base/exceptions.h>
#include <tessera/base/instruction_set.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "check.h"

using namespace tessera;

namespace
{
  bool
  contains(const std::string &text, const std::string &part)
  {
    return text.find(part) != std::string::npos;
  }

  /** Run the checks of a function in a child process with this environment. */
  template <typename F>
  bool
  passes_with(const char *value, F &&f)
  {
    const pid_t child = fork();
    if (child == 0)
      {
        if (value != nullptr)
          setenv("TESSERA_SIMD", value, 1);
        else
          unsetenv("TESSERA_SIMD");
        const int n_failures = check::n_failures();
        f();
        _exit(check::n_failures() == n_failures ? 0 : 1);
      }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child &&
           WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
} // namespace

int
main()
{
  const auto generic = InstructionSet::generic, avx2 = InstructionSet::avx2,
             avx512 = InstructionSet::avx512;

  for (const auto set : {generic, avx2, avx512})
    CHECK(instruction_set_from_string(to_string(set)) == set);
  CHECK_EQUAL(to_string(generic), "generic");
  CHECK_EQUAL(to_string(avx2), "avx2");
  CHECK_EQUAL(to_string(avx512), "avx512");
  CHECK_EQUAL(simd_bits(generic), 128u);
  CHECK_EQUAL(simd_bits(avx2), 256u);
  CHECK_EQUAL(simd_bits(avx512), 512u);

  const std::vector<InstructionSet> available = available_instruction_sets();
  CHECK(!available.empty() && available.front() == generic);
  for (const auto set : available)
    CHECK(is_compiled_in(set) && is_supported_by_processor(set));
#ifdef __x86_64__
  CHECK(is_compiled_in(avx2) && is_compiled_in(avx512));
#endif

  // The choice.
  CHECK(choose_instruction_set("") == available.back());
  for (const auto set : available)
    CHECK(choose_instruction_set(to_string(set)) == set);
  CHECK(choose_instruction_set("", {generic, avx2}) == avx2);
  CHECK(choose_instruction_set("generic", {generic, avx2}) == generic);
  for (const std::string name : {"avx1024", "AVX2", " avx2", "generic,avx2"})
    {
      const std::string message =
        CHECK_THROWS(InputError, choose_instruction_set(name));
      CHECK(contains(message, "'" + name + "'"));
      CHECK(contains(message, "generic, avx2 and avx512"));
      CHECK(contains(message, "TESSERA_SIMD"));
    }
  {
    // A processor without AVX-512.
    const std::string message =
      CHECK_THROWS(InputError,
                   choose_instruction_set("avx512", {generic, avx2}));
    CHECK(contains(message, "'avx512'"));
    CHECK(contains(message, "Available are: generic, avx2."));
    CHECK(contains(message,
                   is_compiled_in(avx512) ? "not supported by this processor" :
                                            "not part of this build"));
  }

  // The environment.
  CHECK(passes_with(nullptr, [&] {
    CHECK(active_instruction_set() == available.back());
  }));
  CHECK(passes_with("", [&] {
    CHECK(active_instruction_set() == available.back());
  }));
  for (const auto set : available)
    CHECK(passes_with(to_string(set).c_str(),
                      [&] { CHECK(active_instruction_set() == set); }));
  CHECK(passes_with("sse9", [&] {
    // An error does not stick, a choice does.
    CHECK_THROWS(InputError, active_instruction_set());
    CHECK_THROWS(InputError, active_instruction_set());
    setenv("TESSERA_SIMD", "generic", 1);
    CHECK(active_instruction_set() == generic);
    setenv("TESSERA_SIMD", "sse9", 1);
    CHECK(active_instruction_set() == generic);
  }));
  return check::result();
}
