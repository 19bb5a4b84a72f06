// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "common/nearest_name.h"
#include "common/parameter_file.h"
#include "common/parameter_set_implementation.h"

namespace tessera::apps
{
  namespace
  {
    /** More errors than these are only counted. */
    constexpr std::size_t max_errors_shown = 20;
  } // namespace



  ParameterSet::ParameterSet()
    : implementation(std::make_unique<Implementation>())
  {
    implementation->sections.push_back("");
  }



  ParameterSet::~ParameterSet() = default;



  void
  ParameterSet::enter_subsection(const std::string &name)
  {
    AssertThrow(!name.empty() &&
                  name.find_first_of("/=#\n") == std::string::npos,
                dealii::ExcMessage("The section name '" + name +
                                   "' is empty or contains one of / = #."));
    implementation->open.push_back(name);
    implementation->handler.enter_subsection(name);
    const std::string section = implementation->current_section();
    if (!implementation->has_section(section))
      implementation->sections.push_back(section);
  }



  void
  ParameterSet::leave_subsection()
  {
    AssertThrow(!implementation->open.empty(),
                dealii::ExcMessage("There is no open section to leave."));
    implementation->open.pop_back();
    implementation->handler.leave_subsection();
  }



  void
  ParameterSet::declare(const std::string                   &name,
                        const std::string                   &default_value,
                        const std::string                   &documentation,
                        const dealii::Patterns::PatternBase &pattern,
                        const Setter                        &set)
  {
    const std::string section = implementation->current_section();
    const std::string path    = join_path(section, name);
    AssertThrow(!name.empty() &&
                  name.find_first_of("/=#\n") == std::string::npos,
                dealii::ExcMessage("The parameter name '" + name +
                                   "' is empty or contains one of / = #."));
    AssertThrow(!documentation.empty(),
                dealii::ExcMessage("The parameter '" + path +
                                   "' has no documentation."));
    AssertThrow(pattern.match(default_value),
                dealii::ExcMessage("The default '" + default_value + "' of '" +
                                   path + "' is not " +
                                   describe_pattern(pattern) + "."));
    AssertThrow(implementation->by_path.count(path) == 0,
                dealii::ExcMessage("The parameter '" + path +
                                   "' was declared twice."));

    implementation->handler.declare_entry(name,
                                          default_value,
                                          pattern,
                                          documentation);
    auto parameter           = std::make_unique<Implementation::Parameter>();
    parameter->section       = section;
    parameter->name          = name;
    parameter->default_value = default_value;
    parameter->value         = default_value;
    parameter->documentation = documentation;
    parameter->pattern       = pattern.clone();
    parameter->set           = set;
    implementation->by_path[path] = parameter.get();
    implementation->parameters.push_back(std::move(parameter));
  }



  void
  ParameterSet::add_section_family(
    const std::string                   &section,
    const std::string                   &placeholder,
    const dealii::Patterns::PatternBase &key_pattern,
    const std::string                   &example_key,
    const std::string                   &documentation,
    const std::function<void(ParameterSet &, const std::string &)> &declare)
  {
    enter_subsection(section);
    AssertThrow(key_pattern.match(example_key) && !documentation.empty(),
                dealii::ExcMessage("The family of sections '" + section +
                                   "' needs documentation and an example key "
                                   "that its pattern allows."));
    implementation->families.push_back({implementation->current_section(),
                                        placeholder,
                                        key_pattern.clone(),
                                        example_key,
                                        documentation,
                                        declare});
    leave_subsection();
  }



  /**
   * Follow the names of a statement from the root, declaring members of
   * families; return the path with normalized keys, or set the error.
   */
  std::string
  ParameterSet::Implementation::resolve_section(
    ParameterSet                   &self,
    const std::vector<std::string> &names,
    std::string                    &error)
  {
    std::string              section;
    std::vector<std::string> entered;
    for (std::string name : names)
      {
        if (const Family *family = find_family(section))
          {
            if (!normalize_key(*family, name))
              {
                error = "'" + name + "' cannot be a section of '" + section +
                        "'; expected " + family->placeholder + ": " +
                        describe_pattern(*family->key_pattern);
                // The usual mistake: the section of the key was forgotten.
                return {};
              }
            if (!has_section(join_path(section, name)))
              {
                // Called between declarations, with no section open.
                const auto declare = family->declare;
                for (const std::string &outer : entered)
                  self.enter_subsection(outer);
                self.enter_subsection(name);
                declare(self, name);
                for (std::size_t i = 0; i < entered.size() + 1; ++i)
                  self.leave_subsection();
              }
          }
        else if (name.find('/') != std::string::npos ||
                 !has_section(join_path(section, name)))
          {
            error = unknown_section(section, name);
            return {};
          }
        section = join_path(section, name);
        entered.push_back(name);
      }
    return section;
  }



  void
  ParameterSet::apply(const std::vector<Statement> &statements)
  {
    AssertThrow(implementation->open.empty(),
                dealii::ExcMessage(
                  "A section of the declarations was not left."));

    struct Assignment
    {
      Implementation::Parameter *parameter;
      const Statement           *statement;
    };
    std::vector<Assignment>  assignments;
    std::vector<std::string> errors;

    // Sections reported once: what is inside them is not reported again.
    std::vector<std::vector<std::string>> wrong_sections;
    std::map<std::tuple<std::string, std::string>, const Statement *> first_set;

    for (const Statement &statement : statements)
      {
        const auto report = [&](const std::string &message) {
          errors.push_back(statement.place() + ": " + message);
        };

        const bool already_reported =
          std::any_of(wrong_sections.begin(),
                      wrong_sections.end(),
                      [&](const std::vector<std::string> &wrong) {
                        return !statement.file.empty() &&
                               wrong.size() <= statement.section.size() &&
                               std::equal(wrong.begin(),
                                          wrong.end(),
                                          statement.section.begin());
                      });
        if (already_reported)
          continue;

        std::string       error;
        const std::string section =
          implementation->resolve_section(*this, statement.section, error);
        if (!error.empty())
          {
            report(error);
            wrong_sections.push_back(statement.section);
            continue;
          }
        if (statement.enters_section())
          continue;

        const std::string path  = join_path(section, statement.name);
        const auto        entry = implementation->by_path.find(path);
        if (entry == implementation->by_path.end() ||
            statement.name.find('/') != std::string::npos)
          {
            report(implementation->unknown_parameter(section, statement.name));
            continue;
          }
        Implementation::Parameter &parameter = *entry->second;

        if (!statement.file.empty())
          {
            const auto [first, is_first] =
              first_set.insert({{statement.file, path}, &statement});
            if (!is_first)
              {
                report("parameter '" + statement.name + "' " +
                       in_section(section) + " has a value already, '" +
                       first->second->value + "' in line " +
                       std::to_string(first->second->line) +
                       "; remove one of the two lines");
                continue;
              }
          }

        if (!parameter.pattern->match(statement.value))
          {
            const std::string nearest =
              nearest_name(statement.value,
                           selection_values(*parameter.pattern));
            report(
              "parameter '" + statement.name + "' " + in_section(section) +
              ": found '" + statement.value + "', expected " +
              describe_pattern(*parameter.pattern) +
              (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
            continue;
          }
        assignments.push_back({&parameter, &statement});
      }

    if (!errors.empty())
      {
        std::string message;
        for (std::size_t i = 0; i < errors.size() && i < max_errors_shown; ++i)
          message += (i == 0 ? "" : "\n") + errors[i];
        if (errors.size() > max_errors_shown)
          message += "\nand " +
                     std::to_string(errors.size() - max_errors_shown) +
                     " more errors";
        throw InputError(message);
      }

    for (const Assignment &assignment : assignments)
      {
        Implementation::Parameter &parameter = *assignment.parameter;
        parameter.set(assignment.statement->value);
        parameter.value  = assignment.statement->value;
        parameter.origin = assignment.statement->place();

        std::vector<std::string> names;
        std::istringstream       section(parameter.section);
        for (std::string name; std::getline(section, name, '/');)
          names.push_back(name);
        for (const std::string &name : names)
          implementation->handler.enter_subsection(name);
        implementation->handler.set(parameter.name, parameter.value);
        for (std::size_t i = 0; i < names.size(); ++i)
          implementation->handler.leave_subsection();
      }
  }



  bool
  ParameterSet::was_set(const std::string &path) const
  {
    return !implementation->find(path).origin.empty();
  }



  std::string
  ParameterSet::origin(const std::string &path) const
  {
    const std::string &origin = implementation->find(path).origin;
    return origin.empty() ? "default" : origin;
  }



  std::string
  ParameterSet::value(const std::string &path) const
  {
    return implementation->find(path).value;
  }



  InputError
  ParameterSet::error(const std::string &path,
                      const std::string &explanation) const
  {
    const Implementation::Parameter &parameter = implementation->find(path);
    return InputError(
      (parameter.origin.empty() ? "" : parameter.origin + ": ") + path + " = " +
      parameter.value + (parameter.origin.empty() ? " (the default): " : ": ") +
      explanation);
  }
} // namespace tessera::apps
