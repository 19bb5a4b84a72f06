// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef tessera_apps_common_parameter_set_h
#define tessera_apps_common_parameter_set_h

#include <tessera/base/exceptions.h>

#include <deal.II/base/parameter_handler.h>
#include <deal.II/base/patterns.h>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::apps
{
  struct Statement;

  /**
   * Pattern of a number that must be positive: $0 < x \le x_{\max}$. deal.II's
   * Patterns::Double has closed bounds only; the lower one is the smallest
   * normal number here, and messages print it as "> 0".
   */
  inline dealii::Patterns::Double
  positive_number(
    const double upper_bound = dealii::Patterns::Double::max_double_value)
  {
    return {std::numeric_limits<double>::min(), upper_bound};
  }

  /**
   * What a pattern allows, in words that fit behind "expected ": "an integer
   * from 1 to 3", "a number > 0", "one of: cg, stationary", "a list of 2 to 3
   * numbers >= 0, separated by ','".
   */
  std::string
  describe_pattern(const dealii::Patterns::PatternBase &pattern);

  /** The values a Selection or MultipleSelection allows; else nothing. */
  std::vector<std::string>
  selection_values(const dealii::Patterns::PatternBase &pattern);

  /**
   * The parameters of an application: their names, sections, documentation,
   * ranges, and the variables of the application that receive their values.
   *
   * An application declares each parameter once, in
   * Application::declare_parameters():
   * @code
   * void
   * Problem::declare_parameters(ParameterSet &parameters)
   * {
   *   parameters.add("Degree", degree, "Polynomial degree.",
   *                  dealii::Patterns::Integer(1, 3));
   *   parameters.enter_subsection("Solver");
   *   parameters.add("Tolerance", tolerance, "Relative to the ...",
   *                  positive_number(1.));
   *   parameters.add_selection("Iteration", iteration,
   *                            {{"stationary", Iteration::stationary},
   *                             {"cg", Iteration::cg}},
   *                            "Outer iteration.");
   *   parameters.leave_subsection();
   * }
   * @endcode
   * The value a variable has when it is declared is the default. Its text form
   * has enough digits to reproduce the variable bitwise. Variables must outlive
   * the set and must not move.
   *
   * Sections whose name is data, such as `Boundary conditions/<id>`, are
   * declared by add_section_family().
   *
   * In this class a *path* is the names of sections and of the parameter joined
   * by '/', always from the root: "Solver/Tolerance". No name may contain '/',
   * '=', '#', or a line break.
   *
   * Values and printing are dealii::ParameterHandler's; the checks, and the
   * messages about what is wrong with a file, are our own (apply()), because
   * deal.II's name neither the section nor the nearest entry. Nothing in this
   * class communicates: on every rank the same calls have the same outcome.
   */
  class ParameterSet
  {
  public:
    ParameterSet();

    ParameterSet(const ParameterSet &) = delete;
    ParameterSet &
    operator=(const ParameterSet &) = delete;

    ~ParameterSet();

    /** Enter a section, creating it where it does not exist. */
    void
    enter_subsection(const std::string &name);

    void
    leave_subsection();

    /**
     * Declare a parameter in the current section. Its default is the present
     * value of @p variable.
     *
     * T is bool, an integer, a floating-point number, std::string, a
     * std::vector of one of these (written "1, 2, 3"), or anything else for
     * which dealii::Patterns::Tools::Convert has a specialization.
     *
     * @param[in] documentation For the user: what it does, its unit, when to
     * change it. Must not be empty.
     * @param[in] pattern What is allowed. Give numbers a range.
     */
    template <typename T>
    void
    add(const std::string                   &name,
        T                                   &variable,
        const std::string                   &documentation,
        const dealii::Patterns::PatternBase &pattern);

    /** The same, with the widest pattern of the type. */
    template <typename T>
    void
    add(const std::string &name, T &variable, const std::string &documentation);

    /**
     * Declare a parameter that chooses one of several named values, usually of
     * an enum. The present value of @p variable must be one of them; it is the
     * default.
     */
    template <typename E>
    void
    add_selection(const std::string                            &name,
                  E                                            &variable,
                  const std::vector<std::pair<std::string, E>> &values,
                  const std::string                            &documentation);

    /**
     * Declare a family of sections `<section>/<key>` in the current section,
     * where the key is data:
     * @code
     * parameters.add_section_family(
     *   "Boundary conditions", "<id>", dealii::Patterns::Integer(0), "0",
     *   "One section for each boundary id that ...",
     *   [this](ParameterSet &p, const std::string &id) {
     *     auto &condition = boundary_conditions[std::stoi(id)]; // a std::map
     *     p.add_selection("Type", condition.type, {...}, "...");
     *     p.add("Value", condition.value, "...");
     *   });
     * @endcode
     * A member is declared when a file or `--set` names it, so the application
     * finds exactly the keys the user gave. A key that does not match
     * @p key_pattern is an error. Keys of an Integer pattern are normalized:
     * "01" and "1" are the same section.
     *
     * @param[in] placeholder How the documentation writes a key.
     * @param[in] key_pattern Which keys are allowed.
     * @param[in] example_key The key --print-parameters shows.
     * @param[in] declare Declares the parameters of a member; called inside
     * its section. It is also called with the example key when documentation or
     * an error message is composed, on a run that ends with that.
     */
    void
    add_section_family(
      const std::string                   &section,
      const std::string                   &placeholder,
      const dealii::Patterns::PatternBase &key_pattern,
      const std::string                   &example_key,
      const std::string                   &documentation,
      const std::function<void(ParameterSet &, const std::string &key)>
        &declare);

    /**
     * Check statements against the declarations and assign them in order: a
     * later one overrides an earlier one.
     *
     * Nothing is assigned unless all are right.
     * @throws InputError that lists all errors, one a line, each with place,
     * section, what was found, what is allowed, and the nearest known name.
     */
    void
    apply(const std::vector<Statement> &statements);

    /** Whether a file or --set gave the parameter a value. */
    bool
    was_set(const std::string &path) const;

    /**
     * Where the value comes from: "run.prm:12", "--set", or "default".
     */
    std::string
    origin(const std::string &path) const;

    /** The value as text, as the file gave it. */
    std::string
    value(const std::string &path) const;

    /**
     * The exception for Application::check_parameters() to throw where a value
     * is wrong in view of others. The message reads
     * `run.prm:12: Solver/Tolerance = 3: <explanation>`.
     *
     * @param[in] explanation What is wrong, what is allowed, what to do.
     */
    [[nodiscard]] InputError
    error(const std::string &path, const std::string &explanation) const;

    /**
     * Write all parameters in the syntax of the parameter file, with
     * documentation, what is allowed, and default. The text is a valid
     * parameter file with the present values. A family of sections shows an
     * example, commented out.
     */
    void
    print_documentation(std::ostream &out) const;

    /**
     * Write all parameters with their present values as a parameter file;
     * reading it back gives the same values.
     */
    void
    print_values(std::ostream &out) const;

    /**
     * The present values as nested objects: numbers and booleans as such, lists
     * separated by ',' as arrays, all else as strings.
     */
    nlohmann::ordered_json
    as_json() const;

  private:
    using Setter = std::function<void(const std::string &)>;

    void
    declare(const std::string                   &name,
            const std::string                   &default_value,
            const std::string                   &documentation,
            const dealii::Patterns::PatternBase &pattern,
            const Setter                        &set);

    struct Implementation;
    std::unique_ptr<Implementation> implementation;
  };



  namespace internal
  {
    template <typename T>
    struct is_vector : std::false_type
    {};

    template <typename T>
    struct is_vector<std::vector<T>> : std::true_type
    {};

    /**
     * The widest pattern of a type. Convert<unsigned int>::to_pattern() would
     * accept negative numbers: its upper bound overflows to -1, which
     * Patterns::Integer takes for "no bounds".
     */
    template <typename T>
    std::unique_ptr<dealii::Patterns::PatternBase>
    widest_pattern()
    {
      namespace Patterns = dealii::Patterns;
      if constexpr (std::is_same_v<T, bool>)
        return std::make_unique<Patterns::Bool>();
      else if constexpr (std::is_integral_v<T>)
        return std::make_unique<Patterns::Integer>(
          std::is_unsigned_v<T> ? 0 : Patterns::Integer::min_int_value,
          Patterns::Integer::max_int_value);
      else if constexpr (std::is_floating_point_v<T>)
        return std::make_unique<Patterns::Double>();
      else if constexpr (std::is_same_v<T, std::string>)
        return std::make_unique<Patterns::Anything>();
      else if constexpr (is_vector<T>::value)
        return std::make_unique<Patterns::List>(
          *widest_pattern<typename T::value_type>());
      else
        return Patterns::Tools::Convert<T>::to_pattern();
    }

    /** Text with the fewest digits that reproduce the value bitwise. */
    template <typename T>
    std::string
    to_text(const T &value, const dealii::Patterns::PatternBase &pattern)
    {
      if constexpr (std::is_floating_point_v<T>)
        {
          char       text[64];
          const auto end = std::to_chars(text, text + sizeof(text), value).ptr;
          return {text, end};
        }
      else if constexpr (std::is_same_v<T, std::string>)
        return value;
      else if constexpr (is_vector<T>::value)
        {
          std::string text;
          for (const auto &element : value)
            text += (text.empty() ? "" : ", ") + to_text(element, pattern);
          return text;
        }
      else if constexpr (std::is_same_v<T, bool>)
        return value ? "true" : "false";
      else if constexpr (std::is_integral_v<T>)
        return std::to_string(value);
      else
        return dealii::Patterns::Tools::Convert<T>::to_string(value, pattern);
    }
  } // namespace internal



  template <typename T>
  void
  ParameterSet::add(const std::string                   &name,
                    T                                   &variable,
                    const std::string                   &documentation,
                    const dealii::Patterns::PatternBase &pattern)
  {
    const std::shared_ptr<dealii::Patterns::PatternBase> shared_pattern =
      pattern.clone();
    declare(name,
            internal::to_text(variable, pattern),
            documentation,
            pattern,
            [&variable, shared_pattern](const std::string &text) {
              variable =
                dealii::Patterns::Tools::Convert<T>::to_value(text,
                                                              *shared_pattern);
            });
  }



  template <typename T>
  void
  ParameterSet::add(const std::string &name,
                    T                 &variable,
                    const std::string &documentation)
  {
    add(name, variable, documentation, *internal::widest_pattern<T>());
  }



  template <typename E>
  void
  ParameterSet::add_selection(
    const std::string                            &name,
    E                                            &variable,
    const std::vector<std::pair<std::string, E>> &values,
    const std::string                            &documentation)
  {
    std::string names, default_value;
    for (const auto &[text, value] : values)
      {
        names += (names.empty() ? "" : "|") + text;
        if (value == variable)
          default_value = text;
      }
    declare(name,
            default_value,
            documentation,
            dealii::Patterns::Selection(names),
            [&variable, values](const std::string &chosen) {
              for (const auto &[text, value] : values)
                if (text == chosen)
                  variable = value;
            });
  }
} // namespace tessera::apps

#endif
