// SPDX-License-Identifier: LGPL-2.1-or-later
// Exceptions carry their message unchanged and the exit status of their kind.
#include <tessera/base/exceptions.h>

#include "check.h"

using namespace tessera;

int
main()
{
  CHECK_EQUAL(CHECK_THROWS(InputError, throw InputError("found 3")), "found 3");
  CHECK_EQUAL(static_cast<int>(InputError("").exit_status()), 1);
  CHECK_EQUAL(static_cast<int>(SolverBreakdown("").exit_status()), 2);
  CHECK_EQUAL(static_cast<int>(DeviceError("").exit_status()), 3);
  CHECK_THROWS(Exception, throw DeviceError("caught as the base class"));
  return check::result();
}
