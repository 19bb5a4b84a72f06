// SPDX-License-Identifier: LGPL-2.1-or-later
#include <deal.II/base/utilities.h>

#include <cstdlib>

#include "common/parameter_set.h"

namespace tessera::apps
{
  namespace Patterns = dealii::Patterns;

  namespace
  {
    std::string
    between(const std::string &text,
            const std::string &left,
            const std::string &right)
    {
      const auto begin = text.find(left);
      if (begin == std::string::npos)
        return {};
      const auto first = begin + left.size();
      const auto last  = text.find(right, first);
      return text.substr(first,
                         last == std::string::npos ? last : last - first);
    }



    /** "an integer" and "integers", with bounds: {kind, bounds}. */
    struct Number
    {
      std::string singular, plural, bounds;
    };



    /**
     * deal.II keeps the bounds of a number private; the one place they can be
     * read from is its machine-readable description, whose format
     * Patterns::pattern_factory() relies upon: `[Double 0...MAX_DOUBLE
     * (inclusive)]`.
     */
    Number
    describe_number(const Patterns::PatternBase &pattern)
    {
      const bool integer =
        dynamic_cast<const Patterns::Integer *>(&pattern) != nullptr;
      const std::string description =
        pattern.description(Patterns::PatternBase::Machine);
      const std::string lower =
        between(description, integer ? "[Integer range " : "[Double ", "...");
      const std::string upper = between(description, "...", " (inclusive)");

      const bool no_lower =
        lower.empty() || lower == "-MAX_DOUBLE" ||
        (integer && lower == std::to_string(Patterns::Integer::min_int_value));
      const bool no_upper =
        upper.empty() || upper == "MAX_DOUBLE" ||
        (integer && upper == std::to_string(Patterns::Integer::max_int_value));
      // The smallest normal number stands for "positive", see
      // positive_number(); its text form is rounded down.
      const double value    = std::strtod(lower.c_str(), nullptr);
      const bool   positive = !integer && value > 0 && value < 1e-307;

      std::string bounds;
      if (positive)
        bounds = no_upper ? " > 0" : " > 0 and <= " + upper;
      else if (!no_lower && !no_upper)
        bounds = " from " + lower + " to " + upper;
      else if (!no_lower)
        bounds = " >= " + lower;
      else if (!no_upper)
        bounds = " <= " + upper;
      if (integer)
        return {"an integer", "integers", bounds};
      return {"a number", "numbers", bounds};
    }



    std::string
    describe_list(const Patterns::List &list)
    {
      const std::string description =
        list.description(Patterns::PatternBase::Machine);
      // The length of a list of lists is the last one in the description.
      const std::string length    = " of length ";
      const auto        last      = description.rfind(length);
      const std::string tail      = description.substr(last + length.size());
      const std::string least     = tail.substr(0, tail.find("..."));
      const std::string most      = between(tail, "...", " (inclusive)");
      std::string       separator = between(tail, " separated by <", ">");
      if (separator.empty())
        separator = ",";

      std::string number;
      if (least == most)
        number = least + " ";
      else if (most != std::to_string(Patterns::List::max_int_value))
        number = least + " to " + most + " ";
      else if (least != "0")
        number = least + " or more ";

      const Patterns::PatternBase &element = list.get_base_pattern();
      std::string                  what;
      if (dynamic_cast<const Patterns::Integer *>(&element) != nullptr ||
          dynamic_cast<const Patterns::Double *>(&element) != nullptr)
        {
          const Number text = describe_number(element);
          what              = text.plural + text.bounds;
        }
      else
        what = "entries (each: " + describe_pattern(element) + ")";
      return "a list of " + number + what + ", separated by '" + separator +
             "'";
    }
  } // namespace



  std::string
  describe_pattern(const Patterns::PatternBase &pattern)
  {
    if (dynamic_cast<const Patterns::Integer *>(&pattern) != nullptr ||
        dynamic_cast<const Patterns::Double *>(&pattern) != nullptr)
      {
        const Number text = describe_number(pattern);
        return text.singular + text.bounds;
      }
    if (dynamic_cast<const Patterns::Bool *>(&pattern) != nullptr)
      return "true or false";
    if (dynamic_cast<const Patterns::Anything *>(&pattern) != nullptr)
      return "any text";
    if (const auto *list = dynamic_cast<const Patterns::List *>(&pattern))
      return describe_list(*list);

    std::string values;
    for (const std::string &value : selection_values(pattern))
      values += (values.empty() ? "" : ", ") + value;
    if (dynamic_cast<const Patterns::MultipleSelection *>(&pattern) != nullptr)
      return "any of " + values + ", separated by ','";
    if (dynamic_cast<const Patterns::Selection *>(&pattern) != nullptr)
      return "one of: " + values;
    if (dynamic_cast<const Patterns::FileName *>(&pattern) != nullptr)
      return "the name of a file";
    if (dynamic_cast<const Patterns::DirectoryName *>(&pattern) != nullptr)
      return "the name of a directory";
    return pattern.description(Patterns::PatternBase::Text);
  }



  std::vector<std::string>
  selection_values(const Patterns::PatternBase &pattern)
  {
    std::string kind;
    if (dynamic_cast<const Patterns::Selection *>(&pattern) != nullptr)
      kind = "[Selection ";
    else if (dynamic_cast<const Patterns::MultipleSelection *>(&pattern) !=
             nullptr)
      kind = "[MultipleSelection ";
    else
      return {};
    return dealii::Utilities::split_string_list(
      between(pattern.description(Patterns::PatternBase::Machine), kind, "]"),
      '|');
  }
} // namespace tessera::apps
