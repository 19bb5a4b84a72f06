// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/parameter_differences.h"

namespace tessera::apps
{
  using json = nlohmann::ordered_json;

  namespace
  {
    using Parameters = std::vector<std::pair<std::string, json>>;

    void
    append(const json &section, const std::string &prefix, Parameters &all)
    {
      for (const auto &[name, value] : section.items())
        if (value.is_object())
          append(value, prefix + name + '/', all);
        else
          all.emplace_back(prefix + name, value);
    }

    const json *
    find(const Parameters &parameters, const std::string &path)
    {
      for (const auto &[name, value] : parameters)
        if (name == path)
          return &value;
      return nullptr;
    }

    std::string
    text(const json *const value)
    {
      return value == nullptr ? "absent" : value->dump();
    }
  } // namespace



  std::vector<ParameterDifference>
  parameter_differences(const json &first, const json &second)
  {
    Parameters all_first, all_second;
    append(first, "", all_first);
    append(second, "", all_second);

    std::vector<ParameterDifference> differences;
    for (const auto &[path, value] : all_first)
      {
        const json *const other = find(all_second, path);
        if (other == nullptr || *other != value)
          differences.push_back({path, text(&value), text(other)});
      }
    for (const auto &[path, value] : all_second)
      if (find(all_first, path) == nullptr)
        differences.push_back({path, text(nullptr), text(&value)});
    return differences;
  }



  bool
  is_one_of(const std::string &path, const std::vector<std::string> &list)
  {
    for (const std::string &entry : list)
      if (path == entry || path.compare(0, entry.size() + 1, entry + '/') == 0)
        return true;
    return false;
  }
} // namespace tessera::apps
