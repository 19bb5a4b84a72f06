// SPDX-License-Identifier: LGPL-2.1-or-later
#include "elasticity/application.h"

int
main(int argc, char **argv)
{
  tessera::elasticity::Elasticity application;
  return tessera::apps::run_application(argc, argv, application);
}
