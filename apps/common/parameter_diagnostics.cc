// SPDX-License-Identifier: LGPL-2.1-or-later
// What ParameterSet says about names it does not know.
#include "common/nearest_name.h"
#include "common/parameter_set_implementation.h"

namespace tessera::apps
{
  namespace
  {
    std::string
    list_names(const std::vector<std::string> &names)
    {
      constexpr std::size_t most = 12;
      std::string           text;
      for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i == 0 ? "'" : ", '") + names[i] + "'";
      if (names.size() > most)
        text += " and " + std::to_string(names.size() - most) + " more";
      return text;
    }
  } // namespace



  std::vector<std::pair<std::string, std::string>>
  ParameterSet::Implementation::all_names() const
  {
    std::vector<std::pair<std::string, std::string>> names;
    for (const auto &parameter : parameters)
      names.emplace_back(parameter->section, parameter->name);
    for (const Family &family : families)
      {
        ParameterSet example;
        family.declare(example, family.example_key);
        for (const auto &parameter : example.implementation->parameters)
          {
            const std::string member =
              join_path(family.section, family.placeholder);
            names.emplace_back(parameter->section.empty() ?
                                 member :
                                 join_path(member, parameter->section),
                               parameter->name);
          }
      }
    return names;
  }



  std::string
  ParameterSet::Implementation::unknown_section(const std::string &section,
                                                const std::string &name) const
  {
    std::string message =
      "unknown section '" + name + "' " +
      (section.empty() ? "at the top level" : in_section(section));
    if (name.find('/') != std::string::npos)
      return message + "; a name has no '/': nest one 'subsection' in another";
    if (by_path.count(join_path(section, name)) != 0)
      return message + "; '" + name + "' is a parameter: write 'set " + name +
             " = VALUE'";

    const std::vector<std::string> siblings = sections_in(section);
    const std::string              nearest  = nearest_name(name, siblings);
    if (!nearest.empty())
      return message + "; did you mean '" + nearest + "'?";

    for (const std::string &candidate : sections)
      {
        const auto slash = candidate.rfind('/');
        if (!candidate.empty() &&
            same_name(candidate.substr(slash == std::string::npos ? 0 :
                                                                    slash + 1),
                      name))
          return message + "; there is a section '" + candidate + "'" +
                 (slash == std::string::npos ? " at the top level" : "") +
                 (section.empty() ? "" :
                                    "; is an 'end' missing before this line?");
      }
    if (siblings.empty())
      return message + ", which has no sections";
    return message + "; known are " + list_names(siblings);
  }



  std::string
  ParameterSet::Implementation::unknown_parameter(const std::string &section,
                                                  const std::string &name) const
  {
    const std::string message =
      "unknown parameter '" + name + "' " + in_section(section);
    if (name.find('/') != std::string::npos)
      return message + "; a name has no '/': in a file, sections are entered " +
             "with 'subsection'";
    if (has_section(join_path(section, name)))
      return message + "; '" + name + "' is a section: write 'subsection " +
             name + "'";

    const std::vector<std::string> siblings = names_in(section);
    const std::string              nearest  = nearest_name(name, siblings);
    // A misspelt name of this section goes before the same name in another
    // one only if it is all but equal.
    if (!nearest.empty() && edit_distance(nearest, name) <= 1)
      return message + "; did you mean '" + nearest + "'?";

    const auto               names = all_names();
    std::vector<std::string> elsewhere, all;
    for (const auto &[other_section, other_name] : names)
      {
        all.push_back(other_name);
        if (other_section != section && same_name(other_name, name))
          elsewhere.push_back(other_section);
      }
    if (!elsewhere.empty())
      {
        std::string text = message + "; there is a parameter of this name ";
        for (std::size_t i = 0; i < elsewhere.size(); ++i)
          text += (i == 0 ? "" : ", and ") + in_section(elsewhere[i]);
        return text;
      }
    if (!nearest.empty())
      return message + "; did you mean '" + nearest + "'?";
    const std::string other = nearest_name(name, all);
    if (!other.empty())
      for (const auto &[other_section, other_name] : names)
        if (other_name == other)
          return message + "; did you mean '" + other + "' " +
                 in_section(other_section) + "?";
    if (siblings.empty())
      return message + (section.empty() ?
                          "" :
                          "; this section has no parameters of its own");
    return message + "; known are " + list_names(siblings);
  }
} // namespace tessera::apps
