// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/exceptions.h>

#include <cstdio>
#include <cstdlib>

namespace tessera
{
  namespace internal
  {
    void
    assertion_failed(const char *condition,
                     const char *message,
                     const char *file,
                     const int   line) noexcept
    {
      std::fprintf(
        stderr, "%s:%d: violated: %s\n  %s\n", file, line, condition, message);
      std::abort();
    }
  } // namespace internal
} // namespace tessera
