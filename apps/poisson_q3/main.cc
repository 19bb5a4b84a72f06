// SPDX-License-Identifier: LGPL-2.1-or-later
#include "poisson_q3/application.h"

int
main(int argc, char **argv)
{
  tessera::poisson_q3::PoissonQ3 application;
  return tessera::apps::run_application(argc, argv, application);
}
