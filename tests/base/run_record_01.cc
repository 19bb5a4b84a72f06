// SPDX-License-Identifier: LGPL-2.1-or-later
// The run record: prefilled entries and their order, stable references, a round
// trip through the file, numbers that are not finite, and failures to write.
#include <tessera/base/communication_session.h>
#include <tessera/base/run_record.h>
#include <tessera/base/version.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "check.h"

using namespace tessera;
using json = RunRecord::json;

std::string
content(const std::string &file)
{
  std::ifstream     in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void
test_prefilled(const Communicator &comm)
{
  RunRecord                record("poisson_q3", comm);
  std::vector<std::string> names;
  for (const auto &entry : record.data().items())
    names.push_back(entry.key());
  CHECK(names == std::vector<std::string>({"application",
                                           "version",
                                           "git_revision",
                                           "status",
                                           "message",
                                           "backend",
                                           "mpi_ranks",
                                           "parameters",
                                           "log",
                                           "cycles"}));
  CHECK_EQUAL(record.data()["application"], "poisson_q3");
  CHECK_EQUAL(record.data()["version"], version());
  CHECK_EQUAL(record.data()["status"], "error");
  CHECK_EQUAL(record.data()["mpi_ranks"], comm.n_ranks());
}

void
test_references(const Communicator &comm)
{
  RunRecord           record("test", comm);
  std::vector<json *> cycles;
  for (unsigned int n = 0; n < 1000; ++n)
    {
      cycles.push_back(&record.new_cycle());
      (*cycles.back())["n_cells"] = n * n;
    }
  for (unsigned int n = 0; n < 1000; ++n)
    (*cycles[n])["late"] = n;
  CHECK_EQUAL(record.n_cycles(), 1000u);
  CHECK(&record.cycle(17) == cycles[17]);
  CHECK_THROWS(InputError, record.cycle(1000));

  const json document = record.document();
  CHECK_EQUAL(document["cycles"].size(), 1000u);
  bool ok = true;
  for (unsigned int n = 0; n < 1000; ++n)
    ok = ok && document["cycles"][n]["cycle"] == n &&
         document["cycles"][n]["n_cells"] == n * n &&
         document["cycles"][n]["late"] == n;
  CHECK(ok);
}

void
test_round_trip(const Communicator &comm, const std::string &directory)
{
  RunRecord record("test", comm);
  record.data()["parameters"]["Solver"]["Tolerance"] = 0.1;
  record.log("line \"1\"\n");
  record.log("not UTF-8: \xff");
  const double inf                    = std::numeric_limits<double>::infinity();
  const double nan                    = std::nan("");
  record.new_cycle()["iterations"]    = comm.rank() == 0 ? 7 : -1;
  record.cycle(0)["residual_history"] = {1., 1e-3 / 3, nan, inf, -inf};
  record.set_status("not converged", "stopped after 7 iterations");
  CHECK_THROWS(InputError, record.set_status("fine", ""));

  const std::string file = directory + "/run.json";
  record.write(file);
  comm.barrier();
  const json parsed = json::parse(content(file));
  CHECK_EQUAL(parsed["status"], "not converged");
  CHECK_EQUAL(parsed["message"], "stopped after 7 iterations");
  CHECK_EQUAL(parsed["parameters"]["Solver"]["Tolerance"], 0.1);
  CHECK_EQUAL(parsed["log"][0], "line \"1\"\n");
  CHECK_EQUAL(parsed["log"][1], "not UTF-8: \xef\xbf\xbd");
  CHECK_EQUAL(parsed["cycles"][0]["iterations"], 7); // that of rank 0
  const json &history = parsed["cycles"][0]["residual_history"];
  CHECK_EQUAL(history.size(), 5u);
  CHECK(history[1].get<double>() == 1e-3 / 3); // all digits
  CHECK_EQUAL(history[2], "nan");
  CHECK_EQUAL(history[3], "inf");
  CHECK_EQUAL(history[4], "-inf");
  comm.barrier();

  // Writing again replaces the file, not the cycles in the record.
  record.new_cycle();
  record.write(file);
  comm.barrier();
  CHECK_EQUAL(json::parse(content(file))["cycles"].size(), 2u);
  comm.barrier();
  if (comm.rank() == 0)
    CHECK_EQUAL(std::remove(file.c_str()), 0);
}

void
test_failure(const Communicator &comm, const std::string &directory)
{
  const RunRecord   record("test", comm);
  const std::string missing = directory + "/missing/run.json";
  const std::string message =
    CHECK_THROWS(InputError, record.write(missing)); // on all ranks
  CHECK(message.find(missing) != std::string::npos);

  // The temporary file can be written but not renamed: the target is a
  // directory. Neither it nor a temporary file may be lost or left.
  const std::string occupied = directory + "/occupied";
  if (comm.rank() == 0)
    CHECK_EQUAL(::mkdir(occupied.c_str(), 0777), 0);
  CHECK_THROWS(InputError, record.write(occupied));
  if (comm.rank() == 0)
    {
      // rmdir succeeds on empty directories only
      CHECK_EQUAL(::rmdir(occupied.c_str()), 0);
      // Root may write anywhere, others not where they lack permission.
      if (::geteuid() != 0)
        ::chmod(directory.c_str(), 0500);
    }
  comm.barrier();
  if (comm.broadcast(::geteuid() != 0))
    CHECK_THROWS(InputError, record.write(directory + "/run.json"));
}

int
main(int argc, char **argv)
{
  CommunicationSession session(argc, argv);
  const Communicator   comm = Communicator::world();

  char pattern[] = "run_record_01.XXXXXX";
  if (comm.rank() == 0)
    CHECK(::mkdtemp(pattern) != nullptr);
  const std::string directory = comm.broadcast(std::string(pattern));

  test_prefilled(comm);
  test_references(comm);
  test_round_trip(comm, directory);
  test_failure(comm, directory);
  comm.barrier();
  if (comm.rank() == 0)
    CHECK_EQUAL(::rmdir(directory.c_str()), 0); // nothing was left in it
  return check::result();
}
