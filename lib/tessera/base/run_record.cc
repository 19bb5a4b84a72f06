// SPDX-License-Identifier: LGPL-2.1-or-later
#include <tessera/base/run_record.h>
#include <tessera/base/text_file.h>
#include <tessera/base/version.h>

#include <cmath>

namespace tessera
{
  namespace
  {
    using json = RunRecord::json;

    void
    make_finite(json &value)
    {
      if (value.is_number_float())
        {
          const double number = value.get<double>();
          if (std::isnan(number))
            value = "nan";
          else if (std::isinf(number))
            value = number > 0 ? "inf" : "-inf";
        }
      else if (value.is_structured())
        for (json &entry : value)
          make_finite(entry);
    }
  } // namespace

  RunRecord::RunRecord(const std::string &application, const Communicator &comm)
    : communicator(comm)
  {
    head["application"]  = application;
    head["version"]      = version();
    head["git_revision"] = git_revision();
    head["status"]       = "error";
    head["message"]      = "the run ended before its status was known";
    head["backend"]      = json::object();
    json &backend        = head["backend"];
    backend["name"]      = "host";
    backend["simd_bits"] = nullptr;
    backend["device"]    = "none";
    head["mpi_ranks"]    = comm.n_ranks();
    head["parameters"]   = json::object();
    head["log"]          = json::array();
    head["cycles"]       = json::array();
  }

  RunRecord::json &
  RunRecord::data()
  {
    return head;
  }

  RunRecord::json &
  RunRecord::new_cycle()
  {
    cycles.push_back(json::object());
    cycles.back()["cycle"] = n_cycles() - 1;
    return cycles.back();
  }

  unsigned int
  RunRecord::n_cycles() const
  {
    return static_cast<unsigned int>(cycles.size());
  }

  RunRecord::json &
  RunRecord::cycle(const unsigned int n)
  {
    if (n >= n_cycles())
      throw InputError("Cycle " + std::to_string(n) +
                       " of the run record was asked for; there are " +
                       std::to_string(n_cycles()) +
                       ". Add cycles with new_cycle().");
    return cycles[n];
  }

  void
  RunRecord::log(const std::string &line)
  {
    head["log"].push_back(line);
  }

  void
  RunRecord::set_status(const std::string &status, const std::string &message)
  {
    if (status != "success" && status != "not converged" && status != "error")
      throw InputError("The status of a run record is \"" + status +
                       "\"; allowed are \"success\", \"not converged\" and "
                       "\"error\".");
    head["status"]  = status;
    head["message"] = message;
  }

  RunRecord::json
  RunRecord::document() const
  {
    json  result  = head;
    json &entries = result["cycles"];
    for (const json &entry : cycles)
      entries.push_back(entry);
    make_finite(result);
    return result;
  }

  void
  RunRecord::write(const std::string &file) const
  {
    communicator.collectively([&] {
      if (communicator.rank() != 0)
        return;
      const std::string text =
        document().dump(2, ' ', false, json::error_handler_t::replace) + '\n';
      const std::string reason = replace_file(file, text);
      if (!reason.empty())
        throw InputError("The run record \"" + file +
                         "\" cannot be written: " + reason +
                         ". Its directory must exist and be writable; choose "
                         "another results directory or change permissions.");
    });
  }
} // namespace tessera
