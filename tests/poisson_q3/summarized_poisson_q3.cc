// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/application.h"
#include "summarize.h"

int
main(int argc, char **argv)
{
  return tests::run_summarized<tessera::poisson_q3::PoissonQ3>(argc, argv);
}
