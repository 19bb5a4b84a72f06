// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sipg_adaptive/application.h"

int
main(int argc, char **argv)
{
  tessera::sipg_adaptive::SipgAdaptive application;
  return tessera::apps::run_application(argc, argv, application);
}
