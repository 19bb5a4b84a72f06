// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/expression.h"

#include <tessera/base/exceptions.h>

#include <cmath>
#include <iostream>
#include <map>
#include <sstream>

namespace tessera::apps
{
  namespace
  {
    template <int dim>
    std::string
    variable_names()
    {
      return dim == 1 ? "x" : (dim == 2 ? "x,y" : "x,y,z");
    }



    /**
     * Drop what is written to std::cerr as long as this object lives: deal.II
     * prints the complaint of muParser there, on every rank, before it throws
     * it.
     */
    class SilentErrorStream
    {
    public:
      SilentErrorStream()
        : original(std::cerr.rdbuf(dropped.rdbuf()))
      {}

      ~SilentErrorStream()
      {
        std::cerr.rdbuf(original);
      }

      SilentErrorStream(const SilentErrorStream &) = delete;
      SilentErrorStream &
      operator=(const SilentErrorStream &) = delete;

    private:
      std::ostringstream dropped;
      std::streambuf    *original;
    };



    /** The explanation in an exception of dealii::FunctionParser, on one line.
     */
    std::string
    explanation(const dealii::ExceptionBase &exception)
    {
      std::ostringstream info;
      exception.print_info(info);
      std::istringstream words(info.str());
      std::string        line;
      for (std::string word; words >> word;)
        line += (line.empty() ? "" : " ") + word;

      // In front of this, deal.II calls muParser's error code a column.
      const std::string introduction = "The parser said: ";
      const auto        found        = line.find(introduction);
      return found == std::string::npos ?
               line :
               line.substr(found + introduction.size());
    }
  } // namespace



  template <int dim>
  Expression<dim>::Expression(const std::string &parameter_path,
                              const std::string &text,
                              const double       length_scale)
    : dealii::FunctionParser<dim>(1)
    , parameter(parameter_path)
    , text_given(text)
  {
    const std::map<std::string, double> named_constants = {
      {"pi", dealii::numbers::PI}};
    try
      {
        const SilentErrorStream silence;
        this->initialize(variable_names<dim>(), text, named_constants);
        // muParser compiles an expression at its first evaluation only.
        dealii::FunctionParser<dim>::value(dealii::Point<dim>());
      }
    catch (const dealii::ExceptionBase &exception)
      {
        throw InputError(parameter + " = \"" + text +
                         "\" is not an expression in " + variable_names<dim>() +
                         " and pi: " + explanation(exception));
      }
    this->set_formula(dealii::AutoDerivativeFunction<dim>::FourthOrder);
    this->set_h(1e-4 * length_scale);
  }



  template <int dim>
  double
  Expression<dim>::value(const dealii::Point<dim> &point,
                         const unsigned int        component) const
  {
    const double v = dealii::FunctionParser<dim>::value(point, component);
    if (!std::isfinite(v) && !not_finite)
      not_finite = std::make_pair(point, v);
    return v;
  }



  template <int dim>
  void
  Expression<dim>::check_finite(const Communicator &communicator) const
  {
    std::string message;
    if (not_finite)
      {
        std::ostringstream text;
        text << parameter << " = \"" << text_given << "\" evaluates to "
             << not_finite->second << " at (";
        for (unsigned int d = 0; d < dim; ++d)
          text << (d > 0 ? ", " : "") << not_finite->first[d];
        text << "). It must be finite on the whole domain and its boundary; "
                "change the expression or the domain.";
        message = text.str();
      }
    communicator.throw_collectively(message);
  }



  template class Expression<2>;
  template class Expression<3>;
} // namespace tessera::apps
