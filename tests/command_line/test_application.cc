// SPDX-License-Identifier: LGPL-2.1-or-later
// An application without an equation, to test what all applications share:
// it has parameters of every kind, evaluates a sum, and fails as it is told.
#include <tessera/base/communication.h>
#include <tessera/base/run_record.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/mpi.h>
#include <deal.II/lac/solver_control.h>

#include <csignal>
#include <map>
#include <new>
#include <numeric>

#include "common/application.h"

namespace
{
  using namespace tessera;
  using namespace tessera::apps;

  enum class Failing
  {
    nothing,
    input,
    breakdown,
    device,
    memory,
    deal_ii,
    deal_ii_memory,
    deal_ii_convergence,
    standard,
    unknown,
    killed,
    convergence
  };



  [[noreturn]] void
  fail(const Failing how)
  {
    switch (how)
      {
        case Failing::input:
          throw InputError("the mesh has a hole; close it");
        case Failing::breakdown:
          throw SolverBreakdown("the residual is NaN in step 3");
        case Failing::device:
          throw DeviceError("the device is on fire");
        case Failing::memory:
          throw std::bad_alloc();
        case Failing::deal_ii:
          AssertThrow(false, dealii::ExcMessage("a cell has no neighbour"));
          break;
        case Failing::deal_ii_memory:
          throw dealii::StandardExceptions::ExcOutOfMemory(1000);
        case Failing::deal_ii_convergence:
          throw dealii::SolverControl::NoConvergence(7, 0.25);
        case Failing::standard:
          throw std::out_of_range("index 5 of 4");
        case Failing::killed:
          std::raise(SIGKILL);
          break;
        default:
          break;
      }
    throw 1;
  }



  class TestApplication : public Application
  {
  public:
    std::string
    name() const override
    {
      return "test_application";
    }

    std::string
    summary() const override
    {
      return "adds numbers, to test the front end of the applications.";
    }

    // It does not care where it runs.
    std::string
    why_host_only() const override
    {
      return {};
    }

    void
    declare_parameters(ParameterSet &parameters) override
    {
      namespace Patterns = dealii::Patterns;
      parameters.add("Degree",
                     degree,
                     "An integer with bounds.",
                     Patterns::Integer(1, 4));
      parameters.add("Label", label, "Any text, also an empty one.");

      parameters.enter_subsection("Solver");
      parameters.add("Tolerance",
                     tolerance,
                     "A positive number.",
                     positive_number(1.));
      parameters.add("Maximum iterations",
                     maximum_iterations,
                     "An integer without upper bound.");
      parameters.add_selection<int>("Method",
                                    method,
                                    {{"cg", 1}, {"gmres", 2}, {"direct", 3}},
                                    "One of several.");
      parameters.leave_subsection();

      parameters.enter_subsection("Mesh");
      parameters.add("Corner", corner, "A list of numbers.");
      parameters.add("Cells",
                     cells,
                     "A list of two or three positive integers.",
                     Patterns::List(Patterns::Integer(1), 2, 3));
      parameters.add("Periodic", periodic, "A boolean.");
      parameters.enter_subsection("Grading");
      parameters.add("Factor",
                     factor,
                     "A parameter in a section of a section.",
                     Patterns::Double(0.5, 2.));
      parameters.leave_subsection();
      parameters.leave_subsection();

      parameters.add_section_family(
        "Boundary conditions",
        "<id>",
        Patterns::Integer(0),
        "1",
        "What holds on the part of the boundary that has this id.",
        [this](ParameterSet &set, const std::string &id) {
          Condition &condition = conditions[std::stoul(id)];
          set.add("Type",
                  condition.type,
                  "The kind of condition.",
                  Patterns::Selection("dirichlet|neumann"));
          set.add("Value", condition.value, "An expression.");
        });

      parameters.enter_subsection("Failing");
      parameters.add_selection<Failing>(
        "How",
        failing,
        {{"nothing", Failing::nothing},
         {"input", Failing::input},
         {"breakdown", Failing::breakdown},
         {"device", Failing::device},
         {"memory", Failing::memory},
         {"deal.II", Failing::deal_ii},
         {"deal.II memory", Failing::deal_ii_memory},
         {"deal.II convergence", Failing::deal_ii_convergence},
         {"standard", Failing::standard},
         {"unknown", Failing::unknown},
         {"killed", Failing::killed},
         {"convergence", Failing::convergence}},
        "How the run fails.");
      parameters.add("From rank",
                     first_failing_rank,
                     "The lowest rank that fails; all from it on do.");
      parameters.add("Others wait",
                     others_wait,
                     "Whether the other ranks wait for those that failed.");
      parameters.leave_subsection();
    }

    void
    check_parameters(const ParameterSet &parameters) override
    {
      if (method == 3 && parameters.was_set("Solver/Tolerance"))
        throw parameters.error("Solver/Tolerance",
                               "the direct method has no tolerance; remove "
                               "it, or choose cg or gmres");
    }

    ExitStatus
    run(RunContext &context) override
    {
      const double sum =
        std::accumulate(corner.begin(), corner.end(), 1. * degree);
      context.out << "sum " << sum << ", " << conditions.size()
                  << " conditions, label '" << label << "', tolerance "
                  << tolerance << std::endl;
      context.record.new_cycle()["sum"] = sum;

      if (failing == Failing::convergence)
        return ExitStatus::not_converged;
      if (failing != Failing::nothing &&
          context.communicator.rank() >= first_failing_rank)
        fail(failing);
      if (others_wait)
        context.communicator.barrier();
      return ExitStatus::success;
    }

  private:
    struct Condition
    {
      std::string type  = "dirichlet";
      std::string value = "0";
    };

    unsigned int                      degree = 2;
    std::string                       label;
    double                            tolerance          = 1e-8;
    unsigned int                      maximum_iterations = 100;
    int                               method             = 1;
    std::vector<double>               corner             = {0.1, 1. / 3};
    std::vector<unsigned int>         cells              = {4, 4};
    bool                              periodic           = false;
    double                            factor             = 1.;
    std::map<unsigned int, Condition> conditions;
    Failing                           failing            = Failing::nothing;
    unsigned int                      first_failing_rank = 0;
    bool                              others_wait        = false;
  };
} // namespace



int
main(int argc, char **argv)
{
  TestApplication application;
  return tessera::apps::run_application(argc, argv, application);
}
