// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_parameter_set_implementation_h
#define tessera_apps_common_parameter_set_implementation_h

// The tables behind ParameterSet, for its source files alone.

#include <algorithm>
#include <map>

#include "common/parameter_set.h"

namespace tessera::apps
{
  inline std::string
  join_path(const std::string &section, const std::string &name)
  {
    return section.empty() ? name : section + "/" + name;
  }



  inline std::string
  in_section(const std::string &section)
  {
    return section.empty() ? "outside of all sections" :
                             "in section '" + section + "'";
  }



  struct ParameterSet::Implementation
  {
    struct Parameter
    {
      std::string                                    section;
      std::string                                    name;
      std::string                                    default_value;
      std::string                                    value;
      std::string                                    documentation;
      std::shared_ptr<dealii::Patterns::PatternBase> pattern;
      Setter                                         set;
      std::string                                    origin; // empty: default
    };

    struct Family
    {
      std::string                                              section;
      std::string                                              placeholder;
      std::shared_ptr<dealii::Patterns::PatternBase>           key_pattern;
      std::string                                              example_key;
      std::string                                              documentation;
      std::function<void(ParameterSet &, const std::string &)> declare;
    };

    /** In the order of declaration; the order of printing. */
    std::vector<std::unique_ptr<Parameter>> parameters;
    std::vector<std::string>                sections;
    std::vector<Family>                     families;
    std::map<std::string, Parameter *>      by_path;

    /** The section declarations go into. */
    std::vector<std::string> open;

    dealii::ParameterHandler handler;

    std::string
    current_section() const
    {
      std::string section;
      for (const std::string &name : open)
        section = join_path(section, name);
      return section;
    }

    bool
    has_section(const std::string &section) const
    {
      return std::find(sections.begin(), sections.end(), section) !=
             sections.end();
    }

    const Family *
    find_family(const std::string &section) const
    {
      for (const Family &family : families)
        if (family.section == section)
          return &family;
      return nullptr;
    }

    std::vector<std::string>
    names_in(const std::string &section) const
    {
      std::vector<std::string> names;
      for (const auto &parameter : parameters)
        if (parameter->section == section)
          names.push_back(parameter->name);
      return names;
    }

    /** Names of the sections directly inside a section. */
    std::vector<std::string>
    sections_in(const std::string &section) const
    {
      std::vector<std::string> names;
      for (const std::string &candidate : sections)
        {
          if (candidate.empty())
            continue; // the root is in no section
          const auto slash = candidate.rfind('/');
          const auto parent =
            slash == std::string::npos ? "" : candidate.substr(0, slash);
          if (parent == section)
            names.push_back(
              candidate.substr(slash == std::string::npos ? 0 : slash + 1));
        }
      return names;
    }

    const Parameter &
    find(const std::string &path) const
    {
      const auto entry = by_path.find(path);
      AssertThrow(entry != by_path.end(),
                  dealii::ExcMessage("No parameter '" + path +
                                     "' was declared."));
      return *entry->second;
    }

    bool
    normalize_key(const Family &family, std::string &key) const
    {
      if (key.find('/') != std::string::npos || !family.key_pattern->match(key))
        return false;
      if (dynamic_cast<const dealii::Patterns::Integer *>(
            family.key_pattern.get()) != nullptr)
        key = std::to_string(std::stoi(key));
      return true;
    }

    std::string
    unknown_section(const std::string &section, const std::string &name) const;

    std::string
    unknown_parameter(const std::string &section,
                      const std::string &name) const;

    std::string
    resolve_section(ParameterSet                   &self,
                    const std::vector<std::string> &names,
                    std::string                    &error);

    /** Parameters of other sections, with those of families by example. */
    std::vector<std::pair<std::string, std::string>>
    all_names() const;

    void
    print_section(std::ostream      &out,
                  const std::string &section,
                  const std::string &margin) const;
  };
} // namespace tessera::apps

#endif
