// SPDX-License-Identifier: LGPL-2.1-or-later
// ParameterSet as text: documentation, values, JSON.
#include <deal.II/base/utilities.h>

#include <cstdlib>
#include <sstream>

#include "common/parameter_set_implementation.h"
#include "common/text_layout.h"

namespace tessera::apps
{
  namespace
  {
    nlohmann::ordered_json
    value_as_json(const dealii::Patterns::PatternBase &pattern,
                  const std::string                   &text)
    {
      if (dynamic_cast<const dealii::Patterns::Bool *>(&pattern) != nullptr)
        return text == "true";
      if (dynamic_cast<const dealii::Patterns::Integer *>(&pattern) != nullptr)
        return std::stoi(text);
      if (dynamic_cast<const dealii::Patterns::Double *>(&pattern) != nullptr)
        return std::strtod(text.c_str(), nullptr);
      if (const auto *list =
            dynamic_cast<const dealii::Patterns::List *>(&pattern))
        if (list->description().find("separated by") == std::string::npos)
          {
            nlohmann::ordered_json array = nlohmann::ordered_json::array();
            for (const std::string &entry :
                 dealii::Utilities::split_string_list(text))
              array.push_back(value_as_json(list->get_base_pattern(), entry));
            return array;
          }
      return text;
    }
  } // namespace



  void
  ParameterSet::Implementation::print_section(std::ostream      &out,
                                              const std::string &section,
                                              const std::string &margin) const
  {
    const auto comment = [&](const std::string &text) {
      out << indent_text(text, margin + "# ");
    };

    bool first = true;
    for (const auto &parameter : parameters)
      if (parameter->section == section)
        {
          if (!first)
            out << '\n';
          first = false;
          comment(parameter->documentation);
          comment("Allowed: " + describe_pattern(*parameter->pattern) + ".");
          if (parameter->value != parameter->default_value)
            comment("Default: " +
                    (parameter->default_value.empty() ?
                       std::string("empty") :
                       parameter->default_value) +
                    ".");
          out << margin << "set " << parameter->name << " ="
              << (parameter->value.empty() ? "" : " ") << parameter->value
              << '\n';
        }

    for (const std::string &name : sections_in(section))
      {
        if (!first)
          out << '\n';
        first = false;
        out << margin << "subsection " << name << '\n';
        const std::string inner  = join_path(section, name);
        const Family     *family = find_family(inner);
        if (family != nullptr)
          {
            const std::string indented = margin + "  ";
            out << indent_text(family->documentation +
                                 "\nAny number of sections may be given; " +
                                 family->placeholder + " is " +
                                 describe_pattern(*family->key_pattern) +
                                 ". An example:",
                               indented + "# ");

            ParameterSet example;
            example.enter_subsection(family->example_key);
            family->declare(example, family->example_key);
            example.leave_subsection();
            std::ostringstream text;
            example.implementation->print_section(text, "", "");
            std::istringstream lines(text.str());
            for (std::string line; std::getline(lines, line);)
              out << indented << "#" << (line.empty() ? "" : " ") << line
                  << '\n';
            if (!sections_in(inner).empty())
              out << '\n';
          }
        print_section(out, inner, margin + "  ");
        out << margin << "end\n";
      }
  }



  void
  ParameterSet::print_documentation(std::ostream &out) const
  {
    implementation->print_section(out, "", "");
  }



  void
  ParameterSet::print_values(std::ostream &out) const
  {
    // deal.II offers the writer as a non-const member.
    implementation->handler.print_parameters(
      out,
      dealii::ParameterHandler::ShortPRM |
        dealii::ParameterHandler::KeepDeclarationOrder);
  }



  nlohmann::ordered_json
  ParameterSet::as_json() const
  {
    nlohmann::ordered_json root = nlohmann::ordered_json::object();
    for (const auto &parameter : implementation->parameters)
      {
        nlohmann::ordered_json *object = &root;
        std::istringstream      section(parameter->section);
        for (std::string name; std::getline(section, name, '/');)
          object = &(*object)[name];
        (*object)[parameter->name] =
          value_as_json(*parameter->pattern, parameter->value);
      }
    return root;
  }
} // namespace tessera::apps
