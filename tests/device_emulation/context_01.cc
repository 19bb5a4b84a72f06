// SPDX-License-Identifier: LGPL-2.1-or-later
// Functions on stacks of their own take turns and keep their variables. Built
// for both ways of switching.
#include <cmath>
#include <vector>

#include "check.h"
#include "device_emulation/context.h"

namespace
{
  constexpr int n_functions = 3, n_rounds = 100;

  emulation::Context launching, contexts[n_functions];
  double             results[n_functions];
  int                n_visits[n_functions], running;

  void
  switch_to_next(const int self)
  {
    running = (self + 1) % n_functions;
    emulation::switch_context(contexts[self], contexts[running]);
  }

  void
  count()
  {
    const int self = running;
    // Variables of both kinds of registers, and on the stack.
    double       sum        = 0;
    volatile int visits[10] = {};
    for (int round = 0; round < n_rounds; ++round)
      {
        sum += std::sqrt(double(round)) * (self + 1);
        ++visits[round % 10];
        switch_to_next(self);
      }
    results[self] = sum;
    for (int i = 0; i < 10; ++i)
      n_visits[self] += visits[i];
    if (self == n_functions - 1)
      emulation::switch_context(contexts[self], launching);
    switch_to_next(self);
  }
} // namespace

int
main()
{
  constexpr std::size_t          n_bytes = 64 * 1024;
  std::vector<std::vector<char>> stacks(n_functions,
                                        std::vector<char>(n_bytes));
  for (int i = 0; i < n_functions; ++i)
    emulation::prepare(contexts[i], stacks[i].data(), n_bytes, count);
  running = 0;
  emulation::switch_context(launching, contexts[0]);

  double expected = 0;
  for (int round = 0; round < n_rounds; ++round)
    expected += std::sqrt(double(round));
  for (int i = 0; i < n_functions; ++i)
    {
      CHECK_NEAR(results[i], expected * (i + 1), 1e-13);
      CHECK_EQUAL(n_visits[i], n_rounds);
    }
  return check::result();
}
